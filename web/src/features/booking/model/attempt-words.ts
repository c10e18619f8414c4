/** What a visitor is told of a payment that was left before its end was seen. */
import type { BookingAttempt } from '@passerelle/contracts/http/booking'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'

type AttemptWords = {
  tone: 'info' | 'positive' | 'warning'
  title: string
  text: string
  /** The booking that it has led to. */
  bookingId: string | null
  /** Nothing changes any more: the notice may go. */
  settled: boolean
}

const LOOKING: AttemptWords = {
  tone: 'info',
  title: 'We are finding out what came of your payment.',
  text: 'This takes up to a minute. Please do not pay again until then.',
  bookingId: null,
  settled: false,
}

const NOT_CHARGED = 'Your card was not charged; an amount that was only held is released.'

/** `answer` null: the server has not told yet. `final`: an attempt without a booking will not get one any more. */
export function attemptWords(answer: BookingAttempt | null, final: boolean): AttemptWords {
  const { outcome, booking, failure } = answer ?? { outcome: 'none', booking: null, failure: null }
  if (booking && outcome === 'confirmed') {
    return {
      tone: 'positive',
      title: `Your booking went through. Its reference is ${bookingReference(booking)}.`,
      text: 'The confirmation is on its way to you by e-mail.',
      bookingId: booking.id,
      settled: true,
    }
  }
  if (booking && outcome === 'pending') {
    return {
      tone: 'info',
      title: `Your booking ${bookingReference(booking)} is still being confirmed.`,
      text: 'The airline has not answered yet. Your card is authorised, not charged.',
      bookingId: booking.id,
      settled: false,
    }
  }
  if (outcome === 'cancelled') {
    return {
      tone: 'warning',
      title: 'Your booking was cancelled before the airline confirmed it.',
      text: NOT_CHARGED,
      bookingId: null,
      settled: true,
    }
  }
  if (outcome === 'none' && (!answer || !final)) return LOOKING
  const text = failure && !failure.message.includes('not charged') ? `${failure.message} ${NOT_CHARGED}` : (failure?.message ?? NOT_CHARGED)
  return {
    tone: 'warning',
    title: 'Your last payment did not lead to a booking. Nothing was booked.',
    text,
    bookingId: null,
    settled: true,
  }
}

/** The session that sent it is gone from this browser, so the server does not tell. */
export const ATTEMPT_UNKNOWN: AttemptWords = {
  tone: 'warning',
  title: 'We cannot tell here what came of your last payment.',
  text: 'Look for our e-mail, or sign in and open My Trips. Without an e-mail nothing was booked or charged.',
  bookingId: null,
  settled: true,
}
