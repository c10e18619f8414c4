/** For tests of search results: two replicas of the service's searches on one shared cache, with a supplier and a time of the test's own. */
import { SearchResults as Answer } from '@passerelle/contracts/http/search'
import { SearchCriteria } from '@passerelle/contracts/http/search-criteria'
import type { Clients } from '@passerelle/kit/fair-bulkhead'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { type CacheFixture, createCacheFixture } from './cache.fixture.ts'
import { supplierOffer } from './domain/supplier.fixture.ts'
import type { SupplierOffer } from './domain/supplier.ts'
import { createGoneOffers, type GoneOffers } from './gone-offers.ts'
import { createResultSetCache } from './result-set-cache.ts'
import type { SearchBudget } from './search-budget.ts'
import { createSearchRate, type SearchRate } from './search-rate.ts'
import { createSearchResults, type SearchResults } from './search-results.ts'
import { createSingleFlight, type SingleFlight } from './single-flight.ts'

const log = createLog('search', 'silent')
export const MINUTE = 60_000
export const criteria = SearchCriteria.parse({ origin: 'CDG', destination: 'LIS', departureDate: '2027-03-04' })

export type Replica = SearchResults & { singleFlight: SingleFlight; gone: GoneOffers }

type Found = Awaited<ReturnType<SearchResults['find']>>

export type ResultsBench = {
  now: number
  /** How often the supplier was asked, and for what. */
  calls: number
  counted: string[]
  /** What the supplier does. */
  answer: () => Promise<SupplierOffer[]>
  refuse: (clients: Clients) => void
  cache: CacheFixture
  /** Of each further replica. */
  budgetOf: () => SearchBudget
  first: Replica
  second: Replica
  /** Another one, whose visitors wait so long for a search. */
  replica(waitMs?: number): Replica
  offers(count: number): SupplierOffer[]
  find(from?: SearchResults, refresh?: boolean, network?: string): Promise<Found>
  show(from: SearchResults, found: Found): Answer
  close(): void
}

export function openResultsBench(): ResultsBench {
  const bench: ResultsBench = {
    now: Date.parse('2027-01-05T10:00:00Z'),
    calls: 0,
    counted: [],
    answer: async () => offers(3),
    refuse: () => undefined,
    cache: createCacheFixture(),
    budgetOf: () => unlimited(createSearchRate({ perMinute: 30, burst: 20 })),
    first: {} as Replica,
    second: {} as Replica,
    replica,
    offers,
    find: (from = bench.first, refresh = false, network = '203.0.113.7') =>
      from.find(criteria, { mode: 'test', brand: 'default', network }, refresh),
    show: (from, found) => Answer.parse(JSON.parse(from.page(found, { page: 1, limit: 30 }, {}, 23).json.toString())),
    close: replaceRuntime({ now: () => bench.now }),
  }

  function replica(waitMs = 10_000): Replica {
    const singleFlight = createSingleFlight(bench.cache, log)
    const gone = createGoneOffers(bench.cache)
    const results = createSearchResults({
      suppliers: () => ({
        async search(_search, { clients } = {}) {
          if (clients) bench.refuse(clients)
          bench.calls += 1
          return bench.answer()
        },
      }),
      resultSets: createResultSetCache(bench.cache),
      gone,
      budget: bench.budgetOf(),
      singleFlight,
      counts: {
        visitor: () => undefined,
        order: async () => undefined,
        supplier: (mode: string, key: string) => void bench.counted.push(`${mode}:${key}`),
        flush: async () => undefined,
      },
      metrics: createMetrics('search'),
      log,
      random: () => 1,
      waitMs,
    })
    return { ...results, singleFlight, gone }
  }

  function offers(count: number): SupplierOffer[] {
    return Array.from({ length: count }, (_, index) =>
      supplierOffer({
        id: `off_c${bench.calls}n${index}`,
        expires_at: new Date(bench.now + 30 * MINUTE).toISOString(),
        total_amount: `${200 + index}.00`,
      }),
    )
  }

  bench.first = replica()
  bench.second = replica()
  return bench
}

/** The rate of each network, and no budget. */
function unlimited(rate: SearchRate): SearchBudget {
  return {
    take: ({ network }) => rate.takeTokens(network, 1),
    returnTokens: ({ network }) => rate.returnTokens(network, 1),
    note: () => undefined,
    isTight: () => false,
    measure: () => undefined,
  }
}
