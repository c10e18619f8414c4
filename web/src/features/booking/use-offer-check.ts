import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api-client.ts'
import type { Step } from './model/steps.ts'
import { checkOffer, type OfferCheck } from './model/verification.ts'

/** How often an offer is checked on its own, by step. */
const EVERY_MS: Partial<Record<Step, number>> = { passengers: 30_000, payment: 15_000 }

export type OfferChecks = {
  /** The last answer; null before the first. */
  latest: OfferCheck | null
  check: () => Promise<OfferCheck>
}

export const offerCheckQuery = (offerId: string, step: Step) =>
  queryOptions<OfferCheck>({
    // A step has a check of its own: entering one asks at once.
    queryKey: ['offer-check', offerId, EVERY_MS[step] ? step : 'none'],
    queryFn: () => checkOffer(offerId, api.verifyOffer),
    enabled: EVERY_MS[step] !== undefined,
    refetchInterval: EVERY_MS[step] ?? false,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
    placeholderData: (before) => before,
  })

export function useOfferCheck(offerId: string, step: Step): OfferChecks {
  const { data, refetch } = useQuery(offerCheckQuery(offerId, step))
  const check = async (): Promise<OfferCheck> =>
    (await refetch()).data ?? { state: 'unverified', code: 'UNKNOWN_ERROR', message: 'The check failed for an unknown reason.' }
  return { latest: data ?? null, check }
}
