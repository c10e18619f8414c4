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
  }) satisfies z.ZodType<Criteria>
export type SearchCriteria = Criteria
