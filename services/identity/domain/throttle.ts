/** Failed sign-ins slow the next ones down; nobody is ever locked out for good. */

export type Failures = { count: number; lastAt: Date }

export const FREE_FAILURES = 5
export const WINDOW_MS = 15 * 60_000
const LONGEST_MS = 60_000

/** Milliseconds until the next attempt may be made: none for the first five, then 2, 4, 8 ... 60 seconds after the last failure. */
export function waitBeforeNext(failures: Failures | null, now: Date): number {
  if (!failures || failures.count < FREE_FAILURES) return 0
  const since = now.getTime() - failures.lastAt.getTime()
  if (since > WINDOW_MS) return 0
  const wait = Math.min(LONGEST_MS, 1000 * 2 ** (failures.count - FREE_FAILURES + 1))
  return Math.max(0, wait - since)
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one: what one attacker can usually reach. */
export function network(ip: string | null): string {
  if (!ip) return 'unknown'
  return ip.includes(':') ? ip.split(':').slice(0, 3).join(':') : ip.split('.').slice(0, 3).join('.')
}
