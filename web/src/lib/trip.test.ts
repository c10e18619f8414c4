import { expect, test } from 'vitest'
import { booking as BOOKED } from '../features/booking/model/booking.fixture.ts'
import { detailStops } from './flight.ts'
import {
  arrivalShift,
  cancelKind,
  cancelledText,
  changeWords,
  chargeName,
  datesOf,
  ledgerOf,
  passengersOf,
  paymentParts,
  readData,
  readTrip,
  routeOf,
  seatsOn,
  slicesOf,
  stopsOf,
  summaryOf,
  tabOf,
  tripTypeOf,
  wayOf,
} from './trip.ts'

const place = (city_name: string | null, iata_code: string | null) => ({
  name: null,
  city_name,
  iata_code,
  country_code: null,
  time_zone: null,
})
const slice = (from: ReturnType<typeof place>, to: ReturnType<typeof place>, departure_time: string, segments = 1) => ({
  id: 'sli',
  origin: from,
  destination: to,
  duration: null,
  departure_time,
  arrival_time: departure_time,
  fare_brand_name: null,
  segments: Array.from({ length: segments }, () => ({})),
})
const [paris, york] = [place('Paris', 'CDG'), place('New York', 'JFK')]
const booking = (change: object = {}) =>
  readTrip({
    id: 'bk_1',
    status: 'confirmed',
    duffelBookingId: 'k7tm2pqx0123',
    charged: { amount: '274.00', currency: 'EUR' },
    cancellation: { refund: { amount: '182.50', currency: 'EUR' } },
    bookingData: {
      slices: [slice(paris, york, '2026-12-10T08:00:00'), slice(york, paris, '2026-12-17T18:00:00', 2)],
      passengers: [{ id: '1' }, { id: '2' }],
      conditions: { cancellation_options: [{ type: 'refund' }] },
      total_amount: '222.50',
      total_currency: 'EUR',
    },
    ...change,
  })

test('TRIPS-02: upcoming holds confirmed and pending, past completed, cancelled cancelled', () =>
  expect((['confirmed', 'pending', 'completed', 'cancelled'] as const).map(tabOf)).toEqual(['upcoming', 'upcoming', 'past', 'cancelled']))

test('TRIPS-03: a card has route, kind, dates and passengers', () => {
  const trip = booking()
  expect([routeOf(trip), tripTypeOf(trip), datesOf(trip), passengersOf(trip)]).toEqual([
    'Paris to New York',
    'Round Trip',
    'Dec 10 – Dec 17',
    '2 passengers',
  ])
})

test('TRIPS-07, R-41, R-42: the reference is the first 8 characters of the provider booking id, in upper case', () => {
  expect(booking().reference).toBe('K7TM2PQX')
  expect(booking({ bookingReference: 'ABCDEFGH' }).reference).toBe('ABCDEFGH')
})

test('TRIPS-08: booking data as a JSON string is read like an object', () => {
  const asText = booking({ bookingData: JSON.stringify(booking().data) })
  expect(routeOf(asText)).toBe('Paris to New York')
})

test('TRIPS-09: broken booking data does not break the trip', () => {
  for (const bookingData of ['{"slices":', 'null', '7', null, undefined, 12]) {
    expect(readData(bookingData)).toEqual({})
    expect(routeOf(booking({ bookingData }))).toBe('Booking K7TM2PQX')
  }
})

test('TRIPS-10, TRIPS-12: the price is what was charged, else what is stored, else 0 USD', () => {
  expect(booking().price).toEqual({ amount: '274.00', currency: 'EUR' })
  expect(booking({ charged: undefined }).price).toEqual({ amount: '222.50', currency: 'EUR' })
  expect(booking({ charged: undefined, bookingData: {} }).price).toEqual({ amount: '0', currency: 'USD' })
})

test('TRIPS-11: stops are segments minus one', () => {
  expect([1, 2, 4].map(detailStops)).toEqual(['Non-stop', '1 stop', '3 stops'])
  expect(stopsOf(booking())).toBe('Non-stop out, 1 stop back')
})

test('TRIPS-14, TRIPS-15: only a confirmed booking with cancellation options can be cancelled for a refund', () => {
  expect(cancelKind(booking())).toBe('refund')
  expect(cancelKind(booking({ status: 'pending' }))).toBe('pending')
  expect(cancelKind(booking({ bookingData: { conditions: { cancellation_options: [] } } }))).toBe('fixed')
  expect(cancelKind(booking({ status: 'completed' }))).toBe('fixed')
})

test('TRIPS-17: paid, kept and returned add up; an unknown refund is not made up', () => {
  expect(ledgerOf(booking())).toEqual({
    paid: { amount: '274.00', currency: 'EUR' },
    kept: { amount: '91.50', currency: 'EUR' },
    returned: { amount: '182.50', currency: 'EUR' },
  })
  expect(ledgerOf(booking({ cancellation: { refund: null } }))).toBeNull()
})

test('a cancelled trip says where its money goes: the card, the airline as credit, or our team', () => {
  const text = (change: object) => cancelledText(booking({ status: 'cancelled', ...change }))
  const refund = { amount: '182.50', currency: 'EUR', refundedAt: null }
  expect(text({ refund, refundKind: 'card' })).toBe('Cancelled. €182.50 is on its way back to your card.')
  expect(text({ refund, refundKind: 'card', cardLast4: '4242' })).toBe('Cancelled. €182.50 is on its way back to the card ending 4242.')
  expect(text({ refund: null, refundKind: 'operator' })).toBe('Cancelled. Your refund is being arranged by our team.')
  expect(text({ refund: null, refundKind: 'credit', airlineCredit: { amount: '182.50', currency: 'EUR' } })).toBe(
    'Cancelled. The airline holds €182.50 for you as credit for a later flight. Nothing goes back to your card.',
  )
  expect(text({ refund: { ...refund, amount: '0.00' }, refundKind: 'none' })).toBe('Cancelled. Nothing was refundable.')
  expect(text({ refund: null, refundKind: null })).toBe('Cancelled. Your card was not charged.')
})

test('TRIPS-13: the details sum the trip up, and each way with the day it arrives', () => {
  const trip = readTrip(BOOKED)
  expect(summaryOf(trip)).toBe('Round Trip, 3 flights, 2 passengers, Economy')
  expect(slicesOf(trip).map(wayOf)).toEqual(['8h 30m, Non-stop', '10h 10m, 1 stop, arrives +1 day'])
  expect(arrivalShift('2026-12-31T23:00:00', '2027-01-02T01:00:00')).toBe('arrives +2 days')
  expect(arrivalShift('2026-12-18T00:30:00', '2026-12-17T22:00:00')).toBe('arrives −1 day')
  expect(summaryOf(booking({ bookingData: '{"slices":' }))).toBe('0 passengers')
})

test('TRIPS-13: the details have the seats of each flight', () => {
  const { data } = readTrip(BOOKED)
  expect(seatsOn('seg_1_1', data)).toEqual(['24A'])
  expect(seatsOn('seg_2_1', data)).toEqual([])
  expect(seatsOn('seg_1_1', {})).toEqual([])
})

test('TRIPS-12: flights and seats add up to what was paid; without paid seats there is one amount', () => {
  expect(paymentParts(readTrip(BOOKED))).toEqual({
    flights: { amount: '2046.00', currency: 'USD' },
    seats: { amount: '31.00', currency: 'USD' },
  })
  expect(paymentParts(booking())).toBeNull()
})

test('the details say what the charge is, and whether the date can be changed', () => {
  expect((['pending', 'confirmed', 'cancelled'] as const).map((status) => chargeName({ status, refundKind: null }))).toEqual([
    'Held on your card',
    'Paid',
    'Price',
  ])
  expect(changeWords(readTrip(BOOKED))).toBe('Yes, write to us first')
  expect(changeWords(booking({ bookingData: { conditions: { cancellation_options: [], changeable: false } } }))).toBe('No')
  expect(changeWords(booking())).toBeNull()
})
