import { describe, expect, it } from 'vitest'
import { ageOn, instantOf, isoDuration, localDate, localTime } from './local-time.ts'

describe('local times', () => {
  it('a wall-clock time becomes the right instant in winter and in summer', () => {
    expect(new Date(instantOf('Europe/Paris', '2027-01-10', 8 * 60)).toISOString()).toBe('2027-01-10T07:00:00.000Z')
    expect(new Date(instantOf('Europe/Paris', '2027-07-10', 8 * 60)).toISOString()).toBe('2027-07-10T06:00:00.000Z')
    expect(new Date(instantOf('Asia/Kathmandu', '2027-07-10', 8 * 60)).toISOString()).toBe('2027-07-10T02:15:00.000Z')
    expect(new Date(instantOf('America/New_York', '2027-12-31', 23 * 60 + 30)).toISOString()).toBe('2028-01-01T04:30:00.000Z')
  })

  it('going to an instant and back gives the same wall clock on the days on which the clocks change', () => {
    for (const [zone, date] of [
      ['Europe/Paris', '2027-03-28'],
      ['America/New_York', '2027-03-14'],
      ['Europe/London', '2027-10-31'],
      ['Australia/Sydney', '2027-10-03'],
    ] as const) {
      for (const minute of [0, 60, 300, 720, 1439]) {
        const text = localTime(zone, instantOf(zone, date, minute))
        expect(text).toBe(`${date}T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`)
      }
    }
  })

  it('a time that the clocks skip is moved to after the gap', () => {
    expect(localTime('Europe/Paris', instantOf('Europe/Paris', '2027-03-28', 150))).toBe('2027-03-28T03:30:00')
  })

  it('the local date is another one on the far side of the world', () => {
    const at = Date.parse('2027-03-04T20:00:00Z')
    expect(localDate('Europe/Paris', at)).toBe('2027-03-04')
    expect(localDate('Asia/Tokyo', at)).toBe('2027-03-05')
  })

  it('durations have days when they are long', () => {
    expect([155, 60, 45, 2790, 1440].map(isoDuration)).toEqual(['PT2H35M', 'PT1H', 'PT45M', 'P1DT22H30M', 'P1D'])
  })

  it('an age changes on the birthday', () => {
    expect(ageOn('2015-03-04', '2027-03-03')).toBe(11)
    expect(ageOn('2015-03-04', '2027-03-04')).toBe(12)
  })
})
