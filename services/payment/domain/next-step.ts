/** What a worker should do with a payment now, and when to look again. */
import { LONGEST_BACKOFF_MS } from './deadlines.ts'
import {
  attemptEnds,
  type HoldTimes,
  hasOutcome,
  holdEnds,
  isCapturedUnclaimed,
  type Moment,
  type Payment,
  type Refund,
} from './payment.ts'

export type Step =
  /** Ask the provider and take over what it says. */
  | 'read'
  /** No outcome in time: make sure that there is no hold, then give up. */
  | 'abandon'
  /** No booking in time: decide to release the hold. */
  | 'release'
  /** Void the hold. */
  | 'void'
  | 'refund'
  /** Read refunds and disputes that the provider has told of. */
  | 'reversals'
  /** Cancel what is left of a declined payment at the provider. */
  | 'close'
  | 'rest'

export function nextStep(payment: Payment, moment: Moment): Step {
  const { now } = moment
  switch (payment.state) {
    case 'created':
      if (payment.release || now >= attemptEnds(payment, moment)) return 'abandon'
      return payment.intentId ? 'read' : 'rest'
    case 'requires_action':
      if (payment.release || now >= attemptEnds(payment, moment)) return 'abandon'
      return payment.recheckAt && payment.recheckAt <= now ? 'read' : 'rest'
    case 'authorised':
      if (isCapturedUnclaimed(payment)) return isDue(payment.reversalsRecheckAt, now) ? 'reversals' : 'rest'
      if (payment.release) return 'void'
      if (payment.bookingId === null && now >= holdEnds(payment, moment)) return 'release'
      return payment.recheckAt && payment.recheckAt <= now ? 'read' : 'rest'
    case 'captured':
      if (isDue(payment.reversalsRecheckAt, now)) return 'reversals'
      return payment.refund && !payment.refund.failed ? 'refund' : 'rest'
    case 'refunded':
      return isDue(payment.reversalsRecheckAt, now) ? 'reversals' : 'rest'
    case 'declined':
      return !payment.closed && (payment.keyGeneration.confirm > 1 || payment.recheckAt) ? 'close' : 'rest'
    default:
      return 'rest'
  }
}

const isDue = (at: Date | null, now: Date): boolean => at !== null && at <= now

/** When to look at a payment for which nothing is to be done now. */
export function restUntil(payment: Payment, times: HoldTimes): Date | null {
  if (payment.state === 'created') return attemptEnds(payment, times)
  if (payment.state === 'requires_action') return earliest(attemptEnds(payment, times), payment.recheckAt)
  if (payment.state !== 'authorised' || isCapturedUnclaimed(payment)) return payment.reversalsRecheckAt
  return earliest(payment.bookingId === null ? holdEnds(payment, times) : null, payment.recheckAt)
}

function earliest(...times: (Date | null)[]): Date | null {
  const given = times.filter((time) => time !== null)
  return given.length === 0 ? null : new Date(Math.min(...given.map((time) => time.getTime())))
}

/** Twice as long each time, and no later than the end of the attempt or the hold. */
export function retryAt(payment: Payment, moment: Moment): Date {
  const now = moment.now.getTime()
  const next = now + Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** Math.min(payment.failures, 10))
  const end = (!hasOutcome(payment) ? attemptEnds(payment, moment) : holdEnds(payment, moment)).getTime()
  return new Date(now < end ? Math.min(next, end) : next)
}

const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * The refund's idempotency key is new each day, because the provider forgets keys after one; from the second round on its refunds
 * must be listed first.
 */
export function refundRound(refund: Pick<Refund, 'wantedAt' | 'keyRotations'>, now: Date): number {
  return 1 + refund.keyRotations + Math.max(0, Math.floor((now.getTime() - refund.wantedAt.getTime()) / KEY_LIFE_MS))
}
