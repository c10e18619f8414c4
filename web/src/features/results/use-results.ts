import type { SearchResults } from '@passerelle/contracts/http/search'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { forgetPrevious, readPrevious, savePrevious } from '../../lib/previous-results.ts'
import { useAddressQuery } from '../../lib/router.ts'
import { searchFailureText } from '../../lib/search-failure.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { firstPage, mergePages, readMore, withMore, withoutMore } from './model/pages.ts'
import { fetchFirst, keptList, listKey, listOf, resultsQuery } from './model/results-query.ts'
import { keyOf, type Search } from './model/search-address.ts'
import { type View, wishesOf } from './model/view-address.ts'

const ERROR_TITLE = 'Error Loading Flights'

export type Results = {
  results: SearchResults | undefined
  /** What the visitor may read of a failure without results. */
  error: string | null
  /** The whole list is being read. */
  loading: boolean
  loadingMore: boolean
  /** The list of the wishes before is shown while the one of now is read. */
  updating: boolean
  refresh: () => void
  more: () => void
  backToFirstPage: () => void
}

/** What a view leaves of one search: the first page at once, more on demand, all of it kept for a way back from an offer. */
export function useResults(search: Search, view: View): Results {
  const queryClient = useQueryClient()
  const [address, changeAddress] = useAddressQuery()
  const wishes = useMemo(() => wishesOf(view), [view])
  const searchKey = listKey(search, wishes)
  const asked = readMore(address) !== null

  const list = useMemo(() => resultsQuery(search, wishes), [search, wishes])
  const {
    data,
    error,
    isPlaceholderData,
    isPending,
    isFetching,
    isFetchingNextPage,
    isFetchNextPageError,
    isStale,
    refetch,
    fetchNextPage,
  } = useInfiniteQuery({
    ...list,
    select: ({ pages }) => ({ results: mergePages(pages), readAt: pages[0]?.readAt ?? 0 }),
    placeholderData: (before, query) => (query?.queryKey[1] === keyOf(search) ? before : undefined),
    // After a reload in the middle of loading more, what was shown comes first.
    ...(asked && keptList(readPrevious(searchKey))),
  })

  const readOn = useCallback(async () => {
    await queryClient.ensureInfiniteQueryData(list).catch(() => undefined)
    const read = await fetchNextPage()
    if (read.isFetchNextPageError) tell(read.error)
  }, [queryClient, list, fetchNextPage])

  // The address carries a request for more only until it is read; it leaves no trace in the history.
  useEffect(() => {
    if (!asked) return
    changeAddress(withoutMore)
    void readOn()
  }, [asked, readOn, changeAddress])

  const refreshing = useMutation({
    mutationFn: async () => {
      // A page of the old list that is still on its way may not come after the new one.
      await queryClient.cancelQueries({ queryKey: list.queryKey })
      return fetchFirst(search, wishes, { headers: { 'cache-control': 'no-cache' } })
    },
    onSuccess: (first) => {
      forgetPrevious()
      queryClient.setQueryData(list.queryKey, listOf(first))
      // Under other wishes the list before would still be there.
      queryClient.removeQueries({ queryKey: list.queryKey.slice(0, 2), type: 'inactive' })
    },
    onError: tell,
  })

  // A list that is older than five minutes is read again before it is shown; until then it is what was there earlier.
  const tooOld = (isStale && !isPlaceholderData) || !data
  return {
    results: data?.results,
    error: error && !isFetchNextPageError && tooOld ? searchFailureText(error) : null,
    loading: isPending || refreshing.isPending || (isFetching && !isFetchingNextPage && tooOld),
    loadingMore: isFetchingNextPage,
    updating: isPlaceholderData,
    refresh: () => {
      if (!data) void refetch()
      else if (!refreshing.isPending) refreshing.mutate()
    },
    more: () => {
      if (!data || isFetchingNextPage || isPlaceholderData) return
      savePrevious({ searchKey, results: data.results, readAt: data.readAt })
      changeAddress((now) => withMore(now, data.results.offers.length))
    },
    backToFirstPage: () => {
      if (!data) return
      forgetPrevious()
      queryClient.setQueryData(list.queryKey, listOf({ ...firstPage(data.results), readAt: data.readAt }))
    },
  }
}

function tell(failure: unknown): void {
  toast({ title: ERROR_TITLE, description: searchFailureText(failure), tone: 'negative' })
}
