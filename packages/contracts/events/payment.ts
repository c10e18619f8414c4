import { z } from 'zod'
import { event } from '../event.ts'
import { CurrencyCode, Mode } from '../http/common.ts'

/** `amountMinor` went back to the card after a capture. */
export const paymentRefunded = event(
  'payment',
  'payment.refunded',
  1,
  z.object({
    paymentId: z.string(),
    /** null while no booking has claimed the payment. */
    bookingId: z.string().nullable(),
    amountMinor: z.int(),
    currency: CurrencyCode,
    mode: Mode,
  }),
  (data) => data.paymentId,
)

/**
 * Money went back to the cardholder without a call of the payment service, or a dispute about it began or ended. Totals as they are now:
 * the last event says all.
 */
export const paymentReversed = event(
  'payment',
  'payment.reversed',
  1,
  z.object({
    paymentId: z.string(),
    /** null while no booking has claimed the payment. */
    bookingId: z.string().nullable(),
    /** What somebody refunded in the card provider's dashboard. */
    refundedMinor: z.int().nonnegative(),
    /** open: the bank has not decided. won: the money stays with the agency. lost: `disputedMinor` is gone. */
    dispute: z.enum(['open', 'won', 'lost']).nullable(),
    disputedMinor: z.int().nonnegative(),
    currency: CurrencyCode,
    mode: Mode,
  }),
  (data) => data.paymentId,
)
