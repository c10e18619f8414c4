/** Whether a cancel may go on, and what its outcome is called. */
import { AppError } from '@passerelle/contracts/error'
import type { Money } from '@passerelle/contracts/http/common'
import { fromMinor } from '@passerelle/contracts/rules/money'
import { type BookingRecord, refundable, toPublic } from './booking.ts'
import { isOpen, publicStatus } from './state.ts'

/** `request`: ask the airline. `wish`: remember it until the outcome is known. `nothing`: it is under way or done. */
export function cancelDecision(booking: BookingRecord, now: Date): 'request' | 'wish' | 'nothing' {
  if (booking.state === 'CANCEL_REQUESTED') return 'nothing'
  if (isOpen(booking.state)) return 'wish'
  const status = publicStatus(booking.state, booking.lastArrival, now)
  if (status === 'cancelled') return 'nothing'
  if (booking.state !== 'CONFIRMED' || status === 'completed') throw new AppError('BOOKING_STATE')
  if (!refundable(booking, now).allowed) throw new AppError('BOOKING_NOT_CANCELLABLE')
  return 'request'
}

type Answer = { success: boolean; message: string; refund: Money | null; status: ReturnType<typeof publicStatus> }

/** Throws CANCEL_FAILED or BOOKING_NOT_CANCELLABLE when the airline did not play along. */
export function cancelAnswer(before: BookingRecord, after: BookingRecord, now: Date): Answer {
  const { status } = toPublic(after, now)
  const { currency } = after.charge
  const refund = after.refund && { amount: fromMinor(after.refund.minor, currency), currency }
  if (status === 'cancelled') {
    const already = publicStatus(before.state, before.lastArrival, now) === 'cancelled'
    return {
      success: true,
      message: already ? 'Booking is already cancelled' : 'Your booking has been successfully cancelled.',
      refund,
      status,
    }
  }
  if (after.cancelWish || after.state === 'CANCEL_REQUESTED')
    return { success: true, message: 'Your booking will be cancelled as soon as the airline has answered.', refund, status }
  if (after.cancelNote === 'worse')
    throw new AppError('CANCEL_FAILED', {
      message: 'Unable to cancel booking: the airline now gives back less than was shown. Please contact us.',
    })
  throw new AppError(after.cancelNote === 'refused' ? 'BOOKING_NOT_CANCELLABLE' : 'CANCEL_FAILED')
}
