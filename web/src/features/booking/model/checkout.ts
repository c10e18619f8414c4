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
const AFTER_PAYMENT_MS = 500
/** ...and this after the check. */
const AFTER_CHECK_MS = 300

/** `real` false: only the browser believes in it, in test mode. */
export type Payment = { paymentId: string; real: boolean }

export type CheckoutCalls = {
  pay: () => Promise<CardPayment>
  /** The amount is held. */
  onHeld: (payment: Payment) => void
  check: () => Promise<OfferCheck>
  book: (paymentId: string) => Promise<BookingCreated>
  pause: (ms: number) => Promise<void>
}

export type CheckoutOptions = {
  /** The hold of an earlier press, which serves again. */
  held: Payment | null
  /** The server itself said that this is test mode. */
  saidTest: boolean
  testPaymentId: () => string
}

export type CheckoutOutcome = { booking: BookingCreated } | { failure: Failure } | { check: Exclude<OfferCheck, { state: 'valid' }> }

async function paid({ pay }: CheckoutCalls, { held, saidTest, testPaymentId }: CheckoutOptions): Promise<Payment | { failure: Failure }> {
  if (held) return held
  try {
    const answer = await pay()
    return answer.success && answer.paymentId ? { paymentId: answer.paymentId, real: true } : { failure: classifyDecline(answer) }
  } catch (error) {
    if (countsAsTestSuccess(error, saidTest)) return { paymentId: testPaymentId(), real: false }
    return { failure: classifyPaymentError(error) }
  }
}

/** What a booking that failed says about the payment call: one that was never answered still is not, when its stand-in is refused. */
function failureOf(error: unknown, payment: Payment): Failure {
  const failure = classifyBookingError(error)
  return failure.kind === 'payment' && !payment.real ? { ...failure, answered: false } : failure
}

export async function checkOut(calls: CheckoutCalls, options: CheckoutOptions): Promise<CheckoutOutcome> {
  const payment = await paid(calls, options)
  if ('failure' in payment) return payment
  calls.onHeld(payment)
  await calls.pause(AFTER_PAYMENT_MS)
  const check = await calls.check()
  if (check.state !== 'valid') return { check }
  await calls.pause(AFTER_CHECK_MS)
  try {
    const booking = await calls.book(payment.paymentId)
    return booking?.id ? { booking } : { failure: { kind: 'unknown', message: NO_BOOKING_RECEIVED } }
  } catch (error) {
    return { failure: failureOf(error, payment) }
  }
}
