/** What a worker should do with a payment now, and when to look again. */
import { holdEnds, type Moment, type Payment, type Refund } from './payment.ts'

export type Step =
  /** Ask the provider and take over what it says. */
  | 'settle'
  /** No outcome in time: make sure that there is no hold, then give up. */
  | 'abandon'
  /** No booking in time: decide to give the hold back. */
  | 'release'
  /** Give the hold back. */
  | 'void'
  | 'refund'
  /** Cancel what is left of a declined payment at the provider. */
  | 'close'
  | 'rest'

export function nextStep(payment: Payment, { now, holdMs }: Moment): Step {
  const late = now >= holdEnds(payment, holdMs)
  switch (payment.state) {
    case 'created':
      if (late || payment.release) return 'abandon'
      return payment.intentId ? 'settle' : 'rest'
    case 'authorised':
      if (payment.release) return 'void'
      if (late && payment.bookingId === null) return 'release'
      return payment.recheckAt && payment.recheckAt <= now ? 'settle' : 'rest'
    case 'captured':
      return payment.refund && !payment.refund.failed ? 'refund' : 'rest'
    case 'declined':
      return !payment.closed && (payment.tries.confirm > 1 || payment.recheckAt) ? 'close' : 'rest'
    default:
      return 'rest'
  }
}

/** When to look at a payment for which nothing is to be done now. */
export function restUntil(payment: Payment, holdMs: number): Date | null {
  if (payment.state === 'created') return holdEnds(payment, holdMs)
  if (payment.state !== 'authorised') return null
  const end = payment.bookingId === null ? holdEnds(payment, holdMs) : null
  return end && payment.recheckAt ? new Date(Math.min(end.getTime(), payment.recheckAt.getTime())) : (end ?? payment.recheckAt)
}

const MOST_BACKOFF_MS = 60_000

/** Twice as long each time, at most a minute, and no later than the end of the hold. */
export function retryAt(payment: Payment, { now, holdMs }: Moment): Date {
  const wait = Math.min(MOST_BACKOFF_MS, 1000 * 2 ** Math.min(payment.failures, 10))
  const next = now.getTime() + wait
  const end = holdEnds(payment, holdMs).getTime()
  return new Date(now.getTime() < end ? Math.min(next, end) : next)
}

const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * The refund's idempotency key is new each day, because the provider forgets keys after one; from the second round on its refunds
 * must be listed first.
 */
export function refundRound(refund: Pick<Refund, 'wantedAt' | 'spentKeys'>, now: Date): number {
  return 1 + refund.spentKeys + Math.max(0, Math.floor((now.getTime() - refund.wantedAt.getTime()) / KEY_LIFE_MS))
}
