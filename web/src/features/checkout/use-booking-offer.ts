import type { FlightOffer } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-client.ts'
import { EXPIRED_MESSAGE } from '../booking/model/verification.ts'

/** An offer read on its own page a moment ago is not read again. */
const FRESH_MS = 60_000

export function useBookingOffer(id: string) {
  return useQuery<FlightOffer | null>({
    queryKey: [`/api/flights/offer/${encodeURIComponent(id)}`],
    enabled: id !== '',
    staleTime: FRESH_MS,
  })
}

export type OfferFailure = { title: string; message: string; retry: boolean }

const NOT_FOUND: OfferFailure = {
  title: 'Flight offer not found',
  message: 'It may have been sold or withdrawn. Please select another flight.',
  retry: false,
}

/** What is said instead of the form; `error` null: the answer was empty or there was nothing to ask for. */
export function offerFailure(error: unknown): OfferFailure {
  if (error === null) return NOT_FOUND
  if (error instanceof ApiError) {
    if (error.status === 410 || error.code === 'OFFER_EXPIRED')
      return { title: 'Flight Offer Expired', message: EXPIRED_MESSAGE, retry: false }
    if (error.status === 404 || error.status === 400) return NOT_FOUND
  }
  return { title: 'Error loading flight details', message: 'We could not read this flight just now. Please try again.', retry: true }
}
