import { describe, expect, it } from 'vitest'
import type { LastSearch } from '../../../lib/last-search.ts'
import { offer, out } from './booking.fixture.ts'
import { expiresSoon, heldFor, minutesLeft, searchAfterExpiry } from './expiry.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const in_ = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

describe('the time an offer is held', () => {
  it('OFFER-03: counts whole minutes until expiry', () => {
    expect(minutesLeft(in_(24 * 60 + 59), NOW)).toBe(24)
    expect(minutesLeft(in_(-1), NOW)).toBe(0)
    expect(minutesLeft('soon', NOW)).toBeNull()
  })

  it('PAY-10: under 5 minutes is soon, 5 minutes are not', () => {
    expect(expiresSoon(in_(5 * 60 - 1), NOW)).toBe(true)
    expect(expiresSoon(in_(5 * 60), NOW)).toBe(false)
    expect(expiresSoon(null, NOW)).toBe(false)
  })

  it('is told in whole minutes, and not at all when it is over', () => {
    expect(heldFor(in_(12 * 60), NOW)).toBe('12 min')
    expect(heldFor(in_(30), NOW)).toBe('less than 1 min')
    expect(heldFor(in_(0), NOW)).toBeNull()
    expect(heldFor(null, NOW)).toBeNull()
  })
})

describe('after the expiry', () => {
  const last: LastSearch = {
    origin: 'NCE',
    destination: 'LHR',
    departureDate: '2027-01-02',
    cabinClass: 'business',
    adultsCount: 1,
    childrenCount: 0,
    infantsCount: 0,
    tripType: 'one-way',
  }

  it('PAY-19: goes to the last search of this browser', () => {
    expect(searchAfterExpiry(last, offer)).toContain('/search?origin=NCE&destination=LHR')
  })

  it('PAY-19: else to the same flights, dates, cabin and passengers of the offer', () => {
    expect(searchAfterExpiry(null, offer)).toBe(
      '/search?origin=CDG&destination=JFK&departureDate=2026-12-10&returnDate=2026-12-17&cabinClass=economy&adultsCount=2&childrenCount=1&infantsCount=1&tripType=round-trip',
    )
    expect(searchAfterExpiry(null, { ...offer, slices: [out] })).toContain('tripType=one-way')
  })

  it('PAY-19: else home', () => {
    expect(searchAfterExpiry(null, null)).toBe('/')
    expect(searchAfterExpiry(null, { ...offer, slices: [] })).toBe('/')
  })
})
