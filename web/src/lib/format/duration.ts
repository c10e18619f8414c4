/** Durations are ISO 8601 on the wire (PT2H30M, P1DT2H) and "2h 30m" on the screen. */

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+(?:\.\d+)?S)?)?$/

/** Whole minutes, or null when the text is no duration. */
export function durationMinutes(iso: string | null | undefined): number | null {
  const match = ISO.exec(iso ?? '')
  if (!match || match[0] === 'P' || match[0].endsWith('T')) return null
  const [, days = '0', hours = '0', minutes = '0'] = match
  return Number(days) * 1440 + Number(hours) * 60 + Number(minutes)
}

export function formatMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

export function formatDuration(iso: string | null | undefined): string {
  const minutes = durationMinutes(iso)
  return minutes === null ? 'N/A' : formatMinutes(minutes)
}
