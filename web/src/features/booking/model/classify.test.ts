import { ApiError, TransportError } from '@passerelle/contracts/client'
import { type ErrorCode, errorCatalogue, type Issue } from '@passerelle/contracts/error'
import { describe, expect, it } from 'vitest'
import { classifyBookingError, classifyDecline, classifyPaymentError, countsAsTestSuccess } from './classify.ts'

type More = { message?: string; details?: Record<string, unknown>; issues?: Issue[] }
function answered(code: ErrorCode, more: More = {}): ApiError {
  const [status, message] = errorCatalogue[code]
  return new ApiError(status, '', JSON.stringify({ error: code, message, requestId: 'r', ...more }))
}
const bare = (status: number, text: string) => new ApiError(status, 'Bad', text)

describe('a failed payment call', () => {
  it('PAY-13: a decline is "Card Payment Failed" with the message of the card', () => {
    expect(classifyDecline({ success: false, message: 'Your card was declined.' })).toEqual({
      kind: 'payment',
      title: 'Card Payment Failed',
      message: 'Your card was declined.',
      answered: true,
      declined: true,
      retryAfter: null,
    })
    expect(classifyPaymentError(answered('CARD_DECLINED'))).toMatchObject({ kind: 'payment', title: 'Card Payment Failed' })
  })

  it('PAY-22, R-27: "Your card has expired" is a payment failure, with its code and without', () => {
    expect(classifyPaymentError(answered('CARD_DECLINED', { message: 'Your card has expired' }))).toMatchObject({ kind: 'payment' })
    expect(classifyPaymentError(bare(400, 'Your card has expired'))).toMatchObject({ kind: 'payment' })
  })

  it('PAY-19, PAY-20, R-27: the code of an expired or unknown offer comes before its words', () => {
    expect(classifyPaymentError(answered('OFFER_EXPIRED', { message: 'payment card' }))).toEqual({ kind: 'expired', gone: false })
    expect(classifyPaymentError(answered('OFFER_NOT_FOUND'))).toEqual({ kind: 'expired', gone: true })
  })

  it('OFFER-13: without a code the words tell an expiry', () => {
    expect(classifyPaymentError(bare(409, 'The offer has expired'))).toEqual({ kind: 'expired', gone: false })
  })

  it('a server that did not answer leaves open whether the amount is held', () => {
    expect(classifyPaymentError(new TransportError('no-response'))).toMatchObject({ title: 'Payment Failed', answered: false })
    expect(classifyPaymentError(answered('UPSTREAM_TIMEOUT'))).toMatchObject({ title: 'Payment Failed', answered: false })
    expect(classifyPaymentError(answered('PAYMENT_IN_PROGRESS'))).toMatchObject({ title: 'Payment Failed', answered: false })
  })

  it('PAY-17: an unexpected exception is "Payment Error"', () => {
    expect(classifyPaymentError(new TypeError('x'))).toMatchObject({ kind: 'payment', title: 'Payment Error' })
    expect(classifyPaymentError(new TransportError('not-json'))).toMatchObject({ title: 'Payment Error' })
    expect(classifyDecline({ success: true })).toMatchObject({ title: 'Payment Error' })
  })

  it('PAY-23: a raw card number that is refused is a payment failure with the message', () => {
    expect(classifyPaymentError(answered('RAW_CARD_REFUSED'))).toMatchObject({
      title: 'Payment Failed',
      message: errorCatalogue.RAW_CARD_REFUSED[1],
      answered: true,
    })
  })

  it('too many declined cards say in how many seconds one can try again, and are no word about this card', () => {
    const stopped = new ApiError(429, '', JSON.stringify({ error: 'CARD_ATTEMPTS_STOPPED', message: 'x', requestId: 'r' }), '1680')
    expect(classifyPaymentError(stopped)).toMatchObject({ kind: 'payment', answered: true, declined: false, retryAfter: 1680 })
  })

  it('PAY-15, R-18: a 401 or an unreachable server counts as success only where the server said "test"', () => {
    for (const error of [answered('NOT_AUTHENTICATED'), new TransportError('no-response')]) {
      expect(countsAsTestSuccess(error, true)).toBe(true)
      expect(countsAsTestSuccess(error, false)).toBe(false)
    }
  })

  it('PAY-15, R-18: a decline never counts as success', () => {
    for (const error of [answered('CARD_DECLINED'), answered('INTERNAL_ERROR'), new TransportError('not-json'), new TypeError('x')]) {
      expect(countsAsTestSuccess(error, true)).toBe(false)
    }
  })
})

describe('a failed booking call', () => {
  it('ABOOK-11: a changed price brings the new total', () => {
    const details = { amount: '2010.00', currency: 'USD' }
    expect(classifyBookingError(answered('PRICE_CHANGED', { details }))).toEqual({ kind: 'price', charge: details })
    expect(classifyBookingError(answered('PAYMENT_AMOUNT_MISMATCH', { details }))).toEqual({ kind: 'price', charge: details })
  })

  it('ABOOK-12: a seat taken meanwhile is named where the server knows it', () => {
    const seats = [{ passengerId: 'pas_1', seatId: '24A', segmentId: 'seg_1_1' }]
    expect(classifyBookingError(answered('SEAT_UNAVAILABLE', { details: { seats } }))).toMatchObject({ kind: 'seats', seats })
    expect(classifyBookingError(answered('SEAT_UNAVAILABLE'))).toMatchObject({ kind: 'seats', seats: null })
  })

  it('PAX-35: fields of passengers go back to the form', () => {
    const issues = [{ path: 'passengers.1.title', message: 'The airline needs the title of passenger 2' }]
    expect(classifyBookingError(answered('PASSENGER_INCOMPLETE', { issues }))).toMatchObject({ kind: 'passengers', issues })
    expect(classifyBookingError(answered('VALIDATION_ERROR', { issues }))).toMatchObject({ kind: 'passengers', issues })
    expect(classifyBookingError(answered('PASSENGERS_MISMATCH'))).toMatchObject({ kind: 'passengers', issues: [] })
  })

  it('R-26: a payment that has its booking already leads to that booking', () => {
    expect(classifyBookingError(answered('PAYMENT_NOT_USABLE', { details: { bookingId: 'bk_9' } }))).toEqual({
      kind: 'booked',
      bookingId: 'bk_9',
    })
    expect(classifyBookingError(answered('PAYMENT_NOT_USABLE', { details: { bookingId: null } }))).toMatchObject({ kind: 'payment' })
  })

  it('passengers who have this flight by a booking of another visitor are told which booking that is', () => {
    expect(classifyBookingError(answered('BOOKING_EXISTS', { details: { bookingId: 'bk_9' } }))).toEqual({
      kind: 'exists',
      bookingId: 'bk_9',
    })
    expect(classifyBookingError(answered('BOOKING_EXISTS'))).toMatchObject({ kind: 'refused' })
  })

  it('ABOOK-13: a payment that the server does not know asks for the card again', () => {
    expect(classifyBookingError(answered('PAYMENT_UNKNOWN'))).toMatchObject({ kind: 'payment', title: 'Payment Failed' })
  })

  it('PAY-16: a refusal of the airline is a failure without a booking', () => {
    expect(classifyBookingError(answered('BOOKING_REFUSED'))).toEqual({ kind: 'refused', message: errorCatalogue.BOOKING_REFUSED[1] })
    expect(classifyBookingError(answered('BOOKING_FAILED'))).toMatchObject({ kind: 'refused' })
    expect(classifyBookingError(answered('RATE_LIMITED'))).toMatchObject({ kind: 'refused' })
  })

  it('R-26: an answer that got lost leaves open whether there is a booking', () => {
    for (const error of [
      new TransportError('no-response'),
      new TransportError('not-json'),
      answered('UPSTREAM_TIMEOUT'),
      bare(502, '<html>'),
    ]) {
      expect(classifyBookingError(error)).toMatchObject({ kind: 'unknown' })
    }
  })

  it('OFFER-13, OFFER-14: without a code the words decide, expiry first', () => {
    expect(classifyBookingError(bare(400, 'card of an offer that does not exist'))).toEqual({ kind: 'expired', gone: true })
    expect(classifyBookingError(bare(400, 'resource not found'))).toMatchObject({ kind: 'payment', title: 'Payment Failed' })
    expect(classifyBookingError(bare(400, 'no'))).toMatchObject({ kind: 'refused', message: 'Something went wrong. Please try again.' })
  })
})
