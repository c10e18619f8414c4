/** Whether a cancel may go on, and what its outcome is called. */
import { AppError } from '@passerelle/contracts/error'
import type { BookingCancelled } from '@passerelle/contracts/http/booking'
import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { type BookingRecord, refundable, toPublic } from './booking.ts'
import { isOpen, publicStatus } from './state.ts'

/** `request`: ask the airline. `remember`: until the outcome is known. `nothing`: it is under way or done. */
export function cancelDecision(booking: BookingRecord, now: Date): 'request' | 'remember' | 'nothing' {
  if (booking.state === 'CANCEL_REQUESTED') return 'nothing'
  if (isOpen(booking.state)) return 'remember'
  const status = publicStatus(booking.state, booking.lastArrival, now)
  if (status === 'cancelled') return 'nothing'
  if (booking.state !== 'CONFIRMED' || status === 'completed')
    throw new AppError('BOOKING_STATE', { message: 'Unable to cancel booking: it can no longer be changed.' })
  if (!refundable(booking, now).allowed) throw new AppError('BOOKING_NOT_CANCELLABLE')
  return 'request'
}

/** Throws CANCEL_FAILED or BOOKING_NOT_CANCELLABLE when the airline did not play along. */
export function cancelAnswer(before: BookingRecord, after: BookingRecord, now: Date): BookingCancelled {
  const { status, refund, refundKind, airlineCredit } = toPublic(after, now)
  const money = { refund: refund && { amount: refund.amount, currency: refund.currency }, refundKind, airlineCredit, status }
  if (status === 'cancelled') {
    const already = publicStatus(before.state, before.lastArrival, now) === 'cancelled'
    const done = 'Your booking has been successfully cancelled.'
    return { success: true, message: already ? 'Booking is already cancelled' : [done, ...refundText(after)].join(' '), ...money }
  }
  if (after.pendingCancellation || after.state === 'CANCEL_REQUESTED')
    return { success: true, message: 'Your booking will be cancelled as soon as the airline has answered.', ...money }
  if (after.cancelNote === 'worse')
    throw new AppError('CANCEL_FAILED', {
      message: 'Unable to cancel booking: the airline now gives back less than was shown. Please contact us.',
    })
  throw new AppError(after.cancelNote === 'refused' ? 'BOOKING_NOT_CANCELLABLE' : 'CANCEL_FAILED')
}

/** What a traveller is told, on the screen and by mail, of money that does not simply go back to the card. */
export function refundText({ refund }: Pick<BookingRecord, 'refund'>): string[] {
  if (refund?.kind === 'operator') return ['Your refund is being arranged by our team.']
  if (refund?.kind !== 'credit' || !refund.credit) return []
  const amount = formatExactMoney(refund.credit.amount, refund.credit.currency)
  return [`The airline holds ${amount} for you as credit for a later flight. Nothing goes back to your card.`]
}
