/** How a list is asked for and how long it is good. */
import type { SearchResults } from '@passerelle/contracts/http/search'
import { api } from '../../../lib/api-client.ts'
import { SEARCH_PATH } from '../../../lib/gone-offer.ts'
import { FIRST_PAGE_SIZE, readResults } from './pages.ts'
import { keyOf, type Search } from './search-address.ts'

/** After that a list is read again before it is shown, after KEPT_MS it is forgotten. */
export const FRESH_MS = 5 * 60_000
const KEPT_MS = 10 * 60_000

type Page = { page: number; limit: number }

export async function fetchPage(
  search: Search,
  { page, limit }: Page,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<SearchResults> {
  const { tripType: _tripType, ...criteria } = search
  // It is kept here; the browser's own cache would bring offers back that are gone.
  return readResults(await api.search({ query: { ...criteria, page, limit } }, { ...options, cache: 'no-store' }))
}

/** The first page of a search. */
export function resultsQuery(search: Search) {
  return {
    queryKey: [SEARCH_PATH, keyOf(search)],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(search, { page: 1, limit: FIRST_PAGE_SIZE }, { signal }),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  }
}
