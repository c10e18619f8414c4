/** What is read from the server: keys, calls and types of every query that more than one screen shares. */

import type { User } from '@passerelle/contracts/http/identity'
import type { SearchResults } from '@passerelle/contracts/http/search'
import { type InfiniteData, queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

export const SEARCH_PATH = '/api/flights/search'
const BOOKINGS_PATH = '/api/bookings'

/** A page of a list; `readAt`: when it was asked for, milliseconds since 1970. */
export type ListPage = SearchResults & { readAt: number }
export type CachedList = InfiniteData<ListPage, unknown>

/** The gateway writes into the page that nobody is signed in: then nobody asks who is. */
function knownSignedOut(): null | undefined {
  const meta = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="session"]')
  return meta?.content === 'none' ? null : undefined
}

/** null when nobody is signed in. */
export const userQuery = queryOptions<User | null>({ queryKey: ['/api/auth/user'], meta: { on401: 'null' }, initialData: knownSignedOut })

export const systemModeQuery = queryOptions({
  queryKey: ['/api/system/mode'],
  queryFn: ({ signal }) => api.systemMode(undefined, { signal }),
})

export const offerQuery = (id: string) =>
  queryOptions({
    queryKey: [`/api/flights/offer/${encodeURIComponent(id)}`],
    queryFn: ({ signal }) => api.getOffer({ params: { id } }, { signal }),
  })

export const seatMapsQuery = (id: string) =>
  queryOptions({
    queryKey: [`/api/flights/seatmaps/${encodeURIComponent(id)}`],
    queryFn: ({ signal }) => api.getSeatMaps({ params: { id } }, { signal }),
  })

export const bookingsQuery = queryOptions({
  queryKey: [BOOKINGS_PATH],
  queryFn: ({ signal }) => api.listBookings(undefined, { signal }),
})

export const bookingQuery = (id: string) =>
  queryOptions({
    queryKey: [`${BOOKINGS_PATH}/${encodeURIComponent(id)}`],
    queryFn: ({ signal }) => api.getBooking({ params: { id } }, { signal }),
  })

/** Read afresh whenever it is opened: a refund may have come. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: [`${BOOKINGS_PATH}/${encodeURIComponent(id)}/receipt`],
    queryFn: ({ signal }) => api.getReceipt({ params: { id } }, { signal }),
    staleTime: 0,
  })
