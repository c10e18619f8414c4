import { useQuery } from '@tanstack/react-query'
import { useDropGone } from '../../lib/gone-offer.ts'
import { offerQuery, seatMapsQuery } from '../../lib/queries.ts'
import { isGone } from './model/failure.ts'

/** Prices and places move: an offer is read again whenever its page is opened, and what was read before is shown meanwhile. */
export function useOffer(id: string) {
  const query = useQuery({ ...offerQuery(id), staleTime: 0 })
  useDropGone(id, isGone(query.error))
  return query
}

export function useSeatMaps(id: string) {
  return useQuery(seatMapsQuery(id))
}
