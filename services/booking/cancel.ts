/** Orders that end at the airline: those that their traveller cancels, and those that cannot be paid. */
import { bookingCancelled } from '@passerelle/contracts/events/booking'
import { now } from '@passerelle/kit/runtime'
import { refundable } from './domain/booking.ts'
import { judgeRefund, keepsPromise } from './domain/cancellation.ts'
import type { LeasedBooking, SagaContext, StepResult } from './transition.ts'

/** A cancellation that was asked for while the outcome was open, now that the booking is confirmed. */
export async function startPendingCancellation(leased: LeasedBooking): Promise<StepResult> {
  if (refundable(leased.booking, now()).allowed) await leased.transition('CANCEL_REQUESTED', { pendingCancellation: false })
  else await leased.write({ pendingCancellation: false, cancelNote: 'refused' })
  return 'done'
}

/** Cancels what the traveller asked for, if the airline gives back what was promised; the payment service refunds by event. */
export async function cancelOrder(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  const { _id: bookingId, orderId, charge, paymentId, firstDeparture } = booking
  if (!orderId) {
    return leased.transition('NEEDS_ATTENTION')
  }
  const promised = refundable(booking, firstDeparture > now() ? now() : new Date(0)).refundMinor
  const outcome = await leased.call(() =>
    context.supplier(booking.mode).cancel(orderId, (quoted) => {
      leased.assertHeld()
      return keepsPromise(judgeRefund(quoted, charge), promised)
    }),
  )
  if (outcome.kind !== 'cancelled') {
    context.log.warn({ bookingId, outcome: outcome.kind }, 'the airline did not cancel, or would give back less than promised')
    return leased.transition('CONFIRMED', { cancelNote: outcome.kind })
  }
  const due = judgeRefund(outcome.refund, charge)
  if (due.kind === 'operator')
    context.log.error({ bookingId }, 'a refund of the airline cannot be passed on to the card: an operator must look')
  else if (!keepsPromise(due, promised))
    context.log.error({ bookingId }, 'the airline gave back less than it had quoted: an operator must look')
  const at = now()
  return leased.transition(
    'ORDER_CANCELLED',
    { cancelledAt: at, orderCancelledAt: at, cancelNote: null, refund: { ...due, refundedAt: null } },
    [leased.event(bookingCancelled, { paymentId, refundMinor: due.minor, currency: charge.currency })],
  )
}

/** The order of a booking that will not be paid is cancelled; a ticket that the airline keeps is for an operator, or stays. */
export async function cancelUnpaidOrder(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { orderId, mode, failure } = leased.booking
  if (orderId) {
    const outcome = await leased.call(() =>
      context.supplier(mode).cancel(orderId, () => {
        leased.assertHeld()
        return true
      }),
    )
    if (outcome.kind !== 'cancelled') return keepOrder(leased, context)
  }
  return leased.transition('ORDER_FAILED', {
    failure: failure ?? { code: 'BOOKING_FAILED' },
    ...(orderId && { orderCancelledAt: now() }),
  })
}

/** The airline keeps the ticket: a booking that was only to be cancelled stays and is paid. */
async function keepOrder(leased: LeasedBooking, { log }: SagaContext): Promise<StepResult> {
  const { booking } = leased
  if (booking.pendingCancellation && booking.failure?.code === 'BOOKING_STATE') {
    return leased.transition('ORDERED', { pendingCancellation: false, orderCancellable: false, failure: null, cancelNote: 'refused' })
  }
  log.error({ bookingId: booking._id }, 'a ticket without a payment could not be cancelled: an operator must look')
  return leased.transition('NEEDS_ATTENTION')
}
