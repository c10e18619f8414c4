/** What a checkout needs before its booking is written: the offer at its present price, and a hold of exactly that on the visitor's card. */
import { AppError } from '@passerelle/contracts/error'
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import type { PaymentRecord } from '@passerelle/contracts/http/payment'
import type { Quote } from '@passerelle/contracts/http/search'
import { judgeAmount } from '@passerelle/contracts/rules/charge'
import { toMinor } from '@passerelle/contracts/rules/money'
import type { Caller } from '@passerelle/kit/auth'
import { withDeadline } from '@passerelle/kit/resilience'
import { seatFailure, seatsNamed } from './domain/lost-seats.ts'
import type { SagaContext } from './transition.ts'

/** The visitor waits so long; the void itself goes on. */
const VOID_MS = 5000

/** Reads and prices the offer; a hold that can no longer serve is voided at once. */
export async function priceOffer(body: CreateBooking, caller: Caller, context: SagaContext): Promise<Quote> {
  const { paymentDetails } = body
  try {
    const quote = await context.search(asBooking(caller)).quote({ params: { id: body.offerId }, body: { seats: body.seats } })
    const judged = judgeAmount({ amount: paymentDetails.amount, currency: paymentDetails.currency }, quote)
    if (judged === 'changed') throw new AppError('PRICE_CHANGED', { details: { ...quote.charge } })
    if (judged === 'mismatch') throw await mismatch(body, quote, caller, context)
    return quote
  } catch (error) {
    if (!(error instanceof AppError) || !['OFFER_EXPIRED', 'OFFER_NOT_FOUND', 'PRICE_CHANGED', 'SEAT_UNAVAILABLE'].includes(error.code))
      throw error
    await releaseHold(paymentDetails.paymentId, { body, caller }, context)
    if (error.code !== 'SEAT_UNAVAILABLE') throw error
    const { code, ...named } = seatFailure(seatsNamed(error.details))
    throw new AppError(code, { cause: error, ...named })
  }
}

/** On the visitor's behalf: what the visitor may not touch, payment does not know. */
const asBooking = (caller: Caller): Caller => ({ ...caller, actor: 'booking' })

/** A hold of exactly the given amount was made when that was the price: then the price has changed and the amount was not tampered with. */
async function mismatch(body: CreateBooking, quote: Quote, caller: Caller, context: SagaContext): Promise<AppError> {
  const { paymentId, amount, currency } = body.paymentDetails
  if (paymentId) {
    const payment = await context.payment(asBooking(caller)).getPayment({ params: { id: paymentId } })
    const heldThat =
      payment.offerId === body.offerId && payment.currency === currency && payment.amountMinor === safeMinor(amount, currency)
    if (heldThat) return new AppError('PRICE_CHANGED', { details: { ...quote.charge } })
  }
  return new AppError('PAYMENT_AMOUNT_MISMATCH', { details: { ...quote.charge } })
}

function safeMinor(amount: string, currency: string): number | null {
  try {
    return toMinor(amount, currency)
  } catch {
    return null
  }
}

/**
 * Voids a hold of the caller's that no booking has. The payment service must be able to tell whose an earlier hold is: that of a caller
 * without visitor and account is left to the sweep of forgotten holds, which also repeats what fails here.
 */
export async function releaseHold(
  paymentId: string | undefined,
  { body, caller }: { body: CreateBooking; caller: Caller },
  { store, payment, log }: SagaContext,
): Promise<void> {
  const madeBefore = paymentId === body.paymentDetails.paymentId
  if (!paymentId || (madeBefore && !caller.visitorId && !caller.userId)) return
  try {
    // It belongs to a booking even before that booking has claimed it.
    if (await store.byPayment(paymentId)) return
    const calls = payment(asBooking(caller))
    const hold = await calls.getPayment({ params: { id: paymentId } })
    if (hold.bookingId === null) await withDeadline('voiding a hold', VOID_MS, calls.release({ params: { id: paymentId } }))
  } catch (err) {
    log.warn({ err, paymentId }, 'a hold could not be voided now')
  }
}

/**
 * The recorded hold that pays for this booking: the one that was made before, or one made now from the card that came along. While the bank
 * asks its customer something there is none: PAYMENT_ACTION_REQUIRED, and the same request once the customer has answered goes on.
 */
export async function holdFor(
  body: CreateBooking,
  quote: Quote,
  caller: Caller,
  key: string,
  context: SagaContext,
): Promise<PaymentRecord> {
  const { paymentId, cardDetails, paymentMethodId } = body.paymentDetails
  if (!paymentId && !cardDetails && !paymentMethodId) throw new AppError('PAYMENT_UNKNOWN')
  const calls = context.payment(asBooking(caller))
  const payment = paymentId
    ? await calls.getPayment({ params: { id: paymentId } })
    : await calls.authorise({
        body: { key, charge: quote.charge, offerId: body.offerId, cardDetails, paymentMethodId },
      })
  if (payment.mode !== caller.mode) throw new AppError('PAYMENT_UNKNOWN')
  if (payment.bookingId !== null) throw new AppError('PAYMENT_NOT_USABLE', { details: { bookingId: payment.bookingId } })
  if (payment.state === 'requires_action') throw new AppError('PAYMENT_ACTION_REQUIRED')
  if (payment.state !== 'authorised') throw new AppError('PAYMENT_NOT_USABLE')
  if (payment.offerId !== null && payment.offerId !== body.offerId) throw new AppError('PAYMENT_UNKNOWN')
  if (payment.currency !== quote.charge.currency || payment.amountMinor !== toMinor(quote.charge.amount, quote.charge.currency))
    throw new AppError('PAYMENT_AMOUNT_MISMATCH', { details: { ...quote.charge } })
  return payment
}
