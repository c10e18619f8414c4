import { ApiError, messageOf } from '../../lib/api-client.ts'

export type RetrieveFailure = { title: string; words: string }

/** One answer for a wrong reference and a wrong e-mail, so that nobody can find out which of them exists. */
export function retrieveFailure(error: unknown): RetrieveFailure {
  if (error instanceof ApiError) {
    if (error.code === 'RATE_LIMITED') {
      const minutes = Math.max(1, Math.ceil((error.retryAfter ?? 60) / 60))
      return { title: 'Too many attempts.', words: `Please try again in ${minutes} min, or call us.` }
    }
    if (error.status === 404 || error.status === 400)
      return { title: 'We could not find that booking.', words: 'Check the reference and the e-mail, or call us.' }
  }
  return { title: 'We could not look for your booking.', words: messageOf(error, 'Please try again later.') }
}
