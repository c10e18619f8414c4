/**
 * The booking is its own orchestrator: each step reads the document, does one thing outside, and writes what came of it if nobody
 * else has written since. A crash between any two of these leaves a state from which the next worker goes on.
 */
import { AppError } from '@passerelle/contracts/error'
import type { EventDefinition } from '@passerelle/contracts/event'
import { bookingCancelled, bookingConfirmed, bookingFailed, bookingPending } from '@passerelle/contracts/events/booking'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { addAmounts, compareAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { type Caller, systemCaller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { draft } from '@passerelle/kit/outbox'
import { isAway, type Peer } from '@passerelle/kit/peer'
import type { DocumentSafe } from './documents.ts'
import { type BookingRecord, cappedRefund, type Failure, refundable } from './domain/booking.ts'
import { type OrderOutcome, orderRequest, type SupplierOrder, withoutDocuments } from './domain/order.ts'
import { isOpen, mayMove, type SagaState } from './domain/state.ts'
import type { Supplier } from './duffel.ts'
import type { Store } from './store.ts'

export type SagaTools = {
  store: Store
  supplier(mode: 'test' | 'live'): Supplier
  search: Peer<typeof searchApi>
  payment: Peer<typeof paymentApi>
  safe: DocumentSafe
  log: Log
  metrics: Metrics
  clock(): Date
  /** Send before this many ms after the decision; declare absent only `settleMs` after that. */
  sendWithinMs: number
  settleMs: number
  /** Where this system is on the internet: written into its orders. */
  system: string
}

/** Tries with different supplier offers for the same flights. */
const MAX_ORDERS = 3
/** After so many tries a step that must succeed is shown to an operator as well; it goes on trying. */
const ALARM_TRIES = 20

/** The written booking, "wait" (try again at nextAt), or null when somebody else has taken over. */
type StepResult = BookingRecord | 'wait' | null

/** Takes the booking as far as it goes now. The caller holds its lease. Answers where it stands then; null when that is for others to say. */
export async function drive(claimed: BookingRecord, tools: SagaTools, signal?: AbortSignal): Promise<BookingRecord | null> {
  let booking: BookingRecord | null = claimed
  while (booking && isOpen(booking.state) && !signal?.aborted) {
    const held: BookingRecord = booking
    const renewal = setInterval(() => void tools.store.renew(held, tools.clock()).catch(() => undefined), 10_000)
    let result: StepResult
    try {
      result = await step(held, tools)
    } catch (err) {
      tools.log.warn({ err, bookingId: held._id, state: held.state, tries: held.tries }, 'step failed, will be tried again')
      result = 'wait'
    } finally {
      clearInterval(renewal)
    }
    if (result === 'wait') {
      await putBack(held, tools)
      return null
    }
    booking = result
  }
  if (booking && isOpen(booking.state)) return tools.store.change(booking, { leaseUntil: new Date(0) })
  return booking
}

async function putBack(booking: BookingRecord, { store, clock, log }: SagaTools): Promise<void> {
  const tries = booking.tries + 1
  if (tries % ALARM_TRIES === 0) log.error({ bookingId: booking._id, state: booking.state, tries }, 'a booking does not get on')
  const wait = Math.min(30_000, 500 * 2 ** Math.min(tries, 6))
  await store.change(booking, { tries, nextAt: new Date(clock().getTime() + wait), leaseUntil: new Date(0) })
}

function step(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  switch (booking.state) {
    case 'REQUESTED':
      return claimPayment(booking, tools)
    case 'ORDERING':
      // Whoever finds it like this did not send the order: the one who did may be dead, or its answer lost.
      return becomeUnknown(booking, 'adopted', tools)
    case 'ORDER_UNKNOWN':
      return settle(booking, tools)
    case 'ORDERED':
      return capture(booking, tools)
    case 'CAPTURE_FAILED':
      return undoOrder(booking, tools)
    case 'ORDER_FAILED':
      return release(booking, tools)
    case 'CANCEL_REQUESTED':
      return cancel(booking, tools)
    default:
      return Promise.resolve(null)
  }
}

async function move(
  booking: BookingRecord,
  state: SagaState,
  change: Parameters<Store['change']>[1],
  tools: SagaTools,
  events: (next: number) => ReturnType<typeof draft>[] = () => [],
): Promise<BookingRecord | null> {
  if (!mayMove(booking.state, state)) throw new RangeError(`a booking does not go from ${booking.state} to ${state}`)
  const next = await tools.store.change(booking, { tries: 0, nextAt: tools.clock(), ...change, state }, events(booking.version + 1))
  if (next) {
    tools.metrics.sagaTransitions.inc({ to: state })
    tools.log.info({ bookingId: booking._id, from: booking.state, to: state }, 'booking moved')
  }
  return next
}

export function asCaller(booking: BookingRecord): Caller {
  return systemCaller('booking', {
    brand: booking.brand,
    mode: booking.mode,
    markupPercent: booking.markupPercent,
    requestId: booking.requestId,
  })
}

function tell<E extends EventDefinition>(booking: BookingRecord, definition: E, data: object, sequence: number, at: Date) {
  const base = { bookingId: booking._id, reference: booking.reference, brand: booking.brand, mode: booking.mode }
  return draft(definition, { ...base, ...data } as never, { sequence, at, requestId: booking.requestId })
}

/** The payment is tied to this booking before anything is ordered, so that the sweep of forgotten holds leaves it alone. */
async function claimPayment(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
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
function decideToSend(booking: BookingRecord, change: Parameters<Store['change']>[1], tools: SagaTools): Promise<BookingRecord | null> {
  const sendBefore = new Date(tools.clock().getTime() + tools.sendWithinMs)
  const settleBy = new Date(sendBefore.getTime() + tools.settleMs)
  return move(booking, 'ORDERING', { ...change, sendBefore, settleBy, attempts: booking.attempts + 1 }, tools)
}

async function sendOrder(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  const documents = tools.safe.open(booking)
  const request = orderRequest(booking, documents, tools.system)
  if (!booking.sendBefore || tools.clock() >= booking.sendBefore) return becomeUnknown(booking, 'too-late-to-send', tools)
  const outcome = await tools.supplier(booking.mode).order(request)
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

function becomeUnknown(booking: BookingRecord, reason: string, tools: SagaTools): Promise<BookingRecord | null> {
  tools.log.warn({ bookingId: booking._id, reason }, 'it is not known whether the order exists')
  return move(booking, 'ORDER_UNKNOWN', {}, tools, (sequence) => [
    tell(booking, bookingPending, { paymentId: booking.paymentId }, sequence, tools.clock()),
  ])
}

function fail(booking: BookingRecord, failure: Failure, tools: SagaTools): Promise<BookingRecord | null> {
  return move(booking, 'ORDER_FAILED', { failure }, tools)
}

/** Found: go on. Not found: only after `settleBy` does that mean that there is none. */
async function settle(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  const askedAt = tools.clock()
  const order = await tools.supplier(booking.mode).find(booking._id, booking.supplier.offerId)
  if (order && !order.cancelled) return becomeOrdered(booking, order, tools)
  if (order?.cancelled || (booking.settleBy && askedAt > booking.settleBy)) return fail(booking, { code: 'BOOKING_FAILED' }, tools)
  return 'wait'
}

async function capture(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  if (booking.cancelWish && booking.orderCancellable) return move(booking, 'CAPTURE_FAILED', { failure: { code: 'BOOKING_STATE' } }, tools)
  try {
    await tools.payment(asCaller(booking)).capture({ params: { id: booking.paymentId } })
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_NOT_USABLE')
      return move(booking, 'CAPTURE_FAILED', { failure: { code: 'PAYMENT_NOT_USABLE' } }, tools)
    return 'wait'
  }
  const confirmed = await move(booking, 'CONFIRMED', { failure: null }, tools, (sequence) => [
    tell(
      booking,
      bookingConfirmed,
      { paymentId: booking.paymentId, userId: booking.userId, amountMinor: booking.charge.minor, currency: booking.charge.currency },
      sequence,
      tools.clock(),
    ),
  ])
  return confirmed?.cancelWish ? fulfilWish(confirmed, tools) : confirmed
}

/** A cancel that was clicked while the booking was pending, applied now that it is confirmed. */
export async function fulfilWish(booking: BookingRecord, tools: SagaTools): Promise<BookingRecord | null> {
  if (refundable(booking, tools.clock()).allowed) return move(booking, 'CANCEL_REQUESTED', { cancelWish: false }, tools)
  return tools.store.change(booking, { cancelWish: false, cancelNote: 'refused' })
}

async function undoOrder(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  if (!booking.orderId) return fail(booking, booking.failure ?? { code: 'BOOKING_FAILED' }, tools)
  const outcome = await tools.supplier(booking.mode).cancel(booking.orderId, null)
  if (outcome.kind === 'cancelled') return fail(booking, booking.failure ?? { code: 'BOOKING_FAILED' }, tools)
  if (booking.cancelWish && booking.failure?.code === 'BOOKING_STATE') {
    // The airline keeps the ticket, so the wish cannot be fulfilled: the booking stands and is paid.
    return move(booking, 'ORDERED', { cancelWish: false, orderCancellable: false, failure: null, cancelNote: 'refused' }, tools)
  }
  tools.log.error({ bookingId: booking._id }, 'a ticket without a payment could not be cancelled: an operator must look')
  return move(booking, 'NEEDS_ATTENTION', {}, tools)
}

async function release(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  try {
    await tools.payment(asCaller(booking)).release({ params: { id: booking.paymentId } })
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_NOT_USABLE') {
      tools.log.error({ bookingId: booking._id }, 'a failed booking has a captured payment: an operator must look')
      return move(booking, 'NEEDS_ATTENTION', {}, tools)
    }
    if (!(error instanceof AppError && error.code === 'PAYMENT_UNKNOWN')) return 'wait'
  }
  return move(booking, 'FAILED', { ...(booking.cancelWish && { cancelledAt: tools.clock() }) }, tools, (sequence) => [
    tell(
      booking,
      bookingFailed,
      { paymentId: booking.paymentId, reason: booking.failure?.code ?? 'BOOKING_FAILED' },
      sequence,
      tools.clock(),
    ),
  ])
}

async function cancel(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  if (!booking.orderId) return move(booking, 'NEEDS_ATTENTION', {}, tools)
  const promised = refundable(booking, booking.firstDeparture > tools.clock() ? tools.clock() : new Date(0)).refundMinor
  const enough = (refund: string) => promised === null || cappedRefund(booking, refund) >= promised
  const outcome = await tools.supplier(booking.mode).cancel(booking.orderId, enough)
  if (outcome.kind === 'refused') return move(booking, 'CONFIRMED', { cancelNote: 'refused' }, tools)
  if (outcome.kind === 'worse') {
    tools.log.warn({ bookingId: booking._id }, 'the airline would give back less than was promised')
    return move(booking, 'CONFIRMED', { cancelNote: 'worse' }, tools)
  }
  const minor = outcome.refund === null ? (promised ?? 0) : cappedRefund(booking, addAmounts(outcome.refund))
  const now = tools.clock()
  return move(
    booking,
    'ORDER_CANCELLED',
    { cancelledAt: now, cancelNote: null, refund: { minor, refundedAt: null } },
    tools,
    (sequence) => [
      tell(
        booking,
        bookingCancelled,
        { paymentId: booking.paymentId, refundMinor: minor, currency: booking.charge.currency },
        sequence,
        now,
      ),
    ],
  )
}
