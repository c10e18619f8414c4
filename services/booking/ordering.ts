/** From a request to an order at the airline, or to the certainty that there is none. */
import { AppError } from '@passerelle/contracts/error'
import { bookingFailed } from '@passerelle/contracts/events/booking'
import { compareAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { isPeerUnavailable } from '@passerelle/kit/peer'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { type SeatKey, seatFailure, seatsNamed } from './domain/lost-seats.ts'
import { type OrderOutcome, orderRequest, type SupplierOrder, withoutDocuments } from './domain/order.ts'
import { asCaller, type HeldBooking, type SagaContext, type StepResult } from './saga-context.ts'
import type { Change } from './store.ts'

/** Tries with different supplier offers for the same flights, or to send in time. */
const MAX_ORDERS = 3
/** For the clocks of two machines and the supplier's own list: an order is declared absent so much after its last chance to appear. */
const SETTLE_MARGIN_MS = 2000

/** The payment is tied to this booking before anything is ordered, so that the sweep of forgotten holds leaves it alone. */
export async function claimPayment(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  if (booking.pendingCancellation) {
    await held.fail({ code: 'BOOKING_STATE', message: 'The booking was cancelled before it was ordered.' })
    return 'done'
  }
  try {
    const claim = { params: { id: booking.paymentId }, body: { bookingId: booking._id } }
    await held.call(() => context.payment(asCaller(booking)).claim(claim))
  } catch (error) {
    if (isPeerUnavailable(error)) return 'retry'
    if (!(error instanceof AppError)) throw error
    // The hold is somebody else's or already gone: there is nothing of ours to void.
    await held.transition('FAILED', { failure: { code: error.code, message: error.message } }, [
      held.event(bookingFailed, { paymentId: booking.paymentId, reason: error.code }),
    ])
    return 'done'
  }
  return decideAndSend(held, {}, context)
}

/** Written before the call goes out; who finds it later knows how long an answer may still change things. */
async function decideAndSend(held: HeldBooking, change: Change, context: SagaContext): Promise<StepResult> {
  const now = context.clock()
  const sendBefore = new Date(now.getTime() + context.sendWithinMs)
  const settleBy = new Date(sendBefore.getTime() + context.orderLongestMs + SETTLE_MARGIN_MS)
  const attempts = held.booking.attempts + 1
  await held.transition('ORDERING', { ...change, sendBefore, settleBy, attempts })
  return sendOrder(held, context)
}

async function sendOrder(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  const documents = context.safe.open(booking)
  const request = orderRequest(booking, documents, context.system)
  if (!booking.sendBefore || context.clock() >= booking.sendBefore) return sendLater(held, context)
  const outcome = await held.call(() => context.supplier(booking.mode).order(request))
  if ('reason' in outcome) outcome.reason = withoutDocuments(outcome.reason, documents)
  return conclude(held, outcome, context)
}

/** The write took too long. Nobody else sends for a booking that this process holds, so nothing was sent. */
async function sendLater(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  if (held.booking.attempts < MAX_ORDERS) return decideAndSend(held, {}, context)
  await held.fail({ code: 'BOOKING_FAILED' })
  return 'done'
}

async function conclude(held: HeldBooking, outcome: OrderOutcome, context: SagaContext): Promise<StepResult> {
  switch (outcome.kind) {
    case 'ordered':
      return becomeOrdered(held, outcome.order)
    case 'unknown':
      return becomeUnknown(held, outcome.reason, context)
    case 'rejected':
      if (outcome.code === 'OFFER_EXPIRED') reportGone(held.booking, context)
      await held.fail(await rejection(held, outcome, context))
      return 'done'
    case 'spent':
      return shopAgain(held, 'requote', context)
    case 'repriced':
      return shopAgain(held, 'quote', context)
  }
}

/** So that visitors are not shown this offer any more; nothing of the booking waits for it. */
function reportGone(booking: BookingRecord, { search, log }: SagaContext): void {
  const report = search(asCaller(booking)).offerGone({ params: { id: booking.offer.id } })
  report.catch((err) => log.warn({ err, bookingId: booking._id }, 'an offer that is gone could not be reported'))
}

type Rejected = Extract<OrderOutcome, { kind: 'rejected' }>

async function rejection(held: HeldBooking, outcome: Rejected, context: SagaContext): Promise<Failure> {
  if (outcome.code === 'SEAT_UNAVAILABLE') return seatFailure(await lostSeats(held, context), held.booking)
  if (outcome.code === 'BOOKING_REFUSED')
    return { code: outcome.code, message: `Unable to create booking: ${outcome.reason} Your card was not charged.` }
  return { code: outcome.code }
}

/** The supplier does not say which seat was taken: the seat map does. Only one was chosen: it is that one. */
async function lostSeats(held: HeldBooking, context: SagaContext): Promise<SeatKey[]> {
  const { seats } = held.booking
  try {
    await held.call(() => quoteAgain(held.booking, 'quote', context))
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

/** The supplier offer is spent or repriced, and certainly nothing was ordered: same flights at the same price are ordered, another price is told. */
async function shopAgain(held: HeldBooking, how: 'quote' | 'requote', context: SagaContext): Promise<StepResult> {
  const { booking } = held
  const fail = async (failure: Failure): Promise<StepResult> => {
    await held.fail(failure)
    return 'done'
  }
  if (booking.attempts >= MAX_ORDERS) return fail({ code: 'OFFER_EXPIRED' })
  let quote: Awaited<ReturnType<typeof quoteAgain>>
  try {
    quote = await held.call(() => quoteAgain(booking, how, context))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'SEAT_UNAVAILABLE') return fail(seatFailure(seatsNamed(error.details), booking))
    return fail({
      code: error.code === 'OFFER_EXPIRED' ? error.code : 'BOOKING_FAILED',
      ...(error.details && { details: error.details }),
    })
  }
  const same =
    quote.charge.currency === booking.charge.currency && toMinor(quote.charge.amount, quote.charge.currency) === booking.charge.minor
  const dearer = compareAmounts(quote.supplierCharge.amount, booking.supplierCharge.amount) > 0
  if (!same || dearer) return fail({ code: 'PRICE_CHANGED', details: { ...quote.charge } })
  return decideAndSend(held, { supplier: quote.supplier, supplierCharge: quote.supplierCharge, seats: quote.seats }, context)
}

async function becomeOrdered(held: HeldBooking, order: SupplierOrder): Promise<StepResult> {
  await held.transition('ORDERED', { orderId: order.id, airlineReference: order.airlineReference, orderCancellable: order.cancellable })
  return 'done'
}

/** An order may exist: it is looked for from now on, and never sent again. */
export async function becomeUnknown(held: HeldBooking, reason: string, context: SagaContext): Promise<StepResult> {
  context.log.warn({ bookingId: held.booking._id, reason }, 'it is not known whether the order exists')
  const { pendingAnnouncedAt } = held.booking
  await held.transition('ORDER_UNKNOWN', { pendingAnnouncedAt: pendingAnnouncedAt ?? context.clock() }, held.pendingEvents())
  return 'done'
}

/** Found: go on. Not found: only after `settleBy` does that mean that there is none. */
export async function settle(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  const askedAt = context.clock()
  const order = await held.call(() => context.supplier(booking.mode).find(booking._id, booking.supplier.offerId))
  if (order && !order.cancelled) return becomeOrdered(held, order)
  if (!order?.cancelled && !(booking.settleBy && askedAt > booking.settleBy)) return 'poll'
  await held.fail({ code: 'BOOKING_FAILED' })
  return 'done'
}
