import { z } from 'zod'
import { event } from '../event.ts'
import { CurrencyCode, Mode } from '../http/common.ts'

const Base = z.object({
  bookingId: z.string(),
  reference: z.string().length(8),
  brand: z.string(),
  mode: Mode,
})
const byBooking = (data: { bookingId: string }) => data.bookingId

/** The airline has issued the order and the card was charged, or an administrator has settled that the booking stands. */
export const bookingConfirmed = event(
  'booking',
  'booking.confirmed',
  1,
  Base.extend({
    paymentId: z.string(),
    /** null: made by a guest, so identity makes or links an account. */
    userId: z.string().nullable(),
    amountMinor: z.int(),
    currency: CurrencyCode,
  }),
  byBooking,
)

/** The outcome at the airline is not known yet. */
export const bookingPending = event('booking', 'booking.pending', 1, Base.extend({ paymentId: z.string() }), byBooking)

/** Nothing was ordered; the hold on the card is (being) released. */
export const bookingFailed = event('booking', 'booking.failed', 1, Base.extend({ paymentId: z.string(), reason: z.string() }), byBooking)

/** The order was cancelled at the airline; `refundMinor` is what the card gets back (0: nothing). */
export const bookingCancelled = event(
  'booking',
  'booking.cancelled',
  1,
  Base.extend({ paymentId: z.string(), refundMinor: z.int().nonnegative(), currency: CurrencyCode }),
  byBooking,
)

/** The airline has changed the times of a confirmed booking. */
export const bookingRescheduled = event('booking', 'booking.rescheduled', 1, Base.extend({ changeId: z.string() }), byBooking)
