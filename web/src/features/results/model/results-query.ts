/** How a list is asked for and how long it is good. */
import type { SearchResults } from '@passerelle/contracts/http/search'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import type { PreviousResults } from '../../../lib/previous-results.ts'
import { type ListPage, SEARCH_PATH } from '../../../lib/queries.ts'
import { FIRST_PAGE_SIZE, fetchMore, hasMore, MORE_PAGE_SIZE, mergePages, nextPage, readResults } from './pages.ts'
import { keyOf, queryOf, type Search, type Wishes } from './search-address.ts'

/** After that a list is read again before it is shown, after KEPT_MS it is forgotten. */
export const FRESH_MS = 5 * 60_000
const KEPT_MS = 10 * 60_000

/** `searchId`: of the pages before; null for the first page. */
type PageParam = { page: number; searchId: string | null }
export type ListData = InfiniteData<ListPage, PageParam>

const FIRST: PageParam = { page: 1, searchId: null }

type SearchQuery = Parameters<typeof api.search>[0]['query']
type Options = { signal?: AbortSignal; headers?: Record<string, string> }

/** One text per list: a search and what is wished of it. */
export function listKey(search: Search, wishes: Wishes): string {
  return [keyOf(search), ...Object.entries(wishes).map(([name, value]) => `${name}=${value}`)].join(' ')
}

export async function fetchPage(
  search: Search,
  { page, limit, wishes = {} }: { page: number; limit: number; wishes?: Wishes },
  options: Options = {},
): Promise<SearchResults> {
  // It is kept here; the browser's own cache would bring offers back that are gone.
  const query = queryOf(search, { page, limit }, wishes) as unknown as SearchQuery
  return readResults(await api.search({ query }, { ...options, cache: 'no-store' }))
}

/** The first page as the server has it now. */
export async function fetchFirst(search: Search, wishes: Wishes = {}, options: Options = {}): Promise<ListPage> {
  return { ...(await fetchPage(search, { page: 1, limit: FIRST_PAGE_SIZE, wishes }, options)), readAt: Date.now() }
}

/** A list of one page. */
export function listOf(page: ListPage): ListData {
  return { pages: [page], pageParams: [FIRST] }
}

/** What was saved before loading more, while it may still be shown. */
export function keptList(kept: PreviousResults | null, now = Date.now()) {
  if (!kept || now - kept.readAt >= FRESH_MS) return {}
  return { initialData: listOf({ ...kept.results, readAt: kept.readAt }), initialDataUpdatedAt: kept.readAt }
}

/** A list is as old as its oldest page: what was added to it does not make it younger. */
function freshFor(data: ListData | undefined, dataUpdatedAt: number): number {
  const oldest = Math.min(...(data?.pages ?? []).map(({ readAt }) => readAt), dataUpdatedAt)
  return Math.max(0, oldest + FRESH_MS - dataUpdatedAt)
}

/** What the wishes leave of a search, page by page. */
export function resultsQuery(search: Search, wishes: Wishes = {}) {
  return infiniteQueryOptions({
    queryKey: [SEARCH_PATH, keyOf(search), listKey(search, wishes)],
    queryFn: async ({ pageParam: { page, searchId }, signal }): Promise<ListPage> => {
      if (searchId === null) return fetchFirst(search, wishes, { signal })
      const readAt = Date.now()
      const more = await fetchMore(page, searchId, (one) => fetchPage(search, { page: one, limit: MORE_PAGE_SIZE, wishes }, { signal }))
      return { ...more, readAt }
    },
    initialPageParam: FIRST,
    getNextPageParam: (_last, pages): PageParam | undefined => {
      const list = mergePages(pages)
      return hasMore(list) ? { page: nextPage(list.offers.length), searchId: list.search_id } : undefined
    },
    staleTime: ({ state }) => freshFor(state.data, state.dataUpdatedAt),
    gcTime: KEPT_MS,
  })
}
