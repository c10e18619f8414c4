import { describe, expect, it } from 'vitest'
import { CABINS, freshValues, passengerLimits, type SearchValues, valuesOf, withTripType } from './search-form.ts'
import { resolveSearch, searchProblems, toCriteria, toLastSearch } from './search-schema.ts'

const TODAY = '2026-11-21'
const filled: SearchValues = { ...freshValues(TODAY, null), origin: 'CDG', destination: 'JFK' }

describe('a fresh form', () => {
  it('FORM-01, FORM-03, FORM-04, FORM-08: is a round trip from today for seven days with one adult', () => {
    expect(freshValues(TODAY, null)).toMatchObject({
      tripType: 'round-trip',
      departureDate: '2026-11-21',
      returnDate: '2026-11-28',
      adultsCount: 1,
      childrenCount: 0,
      infantsCount: 0,
      cabinClass: 'economy',
    })
  })

  it('FORM-35, R-97: restores the saved trip type, and only a known one', () => {
    expect(freshValues(TODAY, 'one-way')).toMatchObject({ tripType: 'one-way', returnDate: '' })
    expect(freshValues(TODAY, 'multi-city').tripType).toBe('round-trip')
  })

  it('FORM-14: offers four cabins', () => {
    expect(CABINS).toEqual([
      ['economy', 'Economy'],
      ['premium_economy', 'Premium Economy'],
      ['business', 'Business'],
      ['first', 'First Class'],
    ])
  })
})

describe('trip type', () => {
  it('FORM-05: One Way clears the return date', () => {
    expect(withTripType(filled, 'one-way').returnDate).toBe('')
  })

  it('FORM-06: Round Trip brings one back, a week after departure', () => {
    expect(withTripType({ ...filled, tripType: 'one-way', returnDate: '', departureDate: '2026-12-10' }, 'round-trip').returnDate).toBe(
      '2026-12-17',
    )
  })
})

describe('problems', () => {
  it('a filled form has none', () => {
    expect(searchProblems(filled, TODAY)).toEqual({ fields: {}, toast: null })
  })

  it.each([
    ['FORM-21', { origin: '' }, { origin: 'Please select an origin airport' }],
    ['FORM-21', { origin: 'PA' }, { origin: 'Please select an origin airport' }],
    ['FORM-22', { destination: '' }, { destination: 'Please select a destination airport' }],
    ['FORM-23', { departureDate: '' }, { departureDate: 'Please select a departure date' }],
    ['FORM-24', { adultsCount: 0 }, { adultsCount: 'At least 1 adult is required' }],
    ['FORM-25', { returnDate: '' }, { returnDate: 'Please select a return date' }],
  ])('%s: %j gives a message under its field', (_id, change, fields) => {
    expect(searchProblems({ ...filled, ...change }, TODAY)).toEqual({ fields, toast: null })
  })

  it.each([
    ['FORM-26', { destination: 'CDG' }, 'Origin and destination cannot be the same'],
    ['FORM-27', { departureDate: '2026-11-20' }, 'Departure date cannot be in the past'],
    ['FORM-28', { departureDate: '2026-12-10', returnDate: '2026-12-09' }, 'Return date must be after departure date'],
    ['R-04', { infantsCount: 2 }, 'Each infant must travel with an adult'],
    ['R-04', { adultsCount: 6, childrenCount: 4 }, 'A booking can have at most 9 passengers with a seat'],
  ])('%s: %j gives a toast', (_id, change, toast) => {
    expect(searchProblems({ ...filled, ...change }, TODAY)).toEqual({ fields: {}, toast })
  })

  it('FORM-18, FORM-29: today and a return on the same day are accepted', () => {
    expect(searchProblems({ ...filled, departureDate: TODAY, returnDate: TODAY }, TODAY)).toEqual({ fields: {}, toast: null })
  })

  it('a one-way trip needs no return date', () => {
    expect(searchProblems(withTripType(filled, 'one-way'), TODAY).fields).toEqual({})
  })
})

describe('the call', () => {
  it('FORM-16, ASRCH-01: carries dates as they were chosen and the three counts', () => {
    expect(toCriteria({ ...filled, adultsCount: 2 })).toEqual({
      origin: 'CDG',
      destination: 'JFK',
      departureDate: '2026-11-21',
      returnDate: '2026-11-28',
      cabinClass: 'economy',
      adultsCount: 2,
      childrenCount: 0,
      infantsCount: 0,
    })
  })

  it('FORM-32: a one-way trip carries no return date', () => {
    expect(toLastSearch({ ...filled, tripType: 'one-way' }).returnDate).toBeUndefined()
  })

  it('a search that is changed later keeps its wishes, but no day that has passed', () => {
    const search = toLastSearch({ ...filled, departureDate: '2026-11-21', returnDate: '2026-11-25' })
    expect(valuesOf(search, '2026-11-23')).toMatchObject({ origin: 'CDG', departureDate: '2026-11-23', returnDate: '2026-11-25' })
    expect(valuesOf(search, '2026-12-01')).toMatchObject({ departureDate: '2026-12-01', returnDate: '2026-12-08' })
  })
})

describe('passenger limits', () => {
  const limits = (adultsCount: number, childrenCount: number, infantsCount: number) =>
    passengerLimits({ adultsCount, childrenCount, infantsCount })

  it('FORM-10, FORM-11: adults step from 1 to 9, children from 0 to 8 beside one adult', () => {
    expect(limits(1, 0, 0).adultsCount).toEqual({ min: 1, max: 9 })
    expect(limits(1, 0, 0).childrenCount).toEqual({ min: 0, max: 8 })
  })

  it('FORM-12: infants stop at 5 and never exceed adults', () => {
    expect(limits(1, 0, 0).infantsCount.max).toBe(1)
    expect(limits(7, 0, 0).infantsCount.max).toBe(5)
    expect(limits(3, 0, 3).adultsCount.min).toBe(3)
  })

  it('FORM-13: adults and children never exceed 9', () => {
    expect(limits(4, 5, 0).adultsCount.max).toBe(4)
    expect(limits(4, 5, 0).childrenCount.max).toBe(5)
  })
})

describe('what the form asks of its values', () => {
  it('gives the search when nothing is wrong', () => {
    const later = { ...filled, departureDate: '2999-01-01', returnDate: '2999-01-08' }
    expect(resolveSearch(later)).toEqual({ values: toLastSearch(later), errors: {} })
  })

  it('puts messages under fields, and a message about the whole at the root', () => {
    expect(resolveSearch({ ...filled, origin: '' })).toEqual({
      values: {},
      errors: { origin: { type: 'search', message: 'Please select an origin airport' } },
    })
    const same = { ...filled, destination: filled.origin, departureDate: '2999-01-01', returnDate: '2999-01-08' }
    expect(resolveSearch(same).errors).toEqual({ root: { type: 'search', message: 'Origin and destination cannot be the same' } })
  })
})
