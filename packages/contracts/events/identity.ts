import { z } from 'zod'
import { event } from '../event.ts'

const byUser = (data: { userId: string }) => data.userId

/** An account was made: by registration (`bookingId` null) or from a guest's booking. */
export const accountCreated = event(
  'identity',
  'account.created',
  1,
  z.object({ userId: z.string(), bookingId: z.string().nullable() }),
  byUser,
)
/** A guest booked with the e-mail of an account that already existed: the booking belongs to it, nobody was signed in. */
export const accountBookingLinked = event(
  'identity',
  'account.booking-linked',
  1,
  z.object({ userId: z.string(), bookingId: z.string() }),
  byUser,
)
export const accountErased = event('identity', 'account.erased', 1, z.object({ userId: z.string() }), byUser)
