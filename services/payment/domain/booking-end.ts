/** What the end of a booking means for its payment. Pure, like every transition. */
import type { Change, Payment, Refund, RefusedRefund } from './payment.ts'

/** What the bus says about a booking. `refundMinor` in minor units of `currency`. */
export type BookingEnd = {
  reason: 'booking-failed' | 'booking-cancelled'
  bookingId: string
  refundMinor: number
  currency: string
}

/**
 * A booking has come to its end: what is held is voided, of what was captured `refundMinor` is refunded. Both are noted while it is not
 * certain which one it is. null for a repeated event, and for a payment that belongs to another booking.
 */
export function endBooking(payment: Payment, end: BookingEnd, now: Date): Change | null {
  if (payment.bookingId !== null && payment.bookingId !== end.bookingId) return null
  const refund = requestedRefund(payment, end, now)
  switch (payment.state) {
    case 'created':
    case 'requires_action':
    case 'authorised':
      if (payment.release && (payment.refund || !refund)) return null
      return {
        set: { release: payment.release ?? { reason: end.reason, at: now }, dueAt: now, ...(refund && { refund }) },
      }
    case 'captured':
      return refund ? { set: { refund, dueAt: now } } : null
    default:
      return null
  }
}

function requestedRefund(payment: Payment, { bookingId, refundMinor }: BookingEnd, now: Date): Refund | null {
  if (payment.refund || refundMinor === 0) return null
  return { bookingId, amountMinor: refundMinor, wantedAt: now, providerId: null, failed: false, keyRotations: 0 }
}

/**
 * The end of a booking whose refund was promised to the traveller. `refused`: this payment cannot give that refund, which is put on
 * record for an operator; a hold is voided all the same.
 */
export function endWithRefund(payment: Payment, end: BookingEnd, now: Date): { change: Change | null; refused: RefusedRefund | null } {
  const reason = whyImpossible(payment, end)
  if (reason === null) return { change: endBooking(payment, end, now), refused: null }
  const refused = { bookingId: end.bookingId, amountMinor: end.refundMinor, currency: end.currency, reason, at: now }
  const change = endBooking(payment, { ...end, refundMinor: 0 }, now)
  if (payment.refusedRefunds.some((one) => isSame(one, refused))) return { change, refused }
  return { change: { set: { ...change?.set, refusedRefunds: [...payment.refusedRefunds, refused] } }, refused }
}

function whyImpossible(payment: Payment, { bookingId, refundMinor, currency }: BookingEnd): RefusedRefund['reason'] | null {
  if (refundMinor === 0) return null
  if (payment.bookingId !== bookingId) return 'another-booking'
  if (payment.currency !== currency) return 'another-currency'
  if (refundMinor > payment.amountMinor) return 'more-than-captured'
  if (payment.refund) return payment.refund.amountMinor === refundMinor ? null : 'refunded-already'
  return ['created', 'requires_action', 'authorised', 'captured'].includes(payment.state) ? null : 'nothing-captured'
}

function isSame(one: RefusedRefund, other: RefusedRefund): boolean {
  return one.bookingId === other.bookingId && one.amountMinor === other.amountMinor && one.currency === other.currency
}
