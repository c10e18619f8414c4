import { describe, expect, it } from 'vitest'
import { keyOf, offerAddress, readSearch } from './search-address.ts'

const read = (text: string) => readSearch(new URLSearchParams(text))
const BASE = 'origin=CDG&destination=JFK&departureDate=2026-12-10'

describe('readSearch', () => {
  it('RES-01, RES-02: has defaults for cabin and passengers', () => {
    expect(read(BASE)).toEqual({
      origin: 'CDG',
      destination: 'JFK',
      departureDate: '2026-12-10',
      returnDate: undefined,
      cabinClass: 'economy',
      adultsCount: 1,
      childrenCount: 0,
      infantsCount: 0,
      tripType: 'one-way',
    })
  })

  it('RES-03: understands the counts of the landing form', () => {
    expect(read(`${BASE}&adultsCount=2&childrenCount=1&infantsCount=1`)).toMatchObject({
      adultsCount: 2,
      childrenCount: 1,
      infantsCount: 1,
    })
  })

  it('R-01: from_ goes before adults, and adults before adultsCount', () => {
    expect(read(`${BASE}&from_adults=4&adults=3&adultsCount=2`)?.adultsCount).toBe(4)
    expect(read(`${BASE}&adults=3&adultsCount=2`)?.adultsCount).toBe(3)
    expect(read(`${BASE}&adults=&adultsCount=2`)?.adultsCount).toBe(2)
    expect(read(`${BASE}&adults=many`)?.adultsCount).toBe(1)
  })

  it('RES-04: parameters prefixed from_ take priority', () => {
    expect(
      read(
        `${BASE}&from_origin=ORY&from_destination=BOS&from_departureDate=2027-01-02&from_cabinClass=business&from_returnDate=2027-01-09`,
      ),
    ).toMatchObject({
      origin: 'ORY',
      destination: 'BOS',
      departureDate: '2027-01-02',
      cabinClass: 'business',
      returnDate: '2027-01-09',
      tripType: 'round-trip',
    })
  })

  it.each([
    ['RES-05', '&returnDate=2026-12-17', 'round-trip', '2026-12-17'],
    ['RES-05', '', 'one-way', undefined],
    ['RES-06, R-104', '&tripType=one-way&returnDate=2026-12-17', 'one-way', undefined],
    ['R-02', '&tripType=round-trip', 'one-way', undefined],
    ['R-03', '&tripType=multi-city&returnDate=2026-12-17', 'round-trip', '2026-12-17'],
  ])('%s: %s is a %s trip', (_id, more, tripType, returnDate) => {
    expect(read(BASE + more)).toMatchObject({ tripType, returnDate })
  })

  it.each(['destination=JFK&departureDate=2026-12-10', 'origin=CDG&departureDate=2026-12-10', 'origin=CDG&destination=JFK', ''])(
    'RES-07: "%s" misses something',
    (text) => {
      expect(read(text)).toBeNull()
    },
  )

  it('reads codes in any case', () => {
    expect(read('origin=cdg&destination=jfk&departureDate=2026-12-10')).toMatchObject({ origin: 'CDG', destination: 'JFK' })
  })
})

describe('addresses', () => {
  const search = read(`${BASE}&returnDate=2026-12-17&adults=2&children=1&cabinClass=first`)!

  it('CARD-12: View Details carries the search', () => {
    expect(offerAddress('off_1', search)).toBe(
      '/flight/off_1?from_origin=CDG&from_destination=JFK&from_departureDate=2026-12-10&from_returnDate=2026-12-17&from_cabinClass=first&from_adults=2&from_children=1&from_infants=0',
    )
  })

  it('RES-28: searches that differ in anything have different keys', () => {
    expect(keyOf(search)).not.toBe(keyOf({ ...search, childrenCount: 0 }))
    expect(keyOf(search)).toBe(keyOf({ ...search }))
  })
})
