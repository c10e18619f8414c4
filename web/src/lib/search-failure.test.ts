import { describe, expect, it } from 'vitest'
import { ApiError, TransportError } from './api-client.ts'
import { searchFailureText } from './search-failure.ts'

const answer = (status: number, error: string, message: string) =>
  new ApiError(status, '', JSON.stringify({ error, message, requestId: 'r' }))
const LATER = 'Unable to search flights. Please try again later.'

describe('a search that failed', () => {
  it.each<[string, unknown, string]>([
    [
      'the reason of the airlines',
      answer(422, 'SEARCH_REFUSED', 'Unable to search flights: no such airport'),
      'Unable to search flights: no such airport',
    ],
    ['an airline system in trouble', answer(502, 'SEARCH_FAILED', LATER), LATER],
    ['too many at once', answer(503, 'SEARCH_BUSY', LATER), LATER],
    [
      'a status that nobody foresaw',
      answer(502, 'SEARCH_FAILED', 'Flight search failed with status: 403'),
      'Flight search failed with status: 403',
    ],
    ['a service that is away', answer(503, 'UPSTREAM_UNAVAILABLE', 'This part of the website is not available right now.'), LATER],
    ['an error page of a proxy', new ApiError(504, 'Gateway Timeout', '<html>'), 'Flight search failed with status: 504'],
    ['an answer without a body', new ApiError(500, 'Internal Server Error', ''), 'Flight search failed with status: 500'],
    ['no answer', new TransportError('no-response'), LATER],
    ['what has no words', 'x', 'An unknown error occurred'],
  ])('ASRCH-19, RES-20: %s', (_, error, text) => {
    expect(searchFailureText(error)).toBe(text)
  })
})
