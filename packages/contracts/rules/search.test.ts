import { describe, expect, test } from 'vitest'
import { CalendarQuery, SearchCriteria } from '../http/search-criteria.ts'
import { instantOf } from './local-time.ts'
import { daysLater, hasPassedEverywhere, searchKey } from './search.ts'

const base = { origin: 'cdg', destination: 'JFK', departureDate: '2027-03-04' }
const message = (change: object) => SearchCriteria.safeParse({ ...base, ...change }).error?.issues[0]?.message

describe('a search', () => {
  test('ASRCH-05: lower case codes are upper-cased, defaults are filled in', () =>
    expect(SearchCriteria.parse(base)).toMatchObject({
      origin: 'CDG',
      cabinClass: 'economy',
      adultsCount: 1,
      childrenCount: 0,
      infantsCount: 0,
    }))

  test('ASRCH-04: missing origin, destination or departure date has one message', () => {
    for (const missing of ['origin', 'destination', 'departureDate'])
      expect(message({ [missing]: undefined })).toBe('Missing required flight search parameters')
    expect(message({ origin: '' })).toBe('Missing required flight search parameters')
  })

  test('FORM-21, FORM-22: codes must have 3 letters', () => {
    expect(message({ origin: 'PARIS' })).toBe('Please select an origin airport')
    expect(message({ destination: 'J1K' })).toBe('Please select a destination airport')
  })

  test('ASRCH-06, ASRCH-08: same airports and a return before the departure are refused', () => {
    expect(message({ destination: 'CDG' })).toBe('Origin and destination cannot be the same')
    expect(message({ returnDate: '2027-03-03' })).toBe('Return date must be after departure date')
  })

  test('R-06: a return on the same day is accepted', () => expect(message({ returnDate: '2027-03-04' })).toBeUndefined())
  test('ASRCH-07: an impossible date is refused', () =>
    expect(message({ departureDate: '2027-02-30' })).toBe('Please select a departure date'))
  test('ASRCH-09: an unknown cabin class is refused', () => expect(message({ cabinClass: 'deluxe' })).toBeDefined())

  test('ASRCH-10: counts outside their ranges are refused', () => {
    for (const change of [
      { adultsCount: 0 },
      { adultsCount: 10 },
      { childrenCount: -1 },
      { childrenCount: 10 },
      { infantsCount: 1.5 },
      { adultsCount: 'two' },
    ])
      expect(message(change)).toBeDefined()
  })

  test('ASRCH-11: infants above adults and more than 9 seats are refused', () => {
    expect(message({ infantsCount: 2 })).toBe('Each infant must travel with an adult')
    expect(message({ adultsCount: 5, childrenCount: 5 })).toBe('A booking can have at most 9 passengers with a seat')
  })

  test('ASRCH-03: the same wishes give the same key, however they are spelt', () =>
    expect(searchKey(SearchCriteria.parse({ ...base, adultsCount: '1', returnDate: '' }))).toBe(
      searchKey(SearchCriteria.parse({ ...base, origin: 'CDG' })),
    ))
})

test('R-05: a date has passed only when it has passed everywhere', () => {
  const now = new Date('2026-11-21T11:00:00Z')
  expect(hasPassedEverywhere('2026-11-20', now)).toBe(false)
  expect(hasPassedEverywhere('2026-11-19', now)).toBe(true)
  expect(hasPassedEverywhere('2026-11-20', new Date('2026-11-21T12:00:00Z'))).toBe(true)
})

test('R-91: a local time is an instant in its own zone, across clock changes too', () => {
  expect(new Date(instantOf('2027-03-04T08:15:00', 'Europe/Paris')).toISOString()).toBe('2027-03-04T07:15:00.000Z')
  expect(new Date(instantOf('2027-07-04T08:15:00', 'America/New_York')).toISOString()).toBe('2027-07-04T12:15:00.000Z')
  expect(new Date(instantOf('2027-03-28T03:30:00', 'Europe/Paris')).toISOString()).toBe('2027-03-28T01:30:00.000Z')
  expect(new Date(instantOf('2027-03-04T08:15:00', null)).toISOString()).toBe('2027-03-04T20:15:00.000Z')
  expect(instantOf('soon', 'Europe/Paris')).toBeNaN()
})

describe('the calendar of prices', () => {
  const asked = { origin: 'cdg', destination: 'JFK', from: '2027-02-26' }
  const problem = (change: object) => CalendarQuery.safeParse({ ...asked, ...change }).error?.issues[0]?.message

  test('is of seven days one way unless it says otherwise', () =>
    expect(CalendarQuery.parse(asked)).toEqual({
      origin: 'CDG',
      destination: 'JFK',
      from: '2027-02-26',
      days: 7,
      cabinClass: 'economy',
      adultsCount: 1,
      childrenCount: 0,
      infantsCount: 0,
    }))

  test('says what is wrong with it', () => {
    expect(problem({ from: undefined })).toBe('Missing required flight search parameters')
    expect(problem({ from: '2027-02-30' })).toBe('from must be a date, as in 2027-03-04')
    expect(problem({ days: '63' })).toBe('days must be a whole number from 1 to 62')
    expect(problem({ nights: '-1' })).toBe('nights must be a whole number from 0 to 365')
    expect(problem({ destination: 'CDG' })).toBe('Origin and destination cannot be the same')
    expect(problem({ infantsCount: 2 })).toBe('Each infant must travel with an adult')
  })

  test('a day is moved over the ends of months and years', () => {
    expect([daysLater('2027-02-27', 2), daysLater('2027-12-31', 1), daysLater('2028-02-28', 1)]).toEqual([
      '2027-03-01',
      '2028-01-01',
      '2028-02-29',
    ])
  })
})
