import type { FlightOffer, SeatMap } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'
import { offerPath, useDropGone } from '../../lib/gone-offer.ts'
import { isGone } from './model/failure.ts'

/** Prices and places move: an offer is read again whenever its page is opened, and what was read before is shown meanwhile. */
export function useOffer(id: string) {
  const query = useQuery<FlightOffer | null>({ queryKey: [offerPath(id)], staleTime: 0 })
  useDropGone(id, isGone(query.error))
  return query
}

export function useSeatMaps(id: string) {
  return useQuery<{ data?: SeatMap[] }>({ queryKey: [`/api/flights/seatmaps/${encodeURIComponent(id)}`] })
}
