import { describe, expect, it } from 'vitest'
import { ApiError, TransportError } from '../../../lib/api-client.ts'
import { EMPTY, failureOf, hasExpired, isEmpty } from './failure.ts'
import { OFFER } from './offer.fixture.ts'

const answer = (status: number, body: object) => new ApiError(status, '', JSON.stringify({ requestId: 'r', ...body }))

describe('an offer that cannot be shown', () => {
  it('DET-20: a failure shows the message of the server', () => {
    const failure = failureOf(
      answer(502, { error: 'OFFER_FAILED', message: 'Unable to retrieve flight offer: the airline system did not answer' }),
    )
    expect(failure).toEqual({
      title: 'Error Loading Flight Details',
      message: 'Unable to retrieve flight offer: the airline system did not answer',
      retry: true,
    })
  })

  it('DET-20: a failure without a message has one of its own', () => {
    expect(failureOf(new ApiError(500, '', '')).message).toBe('Unable to load flight details. Please try again.')
    expect(failureOf(new TransportError('no-response'))).toMatchObject({ title: 'Error Loading Flight Details', retry: true })
  })

  it('DET-20: what does not exist is not asked for again', () => {
    expect(failureOf(answer(404, { error: 'OFFER_NOT_FOUND', message: 'gone' })).retry).toBe(false)
    expect(failureOf(answer(429, { error: 'RATE_LIMITED', message: 'slowly' })).retry).toBe(true)
  })

  it('a 410 says that the offer has expired', () => {
    const error = answer(410, { error: 'OFFER_EXPIRED', message: 'This flight offer has expired. Please select another flight.' })
    expect(hasExpired(error)).toBe(true)
    expect(failureOf(error)).toEqual({
      title: 'Flight Offer Expired',
      message: 'This flight offer has expired. Please select another flight.',
      retry: false,
    })
  })

  it('DET-21: an empty answer reads "No offer details available"', () => {
    expect(EMPTY.message).toBe('No offer details available')
    expect([null, undefined, {}, { slices: [] }, { slices: [{ segments: [] }] }].map((answered) => isEmpty(answered as never))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
    expect(isEmpty(OFFER)).toBe(false)
  })
})
