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
