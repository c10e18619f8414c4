/** From a request to an order at the airline, or to the certainty that there is none. */
import { AppError } from '@passerelle/contracts/error'
import { bookingFailed } from '@passerelle/contracts/events/booking'
import { compareAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { isPeerUnavailable } from '@passerelle/kit/peer'
import { now, nowMs } from '@passerelle/kit/runtime'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { type SeatKey, seatFailure, seatsNamed } from './domain/lost-seats.ts'
import { type OrderOutcome, orderRequest, type SupplierOrder, ticketsOf, withoutDocuments } from './domain/order.ts'
import type { Change } from './store.ts'
import { asCaller, type LeasedBooking, type SagaContext, type StepResult } from './transition.ts'

/** Attempts with different supplier offers for the same flights, or to send in time. */
const MAX_ORDERS = 3
/** For the clocks of two machines and the supplier's own list: an order is declared absent so much after its last chance to appear. */
const RESOLVE_MARGIN_MS = 2000

/** The payment is tied to this booking before anything is ordered, so that the sweep of forgotten holds leaves it alone. */
export async function claimPayment(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  if (booking.pendingCancellation)
    return leased.fail({ code: 'BOOKING_STATE', message: 'The booking was cancelled before it was ordered.' })
  try {
    const claim = { params: { id: booking.paymentId }, body: { bookingId: booking._id } }
    await leased.call(() => context.payment(asCaller(booking)).claim(claim))
  } catch (error) {
    if (isPeerUnavailable(error)) return 'retry'
    if (!(error instanceof AppError)) throw error
    // The hold belongs to another booking or is already gone: there is nothing to void.
    return leased.transition('FAILED', { failure: { code: error.code, message: error.message } }, [
      leased.event(bookingFailed, { paymentId: booking.paymentId, reason: error.code }),
    ])
  }
  return (await isOrdered(leased, context)) ? lookForOrder(leased, context) : sendOrder(leased, {}, context)
}

/** Long after its visitor's request it may come from a copy of the database that was put back: then it has been ordered since. */
async function isOrdered(leased: LeasedBooking, context: SagaContext): Promise<boolean> {
  const { booking } = leased
  // Bookings of an earlier release do not say until when their visitors waited.
  if (!booking.answerBy || now() < booking.answerBy) return false
  const order = await leased.call(() => context.supplier(booking.mode).find(booking._id, booking.supplier.offerId))
  return order !== null && !order.cancelled
}

/** As if its order had been sent by a worker that died. */
async function lookForOrder(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  await leased.transition('ORDERING', { sendBefore: now(), settleBy: now(), attempts: leased.booking.attempts + 1 })
  return recordUnknown(leased, 'it was ordered before this copy was put back', context)
}

/** The state is written before the call goes out; whoever finds it later knows how long an answer may still change things. */
async function sendOrder(leased: LeasedBooking, change: Change, context: SagaContext): Promise<StepResult> {
  const sendBefore = new Date(nowMs() + context.sendWithinMs)
  const settleBy = new Date(sendBefore.getTime() + context.orderLongestMs + RESOLVE_MARGIN_MS)
  await leased.transition('ORDERING', { ...change, sendBefore, settleBy, attempts: leased.booking.attempts + 1 })
  const { booking } = leased
  const documents = context.safe.open(booking)
  const request = orderRequest(booking, documents, context.system)
  // The write took too long. Nobody else sends for a leased booking, so nothing was sent.
  if (now() >= sendBefore) return booking.attempts < MAX_ORDERS ? sendOrder(leased, {}, context) : leased.fail({ code: 'BOOKING_FAILED' })
  const outcome = await leased.call(() => context.supplier(booking.mode).order(request))
  if ('reason' in outcome) outcome.reason = withoutDocuments(outcome.reason, documents)
  return recordOutcome(leased, outcome, context)
}

async function recordOutcome(leased: LeasedBooking, outcome: OrderOutcome, context: SagaContext): Promise<StepResult> {
  switch (outcome.kind) {
    case 'ordered':
      return recordOrder(leased, outcome.order, context)
    case 'unknown':
      return recordUnknown(leased, outcome.reason, context)
    case 'rejected':
      if (outcome.code === 'OFFER_EXPIRED') reportOfferGone(leased.booking, context)
      return leased.fail(await rejection(leased, outcome, context))
    case 'offer-used':
      return orderAnotherOffer(leased, 'requote', context)
    case 'repriced':
      return orderAnotherOffer(leased, 'quote', context)
  }
}

async function recordOrder(leased: LeasedBooking, order: SupplierOrder, context: SagaContext): Promise<StepResult> {
  const result = await leased.transition('ORDERED', {
    orderId: order.id,
    airlineReference: order.airlineReference,
    orderCancellable: order.cancellable,
    tickets: ticketsOf(order, leased.booking),
  })
  reportOrder(leased.booking, context)
  return result
}

/** For the count of searches per order; nothing of the booking waits for it, and one that is lost only makes searches dearer. */
function reportOrder(booking: BookingRecord, { search, log }: SagaContext): void {
  const report = search(asCaller(booking)).orderPlaced()
  report.catch((err) => log.warn({ err, bookingId: booking._id }, 'an order could not be counted'))
}

/** An order may exist: it is looked for from now on, and never sent again. */
export async function recordUnknown(leased: LeasedBooking, reason: string, context: SagaContext): Promise<StepResult> {
  context.log.warn({ bookingId: leased.booking._id, reason }, 'it is not known whether the order exists')
  const { pendingAnnouncedAt } = leased.booking
  return leased.transition('ORDER_UNKNOWN', { pendingAnnouncedAt: pendingAnnouncedAt ?? now() }, leased.pendingEvents())
}

/** Looks for the order. Only after `settleBy` does its absence mean that there is none. */
export async function resolveOrder(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  const askedAt = now()
  const order = await leased.call(() => context.supplier(booking.mode).find(booking._id, booking.supplier.offerId))
  if (order && !order.cancelled) return recordOrder(leased, order, context)
  if (!order?.cancelled && !(booking.settleBy && askedAt > booking.settleBy)) return 'poll'
  return leased.fail({ code: 'BOOKING_FAILED' })
}

/** So that visitors are not shown this offer any more; nothing of the booking waits for it. */
function reportOfferGone(booking: BookingRecord, { search, log }: SagaContext): void {
  const report = search(asCaller(booking)).offerGone({ params: { id: booking.offer.id } })
  report.catch((err) => log.warn({ err, bookingId: booking._id }, 'an offer that is gone could not be reported'))
}

type Rejected = Extract<OrderOutcome, { kind: 'rejected' }>

async function rejection(leased: LeasedBooking, outcome: Rejected, context: SagaContext): Promise<Failure> {
  if (outcome.code === 'SEAT_UNAVAILABLE') return seatFailure(await lostSeats(leased, context), leased.booking)
  if (outcome.code === 'BOOKING_REFUSED')
    return { code: outcome.code, message: `Unable to create booking: ${outcome.reason} Your card was not charged.` }
  return { code: outcome.code }
}

/** The supplier does not say which seat was taken: the seat map does. When only one was chosen, it is that one. */
async function lostSeats(leased: LeasedBooking, context: SagaContext): Promise<SeatKey[]> {
  const { seats } = leased.booking
  try {
    await leased.call(() => quoteAgain(leased.booking, 'quote', context))
  } catch (error) {
    const named = error instanceof AppError && error.code === 'SEAT_UNAVAILABLE' ? seatsNamed(error.details) : []
    if (named.length > 0) return named
  }
  return seats.length === 1 ? seats : []
}

function quoteAgain(booking: BookingRecord, how: 'quote' | 'requote', context: SagaContext) {
  const seats = booking.seats.map(({ passengerId, seatId, segmentId, cabinClass }) => ({ passengerId, seatId, segmentId, cabinClass }))
  return context.search(asCaller(booking))[how]({ params: { id: booking.offer.id }, body: { seats } })
}

/**
 * The supplier offer was used by another order or has another price, and certainly nothing was ordered: the same flights at the same
 * price are ordered, another price fails the booking.
 */
async function orderAnotherOffer(leased: LeasedBooking, how: 'quote' | 'requote', context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  if (booking.attempts >= MAX_ORDERS) return leased.fail({ code: 'OFFER_EXPIRED' })
  let quote: Awaited<ReturnType<typeof quoteAgain>>
  try {
    quote = await leased.call(() => quoteAgain(booking, how, context))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, details } = error
    if (code === 'SEAT_UNAVAILABLE') return leased.fail(seatFailure(seatsNamed(details), booking))
    return leased.fail({ code: code === 'OFFER_EXPIRED' ? code : 'BOOKING_FAILED', ...(details && { details }) })
  }
  const { supplier, supplierCharge, seats, charge } = quote
  const samePrice = charge.currency === booking.charge.currency && toMinor(charge.amount, charge.currency) === booking.charge.minor
  const costsMore = compareAmounts(supplierCharge.amount, booking.supplierCharge.amount) > 0
  if (!samePrice || costsMore) return leased.fail({ code: 'PRICE_CHANGED', details: { ...charge } })
  return sendOrder(leased, { supplier, supplierCharge, seats }, context)
}
