/** A passenger as the form and the server read it. */
import { z } from 'zod'
import { normaliseFrequentFlyerNumber } from '../rules/frequent-flyer.ts'
import { INCOMPLETE_PASSENGER, LONGEST, type PassengerText, type Passenger as Read } from '../rules/passengers.ts'
import { normalisePassportNumber } from '../rules/passport.ts'
import { isCalendarDate } from '../rules/search.ts'
import { PassengerType } from './common.ts'

function text(field: PassengerText, missing?: string) {
  const [most, message] = LONGEST[field]
  return z.string(missing).trim().max(most, message)
}

/** One passenger of POST /api/bookings. What depends on the offer (passport, frequent flyer, age, contact) is asked by `passengerProblems`. */
export const Passenger = z.object({
  /** Which passenger of the offer this is; absent: matched by type and order. */
  id: z.string().max(60).optional(),
  type: PassengerType.default('adult'),
  title: z.union([z.literal('').transform(() => undefined), z.enum(['mr', 'ms', 'mrs', 'miss', 'dr'])]).optional(),
  firstName: text('firstName', INCOMPLETE_PASSENGER).min(1, INCOMPLETE_PASSENGER),
  lastName: text('lastName', INCOMPLETE_PASSENGER).min(1, INCOMPLETE_PASSENGER),
  gender: z.union([z.literal('').transform(() => undefined), z.enum(['male', 'female', 'undisclosed'])]).optional(),
  dateOfBirth: z.string(INCOMPLETE_PASSENGER).min(1, INCOMPLETE_PASSENGER).refine(isCalendarDate, 'Date of birth is required'),
  email: text('email').optional(),
  phone: text('phone').optional(),
  passportNumber: text('passportNumber')
    .optional()
    .transform((number) => (number ? normalisePassportNumber(number) : undefined)),
  passportExpiryDate: text('passportExpiryDate').optional(),
  passportIssuingCountry: text('passportIssuingCountry')
    .optional()
    .transform((code) => code?.toUpperCase()),
  /** IATA code; of `supported_loyalty_programmes` of the offer. */
  frequentFlyerAirline: text('frequentFlyerAirline')
    .optional()
    .transform((code) => code?.toUpperCase()),
  frequentFlyerNumber: text('frequentFlyerNumber')
    .optional()
    .transform((number) => (number ? normaliseFrequentFlyerNumber(number) : undefined)),
}) satisfies z.ZodType<Read>
export type Passenger = Read
