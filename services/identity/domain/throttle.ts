/** Failed sign-ins slow the next ones down; nobody is ever locked out for good. */

export type Failures = {
  count: number
  /** Of the first one that counts. */
  since: Date
  lastAt: Date
}

export type Throttle = {
  /** Failures that cost nothing. */
  free: number
  longestWaitMs: number
  /** A quarter of an hour after which event everything is forgotten. */
  forgottenAfter: 'first' | 'last'
}

const MINUTE = 60_000
export const WINDOW_MS = 15 * MINUTE

/** One account from one network: somebody who guesses at a desk. */
export const ACCOUNT_AND_NETWORK: Throttle = { free: 5, longestWaitMs: MINUTE, forgottenAfter: 'last' }
/** All accounts from one network: somebody who tries one password on many. An office shares it, so it begins anew by itself. */
export const NETWORK: Throttle = { free: 20, longestWaitMs: MINUTE, forgottenAfter: 'first' }
/** One account from anywhere: many machines at once. Whoever wants to get in must still find a gap, so the wait stays short. */
export const ACCOUNT: Throttle = { free: 50, longestWaitMs: MINUTE / 6, forgottenAfter: 'first' }

/** Failures this long ago are forgotten, whether their record has been swept or not. */
export function isForgotten({ forgottenAfter }: Throttle, failures: Failures, now: Date): boolean {
  const from = forgottenAfter === 'last' ? failures.lastAt : failures.since
  return now.getTime() - from.getTime() > WINDOW_MS
}

/** Milliseconds until the next attempt may be made: none for the free ones, then 2, 4, 8 ... seconds after the last failure. */
export function waitBeforeNext(throttle: Throttle, failures: Failures | null, now: Date): number {
  if (!failures || failures.count < throttle.free || isForgotten(throttle, failures, now)) return 0
  const wait = Math.min(throttle.longestWaitMs, 1000 * 2 ** (failures.count - throttle.free + 1))
  return Math.max(0, wait - (now.getTime() - failures.lastAt.getTime()))
}
