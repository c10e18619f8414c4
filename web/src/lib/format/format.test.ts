import { formatMoney } from '@passerelle/contracts/rules/money'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, formatDate, formatTime, today } from './dates.ts'
import { durationMinutes, formatDuration } from './duration.ts'
import { passengersText, travellersText } from './people.ts'

describe('durations', () => {
  it.each([
    ['PT2H30M', '2h 30m'],
    ['PT55M', '0h 55m'],
    ['PT11H', '11h 0m'],
    ['P1DT2H5M', '26h 5m'],
  ])('GEN-13: %s shows as %s', (iso, text) => {
    expect(formatDuration(iso)).toBe(text)
  })

  it.each([[null], [undefined], [''], ['P'], ['PT'], ['2h 30m'], ['PTXM']])('GEN-14: %s shows as N/A', (iso) => {
    expect(formatDuration(iso)).toBe('N/A')
    expect(durationMinutes(iso)).toBeNull()
  })
})

describe('dates', () => {
  it('GEN-21, GEN-23: a time is the text of the wall clock, whatever zone is written behind it', () => {
    expect(formatTime('2027-03-28T02:30:00')).toBe('02:30')
    expect(formatTime('2027-03-28T02:30:00-05:00')).toBe('02:30')
    expect(formatTime('2027-03-28T02:30:00Z')).toBe('02:30')
  })

  it('GEN-22, CARD-11: has short, weekday and full forms', () => {
    expect(formatDate('2026-12-10T13:35:00', 'short')).toBe('Dec 10')
    expect(formatDate('2026-12-10', 'weekday')).toBe('Thu, Dec 10')
    expect(formatDate('2026-12-01', 'full')).toBe('Dec 01, 2026')
  })

  it.each([[''], [null], ['soon'], ['2027-02-30'], ['2027-13-01']])('GEN-15, CARD-08: %s shows as N/A', (text) => {
    expect(formatDate(text, 'weekday')).toBe('N/A')
    expect(formatTime(text)).toBe('N/A')
  })

  it('R-91: +1 follows from the dates', () => {
    expect(daysBetween('2026-12-17T18:25:00', '2026-12-18T10:35:00')).toBe(1)
    expect(daysBetween('2026-12-31T23:00:00', '2027-01-02T01:00:00')).toBe(2)
    expect(daysBetween('2026-12-17T18:25:00', '2026-12-17T23:35:00')).toBe(0)
    expect(daysBetween('2026-12-18T00:10:00', '2026-12-17T23:35:00')).toBe(-1)
    expect(daysBetween(null, 'x')).toBe(0)
  })

  it('FORM-16: calendar dates move without a time-zone shift', () => {
    expect(addDays('2027-03-27', 2)).toBe('2027-03-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  })
})

describe('words', () => {
  it('counts people', () => {
    expect(passengersText({ adults: 2, children: 1, infants: 0 })).toBe('2 adults, 1 child')
    expect(passengersText({ adults: 1, children: 2, infants: 1 })).toBe('1 adult, 2 children, 1 infant')
    expect(travellersText({ adults: 2, children: 1, infants: 0 })).toBe('3 travellers')
  })

  it('GEN-16, GEN-17, GEN-20: prices carry their own symbol, without decimals', () => {
    expect(formatMoney('1984.00', 'USD')).toBe('$1,984')
    expect(formatMoney('274.00', 'EUR')).toBe('€274')
    expect(formatMoney('free', 'EUR')).toBe('EUR N/A')
  })
})
