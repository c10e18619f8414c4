import { z } from 'zod'
import { event } from '../event.ts'
import { CurrencyCode, Mode } from '../http/common.ts'

const Base = z.object({
  paymentId: z.string(),
  /** null while no booking has claimed the payment. */
  bookingId: z.string().nullable(),
  amountMinor: z.int(),
  currency: CurrencyCode,
  mode: Mode,
})
const byPayment = (data: { paymentId: string }) => data.paymentId

/** The amount is held on the card. */
export const paymentAuthorised = event('payment', 'payment.authorised', 1, Base, byPayment)
/** The held amount was captured. */
export const paymentCaptured = event('payment', 'payment.captured', 1, Base, byPayment)
/** The hold was voided. */
export const paymentVoided = event('payment', 'payment.voided', 1, Base, byPayment)
/** `amountMinor` went back to the card after a capture. */
export const paymentRefunded = event('payment', 'payment.refunded', 1, Base, byPayment)
/** The bank refused; `reason` is the decline code, shown to nobody when it says lost or stolen. */
export const paymentDeclined = event('payment', 'payment.declined', 1, Base.extend({ reason: z.string() }), byPayment)
