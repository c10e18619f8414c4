/**
 * What happens to a payment. Transitions are pure: they answer what changes and which event tells of it, or null when there is
 * nothing to change. The store writes a change only if nobody has written since.
 */
import { AppError } from '@passerelle/contracts/error'
import { paymentAuthorised, paymentCaptured, paymentDeclined, paymentRefunded, paymentVoided } from '@passerelle/contracts/events/payment'
import type { Outcome } from './intent.ts'
import {
  type Change,
  holdEnds,
  type Moment,
  type Payment,
  type PaymentEvent,
  type Refund,
  type ReleaseReason,
  type Settable,
} from './payment.ts'

/** Takes over what the provider says. A state that the provider cannot change any more stays. */
export function applyOutcome(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  if (payment.state === 'created') return fromCreated(payment, outcome, moment)
  if (payment.state === 'authorised') return fromAuthorised(payment, outcome, moment)
  return null
}

const DONE: Settable = { attemptBy: null, attemptUntil: null, failures: 0 }

function fromCreated(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  switch (outcome.kind) {
    case 'held': {
      const dueAt = payment.release ? moment.now : holdEnds(payment, moment.holdMs)
      return { set: { ...DONE, ...faceOf(payment, outcome.face), state: 'authorised', dueAt }, event: tell(payment, paymentAuthorised) }
    }
    case 'taken':
      return taken(payment, outcome.face, moment)
    case 'declined': {
      const event = tell(payment, paymentDeclined, { reason: outcome.reason })
      // A second confirmation was sent: the first may still be on its way, so the intent is cancelled.
      const dueAt = payment.tries.confirm > 1 ? moment.now : null
      return { set: { ...DONE, state: 'declined', declineReason: outcome.reason, dueAt, ...freedKey(payment) }, event }
    }
    case 'gone':
      return { set: { ...DONE, state: 'abandoned', dueAt: null, key: spent(payment) } }
    case 'open':
      return null
  }
}

function fromAuthorised(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  if (outcome.kind === 'taken') return taken(payment, outcome.face, moment)
  if (outcome.kind !== 'gone') return null
  return {
    set: {
      ...DONE,
      state: payment.release ? 'voided' : 'expired',
      dueAt: null,
      recheckAt: null,
      ...(payment.bookingId === null && freedKey(payment)),
    },
    event: tell(payment, paymentVoided),
  }
}

/** A release that came too late has nothing left to do; a refund that was asked for is due now. */
function taken(payment: Payment, face: Face, { now }: Moment): Change {
  const dueAt = payment.refund ? now : null
  return {
    set: { ...DONE, ...faceOf(payment, face), state: 'captured', release: null, recheckAt: null, dueAt },
    event: tell(payment, paymentCaptured),
  }
}

type Face = { brand: string | null; last4: string | null } | null

function faceOf(payment: Payment, face: Face): Settable {
  return { cardBrand: payment.cardBrand ?? face?.brand ?? null, cardLast4: payment.cardLast4 ?? face?.last4 ?? null }
}

function freedKey(payment: Payment): Settable {
  return payment.source === 'booking' ? { key: spent(payment) } : {}
}

function spent(payment: Payment): string {
  return `${payment.key}#${payment.id}`
}

/** Nothing was ever sent to a bank: the payment comes to nothing. */
export function abandon(payment: Payment): Change | null {
  return payment.state === 'created' ? { set: { ...DONE, state: 'abandoned', dueAt: null, key: spent(payment) } } : null
}

/** @throws PAYMENT_NOT_USABLE */
export function claimFor(payment: Payment, bookingId: string): Change | null {
  const { state } = payment
  if (payment.bookingId !== null && payment.bookingId !== bookingId)
    throw new AppError('PAYMENT_NOT_USABLE', { details: { bookingId: payment.bookingId } })
  if (payment.bookingId === bookingId && (state === 'captured' || state === 'refunded')) return null
  if (state !== 'authorised' || payment.release) throw new AppError('PAYMENT_NOT_USABLE')
  return payment.bookingId === bookingId ? null : { set: { bookingId, dueAt: payment.recheckAt } }
}

/**
 * Notes that the amount is being taken, so that a worker reads the outcome should this process end; null when it is taken already.
 * @throws PAYMENT_NOT_USABLE
 */
export function startCapture(payment: Payment, lookAgainAt: Date): Change | null {
  if (payment.state === 'captured' || payment.state === 'refunded') return null
  if (payment.state !== 'authorised' || payment.bookingId === null || payment.release) throw new AppError('PAYMENT_NOT_USABLE')
  return { set: { recheckAt: lookAgainAt, dueAt: lookAgainAt } }
}

/**
 * Wants the hold given back; null when there is none any more, or it is wanted already.
 * @throws PAYMENT_NOT_USABLE when the amount was taken
 */
export function wantRelease(payment: Payment, reason: ReleaseReason, now: Date, dueAt: Date): Change | null {
  if (payment.state === 'captured' || payment.state === 'refunded') throw new AppError('PAYMENT_NOT_USABLE')
  if (payment.state !== 'created' && payment.state !== 'authorised') return null
  return { set: { release: payment.release ?? { reason, at: now }, dueAt } }
}

/** No booking came in time. */
export function giveUpWaiting(payment: Payment, now: Date): Change | null {
  if (payment.state !== 'authorised' || payment.bookingId !== null || payment.release) return null
  return wantRelease(payment, 'no-booking', now, now)
}

/** What the bus says about a booking. Amounts in minor units. */
export type BookingEnd = { reason: 'booking-failed' | 'booking-cancelled'; bookingId: string; refundMinor: number }

/**
 * A booking has come to its end: what is held is given back whole, of what was taken `refundMinor` is. Both are noted while it is
 * not certain which one it is. Null for a repeated event, and for a payment that belongs to another booking.
 */
export function endBooking(payment: Payment, end: BookingEnd, now: Date): Change | null {
  if (payment.bookingId !== null && payment.bookingId !== end.bookingId) return null
  const refund = refundWish(payment, end, now)
  switch (payment.state) {
    case 'created':
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

function refundWish(payment: Payment, { bookingId, refundMinor }: BookingEnd, now: Date): Refund | null {
  const amountMinor = Math.min(refundMinor, payment.amountMinor)
  if (payment.refund || amountMinor === 0) return null
  return { bookingId, amountMinor, wantedAt: now, providerId: null, failed: false, spentKeys: 0 }
}

/** The provider has made the refund. */
export function markRefunded(payment: Payment, providerId: string): Change | null {
  if (payment.state !== 'captured' || !payment.refund) return null
  const refundedMinor = payment.refund.amountMinor
  return {
    set: { ...DONE, state: 'refunded', refundedMinor, refund: { ...payment.refund, providerId, failed: false }, dueAt: null },
    event: tell(payment, paymentRefunded, { amountMinor: refundedMinor }),
  }
}

/** The provider will never make this refund. */
export function markRefundFailed(payment: Payment): Change | null {
  if (payment.state !== 'captured' || !payment.refund) return null
  return { set: { ...DONE, refund: { ...payment.refund, failed: true }, dueAt: null } }
}

const HINTS_KEPT = 32

const FINAL: readonly Payment['state'][] = ['captured', 'refunded', 'voided', 'expired', 'abandoned']

/** What the provider tells of that these states show already. */
const SHOWN: Partial<Record<Payment['state'], string>> = {
  authorised: 'payment_intent.amount_capturable_updated',
  declined: 'payment_intent.payment_failed',
}

/**
 * The provider told that something happened: look, whatever it was. null when that could teach nothing: this very hint was heard before,
 * the state is final or shows it already, or a request is at work, which learns the outcome itself and after whose end a worker looks.
 */
export function takeHint(payment: Payment, hint: { id: string; type: string }, now: Date): Change | null {
  const { state, hints } = payment
  if (FINAL.includes(state) || hints.includes(hint.id) || SHOWN[state] === hint.type || isAtWork(payment, now)) return null
  return { set: { hints: [...hints, hint.id].slice(-HINTS_KEPT), recheckAt: now, dueAt: now } }
}

function isAtWork({ state, attemptUntil, recheckAt }: Payment, now: Date): boolean {
  const until = state === 'created' ? attemptUntil : recheckAt
  return until !== null && until > now
}

function tell(payment: Payment, definition: PaymentEvent['definition'], more: Partial<PaymentEvent['data']> = {}): PaymentEvent {
  const { id, bookingId, amountMinor, currency, mode } = payment
  return { definition, data: { paymentId: id, bookingId, amountMinor, currency, mode, ...more } }
}
