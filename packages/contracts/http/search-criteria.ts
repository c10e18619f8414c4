/** A flight search as the form, the address and the server read it. */
import { z } from 'zod'
import { type SearchCriteria as Criteria, isCalendarDate, passengerCountProblem } from '../rules/search.ts'
import { CabinClass } from './common.ts'

const MISSING = 'Missing required flight search parameters'

const airport = (missing: string) =>
  z
    .string(MISSING)
    .trim()
    .min(1, MISSING)
    .transform((code) => code.toUpperCase())
    .refine((code) => /^[A-Z]{3}$/.test(code), missing)

const count = (least: number, message: string) => z.coerce.number(message).int(message).min(least, message).max(9, message)

const say = (context: z.RefinementCtx, path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })

function sayTripProblems(trip: Omit<Criteria, 'departureDate'>, context: z.RefinementCtx): void {
  if (trip.origin === trip.destination) say(context, 'destination', 'Origin and destination cannot be the same')
  const counts = passengerCountProblem(trip)
  if (counts) say(context, 'infantsCount', counts)
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
    sayTripProblems(search, context)
    if (search.returnDate && search.returnDate < search.departureDate)
      say(context, 'returnDate', 'Return date must be after departure date')
  }) satisfies z.ZodType<Criteria>
export type SearchCriteria = Criteria

const MOST_DAYS = 62
const MOST_NIGHTS = 365
const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${most}`
  return z.coerce.number(message).int(message).min(least, message).max(most, message)
}
const { departureDate: _departure, returnDate: _return, ...trip } = SearchCriteria.shape

/** The days of departure whose lowest prices are asked for; all else is as in a search. */
export const CalendarQuery = z
  .object({
    ...trip,
    /** The first day. */
    from: z.string(MISSING).refine(isCalendarDate, 'from must be a date, as in 2027-03-04'),
    days: whole('days', 1, MOST_DAYS).default(7),
    /** From departure to return, the same for every day; left out: one way. */
    nights: whole('nights', 0, MOST_NIGHTS).optional(),
  })
  .superRefine(sayTripProblems)
export type CalendarQuery = z.infer<typeof CalendarQuery>
