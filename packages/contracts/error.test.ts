import { expect, test } from 'vitest'
import { AppError, failureOf } from './error.ts'

test('ABOOK-17, ABOOK-20, ABOOK-25: a failure of ours is reported as that of the call', () => {
  const text = (error: AppError, call = 'Unable to cancel booking') => failureOf(error, call).message
  expect(text(new AppError('UPSTREAM_UNAVAILABLE'))).toBe(
    'Unable to cancel booking: this part of the website is not available right now. Please try again in a moment.',
  )
  expect(text(new AppError('INTERNAL_ERROR'))).toBe('Unable to cancel booking: something went wrong on our side.')
  expect(text(new AppError('RATE_LIMITED'))).toBe('Unable to cancel booking: too many requests. Please wait a moment and try again.')
  expect(text(new AppError('OFFER_FAILED'), 'Unable to create booking')).toBe('Unable to create booking: the airline system did not answer')
  expect(text(new AppError('BOOKING_FAILED'), 'Unable to create booking')).toBe(new AppError('BOOKING_FAILED').message)
})

test('it keeps its code, what the client can act on and when to try again', () => {
  const error = new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2, details: { bookingId: 'bk_1' } })
  expect(failureOf(error, 'Unable to cancel booking')).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    status: 503,
    retryAfter: 2,
    details: { bookingId: 'bk_1' },
  })
})

test('what the visitor was refused for keeps its words', () => {
  for (const code of ['NOT_AUTHENTICATED', 'CARD_DECLINED', 'VALIDATION_ERROR', 'OFFER_EXPIRED', 'SEAT_UNAVAILABLE'] as const) {
    const error = new AppError(code)
    expect(failureOf(error, 'Unable to create booking')).toBe(error)
  }
  const away = new AppError('UPSTREAM_UNAVAILABLE')
  expect(failureOf(away, undefined)).toBe(away)
})
