import type { FlightOffer, SeatMap } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'

/** Seats and prices move: an offer read longer ago is read again when its page is opened. */
const FRESH_MS = 60_000

const path = (call: string, id: string) => `/api/flights/${call}/${encodeURIComponent(id)}`

export function useOffer(id: string) {
  return useQuery<FlightOffer | null>({ queryKey: [path('offer', id)], staleTime: FRESH_MS })
}

export function useSeatMaps(id: string) {
  return useQuery<{ data?: SeatMap[] }>({ queryKey: [path('seatmaps', id)] })
}
