import { describe, expect, it } from 'vitest'
import { ApiError, messageOf, TransportError } from './api-client.ts'

describe('what a visitor reads of a failed call', () => {
  it('is the server’s own message', () => {
    const body = JSON.stringify({ error: 'BOOKING_STATE', message: 'This booking can no longer be changed.', requestId: 'r' })
    expect(messageOf(new ApiError(409, '', body), 'Please try again.')).toBe('This booking can no longer be changed.')
  })

  it('is never the body of a proxy on the way', () => {
    const page = '<html><body><h1>502 Bad Gateway</h1>nginx</body></html>'
    expect(messageOf(new ApiError(502, 'Bad Gateway', page), 'Please try again.')).toBe('Please try again.')
    expect(messageOf(new ApiError(502, 'Bad Gateway', '{"html":1}'), 'Please try again.')).toBe('Please try again.')
  })

  it('says that there was no answer', () => {
    expect(messageOf(new TransportError('no-response'), 'Please try again.')).toBe('The server did not answer.')
  })
})
