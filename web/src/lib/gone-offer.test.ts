import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dropOffer } from './gone-offer.ts'
import { readPrevious, savePrevious } from './previous-results.ts'
import { type CachedList, offerQuery, SEARCH_PATH } from './queries.ts'
import { createQueryClient } from './query-client.ts'

const NOW = Date.parse('2027-01-05T10:05:00Z')
const READ_AT = NOW - 4 * 60_000
const offer = (id: string, expires_at = '2027-01-05T10:34:00Z') => ({ id, expires_at }) as FlightOffer
const cached = (...pages: SearchResults[]): CachedList => ({
  pages: pages.map((page) => ({ ...page, readAt: READ_AT })),
  pageParams: pages.map((_, index) => index),
})
const list = (...ids: string[]): SearchResults => ({ offers: ids.map((id) => offer(id)), total_count: 245, search_id: 'set_1' })

beforeEach(() => {
  const kept = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  vi.stubGlobal('window', { sessionStorage })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('an offer that was found to be gone', () => {
  it('RES-31, R-92: leaves every list that is kept, with its place in the count, and the lists grow no younger', () => {
    const queryClient = createQueryClient()
    queryClient.setQueryData([SEARCH_PATH, 'CDG:JFK'], cached(list('a', 'b'), list('a', 'b', 'c')), { updatedAt: READ_AT })
    queryClient.setQueryData([SEARCH_PATH, 'CDG:LIS'], cached(list('d')), { updatedAt: READ_AT })
    dropOffer(queryClient, 'a', NOW)
    const kept = queryClient.getQueryState<CachedList>([SEARCH_PATH, 'CDG:JFK'])
    expect(kept?.data).toEqual(cached({ ...list('b'), total_count: 244 }, { ...list('b', 'c'), total_count: 244 }))
    expect(kept?.dataUpdatedAt).toBe(READ_AT)
    expect(queryClient.getQueryData([SEARCH_PATH, 'CDG:LIS'])).toEqual(cached(list('d')))
  })

  it('leaves the results that were saved before loading more', () => {
    savePrevious({ searchKey: 'CDG:JFK', results: list('a', 'b'), readAt: READ_AT })
    dropOffer(createQueryClient(), 'a', NOW)
    expect(readPrevious('CDG:JFK')).toEqual({ searchKey: 'CDG:JFK', results: { ...list('b'), total_count: 244 }, readAt: READ_AT })
  })

  it('counts down no price that is not held, and is read again when it is opened', () => {
    const queryClient = createQueryClient()
    queryClient.setQueryData(offerQuery('a').queryKey, offer('a'), { updatedAt: NOW })
    dropOffer(queryClient, 'a', NOW)
    const kept = queryClient.getQueryState(offerQuery('a').queryKey)
    expect(Date.parse(kept?.data?.expires_at ?? '')).toBeLessThan(NOW - 15_000)
    expect(kept?.dataUpdatedAt).toBe(0)
    dropOffer(queryClient, 'never-read', NOW)
    expect(queryClient.getQueryData(offerQuery('never-read').queryKey)).toBeUndefined()
  })
})
