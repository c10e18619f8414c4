/** Creates a booking: the attempt is identified, the offer priced, the hold found or made, and the document written. */
import { AppError } from '@passerelle/contracts/error'
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import { providerBookingId } from '@passerelle/contracts/rules/booking-reference'
import { toMinor } from '@passerelle/contracts/rules/money'
import type { Caller } from '@passerelle/kit/auth'
import { invariant } from '@passerelle/kit/invariant'
import { withDeadline } from '@passerelle/kit/resilience'
import { now, nowMs, randomBytes, randomToken } from '@passerelle/kit/runtime'
import { type Attempt, derivedKey, givenKey, passengersKeyOf, requestHashOf } from './attempt.ts'
import { holdFor, priceOffer, releaseHold } from './checkout.ts'
import { type BookingRecord, flightTimes, referenceOf } from './domain/booking.ts'
import { formPassengers } from './domain/passengers.ts'
import { leaseEnd } from './store.ts'
import type { SagaContext } from './transition.ts'

export type CreationContext = SagaContext & {
  /** No booking is stored later than this after its request came in: a visitor may be told by then that there is none. */
  prepareWithinMs: number
}

/** A new booking, whose lease the caller holds, or the one that this attempt or these passengers have already. */
type Created = { booking: BookingRecord } | { earlier: BookingRecord }

type Request = { body: CreateBooking; caller: Caller; attempt: Attempt; answerBy: Date; insertBefore: Date }

/**
 * @throws IDEMPOTENCY_KEY_REUSED, BOOKING_EXISTS, OFFER_EXPIRED, OFFER_NOT_FOUND, PRICE_CHANGED, SEAT_UNAVAILABLE, PASSENGERS_MISMATCH,
 * VALIDATION_ERROR, PAYMENT_ACTION_REQUIRED, PAYMENT_AMOUNT_MISMATCH, PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE, PAYMENT_IN_PROGRESS, what
 * a card that came along is refused with, and DeadlineError when it takes too long: then nothing is stored any more, and the hold is voided
 */
export async function createBooking(
  body: CreateBooking,
  caller: Caller,
  idempotencyKey: string | null,
  answerBy: Date,
  context: CreationContext,
): Promise<Created> {
  const insertBefore = new Date(nowMs() + context.prepareWithinMs)
  return withDeadline('preparing a booking', context.prepareWithinMs, begin(body, caller, idempotencyKey, answerBy, insertBefore, context))
}

async function begin(
  body: CreateBooking,
  caller: Caller,
  idempotencyKey: string | null,
  answerBy: Date,
  insertBefore: Date,
  context: CreationContext,
): Promise<Created> {
  const { attempt, earlier } = await identify(body, caller, idempotencyKey, context)
  if (earlier) return repeatedAttempt(earlier, attempt)
  const request = { body, caller, attempt, answerBy, insertBefore }
  const booked = await context.store.byPassengers(attempt.passengersKey)
  if (booked) return alreadyBooked(booked, body.paymentDetails.paymentId, request, context)
  try {
    return await prepare(request, context)
  } catch (error) {
    return await bookingOfWinner(error, request, context)
  }
}

/** A parallel request of the same attempt or visitor may have used the offer or the hold a moment earlier: its booking is the answer. */
async function bookingOfWinner(error: unknown, request: Request, context: CreationContext): Promise<Created> {
  const { body, caller, attempt } = request
  const winner = await context.store.byKey(attempt.key)
  if (winner) return repeatedAttempt(winner, attempt)
  const booked = await context.store.byPassengers(attempt.passengersKey)
  if (booked && isOwner(booked, caller)) return alreadyBooked(booked, body.paymentDetails.paymentId, request, context)
  throw error
}

function repeatedAttempt(earlier: BookingRecord, { key, requestHash }: Attempt): Created {
  const known = earlier.idempotencyKey === key ? earlier.requestHash : earlier.furtherAttempts?.find((one) => one.key === key)?.requestHash
  if (known !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return { earlier }
}

/**
 * These passengers are booked on this flight. The owner of that booking gets it as the answer; anybody else is only told that it exists.
 * The second payment is never captured.
 */
async function alreadyBooked(
  booked: BookingRecord,
  paymentId: string | undefined,
  request: Request,
  context: CreationContext,
): Promise<Created> {
  const { caller, attempt } = request
  if (booked.idempotencyKey === attempt.key) return repeatedAttempt(booked, attempt)
  await releaseHold(paymentId, request, context)
  if (!isOwner(booked, caller)) throw new AppError('BOOKING_EXISTS', { details: { bookingId: booked._id } })
  await context.store.addAttempt(booked._id, { key: attempt.key, requestHash: attempt.requestHash })
  return { earlier: booked }
}

function isOwner(booking: BookingRecord, { visitorId, userId }: Caller): boolean {
  return (visitorId !== null && booking.visitorId === visitorId) || (userId !== null && booking.userId === userId)
}

/** Which attempt this is, and the booking it has already led to. */
async function identify(
  body: CreateBooking,
  caller: Caller,
  given: string | null,
  { store, hash }: CreationContext,
): Promise<{ attempt: Attempt; earlier: BookingRecord | null }> {
  const requestHash = requestHashOf(body, hash)
  const passengersKey = passengersKeyOf(body, hash)
  for (let round = 1; ; round++) {
    const key = given ? givenKey(given, caller, hash) : derivedKey(body, requestHash, round, caller, hash)
    const earlier = await store.byKey(key)
    const mayBeMadeAgain = !given && !body.paymentDetails.paymentId && earlier?.state === 'FAILED'
    if (!mayBeMadeAgain) return { attempt: { key, requestHash, passengersKey }, earlier }
  }
}

async function prepare(request: Request, context: CreationContext): Promise<Created> {
  const { body, caller, attempt, insertBefore } = request
  const quote = await priceOffer(body, caller, context)
  const { people, documents } = formPassengers(body.passengers, quote, now().toISOString().slice(0, 10))
  if (!body.paymentDetails.paymentId) {
    // Looked for again, because a card is about to be charged.
    const booked = await context.store.byPassengers(attempt.passengersKey)
    if (booked) return alreadyBooked(booked, undefined, request, context)
  }
  if (now() >= insertBefore) throw tooLate()
  const payment = await holdFor(body, quote, caller, attempt.key, context)
  const providerId = providerBookingId(randomBytes(20))
  const createdAt = now()
  const contact = body.passengers[0]!
  const record: BookingRecord = {
    _id: randomToken('bk_', 12),
    version: 1,
    state: 'REQUESTED',
    providerId,
    reference: referenceOf(providerId),
    idempotencyKey: attempt.key,
    requestHash: attempt.requestHash,
    passengersKey: attempt.passengersKey,
    furtherAttempts: [],
    paymentId: payment.id,
    cardLast4: payment.cardLast4,
    visitorId: caller.visitorId,
    userId: caller.userId,
    brand: caller.brand,
    markupPercent: caller.markupPercent,
    mode: caller.mode,
    requestId: caller.requestId,
    createdAt,
    answerBy: request.answerBy,
    pendingAnnouncedAt: null,
    contact: { email: contact.email ?? '', phone: contact.phone ?? '', firstName: contact.firstName, lastName: contact.lastName },
    people,
    ...context.safe.seal(documents),
    offer: {
      id: quote.offer.id,
      slices: quote.offer.slices,
      conditions: quote.offer.conditions,
      total_amount: quote.offer.total_amount,
      total_currency: quote.offer.total_currency,
      owner: quote.offer.owner,
      price: quote.offer.price,
      ...(quote.offer.emissions_kg !== undefined && { emissions_kg: quote.offer.emissions_kg }),
    },
    supplier: quote.supplier,
    seats: quote.seats,
    charge: { minor: toMinor(quote.charge.amount, quote.charge.currency), currency: quote.charge.currency },
    supplierCharge: quote.supplierCharge,
    ...flightTimes(quote.offer.slices),
    captured: null,
    orderId: null,
    orderCancelledAt: null,
    airlineReference: null,
    orderCancellable: true,
    attempts: 0,
    sendBefore: null,
    settleBy: null,
    open: true,
    nextAt: createdAt,
    leaseUntil: leaseEnd(createdAt),
    tries: 0,
    pendingCancellation: false,
    cancelNote: null,
    cancelledAt: null,
    refund: null,
    failure: null,
    history: [{ at: createdAt, state: 'REQUESTED' }],
  }
  if (createdAt >= insertBefore) {
    await releaseHold(payment.id, request, context)
    throw tooLate()
  }
  const held = payment.amountMinor === record.charge.minor && payment.currency === record.charge.currency
  invariant(held, 'I12 held amount is the price', { bookingId: record._id, paymentId: payment.id }, context)
  return insert(record, request, context)
}

const tooLate = () =>
  new AppError('UPSTREAM_TIMEOUT', { message: 'Unable to create booking: it took too long. Your card was not charged.' })

const INSERT_ROUNDS = 3

async function insert(record: BookingRecord, request: Request, context: CreationContext): Promise<Created> {
  const { store } = context
  let booking = record
  for (let round = 0; round < INSERT_ROUNDS; round++) {
    switch (await store.insert(booking)) {
      case 'inserted':
        return { booking }
      case 'key': {
        const earlier = await store.byKey(booking.idempotencyKey)
        if (earlier) return repeatedAttempt(earlier, request.attempt)
        break
      }
      case 'passengers': {
        // null when that booking has ended without a ticket since: then this one is inserted in the next round.
        const booked = await store.byPassengers(request.attempt.passengersKey)
        if (booked) return alreadyBooked(booked, booking.paymentId, request, context)
        break
      }
      case 'payment': {
        const earlier = await store.byPayment(booking.paymentId)
        throw new AppError('PAYMENT_NOT_USABLE', { details: { bookingId: earlier?._id ?? null } })
      }
      case 'reference': {
        const providerId = providerBookingId(randomBytes(20))
        booking = { ...booking, providerId, reference: referenceOf(providerId) }
      }
    }
  }
  throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
}
