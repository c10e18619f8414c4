const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Paris',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** "Nov 20, 16:40" on the agency's clock, of an instant; "Never" of none. */
export function formatMoment(instant: string | null): string {
  if (instant === null) return 'Never'
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return 'N/A'
  const part = Object.fromEntries(FORMAT.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.month} ${part.day}, ${part.hour}:${part.minute}`
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Paris', weekday: 'short', month: 'short', day: 'numeric' })

/** "16:40:07" on the agency's clock. */
export const formatClock = (instant: string): string => CLOCK.format(new Date(instant))

const END = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Paris', month: 'short', day: 'numeric' })
const END_WITH_YEAR = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Paris', month: 'short', day: 'numeric', year: 'numeric' })

/** "Feb 9" or "Feb 9, 2027" in the agency's calendar; "N/A" of none. */
export function formatEnd(instant: string | null, year: 'with year' | 'without year'): string {
  const date = new Date(instant ?? '')
  if (Number.isNaN(date.getTime())) return 'N/A'
  return (year === 'with year' ? END_WITH_YEAR : END).format(date)
}

/** "Fri, Nov 20" in the agency's calendar. */
export const formatDay = (instant: string): string => DAY.format(new Date(instant))
