/** The calls of bookingApi. What a booking goes through after it is stored is the saga's. */
import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { BookingCreated, bookingApi, CreateBooking } from '@passerelle/contracts/http/booking'
import type { PaymentRecord } from '@passerelle/contracts/http/payment'
import type { Quote } from '@passerelle/contracts/http/search'
import { providerBookingId } from '@passerelle/contracts/rules/booking-reference'
import { judgeAmount } from '@passerelle/contracts/rules/charge'
import { toMinor } from '@passerelle/contracts/rules/money'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { pause } from '@passerelle/kit/resilience'
import { type BookingRecord, flightTimes, isListed, referenceOf, toPublic } from './domain/booking.ts'
import { cancelAnswer, cancelDecision } from './domain/cancellation.ts'
import { formParty } from './domain/party.ts'
import { isOpen } from './domain/state.ts'
import type { Preview } from './mails.ts'
import { drive, type SagaTools } from './saga.ts'
import { leaseEnd } from './store.ts'

export type RouteTools = SagaTools & {
  preview: Preview
  /** How long a visitor waits for the airline before the answer is "pending". */
  answerWithinMs: number
}

const GUEST_READ_MS = 24 * 3_600_000

export function routes(tools: RouteTools): Handlers<typeof bookingApi> {
  const { store, clock } = tools
  return {
    async createBooking({ body, caller, idempotencyKey }) {
      const hash = hashOf(body)
      const { key, earlier } = await identify(body, hash, idempotencyKey, store)
      if (earlier) return repeated(earlier, hash, tools)
      const booking = await prepare(body, caller, key, hash, tools).catch(async (error) => {
        // The same request, a moment earlier, may have taken what this one could not have any more.
        const winner = await store.byKey(key)
        if (winner) return { earlier: winner }
        throw error
      })
      if ('_id' in booking === false) return repeated(booking.earlier, hash, tools)
      const driven = await within(drive(booking, tools), tools.answerWithinMs)
      return outcome(driven && isDecided(driven) ? driven : await settled(booking._id, tools), 201, tools)
    },

    async listBookings({ caller }) {
      const found = await store.ofUser(caller.userId ?? '')
      return found.filter(isListed).map((booking) => toPublic(booking, clock()))
    },

    async getBooking({ params, caller }) {
      return toPublic(await readable(params.id, caller, tools), clock())
    },

    async cancelBooking({ params, caller }) {
      const booking = await readable(params.id, caller, tools)
      await tryToCancel(booking, tools)
      return cancelAnswer(booking, await settled(booking._id, tools), clock())
    },

    async retrieveBooking({ body }) {
      const booking = await store.byReference(body.reference.toUpperCase())
      if (!booking || booking.contact.email.toLowerCase() !== body.email.toLowerCase() || !isListed(booking))
        throw new AppError('BOOKING_NOT_FOUND')
      return toPublic(booking, clock())
    },

    async getContact({ params }) {
      const booking = await store.byId(params.id)
      if (!booking) throw new AppError('BOOKING_NOT_FOUND')
      const { email, firstName, lastName } = booking.contact
      return {
        bookingId: booking._id,
        reference: booking.reference,
        brand: booking.brand,
        email,
        firstName,
        lastName,
        userId: booking.userId,
        status: toPublic(booking, clock()).status,
      }
    },

    async attachUser({ params, body }) {
      if (!(await store.attachUser(params.id, body.userId))) throw new AppError('BOOKING_NOT_FOUND')
      return { success: true, message: 'The booking belongs to this account.' }
    },
  }
}

const CANCEL_ROUNDS = 5

/** Until the booking has stood still for one decision: it may be confirmed, or fail, while it is being looked at. */
async function tryToCancel(first: BookingRecord, tools: RouteTools): Promise<void> {
  const { store, clock } = tools
  let booking: BookingRecord | null = first
  for (let round = 0; booking && round < CANCEL_ROUNDS; round++) {
    const decision = cancelDecision(booking, clock())
    if (decision === 'nothing') return
    const taken =
      decision === 'wish'
        ? await store.wish(booking._id)
        : await store.change(booking, { state: 'CANCEL_REQUESTED', nextAt: clock(), leaseUntil: new Date(0), tries: 0, cancelNote: null })
    if (taken) {
      const claimed = await store.claim(booking._id, clock())
      if (claimed) await within(drive(claimed, tools), tools.answerWithinMs)
      return
    }
    booking = await store.byId(booking._id)
  }
}

/** Who made it, who owns it, or an administrator; everybody else gets what an unknown id gets. */
async function readable(id: string, caller: Caller, { store, clock }: RouteTools): Promise<BookingRecord> {
  const booking = await store.byId(id)
  const owns = booking && caller.userId !== null && booking.userId === caller.userId
  const young = booking && clock().getTime() - booking.createdAt.getTime() < GUEST_READ_MS
  const made = young && caller.sessionId !== null && booking.ownerSession === caller.sessionId
  if (!booking || !(owns || made || caller.isAdmin)) throw new AppError('BOOKING_NOT_FOUND')
  return booking
}

/**
 * Which checkout this is, and the booking it has already led to. Without a key of the client's it is the payment, or the request
 * word for word; such a request may be made again after it has failed.
 */
async function identify(
  body: CreateBooking,
  hash: string,
  given: string | null,
  store: RouteTools['store'],
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

async function prepare(
  body: CreateBooking,
  caller: Caller,
  key: string,
  hash: string,
  tools: RouteTools,
): Promise<BookingRecord | { earlier: BookingRecord }> {
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

async function inserted(record: BookingRecord, store: RouteTools['store']): Promise<BookingRecord | { earlier: BookingRecord }> {
  switch (await store.insert(record)) {
    case 'inserted':
      return record
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
async function quoted(body: CreateBooking, caller: Caller, tools: RouteTools): Promise<Quote> {
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
async function mismatch(body: CreateBooking, quote: Quote, caller: Caller, tools: RouteTools): Promise<AppError> {
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
async function giveBack(paymentId: string | undefined, caller: Caller, tools: RouteTools): Promise<void> {
  if (!paymentId) return
  try {
    const payment = await tools.payment(caller).getPayment({ params: { id: paymentId } })
    if (payment.bookingId === null) await tools.payment(caller).release({ params: { id: paymentId } })
  } catch (err) {
    tools.log.warn({ err, paymentId }, 'a hold could not be given back now')
  }
}

/** The recorded hold that pays for this booking: the one that was made before, or one made now from the card that came along. */
async function held(body: CreateBooking, quote: Quote, caller: Caller, key: string, tools: RouteTools): Promise<PaymentRecord> {
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

async function repeated(earlier: BookingRecord, hash: string, tools: RouteTools) {
  if (earlier.requestHash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return outcome(await settled(earlier._id, tools), 200, tools)
}

/** What came of it; null when it takes longer, or failed. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const enough = new AbortController()
  const result = await Promise.race([work.catch(() => null), pause(ms, enough.signal).then(() => null)])
  enough.abort()
  return result
}

/** The visitor can be told an outcome: the rest, if there is any, is done without him. */
function isDecided({ state }: BookingRecord): boolean {
  return !isOpen(state) || state === 'ORDER_FAILED' || state === 'ORDER_UNKNOWN'
}

/** The booking once its outcome is known, or as it is when the visitor has waited long enough. Another process may be at work on it. */
async function settled(id: string, { store, clock, answerWithinMs }: RouteTools): Promise<BookingRecord> {
  const until = clock().getTime() + answerWithinMs
  for (;;) {
    const booking = await store.byId(id)
    if (!booking) throw new AppError('BOOKING_NOT_FOUND')
    if (isDecided(booking) || clock().getTime() >= until) return booking
    await pause(100)
  }
}

async function outcome(booking: BookingRecord, success: number, tools: RouteTools): Promise<Reply<BookingCreated>> {
  const { failure } = booking
  if (failure && (booking.state === 'FAILED' || booking.state === 'ORDER_FAILED')) {
    throw new AppError(failure.code, {
      ...(failure.message && { message: failure.message }),
      ...(failure.details && { details: failure.details }),
    })
  }
  const view = toPublic(booking, tools.clock())
  const body: BookingCreated = { ...view, accountCreated: false, accountInfo: null, emailContent: await tools.preview(booking) }
  return new Reply({ body }, { status: view.status === 'pending' ? 202 : success })
}
