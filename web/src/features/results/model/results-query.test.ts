import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { fetchFirst, fetchPage, listOf, resultsQuery } from './results-query.ts'
import type { Search } from './search-address.ts'

const search: Search = {
  origin: 'CDG',
  destination: 'JFK',
  departureDate: '2027-03-04',
  returnDate: undefined,
  cabinClass: 'economy',
  adultsCount: 2,
  childrenCount: 0,
  infantsCount: 0,
  tripType: 'one-way',
}
const answer = { offers: [], total_count: 0, search_id: 'srs_1' }
const MINUTE = 60_000

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => Response.json(answer)),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Opens the page of results with a list that was read this long ago; tells how often the server was asked. */
async function openWith(ageMs: number, addedAfterMs = 0): Promise<number> {
  const queryClient = createQueryClient()
  const query = resultsQuery(search)
  const readAt = Date.now() - ageMs
  queryClient.setQueryData(query.queryKey, listOf({ ...answer, readAt }), { updatedAt: readAt + addedAfterMs })
  const close = new InfiniteQueryObserver(queryClient, query).subscribe(() => undefined)
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  close()
  queryClient.clear()
  return vi.mocked(fetch).mock.calls.length
}

describe('the query of a list', () => {
  it('RES-11, RES-12: asks for page 1 of 30 with what is wished for, past the cache of the browser', async () => {
    await fetchFirst(search)
    const [address, init] = vi.mocked(fetch).mock.calls[0]!
    const { pathname, searchParams } = new URL(String(address), 'http://site.example')
    expect(pathname).toBe('/api/flights/search')
    expect(Object.fromEntries(searchParams)).toEqual({
      origin: 'CDG',
      destination: 'JFK',
      departureDate: '2027-03-04',
      cabinClass: 'economy',
      adultsCount: '2',
      childrenCount: '0',
      infantsCount: '0',
      page: '1',
      limit: '30',
      facets: 'yes',
    })
    expect(init).toMatchObject({ method: 'GET', cache: 'no-store' })
  })

  it('RES-27, R-10: further pages are asked for with the same counts of passengers', async () => {
    await fetchPage({ ...search, childrenCount: 2, infantsCount: 1 }, { page: 2, limit: 100 })
    const { searchParams } = new URL(String(vi.mocked(fetch).mock.calls[0]?.[0]), 'http://site.example')
    expect(['adultsCount', 'childrenCount', 'infantsCount', 'page', 'limit'].map((name) => searchParams.get(name))).toEqual([
      '2',
      '2',
      '1',
      '2',
      '100',
    ])
  })

  it('RES-30, RES-31: a list of less than five minutes is shown without asking', async () => {
    expect(await openWith(5 * MINUTE - 1000)).toBe(0)
  })

  it('R-92: an older list is read again when its page is opened', async () => {
    expect(await openWith(5 * MINUTE + 1)).toBe(1)
  })

  it('R-92: a page that was added a minute ago does not make a list younger', async () => {
    expect(await openWith(5 * MINUTE + 1, 4 * MINUTE)).toBe(1)
  })

  it('RES-30: a list is kept for ten minutes, and the focus of the window asks for nothing', () => {
    expect(resultsQuery(search)).toMatchObject({ gcTime: 10 * MINUTE })
    expect(createQueryClient().getDefaultOptions().queries?.refetchOnWindowFocus).toBe(false)
  })
})
