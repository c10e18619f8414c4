/** Money follows the ticket: the authorisation is captured when there is an order and voided when there is none. */
import { AppError } from '@passerelle/contracts/error'
import { bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'
import { now } from '@passerelle/kit/runtime'
import type { BookingRecord } from './domain/booking.ts'
import { asCaller, type LeasedBooking, LeaseLost, type SagaContext, type StepResult } from './transition.ts'

const isNotUsable = (error: unknown) => error instanceof AppError && error.code === 'PAYMENT_NOT_USABLE'

/**
 * Captures for an order that exists, unless a cancellation was asked for meanwhile: then the order is to be cancelled. Not when a call whose
 * answer was lost has taken the amount, or may have: such a booking is confirmed, and then cancelled with its refund.
 */
export async function capture(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  const { paymentId, userId } = booking
  if (booking.pendingCancellation && booking.orderCancellable) {
    const paid = await leased.call(() => isPaid(booking, context, 'or may be'))
    if (!paid) return leased.transition('CAPTURE_FAILED', { failure: { code: 'BOOKING_STATE' } })
  }
  let captured: { minor: number; currency: string }
  try {
    const { amountMinor, currency } = await leased.call(() => context.payment(asCaller(booking)).capture({ params: { id: paymentId } }))
    captured = { minor: amountMinor, currency }
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (!isNotUsable(error)) return 'retry'
    return leased.transition('CAPTURE_FAILED', { failure: { code: 'PAYMENT_NOT_USABLE' } })
  }
  // Before the booking says that it is paid: whoever repeats the capture after a crash finds the number that was given.
  await context.receipts.issue(booking, now())
  return leased.transition('CONFIRMED', { failure: null, captured }, [
    leased.event(bookingConfirmed, { paymentId, userId, amountMinor: captured.minor, currency: captured.currency }),
  ])
}

/** Whether the amount was taken for this booking, whatever the booking itself has heard of it. */
export async function isPaid(booking: BookingRecord, { payment }: SagaContext, orMayBe?: 'or may be'): Promise<boolean> {
  try {
    const { state, bookingId, capturing } = await payment(asCaller(booking)).getPayment({ params: { id: booking.paymentId } })
    return (state === 'captured' || (orMayBe !== undefined && capturing === true)) && bookingId === booking._id
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_UNKNOWN') return false
    throw error
  }
}

/** Nothing was ordered, or the order is cancelled: the authorisation is voided, and the failure announced. */
export async function voidAuthorisation(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { booking } = leased
  try {
    await leased.call(() => context.payment(asCaller(booking)).release({ params: { id: booking.paymentId } }))
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (isNotUsable(error)) {
      context.log.error({ bookingId: booking._id }, 'a failed booking has a captured payment: an operator must look')
      return leased.transition('NEEDS_ATTENTION')
    }
    if (!(error instanceof AppError && error.code === 'PAYMENT_UNKNOWN')) return 'retry'
  }
  const { paymentId, failure, pendingCancellation } = leased.booking
  return leased.transition('FAILED', pendingCancellation ? { cancelledAt: now() } : {}, [
    leased.event(bookingFailed, { paymentId, reason: failure?.code ?? 'BOOKING_FAILED' }),
  ])
}
