/** What is said when an offer cannot be shown. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { ApiError, messageOf } from '../../../lib/api-client.ts'

export type Failure = {
  title: string
  message: string
  /** Asking again may help. */
  retry: boolean
}

const TITLE = 'Error Loading Flight Details'

export function hasExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 410 || error.code === 'OFFER_EXPIRED')
}

/** It will not come back: it has expired, or it does not exist. */
export function isGone(error: unknown): boolean {
  return hasExpired(error) || (error instanceof ApiError && error.code === 'OFFER_NOT_FOUND')
}

export function failureOf(error: unknown): Failure {
  if (hasExpired(error)) {
    const message = messageOf(error, 'This flight offer has expired. Please select another flight.')
    return { title: 'Flight Offer Expired', message, retry: false }
  }
  const gone = error instanceof ApiError && error.status < 500 && error.status !== 429
  return { title: TITLE, message: messageOf(error, 'Unable to load flight details. Please try again.'), retry: !gone }
}

/** An answer without flights cannot be shown. */
export function isEmpty(offer: FlightOffer | null | undefined): offer is null | undefined {
  return !offer?.slices?.some((slice) => slice.segments?.length > 0)
}

export const EMPTY: Failure = { title: TITLE, message: 'No offer details available', retry: false }
