/**
 * Flight times are the airport's wall clock: they are read from the text and never pass through the browser's time zone.
 * A date on its own is a calendar date, yyyy-MM-dd.
 */

import { addDays as addDaysTo, formatISO, isValid, parseISO } from 'date-fns'

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/

type WallClock = { date: Date; time: string | null }

function wallClock(text: string | null | undefined): WallClock | null {
  const match = LOCAL.exec(text ?? '')
  if (!match) return null
  const [, year, month, day, hour, minute] = match
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return null
  if (hour === undefined || minute === undefined) return { date, time: null }
  return Number(hour) < 24 && Number(minute) < 60 ? { date, time: `${hour}:${minute}` } : null
}

const english = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options })
const FORMATS = {
  /** Dec 10 */
  short: english({ month: 'short', day: 'numeric' }),
  /** Thu, Dec 10 */
  weekday: english({ weekday: 'short', month: 'short', day: 'numeric' }),
  /** Dec 10, 2026; two-digit day */
  full: english({ month: 'short', day: '2-digit', year: 'numeric' }),
  /** Thursday, December 10, 2026 */
  long: english({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }),
}

/** HH:mm, or "N/A". */
export function formatTime(text: string | null | undefined): string {
  return wallClock(text)?.time ?? 'N/A'
}

/** A date or date-time as "Dec 10" (short), "Thu, Dec 10" (weekday), "Dec 10, 2026" (full) or in words (long); "N/A" when it is none. */
export function formatDate(text: string | null | undefined, style: keyof typeof FORMATS): string {
  const clock = wallClock(text)
  return clock ? FORMATS[style].format(clock.date) : 'N/A'
}

/** Calendar days between two dates or date-times, for "+1"; 0 when one of them is unreadable. */
export function daysBetween(from: string | null | undefined, to: string | null | undefined): number {
  const [start, end] = [wallClock(from), wallClock(to)]
  return start && end ? Math.round((end.date.getTime() - start.date.getTime()) / 86_400_000) : 0
}

/** The visitor's own calendar date. */
export function today(now: Date = new Date()): string {
  return formatISO(now, { representation: 'date' })
}

/** Moves a calendar date by whole days; what is no date stays as it is. */
export function addDays(date: string, days: number): string {
  if (!isValid(parseISO(date))) return date
  return formatISO(addDaysTo(parseISO(date), days), { representation: 'date' })
}

/** "14:42" on the visitor's own clock, of an instant with its zone (an expiry, not a flight time). */
export function clockTime(instant: string | number): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? 'N/A' : date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
