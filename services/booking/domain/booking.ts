/** A booking as it is stored, and as the public sees it. */

import type { ErrorCode } from '@passerelle/contracts/error'
import type { Booking } from '@passerelle/contracts/http/booking'
import type { Money, PassengerType } from '@passerelle/contracts/http/common'
import type { FlightOffer, Quote } from '@passerelle/contracts/http/search'
import { REFERENCE_LENGTH } from '@passerelle/contracts/rules/booking-reference'
import { instantOf } from '@passerelle/contracts/rules/local-time'
import { compareAmounts, fromMinor, subtractAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { publicStatus, type SagaState } from './state.ts'

/** One passenger without documents: those are sealed apart. */
export type BookedPerson = {
  id: string
  type: PassengerType
  title: string
  gender: 'm' | 'f'
  /** As typed, for the traveller's eyes. */
  firstName: string
  lastName: string
  email: string
  /** E.164. */
  phone: string
}

export type Failure = { code: ErrorCode; message?: string; details?: Record<string, unknown> }

export type BookingRecord = {
  _id: string
  version: number
  state: SagaState
  /** Ours; its first 8 characters are the reference. */
  providerId: string
  reference: string
  idempotencyKey: string
  requestHash: string
  paymentId: string
  ownerSession: string | null
  userId: string | null
  brand: string
  markupPercent: number
  mode: 'test' | 'live'
  requestId: string
  createdAt: Date
  contact: { email: string; phone: string; firstName: string; lastName: string }
  people: BookedPerson[]
  /** Birth dates and passports, sealed with a key of this booking's own. */
  documents: string | null
  documentKey: string | null
  offer: Pick<FlightOffer, 'id' | 'slices' | 'conditions' | 'total_amount' | 'total_currency' | 'owner'>
  supplier: Quote['supplier']
  seats: Quote['seats']
  charge: { minor: number; currency: string }
  supplierCharge: Money
  lastArrival: Date
  firstDeparture: Date
  /** The supplier's order. */
  orderId: string | null
  airlineReference: string | null
  /** False when the airline's order says that it cannot be cancelled. */
  orderCancellable: boolean
  /** How often an order was sent (each for another supplier offer). */
  attempts: number
  sendBefore: Date | null
  settleBy: Date | null
  open: boolean
  nextAt: Date
  leaseUntil: Date
  /** How often the present state was tried without getting on. */
  tries: number
  cancelWish: boolean
  cancelNote: string | null
  cancelledAt: Date | null
  refund: { minor: number; refundedAt: Date | null } | null
  failure: Failure | null
}

/** What cancelling gives back: the refundable part of the supplier's amount; the markup is the agency's fee and is not returned. */
export function refundable(booking: BookingRecord, now: Date): { allowed: boolean; refundMinor: number | null } {
  const { refund } = booking.offer.conditions
  if (!refund?.allowed || !booking.orderCancellable || booking.firstDeparture <= now) return { allowed: false, refundMinor: null }
  const currency = booking.charge.currency
  if (!refund.penalty) return { allowed: true, refundMinor: null }
  if (refund.penalty.currency !== currency) return { allowed: true, refundMinor: null }
  return { allowed: true, refundMinor: cappedRefund(booking, subtractAmounts(booking.supplierCharge.amount, refund.penalty.amount)) }
}

/** Never more than was paid, never less than nothing. */
export function cappedRefund(booking: BookingRecord, supplierRefund: string): number {
  if (supplierRefund.startsWith('-') || compareAmounts(supplierRefund, '0') <= 0) return 0
  return Math.min(booking.charge.minor, toMinor(supplierRefund, booking.charge.currency))
}

/** Names and addresses of the party, documents never. */
export function toPublic(booking: BookingRecord, now: Date): Booking {
  const { currency } = booking.charge
  const cancel = refundable(booking, now)
  const cancellable = booking.state === 'CONFIRMED' && cancel.allowed
  const refund = booking.offer.conditions.refund
  return {
    id: booking._id,
    status: publicStatus(booking.state, booking.lastArrival, now),
    duffelBookingId: booking.providerId,
    bookingReference: booking.reference,
    airlineReference: booking.airlineReference,
    createdAt: booking.createdAt.toISOString(),
    brand: booking.brand,
    charged: { amount: fromMinor(booking.charge.minor, currency), currency },
    refund: booking.refund && {
      amount: fromMinor(booking.refund.minor, currency),
      currency,
      refundedAt: booking.refund.refundedAt?.toISOString() ?? null,
    },
    cancellation: cancellable
      ? { refund: cancel.refundMinor === null ? null : { amount: fromMinor(cancel.refundMinor, currency), currency } }
      : null,
    cancelRequested: booking.cancelWish || booking.state === 'CANCEL_REQUESTED',
    cancelledAt: booking.cancelledAt?.toISOString() ?? null,
    bookingData: {
      slices: booking.offer.slices,
      passengers: booking.people.map((person) => ({
        id: person.id,
        given_name: person.firstName,
        family_name: person.lastName,
        type: person.type,
      })),
      conditions: {
        cancellation_options:
          refund?.allowed && booking.orderCancellable
            ? [{ type: 'refund', penalty_amount: refund.penalty?.amount ?? null, penalty_currency: refund.penalty?.currency ?? null }]
            : [],
      },
      total_amount: booking.offer.total_amount,
      total_currency: booking.offer.total_currency,
      seats: booking.seats.map(({ passengerId, segmentId, seatId, price }) => ({ passengerId, segmentId, seatId, price })),
    },
  }
}

/** First take-off and last landing as instants. */
export function flightTimes(slices: FlightOffer['slices']): { firstDeparture: Date; lastArrival: Date } {
  const segments = slices.flatMap((slice) => slice.segments)
  const first = segments[0]
  const last = segments.at(-1)
  if (!first || !last) throw new RangeError('an offer without flights')
  return {
    firstDeparture: new Date(instantOf(first.departing_at, first.origin.time_zone)),
    lastArrival: new Date(instantOf(last.arriving_at, last.destination.time_zone)),
  }
}

/** Failed bookings are not listed, unless the traveller had asked to cancel: then they look for it under Cancelled. */
export function isListed(booking: BookingRecord): boolean {
  return booking.state !== 'FAILED' || booking.cancelWish
}

export function referenceOf(providerId: string): string {
  return providerId.slice(0, REFERENCE_LENGTH)
}
