/** One payment: an amount held on a card, then captured or voided. */
import type { paymentRefunded, paymentReversed } from '@passerelle/contracts/events/payment'
import type { Mode } from '@passerelle/contracts/http/common'
import type { PaymentRecord, PaymentState } from '@passerelle/contracts/http/payment'
import { UNRESOLVED_MS } from './deadlines.ts'

export type ReleaseReason = 'no-booking' | 'no-outcome' | 'booking-failed' | 'booking-cancelled' | 'asked'

export type Refund = {
  bookingId: string
  amountMinor: number
  wantedAt: Date
  /** The provider's refund, once it is made. */
  providerId: string | null
  /** The provider refused it for good: an operator must look. */
  failed: boolean
  /** Idempotency keys that only repeat a failure. */
  keyRotations: number
}

/** A refund that was asked for and cannot be made: an operator must look. */
export type RefusedRefund = {
  bookingId: string
  amountMinor: number
  currency: string
  reason: 'another-booking' | 'another-currency' | 'more-than-captured' | 'nothing-captured' | 'refunded-already'
  at: Date
}

/** A refund that somebody made in the provider's dashboard. */
export type HandRefund = { id: string; amountMinor: number }

/** The cardholder disputes the charge at the bank. won: the money stays here. */
export type Dispute = { id: string; amountMinor: number; status: 'open' | 'won' | 'lost' }

/** How often a provider call needed a new idempotency key; the provider replays a stored 5xx under the old one. */
export type KeyGenerations = { create: number; confirm: number; capture: number; void: number }

export type Payment = {
  id: string
  version: number
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
  /** Who made it; both null when no session could be had. */
  visitorId: string | null
  userId: string | null
  /** When that visitor last sent a request about this payment. */
  lastSeenAt: Date
  bookingId: string | null
  requestId: string
  intentId: string | null
  cardBrand: string | null
  cardLast4: string | null
  declineReason: string | null
  refundedMinor: number
  release: { reason: ReleaseReason; at: Date } | null
  refund: Refund | null
  refusedRefunds: RefusedRefund[]
  handRefunds: HandRefund[]
  disputes: Dispute[]
  /** The provider has told of a refund or a dispute: both are read again. */
  reversalsRecheckAt: Date | null
  /** When the provider was first seen to have captured this hold without any booking: an operator must look. */
  unclaimedCaptureAt: Date | null
  /** The provider may know more by then: its state is read again. */
  recheckAt: Date | null
  /** A declined payment's intent was cancelled too. */
  closed: boolean
  /** The request that is working on the card, and until when it is believed to live. */
  attemptBy: string | null
  attemptUntil: Date | null
  /** When a worker should look next; also its lease. */
  dueAt: Date | null
  /** Worker runs in a row that failed. */
  failures: number
  keyGeneration: KeyGenerations
  /** Ids of the provider's events that were applied. */
  webhookEvents: string[]
  createdAt: Date
  updatedAt: Date
}

export type Settable = Partial<Omit<Payment, 'id' | 'version' | 'createdAt' | 'updatedAt'>>
type About = { paymentId: string; bookingId: string | null; currency: string; mode: Mode }
type PaymentEvent =
  | { definition: typeof paymentRefunded; data: About & { amountMinor: number } }
  | {
      definition: typeof paymentReversed
      data: About & { refundedMinor: number; dispute: Dispute['status'] | null; disputedMinor: number }
    }
export type Change = { set: Settable; event?: PaymentEvent }

/**
 * Milliseconds. How long a hold may wait for its booking, in all and after its visitor's last request, and how long the bank's question may
 * wait for its answer.
 */
export type HoldTimes = { holdMs: number; idleMs: number; challengeMs: number }
export type Moment = HoldTimes & { now: Date }

type PaymentTerms = Pick<
  Payment,
  | 'id'
  | 'source'
  | 'key'
  | 'fingerprint'
  | 'amountMinor'
  | 'currency'
  | 'mode'
  | 'offerId'
  | 'visitorId'
  | 'userId'
  | 'requestId'
  | 'cardBrand'
  | 'cardLast4'
  | 'attemptBy'
  | 'attemptUntil'
>

/** Should the request that opens it end without an outcome, a worker looks after the time it was given. */
export function newPayment(about: PaymentTerms, now: Date): Payment {
  return {
    ...about,
    version: 1,
    state: 'created',
    lastSeenAt: now,
    bookingId: null,
    intentId: null,
    declineReason: null,
    refundedMinor: 0,
    release: null,
    refund: null,
    refusedRefunds: [],
    handRefunds: [],
    disputes: [],
    reversalsRecheckAt: null,
    unclaimedCaptureAt: null,
    recheckAt: null,
    closed: false,
    dueAt: about.attemptUntil,
    failures: 0,
    keyGeneration: { create: 1, confirm: 1, capture: 1, void: 1 },
    webhookEvents: [],
    createdAt: now,
    updatedAt: now,
  }
}

export const sum = (parts: readonly { amountMinor: number }[]): number => parts.reduce((total, { amountMinor }) => total + amountMinor, 0)

export const refundedByHand = ({ handRefunds }: Pick<Payment, 'handRefunds'>): number => sum(handRefunds)

/** All that went back to the card by refunds. */
export const refundedInAll = (payment: Pick<Payment, 'handRefunds' | 'refundedMinor'>): number =>
  payment.refundedMinor + refundedByHand(payment)

export function toRecord(payment: Payment): PaymentRecord {
  const { id, state, amountMinor, currency, mode, offerId, bookingId, cardLast4, recheckAt } = payment
  const refundedMinor = refundedInAll(payment)
  // A claimed hold is only read again when its capture was begun, or when the provider tells of it.
  const capturing = state === 'authorised' && bookingId !== null && recheckAt !== null
  return { id, state, amountMinor, currency, mode, offerId, bookingId, refundedMinor, cardLast4, ...(capturing && { capturing }) }
}

/** The provider has captured what no booking has claimed: nothing can be voided any more, and only a person may decide on a refund. */
export function isCapturedUnclaimed({ state, bookingId, unclaimedCaptureAt }: Payment): boolean {
  return state === 'authorised' && bookingId === null && unclaimedCaptureAt !== null
}

/** Whether the bank has decided. */
export function hasOutcome({ state }: Pick<Payment, 'state'>): boolean {
  return state !== 'created' && state !== 'requires_action'
}

type Waiting = Pick<Payment, 'createdAt' | 'lastSeenAt'>

/** When the hold is released unless a booking claims it. */
export function holdEnds({ createdAt, lastSeenAt }: Waiting, { holdMs, idleMs }: HoldTimes): Date {
  return new Date(Math.min(createdAt.getTime() + holdMs, lastSeenAt.getTime() + idleMs))
}

/** When an attempt is given up unless its outcome is learnt. */
export function attemptEnds(payment: Waiting & Pick<Payment, 'state'>, times: HoldTimes): Date {
  const { createdAt, lastSeenAt, state } = payment
  if (state === 'requires_action') return new Date(Math.min(createdAt.getTime() + times.holdMs, lastSeenAt.getTime() + times.challengeMs))
  return new Date(Math.min(holdEnds(payment, times).getTime(), lastSeenAt.getTime() + UNRESOLVED_MS))
}
