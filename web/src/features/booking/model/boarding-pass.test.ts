import { describe, expect, it } from 'vitest'
import { beAtAirport, carriersTitle, checkIn, flightsOf, listOf, passportsRunningOut, routeTitle } from './boarding-pass.ts'
import { back, booking, out, segment } from './booking.fixture.ts'

const data = booking.bookingData
const first = out.segments[0]!

describe('boarding pass', () => {
  it('names the way, the airlines and the cabin', () => {
    expect(routeTitle(data)).toBe('Paris – New York, Round Trip')
    expect(routeTitle({ slices: [out] })).toBe('Paris – New York, One Way')
    expect(carriersTitle(data)).toBe('Air France and KLM, Economy')
    expect(flightsOf(back)).toBe('1 stop, KL 642 and KL 1227')
    expect(listOf(['a', 'b', 'c'])).toBe('a, b and c')
  })

  it('says when to be at the airport: 3 hours before an international flight, 2 before a domestic one', () => {
    expect(beAtAirport(first)).toBe('Be at the airport (CDG) by 10:35, 3 hours before departure.')
    const domestic = segment('g', 'AF', '1', ['ORY', '2026-12-10T08:00:00'], ['NCE', '2026-12-10T09:30:00'], 'PT1H30M')
    expect(beAtAirport(domestic)).toBe('Be at the airport (ORY) by 06:00, 2 hours before departure.')
  })

  it('names the day when it is the one before', () => {
    expect(beAtAirport({ ...first, departing_at: '2026-12-10T01:15:00' })).toContain('by Wed, Dec 9, 22:15')
  })

  it('says from when to check in', () => {
    expect(checkIn(first, 'QX4T7L')).toBe('Check in with Air France from Wed, Dec 9 with reference QX4T7L.')
    expect(checkIn(first, null)).toBe('Check in with Air France from Wed, Dec 9.')
  })

  it('warns of passports with less than 180 days left after the trip', () => {
    const people = [
      { firstName: 'Camille', passportExpiryDate: '2027-04-30' },
      { firstName: 'Julien', passportExpiryDate: '2031-09-18' },
      { firstName: 'Léa', passportExpiryDate: '' },
    ]
    expect(passportsRunningOut(people, data)).toEqual(['Camille'])
  })
})
