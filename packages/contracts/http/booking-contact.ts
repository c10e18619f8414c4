/** What identity reads of a booking. A file of its own, so that the sign-in page does not load what a whole booking is made of. */
import { z } from 'zod'

export const BookingStatus = z.enum(['pending', 'confirmed', 'completed', 'cancelled'])
export type BookingStatus = z.infer<typeof BookingStatus>

/** For identity, so that no name or address travels in an event. */
export const BookingContact = z.object({
  bookingId: z.string(),
  reference: z.string(),
  brand: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  userId: z.string().nullable(),
  status: BookingStatus,
})
export type BookingContact = z.infer<typeof BookingContact>
