/** An offer that was found to be gone is not shown again from anything that this browser keeps. */
import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { changePrevious } from './previous-results.ts'
import { type CachedList, offerQuery, SEARCH_PATH } from './queries.ts'

/**
 * Takes the offer out of every list, whose age stays what it was. Its own copy ends now, so that no page of it counts down a price
 * that is not held, and is read again when a page of it is opened.
 */
export function dropOffer(queryClient: QueryClient, offerId: string, now = Date.now()): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: [SEARCH_PATH] })) {
    const list = state.data as CachedList | undefined
    if (!list) continue
    const pages = list.pages.map((page) => withoutOffer(page, offerId))
    queryClient.setQueryData<CachedList>(queryKey, { ...list, pages }, { updatedAt: state.dataUpdatedAt })
  }
  changePrevious((results) => withoutOffer(results, offerId))
  queryClient.setQueryData(offerQuery(offerId).queryKey, (offer) => offer && ended(offer, now), { updatedAt: 0 })
}

function withoutOffer<List extends SearchResults>(list: List, offerId: string): List {
  const offers = list.offers.filter(({ id }) => id !== offerId)
  const dropped = list.offers.length - offers.length
  return dropped === 0 ? list : { ...list, offers, total_count: Math.max(offers.length, list.total_count - dropped) }
}

/** The clocks of the pages are renewed every few seconds: an end of this moment would lie before them for a while. */
const CLOCKS_MS = 60_000

function ended(offer: FlightOffer, now: number): FlightOffer {
  const end = now - CLOCKS_MS
  return Date.parse(offer.expires_at) <= end ? offer : { ...offer, expires_at: new Date(end).toISOString() }
}

/** The same, as soon as a page has learnt it. */
export function useDropGone(offerId: string, gone: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (gone) dropOffer(queryClient, offerId)
  }, [queryClient, offerId, gone])
}
