import { expect, it } from 'vitest'
import { upcomingOf } from './upcoming.ts'

const trip = (status: 'confirmed' | 'pending' | 'completed' | 'cancelled', departure: string, city: string) => ({
  status,
  bookingData: { slices: [{ departure_time: departure, origin: { city_name: city, iata_code: 'XXX' } }] },
})

it('trips to come are counted, and the next one is named by city and day', () => {
  const trips = [
    trip('confirmed', '2026-12-20T09:00:00', 'Lyon'),
    trip('pending', '2026-12-10T09:00:00', 'Paris'),
    trip('cancelled', '2026-12-01T09:00:00', 'Nice'),
    trip('completed', '2026-10-01T09:00:00', 'Rome'),
  ]
  expect(upcomingOf(trips)).toEqual({ count: 2, next: { from: 'Paris', on: 'Thu, Dec 10' } })
})

it('a booking that cannot be read is counted without a day', () => {
  expect(upcomingOf([{ status: 'confirmed', bookingData: '{broken' }])).toEqual({ count: 1, next: null })
  expect(upcomingOf([])).toEqual({ count: 0, next: null })
})
