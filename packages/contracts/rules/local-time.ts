/** Airport-local wall clock times and instants. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone show at an instant, in milliseconds as if it were UTC. @throws RangeError for an unknown zone */
export function wallClock(instant: number, zone: string): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
}

/**
 * `2027-03-04T08:15:00` in `Europe/Paris` -> the instant. Without a known zone the latest possible instant is taken (UTC-12), so
 * that nothing is declared past too early. NaN for a text that is no time.
 */
export function instantOf(local: string, zone: string | null | undefined): number {
  const asUtc = Date.parse(`${local.slice(0, 19)}Z`)
  if (Number.isNaN(asUtc)) return Number.NaN
  if (!zone) return asUtc + 12 * 3_600_000
  try {
    const first = asUtc - (wallClock(asUtc, zone) - asUtc)
    // Once more, for instants on the other side of a clock change from the first guess.
    return asUtc - (wallClock(first, zone) - first)
  } catch {
    return asUtc + 12 * 3_600_000
  }
}
