/** A booking as a trip card reads it. What arrives may be older or broken: one bad booking never breaks the list. */
import type { Booking, BookingStatus } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { formatExactMoney, subtractAmounts } from '@passerelle/contracts/rules/money'
import { formatDate } from '../../../lib/format/dates.ts'
import { countNoun } from '../../../lib/format/people.ts'

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
  /** Of the card that paid. */
  cardLast4: string | null
  data: TripData
  refund: Booking['refund']
  refundKind: Booking['refundKind']
  airlineCredit: Booking['airlineCredit']
  cancelledAt: string | null
  cancelRequested: boolean
  /** What cancelling gives back; `null` inside: not known yet. Absent: it cannot be cancelled. */
  cancellation: Booking['cancellation']
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
    cardLast4: raw.cardLast4 ?? null,
    data,
    refund: raw.refund ?? null,
    refundKind: raw.refundKind ?? null,
    airlineCredit: raw.airlineCredit ?? null,
    cancelledAt: raw.cancelledAt ?? null,
    cancelRequested: raw.cancelRequested ?? false,
    cancellation: raw.cancellation ?? null,
  }
}

/** "the card ending 4242". */
export function cardOf({ cardLast4 }: Pick<Trip, 'cardLast4'>): string {
  return cardLast4 ? `the card ending ${cardLast4}` : 'your card'
}

/** What became of a cancelled trip and its money. */
export function cancelledText(trip: Trip): string {
  const { cancelledAt, refund, refundKind, airlineCredit } = trip
  const when = cancelledAt ? `Cancelled on ${formatDate(cancelledAt, 'short')}.` : 'Cancelled.'
  if (refundKind === 'operator') return `${when} Your refund is being arranged by our team.`
  if (refundKind === 'credit') {
    const credit = airlineCredit ? formatExactMoney(airlineCredit.amount, airlineCredit.currency) : 'the refund'
    return `${when} The airline holds ${credit} for you as credit for a later flight. Nothing goes back to your card.`
  }
  if (!refund) return `${when} Your card was not charged.`
  if (Number(refund.amount) === 0) return `${when} Nothing was refundable.`
  const amount = formatExactMoney(refund.amount, refund.currency)
  return refund.refundedAt
    ? `${when} ${amount} refunded to ${cardOf(trip)} on ${formatDate(refund.refundedAt, 'short')}.`
    : `${when} ${amount} is on its way back to ${cardOf(trip)}.`
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

/** "Non-stop", "1 stop", "2 stops": segments minus one. */
export function stopsText(segments: number): string {
  if (segments <= 1) return 'Non-stop'
  return countNoun(segments - 1, 'stop')
}

/** "Non-stop", or "Non-stop out, 1 stop back" when the ways differ. */
export function stopsOf(trip: Trip): string | null {
  const [out, back] = (trip.data.slices ?? []).map((slice) => stopsText(slice.segments?.length ?? 1))
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
