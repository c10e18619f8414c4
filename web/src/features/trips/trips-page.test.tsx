import type { Booking } from '@passerelle/contracts/http/booking'
import type { User } from '@passerelle/contracts/http/identity'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { bookingsQuery } from '../../lib/queries.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { USER_KEY } from '../../lib/session.ts'
import { readTrip } from '../../lib/trip.ts'
import { TripCard } from './TripCard.tsx'
import { TripsPage } from './TripsPage.tsx'

const trip = (id: string, status: Booking['status']) =>
  ({ id, status, duffelBookingId: `k7tm2pqx${id}`, charged: { amount: '274.00', currency: 'EUR' } }) as Booking
const card = (status: Parameters<typeof trip>[1]) =>
  render(<TripCard trip={readTrip(trip('1', status))} onDetails={() => undefined} onCancel={() => undefined} />)

function page(trips: ReturnType<typeof trip>[] | ApiError) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(USER_KEY, trips instanceof ApiError ? null : ({ id: 'usr_1', username: 'ines', firstName: 'Inès' } as User))
  if (!(trips instanceof ApiError)) queryClient.setQueryData(bookingsQuery.queryKey, trips)
  return render(<TripsPage />, { queryClient })
}

describe('a trip card', () => {
  it.each([
    ['confirmed', 'Confirmed'],
    ['completed', 'Completed'],
    ['cancelled', 'Cancelled'],
    ['pending', 'Pending'],
  ] as const)('TRIPS-04, R-57: a %s booking has the badge %s', (status, badge) => {
    expect(card(status).text).toContain(badge)
  })

  it('TRIPS-05, TRIPS-06: has View Details, and Cancel while the trip is to come, pending ones too', () => {
    const buttons = (status: Parameters<typeof trip>[1]) =>
      [...card(status).html.matchAll(/<button[^>]*>([A-Z][a-z ]*[A-Z]?[a-z]*)/g)].map(([, words]) => words?.trim())
    expect(buttons('confirmed')).toEqual(['View Details', 'Cancel'])
    expect(buttons('pending')).toEqual(['View Details', 'Cancel'])
    expect(buttons('completed')).toEqual(['View Details'])
    expect(buttons('cancelled')).toEqual(['View Details'])
  })

  it('says what was refunded of a trip that stands', () => {
    const refund = { amount: '20.00', currency: 'EUR', refundedAt: '2026-11-20T10:00:00Z' }
    const refunded = readTrip({ ...trip('1', 'confirmed'), refund, cardLast4: '4242' })
    const { text } = render(<TripCard trip={refunded} onDetails={() => undefined} onCancel={() => undefined} />)
    expect(text).toContain('€20 refunded to the card ending 4242 on Nov 20')
  })

  it('TRIPS-12, R-16: shows what was charged', () => {
    expect(card('confirmed').text).toContain('€274')
  })
})

describe('My Trips', () => {
  it('TRIPS-01: has three tabs with their counts', () => {
    const { text } = page([trip('1', 'confirmed'), trip('2', 'pending'), trip('3', 'completed'), trip('4', 'cancelled')])
    expect(text).toContain('Upcoming 2 Past 1 Cancelled 1')
  })

  it('TRIPS-20: an empty list leads to the search', () => {
    const empty = page([])
    expect(empty.text).toContain('No upcoming trips')
    expect(empty.linkTo('Search Flights')).toBe('/')
    expect(empty.linkTo('Book a Flight')).toBe('/')
  })

  it('TRIPS-21, R-48: asks a signed-out visitor to sign in', () => {
    const signedOut = page(new ApiError(401, '', ''))
    expect(signedOut.text).toContain('Please sign in')
    expect([signedOut.linkTo('Sign In'), signedOut.linkTo('Create Account')]).toEqual([
      '/login?redirect=%2Fmy-trips',
      '/register?redirect=%2Fmy-trips',
    ])
  })
})
