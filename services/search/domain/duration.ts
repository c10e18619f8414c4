/** Durations in ISO 8601, written with hours and minutes only (P1DT2H is PT26H), and computed from local times where nobody tells them. */
import { instantOf } from '@passerelle/contracts/rules/local-time'

const ISO_DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?/
const MINUTE = 60_000

/** Whole minutes, or null for a text that is no duration. */
export function durationMinutes(text: string | null | undefined): number | null {
  const match = text ? ISO_DURATION.exec(text) : null
  if (!match || match.slice(1).every((part) => part === undefined)) return null
  const [days = 0, hours = 0, minutes = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return (days * 24 + hours) * 60 + minutes
}

export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 || hours === 0 ? `${rest}M` : ''}`
}

/** Airport wall clock without offset, seconds included; null for anything else. */
export function localTime(text: unknown): string | null {
  const match = typeof text === 'string' ? LOCAL_TIME.exec(text) : null
  if (!match || Number.isNaN(Date.parse(`${match[0]}Z`))) return null
  return match[0].length === 16 ? `${match[0]}:00` : match[0]
}

/** Minutes from one wall clock to another as if both hung in the same place. */
export function wallClockMinutes(from: string, to: string): number {
  return Math.round((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / MINUTE)
}

/** Minutes between two wall clocks in their own time zones; null when a zone is missing or unknown, or the end is before the start. */
export function elapsedMinutes(
  from: string,
  fromZone: string | null | undefined,
  to: string,
  toZone: string | null | undefined,
): number | null {
  if (!isZone(fromZone) || !isZone(toZone)) return null
  const minutes = Math.round((instantOf(to, toZone) - instantOf(from, fromZone)) / MINUTE)
  return minutes >= 0 ? minutes : null
}

const zones = new Map<string, boolean>()

function isZone(zone: string | null | undefined): zone is string {
  if (!zone) return false
  let known = zones.get(zone)
  if (known === undefined) {
    try {
      known = Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      known = false
    }
    if (zones.size < 1000) zones.set(zone, known)
  }
  return known
}
