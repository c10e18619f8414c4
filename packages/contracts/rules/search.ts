/** What a flight search is, the same in the form, in the address and on the server. */
import { z } from 'zod'
import { CabinClass } from '../http/common.ts'

/** yyyy-MM-dd that exists on the calendar (2027-02-30 does not). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/** A date has passed only when it has passed everywhere: earlier than today in UTC-12, so nobody near a date line is refused. */
export function hasPassedEverywhere(date: string, now: Date): boolean {
  return date < new Date(now.getTime() - 12 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

const MISSING = 'Missing required flight search parameters'

const airport = (missing: string) =>
  z
    .string(MISSING)
    .trim()
    .min(1, MISSING)
    .transform((code) => code.toUpperCase())
    .refine((code) => /^[A-Z]{3}$/.test(code), missing)

const count = (least: number, message: string) => z.coerce.number(message).int(message).min(least, message).max(9, message)

export const MAX_SEATED = 9

/** Cross-field rules, shared by the call and the form. Each returns its message or null. */
export function passengerCountProblem(counts: { adultsCount: number; childrenCount: number; infantsCount: number }): string | null {
  if (counts.infantsCount > counts.adultsCount) return 'Each infant must travel with an adult'
  if (counts.adultsCount + counts.childrenCount > MAX_SEATED) return 'A booking can have at most 9 passengers with a seat'
  return null
}

export const SearchCriteria = z
  .object({
    origin: airport('Please select an origin airport'),
    destination: airport('Please select a destination airport'),
    departureDate: z.string(MISSING).min(1, MISSING).refine(isCalendarDate, 'Please select a departure date'),
    returnDate: z
      .union([z.literal('').transform(() => undefined), z.string().refine(isCalendarDate, 'Please select a return date')])
      .optional(),
    cabinClass: CabinClass.default('economy'),
    adultsCount: count(1, 'At least 1 adult is required').default(1),
    childrenCount: count(0, 'Children must be between 0 and 9').default(0),
    infantsCount: count(0, 'Infants must be between 0 and 9').default(0),
  })
  .superRefine((search, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (search.origin === search.destination) say('destination', 'Origin and destination cannot be the same')
    if (search.returnDate && search.returnDate < search.departureDate) say('returnDate', 'Return date must be after departure date')
    const counts = passengerCountProblem(search)
    if (counts) say('infantsCount', counts)
  })
export type SearchCriteria = z.output<typeof SearchCriteria>

/** One text per search: the same wishes give the same key, whoever asks and however it was spelt. */
export function searchKey(search: SearchCriteria): string {
  const { origin, destination, departureDate, returnDate, cabinClass, adultsCount, childrenCount, infantsCount } = search
  return [origin, destination, departureDate, returnDate ?? '-', cabinClass, adultsCount, childrenCount, infantsCount].join(':')
}
