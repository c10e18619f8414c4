/**
 * One payment: an amount held on a card, then taken or given back. Transitions are pure: they answer what changes and which event
 * tells of it, or null when there is nothing to change. The store writes a change only if nobody has written since.
 */
import { AppError } from '@passerelle/contracts/error'
import { paymentAuthorised, paymentCaptured, paymentDeclined, paymentRefunded, paymentVoided } from '@passerelle/contracts/events/payment'
import type { Mode } from '@passerelle/contracts/http/common'
import type { PaymentRecord, PaymentState } from '@passerelle/contracts/http/payment'
import type { Outcome } from './intent.ts'

export type ReleaseReason = 'no-booking' | 'booking-failed' | 'booking-cancelled' | 'asked'

export type Refund = {
  bookingId: string
  amountMinor: number
  wantedAt: Date
  /** The provider's refund, once it is made. */
  providerId: string | null
  /** The provider refused it for good: an operator must look. */
  failed: boolean
  /** Idempotency keys that only repeat a failure. */
  spentKeys: number
}

/** How often a provider call needed a new idempotency key; the provider replays a stored 5xx under the old one. */
export type Tries = { create: number; confirm: number; capture: number; void: number }

export type Payment = {
  id: string
  version: number
  /** Events told so far: the sequence of the last one. */
  eventCount: number
  state: PaymentState
  /** visitor: paid on the payment page. booking: a booking brought its card along. */
  source: 'visitor' | 'booking'
  /** Unique. A booking's key becomes free again when its attempt has come to nothing. */
  key: string
  fingerprint: string
  amountMinor: number
  currency: string
  mode: Mode
  offerId: string | null
  bookingId: string | null
  requestId: string
  intentId: string | null
  cardBrand: string | null
  cardLast4: string | null
  declineReason: string | null
  refundedMinor: number
  release: { reason: ReleaseReason; at: Date } | null
  refund: Refund | null
  /** The provider may know more by then: its state is read again. */
  recheckAt: Date | null
  /** A declined payment's intent was cancelled too. */
  closed: boolean
  /** The request that is working on the card, and until when it is believed to live. */
  attemptBy: string | null
  attemptUntil: Date | null
  /** When a worker should look next; also its lease. */
  dueAt: Date | null
  /** Worker runs in a row that came to nothing. */
  failures: number
  tries: Tries
  /** Provider events already taken in. */
  hints: string[]
  createdAt: Date
  updatedAt: Date
}

type Settable = Partial<Omit<Payment, 'id' | 'version' | 'eventCount' | 'createdAt' | 'updatedAt'>>
export type PaymentEvent = {
  definition: typeof paymentAuthorised | typeof paymentCaptured | typeof paymentVoided | typeof paymentRefunded | typeof paymentDeclined
  data: { paymentId: string; bookingId: string | null; amountMinor: number; currency: string; mode: Mode; reason?: string }
}
export type Change = { set: Settable; event?: PaymentEvent }

/** `holdMs`: how long a hold may wait for its booking. */
export type Moment = { now: Date; holdMs: number }

export type NewPayment = Pick<
  Payment,
  | 'id'
  | 'source'
  | 'key'
  | 'fingerprint'
  | 'amountMinor'
  | 'currency'
  | 'mode'
  | 'offerId'
  | 'requestId'
  | 'cardBrand'
  | 'cardLast4'
  | 'attemptBy'
  | 'attemptUntil'
>

/** Should the request that opens it end without an outcome, a worker looks after the time it was given. */
export function openPayment(about: NewPayment, now: Date): Payment {
  return {
    ...about,
    version: 1,
    eventCount: 0,
    state: 'created',
    bookingId: null,
    intentId: null,
    declineReason: null,
    refundedMinor: 0,
    release: null,
    refund: null,
    recheckAt: null,
    closed: false,
    dueAt: about.attemptUntil,
    failures: 0,
    tries: { create: 1, confirm: 1, capture: 1, void: 1 },
    hints: [],
    createdAt: now,
    updatedAt: now,
  }
}

export function toRecord(payment: Payment): PaymentRecord {
  const { id, state, amountMinor, currency, mode, offerId, bookingId, refundedMinor, cardLast4 } = payment
  return { id, state, amountMinor, currency, mode, offerId, bookingId, refundedMinor, cardLast4 }
}

export function isSettled(payment: Payment): boolean {
  return payment.state !== 'created'
}

/** When the hold is given back unless a booking claims it. */
export function holdEnds(payment: Payment, holdMs: number): Date {
  return new Date(payment.createdAt.getTime() + holdMs)
}

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
  return payment.bookingId === bookingId ? null : { set: { bookingId, dueAt: null } }
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

/** The provider told that something happened: look, whatever it was; null when this very hint was heard before. */
export function takeHint(payment: Payment, hintId: string, now: Date): Change | null {
  if (payment.hints.includes(hintId)) return null
  return { set: { hints: [...payment.hints, hintId].slice(-HINTS_KEPT), recheckAt: now, dueAt: now } }
}

function tell(payment: Payment, definition: PaymentEvent['definition'], more: Partial<PaymentEvent['data']> = {}): PaymentEvent {
  const { id, bookingId, amountMinor, currency, mode } = payment
  return { definition, data: { paymentId: id, bookingId, amountMinor, currency, mode, ...more } }
}
