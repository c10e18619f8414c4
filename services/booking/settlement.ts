/** Money and ticket belong together: captured when there is an order, given back when there is none, refunded when it is cancelled. */
import { AppError } from '@passerelle/contracts/error'
import { bookingCancelled, bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'
import { addAmounts } from '@passerelle/contracts/rules/money'
import { type BookingRecord, cappedRefund, refundable } from './domain/booking.ts'
import { asCaller, fail, move, type SagaTools, type StepResult, tell } from './tools.ts'

/** Takes the money for an order that exists; gives the order back when a cancel was wished meanwhile, or when there is nothing to take. */
export async function capture(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
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

/** The order of a booking that will not be paid is cancelled; a ticket that the airline keeps is an operator's matter, or stands. */
export async function undoOrder(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
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

/** Nothing was ordered, or nothing is any more: the hold is given back, and the failure told. */
export async function release(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
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

/** Cancels at the airline what the traveller asked for, if it gives back what was promised; the payment service refunds by event. */
export async function cancel(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
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
