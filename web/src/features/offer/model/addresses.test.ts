import { describe, expect, it } from 'vitest'
import type { LastSearch } from '../../../lib/last-search.ts'
import { backAddress, bookingAddress, searchedCounts } from './addresses.ts'

const FROM =
  'from_origin=CDG&from_destination=JFK&from_departureDate=2026-12-10&from_returnDate=2026-12-17&from_cabinClass=business&from_adults=2&from_children=1&from_infants=1'
const last: LastSearch = {
  origin: 'LIS',
  destination: 'FNC',
  departureDate: '2026-12-01',
  cabinClass: 'economy',
  adultsCount: 1,
  childrenCount: 0,
  infantsCount: 0,
  tripType: 'one-way',
}
const parsed = (address: string) => {
  const url = new URL(address, 'http://site')
  return { path: url.pathname, ...Object.fromEntries(url.searchParams) }
}

describe('to the booking', () => {
  it('DET-09: carries the offer and the counts of the search', () => {
    expect(bookingAddress('oft_1', new URLSearchParams(FROM))).toBe('/booking?offer=oft_1&adults=2&children=1&infants=1')
  })

  it('DET-10: without from_ parameters books one adult', () => {
    expect(bookingAddress('oft_1', new URLSearchParams())).toBe('/booking?offer=oft_1&adults=1&children=0&infants=0')
  })

  it.each(['0', '-1', '2.5', 'many', '10', ''])('DET-10: reads from_adults=%s as the default', (text) => {
    expect(searchedCounts(new URLSearchParams({ from_adults: text, from_children: text }))).toEqual({ adults: 1, children: 0, infants: 0 })
  })
})

describe('Back to Search Results', () => {
  it('DET-11: goes to the search that found the offer, whatever was searched later', () => {
    expect(parsed(backAddress(new URLSearchParams(FROM), last))).toEqual({
      path: '/search',
      origin: 'CDG',
      destination: 'JFK',
      departureDate: '2026-12-10',
      returnDate: '2026-12-17',
      cabinClass: 'business',
      adultsCount: '2',
      childrenCount: '1',
      infantsCount: '1',
      tripType: 'round-trip',
    })
  })

  it('DET-11: a search without a return date is one way, and an unknown cabin is economy', () => {
    const query = new URLSearchParams('from_origin=CDG&from_destination=JFK&from_departureDate=2026-12-10&from_cabinClass=throne')
    expect(parsed(backAddress(query, null))).toMatchObject({ tripType: 'one-way', cabinClass: 'economy', adultsCount: '1' })
    expect(backAddress(query, null)).not.toContain('returnDate')
  })

  it('DET-12: without from_ values goes to the last search of this browser', () => {
    expect(parsed(backAddress(new URLSearchParams('from_origin=CDG'), last))).toMatchObject({
      path: '/search',
      origin: 'LIS',
      destination: 'FNC',
    })
  })

  it('DET-12: without any search goes home', () => {
    expect(backAddress(new URLSearchParams(), null)).toBe('/')
  })
})
