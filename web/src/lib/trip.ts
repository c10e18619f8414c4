/** A booking as the screens read it. What arrives may be older or broken: one bad booking never breaks the list. */
import type { Booking } from '@passerelle/contracts/http/booking'
import type { BookingStatus } from '@passerelle/contracts/http/booking-contact'
import type { Money } from '@passerelle/contracts/http/common'
import type { Slice } from '@passerelle/contracts/http/search'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { addAmounts, compareAmounts, formatExactMoney, subtractAmounts } from '@passerelle/contracts/rules/money'
import { detailStops } from './flight.ts'
import { daysBetween, formatDate } from './format/dates.ts'
import { formatDuration } from './format/duration.ts'
import { countNoun } from './format/people.ts'
import { cabinNames } from './segment.ts'

export type TripTab = 'upcoming' | 'past' | 'cancelled'

/** Only what a trip needs of a booking's data; every part may be missing. */
export type TripData = Partial<Booking['bookingData']>

export type Trip = {
  id: string
  status: BookingStatus
  reference: string
  airlineReference: string | null
  /** What was charged; for bookings without it the stored amount. */
  price: Money
  /** Whether the card was charged: then there is a receipt. */
  paid: boolean
  /** Of the card that paid. */
  cardLast4: string | null
  /** When it was booked. */
  createdAt: string | null
  data: TripData
  refund: Booking['refund']
  refundKind: Booking['refundKind']
  airlineCredit: Booking['airlineCredit']
  cancelledAt: string | null
  cancelRequested: boolean
  /** What cancelling gives back; `null` inside: not known yet. Absent: it cannot be cancelled. */
  cancellation: Booking['cancellation']
  /** The airline has changed its times; the flights have the new ones. */
  scheduleChange: Booking['scheduleChange']
}

type Raw = Partial<Omit<Booking, 'bookingData'>> & { id: string; bookingData?: unknown }

/** `bookingData` may be a JSON string; when it is broken the trip is shown without its flights. */
export function readData(bookingData: unknown): TripData {
  if (typeof bookingData !== 'string') return typeof bookingData === 'object' && bookingData !== null ? (bookingData as TripData) : {}
  try {
    const parsed: unknown = JSON.parse(bookingData)
    return typeof parsed === 'object' && parsed !== null ? (parsed as TripData) : {}
  } catch {
    return {}
  }
}

export function readTrip(raw: Raw): Trip {
  const data = readData(raw.bookingData)
  return {
    id: raw.id,
    status: raw.status ?? 'pending',
    reference: bookingReference(raw),
    airlineReference: raw.airlineReference ?? null,
    price: raw.charged ?? { amount: data.total_amount ?? '0', currency: data.total_currency ?? 'USD' },
    paid: raw.paid ?? false,
    cardLast4: raw.cardLast4 ?? null,
    createdAt: raw.createdAt ?? null,
    data,
    refund: raw.refund ?? null,
    refundKind: raw.refundKind ?? null,
    airlineCredit: raw.airlineCredit ?? null,
    cancelledAt: raw.cancelledAt ?? null,
    cancelRequested: raw.cancelRequested ?? false,
    cancellation: raw.cancellation ?? null,
    scheduleChange: raw.scheduleChange ?? null,
  }
}

/** "the card ending 4242". */
export function cardOf({ cardLast4 }: Pick<Trip, 'cardLast4'>): string {
  return cardLast4 ? `the card ending ${cardLast4}` : 'your card'
}

/** What became of a cancelled trip and its money. */
export function cancelledText(trip: Trip): string {
  const { cancelledAt, refund, refundKind, airlineCredit } = trip
  const back = refundText(trip)
  const when = cancelledAt ? `Cancelled on ${formatDate(cancelledAt, 'short')}.` : 'Cancelled.'
  if (refundKind === 'operator') return `${when} ${back ?? 'Your refund is being arranged by our team.'}`
  if (refundKind === 'credit') {
    const credit = airlineCredit ? formatExactMoney(airlineCredit.amount, airlineCredit.currency) : 'the refund'
    return `${when} The airline holds ${credit} for you as credit for a later flight. ${back ?? 'Nothing goes back to your card.'}`
  }
  if (!refund) return `${when} Your card was not charged.`
  if (Number(refund.amount) === 0) return `${when} Nothing was refundable.`
  return `${when} ${back}`
}

/** What goes back to the card, also of a trip that stands; null when nothing does. */
export function refundText(trip: Pick<Trip, 'refund' | 'cardLast4'>): string | null {
  const { refund } = trip
  if (!refund || Number(refund.amount) === 0) return null
  const amount = formatExactMoney(refund.amount, refund.currency)
  return refund.refundedAt
    ? `${amount} refunded to ${cardOf(trip)} on ${formatDate(refund.refundedAt, 'short')}.`
    : `${amount} is on its way back to ${cardOf(trip)}.`
}

export function tabOf(status: BookingStatus): TripTab {
  if (status === 'completed') return 'past'
  return status === 'cancelled' ? 'cancelled' : 'upcoming'
}

const place = (end: { city_name?: string | null; iata_code?: string | null } | undefined) => end?.city_name || end?.iata_code || 'N/A'

/** "Paris to New York". */
export function routeOf(trip: Trip): string {
  const [first] = trip.data.slices ?? []
  return first ? `${place(first.origin)} to ${place(first.destination)}` : `Booking ${trip.reference}`
}

export function tripTypeOf(trip: Trip): string | null {
  const slices = trip.data.slices?.length ?? 0
  if (slices === 0) return null
  return slices > 1 ? 'Round Trip' : 'One Way'
}

/** "Dec 10 – Dec 17", or the one date. */
export function datesOf(trip: Trip): string {
  const slices = trip.data.slices ?? []
  const dates = slices.map((slice) => formatDate(slice.departure_time, 'short'))
  return dates.length > 1 ? `${dates[0]} – ${dates.at(-1)}` : (dates[0] ?? 'N/A')
}

/** "Non-stop", or "Non-stop out, 1 stop back" when the ways differ. */
export function stopsOf(trip: Trip): string | null {
  const [out, back] = (trip.data.slices ?? []).map((slice) => detailStops(slice.segments?.length ?? 1))
  if (!out) return null
  return back && back !== out ? `${out} out, ${back} back` : out
}

export function passengersOf(trip: Trip): string {
  return countNoun(trip.data.passengers?.length ?? 0, 'passenger')
}

/** A confirmed booking with cancellation options; a pending one may always be asked to be cancelled. */
export function cancelKind(trip: Trip): 'refund' | 'pending' | 'fixed' {
  if (trip.status === 'pending') return 'pending'
  const options = trip.data.conditions?.cancellation_options?.length ?? 0
  return trip.status === 'confirmed' && options > 0 && trip.cancellation ? 'refund' : 'fixed'
}

/** Paid, kept and returned; null while the refund is not known. */
export function ledgerOf(trip: Trip): { paid: Money; kept: Money; returned: Money } | null {
  const returned = trip.cancellation?.refund
  if (!returned || returned.currency !== trip.price.currency) return null
  return { paid: trip.price, returned, kept: { amount: subtractAmounts(trip.price.amount, returned.amount), currency: returned.currency } }
}

/** "Round Trip, 3 flights, 2 passengers, Economy"; what is not known is left out. */
export function summaryOf(trip: Trip): string {
  const flights = slicesOf(trip).flatMap((slice) => slice.segments)
  return [
    tripTypeOf(trip),
    flights.length > 0 && countNoun(flights.length, 'flight'),
    passengersOf(trip),
    cabinNames(flights).join(' and '),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Every part of the way, with its flights as far as they are known. */
export function slicesOf(trip: Pick<Trip, 'data'>): Slice[] {
  return (trip.data.slices ?? []).map((slice) => ({ ...slice, segments: slice.segments ?? [] }))
}

/** "10h 10m, 1 stop, arrives +1 day". */
export function wayOf(slice: Pick<Slice, 'duration' | 'departure_time' | 'arrival_time' | 'segments'>): string {
  const arrives = arrivalShift(slice.departure_time, slice.arrival_time)
  return [formatDuration(slice.duration), detailStops(slice.segments.length), arrives].filter(Boolean).join(', ')
}

/** "arrives +1 day"; null when it arrives on the day it left. */
export function arrivalShift(departs: string, arrives: string): string | null {
  const days = daysBetween(departs, arrives)
  if (days === 0) return null
  return `arrives ${days > 0 ? '+' : '−'}${countNoun(Math.abs(days), 'day')}`
}

/** Seats chosen on one flight, in the order of the passengers. */
export function seatsOn(segmentId: string, { seats = [], passengers = [] }: TripData): string[] {
  return passengers.flatMap(({ id }) =>
    seats.filter((seat) => seat.segmentId === segmentId && seat.passengerId === id).map((seat) => seat.seatId),
  )
}

/** What of the price is for flights and what for seats; null when no seat was paid for. */
export function paymentParts({ price, data }: Pick<Trip, 'price' | 'data'>): { flights: Money; seats: Money } | null {
  const paid = (data.seats ?? []).flatMap((seat) => (seat.price && seat.price.currency === price.currency ? [seat.price.amount] : []))
  const amount = addAmounts('0', ...paid)
  if (compareAmounts(amount, '0') <= 0) return null
  return {
    flights: { amount: subtractAmounts(price.amount, amount), currency: price.currency },
    seats: { amount, currency: price.currency },
  }
}

/** What the charge is called: money held is not money paid. */
export function chargeName({ status, refundKind }: Pick<Trip, 'status' | 'refundKind'>): string {
  if (status === 'pending') return 'Held on your card'
  return status === 'cancelled' && refundKind === null ? 'Price' : 'Paid'
}

/** Whether another date can be had; null when the booking does not say. */
export function changeWords({ data }: Pick<Trip, 'data'>): string | null {
  const changeable = data.conditions?.changeable
  if (changeable === undefined) return null
  return changeable ? 'Yes, write to us first' : 'No'
}
