/** Failed sign-ins slow the next ones down; nobody is ever locked out for good. */

export type Failures = { count: number; lastAt: Date }

export const FREE_FAILURES = 5
export const WINDOW_MS = 15 * 60_000
const LONGEST_MS = 60_000

/** A failure this long ago is forgotten, whether its record has been swept or not. */
export function isForgotten(failures: Failures, now: Date): boolean {
  return now.getTime() - failures.lastAt.getTime() > WINDOW_MS
}

/** Milliseconds until the next attempt may be made: none for the first five, then 2, 4, 8 ... 60 seconds after the last failure. */
export function waitBeforeNext(failures: Failures | null, now: Date): number {
  if (!failures || failures.count < FREE_FAILURES || isForgotten(failures, now)) return 0
  const wait = Math.min(LONGEST_MS, 1000 * 2 ** (failures.count - FREE_FAILURES + 1))
  return Math.max(0, wait - (now.getTime() - failures.lastAt.getTime()))
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one: what one attacker can usually reach. */
export function network(ip: string | null): string {
  if (!ip) return 'unknown'
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)
  return v4?.[1] ?? groups(ip).slice(0, 3).join(':')
}

/** The eight groups of an IPv6 address, "::" written out. */
function groups(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
}
