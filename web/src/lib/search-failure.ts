/** What a visitor reads of a search that failed. */
import { ApiError, TransportError } from './api-client.ts'

const SEARCH_LATER = 'Unable to search flights. Please try again later.'
const UNKNOWN = 'An unknown error occurred'

/** The server's own words where it has some; an answer of somebody on the way is told by its status. */
export function searchFailureText(error: unknown): string {
  if (error instanceof TransportError) return SEARCH_LATER
  if (error instanceof ApiError) {
    if (error.code === null) return `Flight search failed with status: ${error.status}`
    return OF_OTHERS.has(error.code) ? SEARCH_LATER : error.displayMessage
  }
  return error instanceof Error && error.message ? error.message : UNKNOWN
}

/** Codes whose messages are not about a search. */
const OF_OTHERS = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR'])
