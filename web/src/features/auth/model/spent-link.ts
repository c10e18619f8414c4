import { ApiError } from '../../../lib/api-client.ts'

/** The link of a mail has expired or was used before. */
export function isSpentLink(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'LINK_INVALID'
}
