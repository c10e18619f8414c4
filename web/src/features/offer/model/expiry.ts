/** Until when an offer can be booked, in words. */
import { clockTime } from '../../../lib/format/dates.ts'
import { countNoun } from '../../../lib/format/people.ts'

const MINUTE_MS = 60_000
/** Further away than this, a time of day alone would mislead. */
const SAME_DAY_MS = 12 * 60 * MINUTE_MS

/** By the visitor's clock, which may be wrong: ask the server before believing it. */
export function hasPassed(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now
}

/** "This one can be booked until 14:42, 26 minutes from now."; null when there is nothing sure to say. */
export function expiryText(expiresAt: string, now: number): string | null {
  const left = Date.parse(expiresAt) - now
  if (!(left > 0 && left <= SAME_DAY_MS)) return null
  const minutes = Math.floor(left / MINUTE_MS)
  const wait = minutes === 0 ? ', less than a minute from now' : minutes < 60 ? `, ${countNoun(minutes, 'minute')} from now` : ''
  return `This one can be booked until ${clockTime(expiresAt)}${wait}.`
}
