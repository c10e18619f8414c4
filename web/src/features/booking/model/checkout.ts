/** The order of the calls when a visitor pays: hold the amount, check the offer, book. */
import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { CardPayment } from '@passerelle/contracts/http/payment'
import {
  classifyBookingError,
  classifyDecline,
  classifyPaymentError,
  countsAsTestSuccess,
  type Failure,
  NO_BOOKING_RECEIVED,
} from './classify.ts'
import type { OfferCheck } from './verification.ts'

/** No sooner than this after the payment... */
export const AFTER_PAYMENT_MS = 500
/** ...and this after the check. */
export const AFTER_CHECK_MS = 300

export type CheckoutCalls = {
  /** Left out when a hold of an earlier press serves again. */
  pay: (() => Promise<CardPayment>) | null
  check: () => Promise<OfferCheck>
  book: (paymentId: string) => Promise<BookingCreated>
  pause: (ms: number) => Promise<void>
}

export type CheckoutOptions = {
  /** The hold that serves when there is no `pay`. */
  heldPaymentId?: string
  /** The server itself said that this is test mode. */
  saidTest: boolean
  testPaymentId: () => string
}

/** `paymentId` is set once an amount is held: it may serve again. A payment that only the browser believes in is never kept. */
export type CheckoutOutcome = { paymentId: string | null } & (
  | { booking: BookingCreated }
  | { failure: Failure }
  | { check: Exclude<OfferCheck, { state: 'valid' }> }
)

type Paid = { paymentId: string; real: boolean } | { failure: Failure }

async function paid({ pay }: CheckoutCalls, { heldPaymentId = '', saidTest, testPaymentId }: CheckoutOptions): Promise<Paid> {
  if (!pay) return { paymentId: heldPaymentId, real: true }
  try {
    const answer = await pay()
    return answer.success && answer.paymentId ? { paymentId: answer.paymentId, real: true } : { failure: classifyDecline(answer) }
  } catch (error) {
    if (countsAsTestSuccess(error, saidTest)) return { paymentId: testPaymentId(), real: false }
    return { failure: classifyPaymentError(error) }
  }
}

export async function checkOut(calls: CheckoutCalls, options: CheckoutOptions): Promise<CheckoutOutcome> {
  const payment = await paid(calls, options)
  if ('failure' in payment) return { paymentId: null, failure: payment.failure }
  const paymentId = payment.real ? payment.paymentId : null
  await calls.pause(AFTER_PAYMENT_MS)
  const check = await calls.check()
  if (check.state !== 'valid') return { paymentId, check }
  await calls.pause(AFTER_CHECK_MS)
  try {
    const booking = await calls.book(payment.paymentId)
    return booking?.id ? { paymentId, booking } : { paymentId, failure: { kind: 'unknown', message: NO_BOOKING_RECEIVED } }
  } catch (error) {
    return { paymentId, failure: classifyBookingError(error) }
  }
}
