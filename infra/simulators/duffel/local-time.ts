/** Wall-clock times of airports: conversions between an instant and a zone's local time, and ISO 8601 durations. */
import { wallClock } from '@passerelle/contracts/rules/local-time'

/** Offsets change at full quarters of an hour of UTC only, so one answer holds for the quarter. */
const offsets = new Map<string, number>()
const quarter = 900_000

/** Minutes that the zone's clocks are ahead of UTC at this instant. */
export const offsetMinutes = (zone: string, utcMs: number): number => {
  const floor = Math.floor(utcMs / quarter) * quarter
  const key = `${zone}/${floor}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  if (offsets.size > 100_000) offsets.clear()
  const minutes = (wallClock(floor, zone) - floor) / 60_000
  offsets.set(key, minutes)
  return minutes
}

/** The wall clock in the zone, as milliseconds of a clock that is read as if it were UTC. */
export const wallClockMs = (zone: string, utcMs: number): number => utcMs + offsetMinutes(zone, utcMs) * 60_000

/** `2027-03-04T08:15:00`: local, without offset. */
export const localTime = (zone: string, utcMs: number): string => new Date(wallClockMs(zone, utcMs)).toISOString().slice(0, 19)

export const localDate = (zone: string, utcMs: number): string => localTime(zone, utcMs).slice(0, 10)

/** Minutes since local midnight. */
export const minuteOfDay = (zone: string, utcMs: number): number => Math.floor((wallClockMs(zone, utcMs) % 86_400_000) / 60_000)

/**
 * The instant at which the zone's clocks show `date` and `minute` (minutes since midnight). A time that the clocks skip in spring
 * is moved forward by the gap, a time that comes twice in autumn is the first of the two.
 */
export const instantOf = (zone: string, date: string, minute: number): number => {
  const wall = Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  const before = offsetMinutes(zone, wall - 86_400_000)
  const first = wall - before * 60_000
  if (offsetMinutes(zone, first) === before) return first
  const after = offsetMinutes(zone, wall + 86_400_000)
  const second = wall - after * 60_000
  return offsetMinutes(zone, second) === after ? second : first
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Full years from a birth date to a day. */
export const ageOn = (bornOn: string, day: string): number => {
  const years = Number(day.slice(0, 4)) - Number(bornOn.slice(0, 4))
  return day.slice(5) < bornOn.slice(5) ? years - 1 : years
}

/** `155` is "PT2H35M", `2790` is "P1DT22H30M". */
export const isoDuration = (minutes: number): string => {
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor((minutes % 1440) / 60)
  const rest = minutes % 60
  const time = `${hours ? `${hours}H` : ''}${rest ? `${rest}M` : ''}`
  if (days === 0 && time === '') return 'PT0M'
  return `P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`
}

/** Instants of Duffel carry microseconds: `2027-01-05T10:00:00.120000Z`. */
export const instantText = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z')
