/** How a booking comes into the world: the checkout is recognised, the offer priced, the hold found or made, and the document written. */
import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import type { PaymentRecord } from '@passerelle/contracts/http/payment'
import type { Quote } from '@passerelle/contracts/http/search'
import { providerBookingId } from '@passerelle/contracts/rules/booking-reference'
import { judgeAmount } from '@passerelle/contracts/rules/charge'
import { toMinor } from '@passerelle/contracts/rules/money'
import type { Caller } from '@passerelle/kit/auth'
import { type BookingRecord, flightTimes, referenceOf } from './domain/booking.ts'
import { formParty } from './domain/party.ts'
import { leaseEnd } from './store.ts'
import type { SagaTools } from './tools.ts'

/** A new booking, whose lease the caller holds, or the one that this checkout has led to before. */
export type Opened = { booking: BookingRecord } | { earlier: BookingRecord }

/**
 * @throws IDEMPOTENCY_KEY_REUSED, OFFER_EXPIRED, OFFER_NOT_FOUND, PRICE_CHANGED, SEAT_UNAVAILABLE, PASSENGERS_MISMATCH, VALIDATION_ERROR,
 * PAYMENT_AMOUNT_MISMATCH, PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE, PAYMENT_IN_PROGRESS, and what a card that came along is refused with
 */
export async function openBooking(body: CreateBooking, caller: Caller, idempotencyKey: string | null, tools: SagaTools): Promise<Opened> {
  const hash = hashOf(body)
  const { key, earlier } = await identify(body, hash, idempotencyKey, tools.store)
  if (earlier) return repeated(earlier, hash)
  try {
    const opened = await prepare(body, caller, key, hash, tools)
    return 'earlier' in opened ? repeated(opened.earlier, hash) : opened
  } catch (error) {
    // The same request, a moment earlier, may have taken what this one could not have any more.
    const winner = await tools.store.byKey(key)
    if (winner) return repeated(winner, hash)
    throw error
  }
}

function repeated(earlier: BookingRecord, hash: string): Opened {
  if (earlier.requestHash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return { earlier }
}

/**
 * Which checkout this is, and the booking it has already led to. Without a key of the client's it is the payment, or the request
 * word for word; such a request may be made again after it has failed.
 */
async function identify(
  body: CreateBooking,
  hash: string,
  given: string | null,
  store: SagaTools['store'],
): Promise<{ key: string; earlier: BookingRecord | null }> {
  const { paymentId } = body.paymentDetails
  if (given || paymentId) {
    const key = given ? `given:${given}` : `payment:${paymentId}`
    return { key, earlier: await store.byKey(key) }
  }
  for (let attempt = 1; ; attempt++) {
    const key = `derived:${hash}:${attempt}`
    const earlier = await store.byKey(key)
    if (earlier?.state !== 'FAILED') return { key, earlier }
  }
}

/** Of everything but the card. */
function hashOf(body: CreateBooking): string {
  const { cardDetails: _, paymentMethodId: __, ...payment } = body.paymentDetails
  return createHash('sha256')
    .update(JSON.stringify({ ...body, paymentDetails: payment }))
    .digest('hex')
}

async function prepare(body: CreateBooking, caller: Caller, key: string, hash: string, tools: SagaTools): Promise<Opened> {
  const { store, clock } = tools
  const quote = await quoted(body, caller, tools)
  const { people, documents } = formParty(body.passengers, quote, clock().toISOString().slice(0, 10))
  const payment = await held(body, quote, caller, key, tools)
  const providerId = providerBookingId(randomBytes(20))
  const now = clock()
  const contact = body.passengers[0]!
  const record: BookingRecord = {
    _id: `bk_${randomBytes(12).toString('base64url')}`,
    version: 1,
    state: 'REQUESTED',
    providerId,
    reference: referenceOf(providerId),
    idempotencyKey: key,
    requestHash: hash,
    paymentId: payment.id,
    ownerSession: caller.sessionId,
    userId: caller.userId,
    brand: caller.brand,
    markupPercent: caller.markupPercent,
    mode: caller.mode,
    requestId: caller.requestId,
    createdAt: now,
    contact: { email: contact.email ?? '', phone: contact.phone ?? '', firstName: contact.firstName, lastName: contact.lastName },
    people,
    ...tools.safe.seal(documents),
    offer: {
      id: quote.offer.id,
      slices: quote.offer.slices,
      conditions: quote.offer.conditions,
      total_amount: quote.offer.total_amount,
      total_currency: quote.offer.total_currency,
      owner: quote.offer.owner,
    },
    supplier: quote.supplier,
    seats: quote.seats,
    charge: { minor: toMinor(quote.charge.amount, quote.charge.currency), currency: quote.charge.currency },
    supplierCharge: quote.supplierCharge,
    ...flightTimes(quote.offer.slices),
    orderId: null,
    airlineReference: null,
    orderCancellable: true,
    attempts: 0,
    sendBefore: null,
    settleBy: null,
    open: true,
    nextAt: now,
    leaseUntil: leaseEnd(now),
    tries: 0,
    cancelWish: false,
    cancelNote: null,
    cancelledAt: null,
    refund: null,
    failure: null,
  }
  return inserted(record, store)
}

async function inserted(record: BookingRecord, store: SagaTools['store']): Promise<Opened> {
  switch (await store.insert(record)) {
    case 'inserted':
      return { booking: record }
    case 'key': {
      const earlier = await store.byKey(record.idempotencyKey)
      if (earlier) return { earlier }
      throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
    }
    case 'payment': {
      const earlier = await store.byPayment(record.paymentId)
      throw new AppError('PAYMENT_NOT_USABLE', { details: { bookingId: earlier?._id ?? null } })
    }
    case 'reference': {
      const providerId = providerBookingId(randomBytes(20))
      return inserted({ ...record, providerId, reference: referenceOf(providerId) }, store)
    }
  }
}

/** Reads and prices the offer; a hold that can no longer serve is given back at once. */
async function quoted(body: CreateBooking, caller: Caller, tools: SagaTools): Promise<Quote> {
  const { paymentDetails } = body
  const asBooking = { ...caller, actor: 'booking' }
  try {
    const quote = await tools.search(asBooking).quote({ params: { id: body.offerId }, body: { seats: body.seats } })
    const judged = judgeAmount({ amount: paymentDetails.amount, currency: paymentDetails.currency }, quote)
    if (judged === 'changed') throw new AppError('PRICE_CHANGED', { details: { ...quote.charge } })
    if (judged === 'mismatch') throw await mismatch(body, quote, asBooking, tools)
    return quote
  } catch (error) {
    if (error instanceof AppError && ['OFFER_EXPIRED', 'OFFER_NOT_FOUND', 'PRICE_CHANGED', 'SEAT_UNAVAILABLE'].includes(error.code)) {
      await giveBack(paymentDetails.paymentId, asBooking, tools)
    }
    throw error
  }
}

/** A hold of exactly the amount given was made when that was the price: then the price has moved, and nobody has tampered. */
async function mismatch(body: CreateBooking, quote: Quote, caller: Caller, tools: SagaTools): Promise<AppError> {
  const { paymentId, amount, currency } = body.paymentDetails
  if (paymentId) {
    const payment = await tools.payment(caller).getPayment({ params: { id: paymentId } })
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

/** Only a hold that no booking has claimed; a failure here is made good by the sweep of forgotten holds. */
async function giveBack(paymentId: string | undefined, caller: Caller, tools: SagaTools): Promise<void> {
  if (!paymentId) return
  try {
    const payment = await tools.payment(caller).getPayment({ params: { id: paymentId } })
    if (payment.bookingId === null) await tools.payment(caller).release({ params: { id: paymentId } })
  } catch (err) {
    tools.log.warn({ err, paymentId }, 'a hold could not be given back now')
  }
}

/** The recorded hold that pays for this booking: the one that was made before, or one made now from the card that came along. */
async function held(body: CreateBooking, quote: Quote, caller: Caller, key: string, tools: SagaTools): Promise<PaymentRecord> {
  const { paymentId, cardDetails, paymentMethodId } = body.paymentDetails
  const asBooking = { ...caller, actor: 'booking' }
  if (!paymentId && !cardDetails && !paymentMethodId) throw new AppError('PAYMENT_UNKNOWN')
  const payment = paymentId
    ? await tools.payment(asBooking).getPayment({ params: { id: paymentId } })
    : await tools.payment(asBooking).authorise({
        body: {
          key: `booking:${createHash('sha256').update(key).digest('hex')}`,
          charge: quote.charge,
          offerId: body.offerId,
          cardDetails,
          paymentMethodId,
        },
      })
  if (payment.mode !== caller.mode) throw new AppError('PAYMENT_UNKNOWN')
  if (payment.bookingId !== null) throw new AppError('PAYMENT_NOT_USABLE', { details: { bookingId: payment.bookingId } })
  if (payment.state !== 'authorised') throw new AppError('PAYMENT_NOT_USABLE')
  if (payment.offerId !== null && payment.offerId !== body.offerId) throw new AppError('PAYMENT_UNKNOWN')
  if (payment.currency !== quote.charge.currency || payment.amountMinor !== toMinor(quote.charge.amount, quote.charge.currency))
    throw new AppError('PAYMENT_AMOUNT_MISMATCH', { details: { ...quote.charge } })
  return payment
}
