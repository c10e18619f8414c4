import type { SearchResults } from '@passerelle/contracts/http/search'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { api, messageOf } from '../../lib/api-client.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { FIRST_PAGE_SIZE, firstPage, loadMore, MORE_PAGE_SIZE, readMore, readResults, withMore, withoutMore } from './model/pages.ts'
import { forgetPrevious, readPrevious, savePrevious } from './model/previous-results.ts'
import { keyOf, type Search } from './model/search-address.ts'

const FRESH_MS = 5 * 60_000
const KEPT_MS = 10 * 60_000
const ERROR_TITLE = 'Error Loading Flights'
const UNKNOWN = 'An unknown error occurred'

type Page = { page: number; limit: number }

async function fetchPage(
  search: Search,
  { page, limit }: Page,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<SearchResults> {
  const { tripType: _tripType, ...criteria } = search
  return readResults(await api.search({ query: { ...criteria, page, limit } }, options))
}

export type Results = {
  results: SearchResults | undefined
  /** What the visitor may read of a failure without results. */
  error: string | null
  /** The whole list is being read. */
  loading: boolean
  loadingMore: boolean
  refresh: () => void
  more: () => void
  backToFirstPage: () => void
}

/** The results of one search: the first page at once, more on demand, all of it kept for a way back from an offer. */
export function useResults(search: Search): Results {
  const queryClient = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const searchKey = keyOf(search)
  const [loadingMore, setLoadingMore] = useState(false)
  const [refreshing, setRefreshing] = useState(false)
  const asked = readMore(query)

  const first = useMemo(
    () => ({
      queryKey: ['/api/flights/search', searchKey],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(search, { page: 1, limit: FIRST_PAGE_SIZE }, { signal }),
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
    }),
    [search, searchKey],
  )
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...first,
    refetchOnMount: false,
    // After a reload in the middle of loading more, what was shown comes first.
    ...(asked && { initialData: () => readPrevious(searchKey) ?? undefined }),
  })

  const readOn = useCallback(
    async (previousCount: number) => {
      setLoadingMore(true)
      try {
        const earlier = await queryClient.ensureQueryData(first)
        const all = await loadMore(earlier, previousCount, (page) => fetchPage(search, { page, limit: MORE_PAGE_SIZE }))
        queryClient.setQueryData(first.queryKey, all)
      } catch (failure) {
        toast({ title: ERROR_TITLE, description: messageOf(failure, UNKNOWN), tone: 'negative' })
      } finally {
        setLoadingMore(false)
      }
    },
    [queryClient, search, first],
  )

  // The address carries a request for more only until it is read; it leaves no trace in the history.
  const previousCount = asked?.previousCount
  useEffect(() => {
    if (previousCount === undefined) return
    setQuery(withoutMore, { replace: true, preventScrollReset: true })
    void readOn(previousCount)
  }, [previousCount, readOn, setQuery])

  async function refresh(): Promise<void> {
    setRefreshing(true)
    try {
      const fresh = await fetchPage(search, { page: 1, limit: FIRST_PAGE_SIZE }, { headers: { 'cache-control': 'no-cache' } })
      forgetPrevious()
      queryClient.setQueryData(first.queryKey, fresh)
    } catch (failure) {
      toast({ title: ERROR_TITLE, description: messageOf(failure, UNKNOWN), tone: 'negative' })
    } finally {
      setRefreshing(false)
    }
  }

  return {
    results: data,
    error: error && !data ? messageOf(error, UNKNOWN) : null,
    loading: isPending || refreshing || (isFetching && !data),
    loadingMore,
    refresh: () => void (data ? refresh() : refetch()),
    more: () => {
      if (!data || loadingMore) return
      savePrevious(searchKey, data)
      setQuery((now) => withMore(now, data.offers.length), { replace: true, preventScrollReset: true })
    },
    backToFirstPage: () => {
      if (!data) return
      forgetPrevious()
      queryClient.setQueryData(first.queryKey, firstPage(data))
    },
  }
}
