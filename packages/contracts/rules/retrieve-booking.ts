/** What finds a booking without signing in; the same in the form and on the server. */
import { z } from 'zod'

const REFERENCE_MISSING = 'Please enter your booking reference'

export const RetrieveBooking = z.object({
  reference: z.string(REFERENCE_MISSING).trim().min(6, REFERENCE_MISSING).max(20, REFERENCE_MISSING),
  email: z.email('Please enter a valid email address'),
})
export type RetrieveBooking = z.infer<typeof RetrieveBooking>
