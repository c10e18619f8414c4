/** What a flight search is, the same in the form, in the address and on the server. */
import type { CabinClass } from '../http/common.ts'

/** A search that its schema has read. */
export type SearchCriteria = {
  origin: string
  destination: string
  departureDate: string
  returnDate?: string | undefined
  cabinClass: CabinClass
  adultsCount: number
  childrenCount: number
  infantsCount: number
}

/** yyyy-MM-dd that exists on the calendar (2027-02-30 does not). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/** A calendar date moved by whole days: ("2027-02-27", 2) -> "2027-03-01". */
export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

/** A date has passed only when it has passed everywhere: earlier than today in UTC-12, so nobody near a date line is refused. */
export function hasPassedEverywhere(date: string, now: Date): boolean {
  return date < new Date(now.getTime() - 12 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

export const MAX_SEATED = 9

/** Cross-field rules, shared by the call and the form. Each returns its message or null. */
export function passengerCountProblem(counts: { adultsCount: number; childrenCount: number; infantsCount: number }): string | null {
  if (counts.infantsCount > counts.adultsCount) return 'Each infant must travel with an adult'
  if (counts.adultsCount + counts.childrenCount > MAX_SEATED) return 'A booking can have at most 9 passengers with a seat'
  return null
}

/** One text per search: the same wishes give the same key, whoever asks and however it was spelt. */
export function searchKey(search: SearchCriteria): string {
  const { origin, destination, departureDate, returnDate, cabinClass, adultsCount, childrenCount, infantsCount } = search
  return [origin, destination, departureDate, returnDate ?? '-', cabinClass, adultsCount, childrenCount, infantsCount].join(':')
}
