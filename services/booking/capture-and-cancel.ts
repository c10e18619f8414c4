/** Money and ticket belong together: captured when there is an order, voided when there is none, refunded when it is cancelled. */
import { AppError } from '@passerelle/contracts/error'
import { bookingCancelled, bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'
import { refundable } from './domain/booking.ts'
import { judgeRefund, keepsPromise } from './domain/refund.ts'
import { asCaller, type HeldBooking, LeaseLost, type SagaContext, type StepResult } from './saga-context.ts'

/** Captures for an order that exists; undoes the order when a cancellation was asked for meanwhile, or when there is nothing to capture. */
export async function capture(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  if (booking.pendingCancellation && booking.orderCancellable) {
    await held.transition('CAPTURE_FAILED', { failure: { code: 'BOOKING_STATE' } })
    return 'done'
  }
  try {
    await held.call(() => context.payment(asCaller(booking)).capture({ params: { id: booking.paymentId } }))
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (!isNotUsable(error)) return 'retry'
    await held.transition('CAPTURE_FAILED', { failure: { code: 'PAYMENT_NOT_USABLE' } })
    return 'done'
  }
  const { paymentId, userId, charge } = held.booking
  await held.transition('CONFIRMED', { failure: null }, [
    held.event(bookingConfirmed, { paymentId, userId, amountMinor: charge.minor, currency: charge.currency }),
  ])
  if (held.booking.pendingCancellation) await startPendingCancellation(held, context)
  return 'done'
}

const isNotUsable = (error: unknown) => error instanceof AppError && error.code === 'PAYMENT_NOT_USABLE'

/** A cancellation that was asked for while the outcome was open, now that the booking is confirmed. */
export async function startPendingCancellation(held: HeldBooking, { clock }: SagaContext): Promise<void> {
  if (refundable(held.booking, clock()).allowed) await held.transition('CANCEL_REQUESTED', { pendingCancellation: false })
  else await held.write({ pendingCancellation: false, cancelNote: 'refused' })
}

/** The order of a booking that will not be paid is cancelled; a ticket that the airline keeps is an operator's matter, or stands. */
export async function undoOrder(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  const failure = booking.failure ?? { code: 'BOOKING_FAILED' }
  const { orderId } = booking
  if (orderId) {
    const outcome = await held.call(() => context.supplier(booking.mode).cancel(orderId, null))
    if (outcome.kind !== 'cancelled') return keepOrder(held, context)
  }
  await held.fail(failure)
  return 'done'
}

/** The airline keeps the ticket: a booking that was only to be cancelled stands and is paid. */
async function keepOrder(held: HeldBooking, { log }: SagaContext): Promise<StepResult> {
  const { booking } = held
  if (booking.pendingCancellation && booking.failure?.code === 'BOOKING_STATE') {
    await held.transition('ORDERED', { pendingCancellation: false, orderCancellable: false, failure: null, cancelNote: 'refused' })
    return 'done'
  }
  log.error({ bookingId: booking._id }, 'a ticket without a payment could not be cancelled: an operator must look')
  await held.transition('NEEDS_ATTENTION')
  return 'done'
}

/** Nothing was ordered, or nothing is any more: the hold is voided, and the failure told. */
export async function voidAuthorisation(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  try {
    await held.call(() => context.payment(asCaller(booking)).release({ params: { id: booking.paymentId } }))
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (isNotUsable(error)) {
      context.log.error({ bookingId: booking._id }, 'a failed booking has a captured payment: an operator must look')
      await held.transition('NEEDS_ATTENTION')
      return 'done'
    }
    if (!(error instanceof AppError && error.code === 'PAYMENT_UNKNOWN')) return 'retry'
  }
  const { paymentId, failure, pendingCancellation } = held.booking
  await held.transition('FAILED', pendingCancellation ? { cancelledAt: context.clock() } : {}, [
    held.event(bookingFailed, { paymentId, reason: failure?.code ?? 'BOOKING_FAILED' }),
  ])
  return 'done'
}

/** Cancels at the airline what the traveller asked for, if it gives back what was promised; the payment service refunds by event. */
export async function cancel(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = held
  const { orderId, charge, paymentId } = booking
  if (!orderId) {
    await held.transition('NEEDS_ATTENTION')
    return 'done'
  }
  const promised = refundable(booking, booking.firstDeparture > context.clock() ? context.clock() : new Date(0)).refundMinor
  const outcome = await held.call(() =>
    context.supplier(booking.mode).cancel(orderId, (quoted) => keepsPromise(judgeRefund(quoted, charge), promised)),
  )
  if (outcome.kind !== 'cancelled') {
    context.log.warn({ bookingId: booking._id, outcome: outcome.kind }, 'the airline did not cancel, or would give back less than promised')
    await held.transition('CONFIRMED', { cancelNote: outcome.kind })
    return 'done'
  }
  const due = judgeRefund(outcome.refund, charge)
  if (due.kind === 'operator')
    context.log.error({ bookingId: booking._id }, 'a refund of the airline cannot be passed on to the card: an operator must look')
  else if (!keepsPromise(due, promised))
    context.log.error({ bookingId: booking._id }, 'the airline gave back less than it had quoted: an operator must look')
  await held.transition('ORDER_CANCELLED', { cancelledAt: context.clock(), cancelNote: null, refund: { ...due, refundedAt: null } }, [
    held.event(bookingCancelled, { paymentId, refundMinor: due.minor, currency: charge.currency }),
  ])
  return 'done'
}
