import { describe, expect, it } from 'vitest'
import type { LastSearch } from '../../../lib/last-search.ts'
import { offer, out } from './booking.fixture.ts'
import { expiresSoon, expiryWarnings, heldFor, minutesLeft, REDIRECT_MS, searchAfterExpiry } from './expiry.ts'

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

describe('the warning "Offer Expiring Soon"', () => {
  it('PAY-10, R-29: comes once in each step, when less than 5 minutes are left for the first time', () => {
    const warningFor = expiryWarnings<string>()
    expect(warningFor('passengers', in_(5 * 60), NOW)).toBeNull()
    expect(warningFor('passengers', in_(5 * 60), NOW + 1000)).toBe('4 min')
    for (const later of [2000, 15_000, 30_000, 200_000]) expect(warningFor('passengers', in_(5 * 60), NOW + later)).toBeNull()
    expect(warningFor('payment', in_(5 * 60), NOW + 200_000)).toBe('1 min')
    expect(warningFor('payment', in_(5 * 60), NOW + 215_000)).toBeNull()
    expect(warningFor('seats', in_(5 * 60), NOW + 400_000)).toBeNull()
  })
})

describe('after the expiry', () => {
  it('PAY-19, R-30: the message stands for 3.5 s', () => {
    expect(REDIRECT_MS).toBe(3500)
  })

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

  it('PAY-19, R-30: goes to the last search of this browser', () => {
    expect(searchAfterExpiry(last, offer)).toContain('/search?origin=NCE&destination=LHR')
  })

  it('PAY-19, R-30: else to the same flights, dates, cabin and passengers of the offer', () => {
    expect(searchAfterExpiry(null, offer)).toBe(
      '/search?origin=CDG&destination=JFK&departureDate=2026-12-10&returnDate=2026-12-17&cabinClass=economy&adultsCount=2&childrenCount=1&infantsCount=1&tripType=round-trip',
    )
    expect(searchAfterExpiry(null, { ...offer, slices: [out] })).toContain('tripType=one-way')
  })

  it('PAY-19, R-30: else home', () => {
    expect(searchAfterExpiry(null, null)).toBe('/')
    expect(searchAfterExpiry(null, { ...offer, slices: [] })).toBe('/')
  })
})
