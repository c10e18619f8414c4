import type { SearchResults } from '@passerelle/contracts/http/search'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { forgetPrevious, readPrevious, savePrevious } from '../../lib/previous-results.ts'
import { useSearchParams } from '../../lib/router.ts'
import { searchFailureText } from '../../lib/search-failure.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { FIRST_PAGE_SIZE, firstPage, loadMore, MORE_PAGE_SIZE, readMore, withMore, withoutMore } from './model/pages.ts'
import { FRESH_MS, fetchPage, resultsQuery } from './model/results-query.ts'
import { keyOf, type Search } from './model/search-address.ts'

const ERROR_TITLE = 'Error Loading Flights'

/** What was saved before loading more, while it may still be shown. */
function keptList(searchKey: string) {
  const kept = readPrevious(searchKey)
  if (!kept || Date.now() - kept.readAt >= FRESH_MS) return {}
  return { initialData: kept.results, initialDataUpdatedAt: kept.readAt }
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

  const first = useMemo(() => resultsQuery(search), [search])
  const { data, dataUpdatedAt, error, isPending, isFetching, isStale, refetch } = useQuery({
    ...first,
    // After a reload in the middle of loading more, what was shown comes first.
    ...(asked && keptList(searchKey)),
  })

  const readOn = useCallback(
    async (previousCount: number) => {
      setLoadingMore(true)
      try {
        const earlier = await queryClient.ensureQueryData(first)
        const all = await loadMore(earlier, previousCount, (page) => fetchPage(search, { page, limit: MORE_PAGE_SIZE }))
        // What was added to a list does not make it younger.
        const readAt = queryClient.getQueryState(first.queryKey)?.dataUpdatedAt
        queryClient.setQueryData(first.queryKey, all, all.search_id === earlier.search_id ? { updatedAt: readAt } : {})
      } catch (failure) {
        toast({ title: ERROR_TITLE, description: searchFailureText(failure), tone: 'negative' })
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
      toast({ title: ERROR_TITLE, description: searchFailureText(failure), tone: 'negative' })
    } finally {
      setRefreshing(false)
    }
  }

  // A list that is older than five minutes is read again before it is shown; until then it is what was there earlier.
  const tooOld = isStale || !data
  return {
    results: data,
    error: error && tooOld ? searchFailureText(error) : null,
    loading: isPending || refreshing || (isFetching && tooOld),
    loadingMore,
    refresh: () => void (data ? refresh() : refetch()),
    more: () => {
      if (!data || loadingMore) return
      savePrevious({ searchKey, results: data, readAt: dataUpdatedAt })
      setQuery((now) => withMore(now, data.offers.length), { replace: true, preventScrollReset: true })
    },
    backToFirstPage: () => {
      if (!data) return
      forgetPrevious()
      queryClient.setQueryData(first.queryKey, firstPage(data), { updatedAt: dataUpdatedAt })
    },
  }
}
