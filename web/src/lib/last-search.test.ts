import { describe, expect, it } from 'vitest'
import { type LastSearch, searchAddress } from './last-search.ts'

const search: LastSearch = {
  origin: 'CDG',
  destination: 'JFK',
  departureDate: '2026-12-10',
  returnDate: '2026-12-17',
  cabinClass: 'premium_economy',
  adultsCount: 2,
  childrenCount: 1,
  infantsCount: 0,
  tripType: 'round-trip',
}

describe('searchAddress', () => {
  it('FORM-31: holds every parameter under the names of the form', () => {
    expect(searchAddress(search)).toBe(
      '/search?origin=CDG&destination=JFK&departureDate=2026-12-10&returnDate=2026-12-17&cabinClass=premium_economy&adultsCount=2&childrenCount=1&infantsCount=0&tripType=round-trip',
    )
  })

  it('FORM-32: a one-way trip has no returnDate', () => {
    expect(searchAddress({ ...search, tripType: 'one-way' })).not.toContain('returnDate')
  })

  it('FORM-32: a round trip without a return date has none', () => {
    expect(searchAddress({ ...search, returnDate: undefined })).not.toContain('returnDate')
  })
})
