/** From a request to an order at the airline, or to the certainty that there is none. */
import { AppError } from '@passerelle/contracts/error'
import { bookingFailed, bookingPending } from '@passerelle/contracts/events/booking'
import { compareAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { isAway } from '@passerelle/kit/peer'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { type OrderOutcome, orderRequest, type SupplierOrder, withoutDocuments } from './domain/order.ts'
import { type Change, leaseEnd } from './store.ts'
import { asCaller, fail, holding, move, type SagaTools, type StepResult, tell } from './tools.ts'

/** Tries with different supplier offers for the same flights. */
const MAX_ORDERS = 3

/** The payment is tied to this booking before anything is ordered, so that the sweep of forgotten holds leaves it alone. */
export async function claimPayment(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  if (booking.cancelWish)
    return fail(booking, { code: 'BOOKING_STATE', message: 'The booking was cancelled before it was ordered.' }, tools)
  try {
    await tools.payment(asCaller(booking)).claim({ params: { id: booking.paymentId }, body: { bookingId: booking._id } })
  } catch (error) {
    if (isAway(error) || !(error instanceof AppError)) return 'wait'
    // The hold is somebody else's or already gone: there is nothing of ours to give back.
    return move(booking, 'FAILED', { failure: { code: error.code, message: error.message } }, tools, (sequence) => [
      tell(booking, bookingFailed, { paymentId: booking.paymentId, reason: error.code }, sequence, tools.clock()),
    ])
  }
  const ordering = await decideToSend(booking, {}, tools)
  return ordering ? sendOrder(ordering, tools) : null
}

/** Written before the call goes out; who finds it later knows how long an answer may still change things. */
function decideToSend(booking: BookingRecord, change: Change, tools: SagaTools): Promise<BookingRecord | null> {
  const now = tools.clock()
  const sendBefore = new Date(now.getTime() + tools.sendWithinMs)
  const settleBy = new Date(sendBefore.getTime() + tools.settleMs)
  const sending = { sendBefore, settleBy, leaseUntil: leaseEnd(now), attempts: booking.attempts + 1 }
  return move(booking, 'ORDERING', { ...change, ...sending }, tools)
}

async function sendOrder(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  const documents = tools.safe.open(booking)
  const request = orderRequest(booking, documents, tools.system)
  if (!booking.sendBefore || tools.clock() >= booking.sendBefore) return becomeUnknown(booking, 'too-late-to-send', tools)
  const outcome = await holding(booking, tools, () => tools.supplier(booking.mode).order(request))
  if ('reason' in outcome) outcome.reason = withoutDocuments(outcome.reason, documents)
  return conclude(booking, outcome, tools)
}

async function conclude(booking: BookingRecord, outcome: OrderOutcome, tools: SagaTools): Promise<StepResult> {
  switch (outcome.kind) {
    case 'ordered':
      return becomeOrdered(booking, outcome.order, tools)
    case 'unknown':
      return becomeUnknown(booking, outcome.reason, tools)
    case 'rejected':
      return fail(booking, rejection(outcome), tools)
    case 'spent':
      return shopAgain(booking, 'requote', tools)
    case 'repriced':
      return shopAgain(booking, 'quote', tools)
  }
}

function rejection(outcome: Extract<OrderOutcome, { kind: 'rejected' }>): Failure {
  if (outcome.code === 'BOOKING_REFUSED')
    return { code: outcome.code, message: `Unable to create booking: ${outcome.reason} Your card was not charged.` }
  return { code: outcome.code }
}

/** The supplier offer is spent or repriced, and certainly nothing was ordered: same flights at the same price are ordered, another price is told. */
async function shopAgain(booking: BookingRecord, how: 'quote' | 'requote', tools: SagaTools): Promise<StepResult> {
  if (booking.attempts >= MAX_ORDERS) return fail(booking, { code: 'OFFER_EXPIRED' }, tools)
  const seats = booking.seats.map(({ passengerId, seatId, segmentId, cabinClass }) => ({ passengerId, seatId, segmentId, cabinClass }))
  let quote: Awaited<ReturnType<ReturnType<typeof tools.search>['quote']>>
  try {
    quote = await tools.search(asCaller(booking))[how]({ params: { id: booking.offer.id }, body: { seats } })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const known = error.code === 'SEAT_UNAVAILABLE' || error.code === 'OFFER_EXPIRED' ? error.code : 'BOOKING_FAILED'
    return fail(booking, { code: known, ...(error.details && { details: error.details }) }, tools)
  }
  const same =
    quote.charge.currency === booking.charge.currency && toMinor(quote.charge.amount, quote.charge.currency) === booking.charge.minor
  const dearer = compareAmounts(quote.supplierCharge.amount, booking.supplierCharge.amount) > 0
  if (!same || dearer) return fail(booking, { code: 'PRICE_CHANGED', details: { ...quote.charge } }, tools)
  const ordering = await decideToSend(
    booking,
    { supplier: quote.supplier, supplierCharge: quote.supplierCharge, seats: quote.seats },
    tools,
  )
  return ordering ? sendOrder(ordering, tools) : null
}

function becomeOrdered(booking: BookingRecord, order: SupplierOrder, tools: SagaTools): Promise<BookingRecord | null> {
  return move(
    booking,
    'ORDERED',
    { orderId: order.id, airlineReference: order.airlineReference, orderCancellable: order.cancellable },
    tools,
  )
}

/** An order may exist: it is looked for from now on, and never sent again. */
export function becomeUnknown(booking: BookingRecord, reason: string, tools: SagaTools): Promise<BookingRecord | null> {
  tools.log.warn({ bookingId: booking._id, reason }, 'it is not known whether the order exists')
  return move(booking, 'ORDER_UNKNOWN', {}, tools, (sequence) => [
    tell(booking, bookingPending, { paymentId: booking.paymentId }, sequence, tools.clock()),
  ])
}

/** Found: go on. Not found: only after `settleBy` does that mean that there is none. */
export async function settle(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  const askedAt = tools.clock()
  const order = await tools.supplier(booking.mode).find(booking._id, booking.supplier.offerId)
  if (order && !order.cancelled) return becomeOrdered(booking, order, tools)
  if (order?.cancelled || (booking.settleBy && askedAt > booking.settleBy)) return fail(booking, { code: 'BOOKING_FAILED' }, tools)
  return 'wait'
}
