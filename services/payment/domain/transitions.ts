/**
 * What happens to a payment. Transitions are pure: they return what changes and the event that leaves with it, or null when there is
 * nothing to change. The store checks the invariants and writes a change only if nobody has written since.
 */
import { AppError } from '@passerelle/contracts/error'
import { paymentRefunded } from '@passerelle/contracts/events/payment'
import type { Outcome } from './intent.ts'
import { restUntil } from './next-step.ts'
import {
  attemptEnds,
  type Change,
  hasOutcome,
  holdEnds,
  isCapturedUnclaimed,
  type Moment,
  type Payment,
  type ReleaseReason,
  type Settable,
} from './payment.ts'
import { isReversal, mayBeReversed } from './reversal.ts'

/** Takes over what the provider says. A state that the provider cannot change any more stays. */
export function applyOutcome(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  if (!hasOutcome(payment)) return fromUndecided(payment, outcome, moment)
  if (payment.state === 'authorised') return fromAuthorised(payment, outcome, moment)
  return null
}

const ATTEMPT_OVER: Settable = { attemptBy: null, attemptUntil: null, failures: 0 }

function fromUndecided(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  switch (outcome.kind) {
    case 'authorised': {
      // An answer to the bank is a sign of the visitor.
      const lastSeenAt = payment.state === 'requires_action' ? moment.now : payment.lastSeenAt
      const dueAt = payment.release ? moment.now : holdEnds({ ...payment, lastSeenAt }, moment)
      return {
        set: { ...ATTEMPT_OVER, ...cardFields(payment, outcome.cardSummary), state: 'authorised', lastSeenAt, dueAt },
      }
    }
    case 'action':
      return asked(payment, moment)
    case 'captured':
      return captured(payment, outcome.cardSummary, moment)
    case 'declined': {
      // A second confirmation was sent: the first may still be on its way, so the intent is cancelled.
      const dueAt = payment.keyGeneration.confirm > 1 ? moment.now : null
      return { set: { ...ATTEMPT_OVER, state: 'declined', declineReason: outcome.reason, dueAt, ...withKeyReleased(payment) } }
    }
    case 'cancelled':
      return { set: { ...ATTEMPT_OVER, state: 'abandoned', dueAt: null, key: retiredKey(payment) } }
    case 'open':
      return null
  }
}

/** The bank waits for its customer. null when that is known and no request is at work. */
function asked(payment: Payment, moment: Moment): Change | null {
  const state = 'requires_action'
  if (payment.state === state && !payment.attemptUntil) return null
  return { set: { ...ATTEMPT_OVER, state, dueAt: payment.release ? moment.now : attemptEnds({ ...payment, state }, moment) } }
}

function fromAuthorised(payment: Payment, outcome: Outcome, moment: Moment): Change | null {
  if (outcome.kind === 'captured') return captured(payment, outcome.cardSummary, moment)
  if (outcome.kind !== 'cancelled') return null
  return {
    set: {
      ...ATTEMPT_OVER,
      state: payment.release ? 'voided' : 'expired',
      dueAt: null,
      recheckAt: null,
      ...(payment.bookingId === null && withKeyReleased(payment)),
    },
  }
}

/** A release that came too late has nothing left to do; a refund that was asked for is due now. */
function captured(payment: Payment, cardSummary: Summary, { now }: Moment): Change | null {
  if (payment.bookingId === null) return unclaimedCapture(payment, cardSummary, now)
  const dueAt = payment.refund || payment.reversalsRecheckAt ? now : null
  return {
    set: { ...ATTEMPT_OVER, ...cardFields(payment, cardSummary), state: 'captured', release: null, recheckAt: null, dueAt },
  }
}

/**
 * The provider has captured it for this booking, and the record of that was lost with the database. null when it is recorded.
 * @throws PAYMENT_NOT_USABLE
 */
export function recordLostCapture(payment: Payment, lost: LostCapture, moment: Moment): Change | null {
  const { state } = payment
  const { bookingId, intentId, cardSummary } = lost
  const isOurs = (payment.bookingId ?? bookingId) === bookingId && (payment.intentId ?? intentId) === intentId
  if (isOurs && payment.bookingId !== null && (state === 'captured' || state === 'refunded')) return null
  if (!isOurs || (hasOutcome(payment) && state !== 'authorised')) throw new AppError('PAYMENT_NOT_USABLE')
  // What went back meanwhile is read by the worker.
  const reversalsRecheckAt = moment.now
  const change = captured({ ...payment, bookingId, reversalsRecheckAt }, cardSummary, moment)
  return { set: { ...change?.set, bookingId, intentId, reversalsRecheckAt, unclaimedCaptureAt: null } }
}

type LostCapture = { bookingId: string; intentId: string; cardSummary: Summary }

/** Captured at the provider by somebody else: on record for an operator. It stays a hold that a booking may still claim. null when it is known. */
function unclaimedCapture(payment: Payment, cardSummary: Summary, now: Date): Change | null {
  if (payment.unclaimedCaptureAt) return null
  return {
    set: {
      ...ATTEMPT_OVER,
      ...cardFields(payment, cardSummary),
      state: 'authorised',
      unclaimedCaptureAt: now,
      recheckAt: null,
      dueAt: payment.reversalsRecheckAt,
    },
  }
}

type Summary = { brand: string | null; last4: string | null } | null

function cardFields(payment: Payment, cardSummary: Summary): Settable {
  return { cardBrand: payment.cardBrand ?? cardSummary?.brand ?? null, cardLast4: payment.cardLast4 ?? cardSummary?.last4 ?? null }
}

function withKeyReleased(payment: Payment): Settable {
  return payment.source === 'booking' ? { key: retiredKey(payment) } : {}
}

function retiredKey(payment: Payment): string {
  return `${payment.key}#${payment.id}`
}

/** Nothing was ever sent to a bank: the payment comes to nothing. */
export function abandon(payment: Payment): Change | null {
  return !hasOutcome(payment) ? { set: { ...ATTEMPT_OVER, state: 'abandoned', dueAt: null, key: retiredKey(payment) } } : null
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
 * The visitor has sent another request about this payment, so its unclaimed hold goes on waiting. null when that changes nothing, or the
 * last request is so recent that it is not worth a write.
 */
export function recordActivity(payment: Payment, moment: Moment): Change | null {
  const { now, idleMs } = moment
  if (payment.state !== 'authorised' || payment.bookingId !== null || payment.release) return null
  if (now.getTime() - payment.lastSeenAt.getTime() < idleMs / 10) return null
  const seen = { ...payment, lastSeenAt: now }
  return { set: { lastSeenAt: now, dueAt: restUntil(seen, moment) } }
}

/**
 * Notes that the amount is being captured, so that a worker reads the outcome should this process end; null when it is captured already.
 * @throws PAYMENT_NOT_USABLE
 */
export function startCapture(payment: Payment, lookAgainAt: Date): Change | null {
  if (payment.state === 'captured' || payment.state === 'refunded') return null
  if (payment.state !== 'authorised' || payment.bookingId === null || payment.release) throw new AppError('PAYMENT_NOT_USABLE')
  return { set: { recheckAt: lookAgainAt, dueAt: lookAgainAt } }
}

/**
 * Asks for the release of a hold; null when there is none any more.
 * @throws PAYMENT_NOT_USABLE when the amount was captured
 */
export function requestRelease(payment: Payment, reason: ReleaseReason, now: Date, dueAt: Date): Change | null {
  if (payment.state === 'captured' || payment.state === 'refunded') throw new AppError('PAYMENT_NOT_USABLE')
  if (hasOutcome(payment) && payment.state !== 'authorised') return null
  return { set: { release: payment.release ?? { reason, at: now }, dueAt } }
}

/** No booking came in time. null when one has, or when the visitor has sent another request meanwhile. */
export function releaseUnclaimed(payment: Payment, moment: Moment): Change | null {
  const { now } = moment
  if (payment.state !== 'authorised' || payment.bookingId !== null || payment.release || now < holdEnds(payment, moment)) return null
  return requestRelease(payment, 'no-booking', now, now)
}

/** No outcome came in time. null when the visitor tries again. From here on no attempt may begin. */
export function releaseUnresolved(payment: Payment, moment: Moment): Change | null {
  const { now } = moment
  if (hasOutcome(payment) || payment.release || now < attemptEnds(payment, moment) || isAtWork(payment, now)) return null
  return requestRelease(payment, 'no-outcome', now, now)
}

/** The provider has made the refund, or what was left of it. */
export function markRefunded(payment: Payment, providerId: string, refundedMinor = payment.refund?.amountMinor ?? 0): Change | null {
  if (payment.state !== 'captured' || !payment.refund) return null
  const { id, bookingId, currency, mode } = payment
  const refund = { ...payment.refund, providerId, failed: false }
  return {
    set: { ...ATTEMPT_OVER, state: 'refunded', refundedMinor, refund, dueAt: payment.reversalsRecheckAt },
    event: { definition: paymentRefunded, data: { paymentId: id, bookingId, amountMinor: refundedMinor, currency, mode } },
  }
}

/** The provider will never make this refund. */
export function markRefundFailed(payment: Payment): Change | null {
  if (payment.state !== 'captured' || !payment.refund) return null
  return { set: { ...ATTEMPT_OVER, refund: { ...payment.refund, failed: true }, dueAt: payment.reversalsRecheckAt } }
}

const WEBHOOK_EVENTS_KEPT = 32

const FINAL: readonly Payment['state'][] = ['captured', 'refunded', 'voided', 'expired', 'abandoned']

/** Event types that add nothing to these states. */
const KNOWN_TYPE: Partial<Record<Payment['state'], string>> = {
  requires_action: 'payment_intent.requires_action',
  authorised: 'payment_intent.amount_capturable_updated',
  declined: 'payment_intent.payment_failed',
}

/**
 * Has the payment read at the provider, whatever the event says. null when that could change nothing: the event was applied before, the
 * state is final or shows it already, or a request is at work, which gets the outcome itself and after whose end a worker looks. That
 * something went back is kept also then: whoever records the capture has refunds and disputes read.
 */
export function applyWebhook(payment: Payment, event: { id: string; type: string }, now: Date): Change | null {
  const { state } = payment
  if (payment.webhookEvents.includes(event.id)) return null
  const webhookEvents = [...payment.webhookEvents, event.id].slice(-WEBHOOK_EVENTS_KEPT)
  if (isReversal(event.type)) {
    if (!mayBeReversed(payment)) return null
    const isTaken = state !== 'authorised' || isCapturedUnclaimed(payment)
    return { set: { webhookEvents, reversalsRecheckAt: now, ...(isTaken && { dueAt: now }) } }
  }
  if (FINAL.includes(state) || KNOWN_TYPE[state] === event.type || isAtWork(payment, now)) return null
  return { set: { webhookEvents, recheckAt: now, dueAt: now } }
}

/** Somebody is charging or capturing right now, or is believed to. */
function isAtWork(payment: Payment, now: Date): boolean {
  const until = hasOutcome(payment) ? payment.recheckAt : payment.attemptUntil
  return until !== null && until > now
}
