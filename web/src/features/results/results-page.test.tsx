import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { dayPricesQuery } from '../../lib/day-prices.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { FilterPanel } from './filters/FilterPanel.tsx'
import { makeCounts } from './model/facets.fixture.ts'
import { facetsFrom } from './model/facets.ts'
import { activeFilters, type Filters, NO_FILTERS } from './model/filters.ts'
import { makeOffer } from './model/offer.fixture.ts'
import { listOf, resultsQuery } from './model/results-query.ts'
import { readSearch } from './model/search-address.ts'
import { ResultsPage } from './ResultsPage.tsx'

const QUERY = 'origin=CDG&destination=JFK&departureDate=2026-12-10&returnDate=2026-12-17&adultsCount=2&childrenCount=1'
const { queryKey } = resultsQuery(readSearch(new URLSearchParams(QUERY))!)

beforeEach(() => {
  vi.stubGlobal('window', { sessionStorage: { getItem: () => null } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A cache whose queries have been asked already: mounting asks nothing. */
function askedClient() {
  const queryClient = createQueryClient()
  const { queries, ...others } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, refetchOnMount: false, retryOnMount: false } })
  return queryClient
}

/** The page after the server answered with these offers, or with this failure. */
function pageAfter(answer: ReturnType<typeof makeOffer>[] | Error) {
  const queryClient = askedClient()
  if (answer instanceof Error)
    queryClient.getQueryCache().build(queryClient, { queryKey }).setState({ status: 'error', error: answer, fetchStatus: 'idle' })
  else queryClient.setQueryData(queryKey, listOf({ offers: answer, total_count: answer.length, search_id: 'srs_1', readAt: Date.now() }))
  return render(<ResultsPage />, { at: `/search?${QUERY}`, queryClient })
}

describe('the page of results', () => {
  it('RES-08: says what was searched', () => {
    const { text } = pageAfter([makeOffer()])
    expect(text).toMatch(/CDG to .*JFK.*Round Trip.*Economy.*Thu, Dec 10 – Thu, Dec 17.*2 adults, 1 child/)
  })

  it('RES-09, RES-10: leads back to the form and offers to refresh', () => {
    const page = pageAfter([makeOffer()])
    expect(page.linkTo('Modify Search')).toBe('/')
    expect(page.text).toContain('Refresh Results')
  })

  it('RES-19, R-08: without offers says "No Flights Found" with a way to a new search', () => {
    const page = pageAfter([])
    expect(page.text).toContain('No Flights Found')
    expect(page.linkTo('New Search')).toBe('/')
  })

  it('RES-20, RES-21: tells a failure by its message, and lets try again', () => {
    const refused = { error: 'SEARCH_REFUSED', message: 'Unable to search flights: no such airport', requestId: 'r' }
    expect(pageAfter(new ApiError(422, '', JSON.stringify(refused))).text).toMatch(
      /Error Loading Flights Unable to search flights: no such airport Try Again/,
    )
    expect(pageAfter(new ApiError(504, 'Gateway Timeout', '<html>')).text).toContain('Flight search failed with status: 504')
  })

  it('has seven days around the chosen one, each leading to its search for as many nights, with the prices that are known', () => {
    vi.useFakeTimers({ now: new Date(2026, 11, 1), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const queryClient = askedClient()
    queryClient.setQueryData(queryKey, listOf({ offers: [makeOffer()], total_count: 1, search_id: 'srs_1', readAt: Date.now() }))
    const { tripType: _trip, departureDate: _from, returnDate: _to, ...trip } = readSearch(new URLSearchParams(QUERY))!
    const price = (amount: string) => ({ amount, currency: 'USD' })
    const days = [
      { date: '2026-12-09', price: price('1602.00') },
      { date: '2026-12-10', price: price('1527.00') },
    ]
    queryClient.setQueryData(dayPricesQuery({ ...trip, nights: 7 }, '2026-12-07', 7).queryKey, { days })
    const page = render(<ResultsPage />, { at: `/search?${QUERY}`, queryClient })
    expect(page.text).toContain('Lowest price for 7 nights by departure day')
    expect(page.text).toMatch(
      /Mon, Dec 7 See price .* Wed, Dec 9 \$1,602 Thu, Dec 10 \$1,527 , lowest Fri, Dec 11 See price .* Sun, Dec 13 See price/,
    )
    expect(page.linkTo('Fri, Dec 11')).toMatch(
      /departureDate=2026-12-11&amp;returnDate=2026-12-18|departureDate=2026-12-11&returnDate=2026-12-18/,
    )
  })

  it('has no day before today', () => {
    vi.useFakeTimers({ now: new Date(2026, 11, 9), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(pageAfter([makeOffer()]).text).toMatch(/filters Wed, Dec 9 .*Tue, Dec 15/)
  })

  it('says how many of the whole list are left, and which flights stand first in each order', () => {
    const queryClient = askedClient()
    const { queryKey: direct } = resultsQuery(readSearch(new URLSearchParams(QUERY))!, { stops: '0' })
    const page = { offers: [makeOffer()], total_count: 37, search_id: 'srs_1-a', facets: makeCounts({ total: 245 }), readAt: Date.now() }
    queryClient.setQueryData(direct, listOf(page))
    const { text } = render(<ResultsPage />, { at: `/search?${QUERY}&stops=0`, queryClient })
    expect(text).toContain('37 flights of 245')
    expect(text).toMatch(/Best \$1,527 8h 45m Cheapest \$1,527 8h 45m Fastest \$1,527 8h 45m/)
    expect(text).toContain('Showing 1 of 37')
  })

  it('FILT-15: filters that leave nothing of a list are not a search without flights', () => {
    const queryClient = askedClient()
    const { queryKey: none } = resultsQuery(readSearch(new URLSearchParams(QUERY))!, { airlines: 'LH' })
    queryClient.setQueryData(none, listOf({ offers: [], total_count: 0, search_id: 'srs_1-b', facets: makeCounts(), readAt: Date.now() }))
    const { text } = render(<ResultsPage />, { at: `/search?${QUERY}&airlines=LH`, queryClient })
    expect(text).toContain('No flights match your filters')
    expect(text).not.toContain('No Flights Found')
  })

  const old = { updatedAt: Date.now() - 6 * 60_000 }
  const list = listOf({ offers: [makeOffer()], total_count: 1, search_id: 'srs_1', readAt: old.updatedAt })

  it('R-92, RES-18: shows an old list as what was there earlier, while it is read again', () => {
    const queryClient = createQueryClient()
    queryClient.setQueryData(queryKey, list, old)
    const { text, html } = render(<ResultsPage />, { at: `/search?${QUERY}`, queryClient })
    expect(text).toContain('Earlier results while the new ones load')
    expect(html).toContain('inert')
  })

  it('R-92: does not show an old list when reading it again failed', () => {
    const queryClient = askedClient()
    queryClient.setQueryData(queryKey, list, old)
    queryClient
      .getQueryCache()
      .find({ queryKey })
      ?.setState({ status: 'error', error: new ApiError(502, 'Bad Gateway', '') })
    const { text } = render(<ResultsPage />, { at: `/search?${QUERY}`, queryClient })
    expect(text).toContain('Error Loading Flights')
    expect(text).not.toContain('View Details')
  })
})

describe('the filter panel', () => {
  const facets = facetsFrom(makeCounts())
  const panel = (filters: Filters, open = true) =>
    render(
      <FilterPanel
        past="flights"
        filters={filters}
        facets={facets}
        active={activeFilters(filters, facets.scale.bounds).length}
        open={open}
        onOpen={() => undefined}
        onChange={() => undefined}
        onClear={() => undefined}
      />,
    )

  it('FILT-01: can be folded, and shows how many filters are active', () => {
    expect(panel({ ...NO_FILTERS, refundable: true, stops: [0] }).text).toContain('Filters 2 active')
    expect(panel(NO_FILTERS).html).toContain('aria-expanded="true"')
    expect(panel(NO_FILTERS, false).html).toMatch(/aria-expanded="false"[\s\S]*<form[^>]*hidden=""/)
  })

  it('FILT-03: counts anew with every change', () => {
    const counts = [NO_FILTERS, { ...NO_FILTERS, refundable: true }, { ...NO_FILTERS, refundable: true, duration: 600 }].map(
      (filters) => /Filters (\d+) active/.exec(panel(filters).text)?.[1],
    )
    expect(counts).toEqual([undefined, '1', '2'])
  })

  it('R-105: ends with Clear Filters', () => {
    expect(panel(NO_FILTERS).text).toMatch(/Clear Filters$/)
  })

  it('counts, on every choice, the flights of the whole list', () => {
    expect(panel(NO_FILTERS).text).toMatch(/Direct 1 flight .*1 stop 2 flights/)
  })

  it('FILT-05: labels the price with the currency of the results', () => {
    expect(panel(NO_FILTERS).text).toContain('Price, USD')
  })
})
