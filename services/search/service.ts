import { searchApi } from '@passerelle/contracts/http/search'
import { secretFrom } from '@passerelle/kit/auth'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { withDeadline } from '@passerelle/kit/resilience'
import { random } from '@passerelle/kit/runtime'
import { defineService } from '@passerelle/kit/service'
import { sharedCounts } from '@passerelle/kit/shared-counts'
import { z } from 'zod'
import { createCalendar } from './calendar.ts'
import { createSuppliers, DuffelConfig } from './duffel.ts'
import { createGoneOffers } from './gone-offers.ts'
import { createLookToBook } from './look-to-book.ts'
import { createOfferCache } from './offer-cache.ts'
import { createOffers } from './offers.ts'
import { createResultSetCache } from './result-set-cache.ts'
import { searchRoutes } from './routes.ts'
import { createSearchBudget } from './search-budget.ts'
import { createSearchCounts } from './search-counts.ts'
import { createSearchRate } from './search-rate.ts'
import { createSearchResults } from './search-results.ts'
import { createSingleFlight } from './single-flight.ts'
import { createStore } from './store.ts'

/** When the database takes longer than this, an opened offer is shown without being stored. */
const KEEP_MS = 250

/** A quote is refused this long before its caller's timeout, so that the caller gets the reason. */
const ANSWER_MS = 2000

/** Networks and brands whose searches are counted at once. */
const MOST_WINDOWS = 50_000

const SearchConfig = DuffelConfig.extend({
  /** New searches that one network may have asked of the supplier, per process: evenly, and at once after a quiet time. */
  NEW_SEARCHES_PER_MINUTE: z.coerce.number().positive().default(30),
  NEW_SEARCHES_BURST: z.coerce.number().int().min(1).default(20),
  /** Searches that the supplier may be asked for, on each of its accounts (test, live) and for one brand; all replicas together. */
  SEARCHES_PER_MINUTE: z.coerce.number().int().positive().default(600),
  SEARCHES_PER_DAY: z.coerce.number().int().positive().default(30_000),
  BRAND_SEARCHES_PER_MINUTE: z.coerce.number().int().positive().default(300),
  BRAND_SEARCHES_PER_DAY: z.coerce.number().int().positive().default(20_000),
  /** What one network may have of an account's day. */
  NETWORK_SEARCHES_SHARE: z.coerce.number().positive().max(1).default(0.05),
  /** Searches per order that the contract with the supplier allows, and how many of thirty days are allowed besides. */
  SEARCHES_PER_ORDER: z.coerce.number().positive().default(1500),
  FREE_SEARCHES: z.coerce.number().int().positive().default(15_000),
  /** Scales all of them but the searches per order, as it scales the gateway's limits. */
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
})

export const search = defineService({
  name: 'search',
  config: SearchConfig,
  needs: { mongo: true, redis: true },
  async setup({ config, log, metrics, mongo, cache, http }) {
    const store = createStore(mongo)
    const suppliers = createSuppliers(config, metrics, log)
    const singleFlight = createSingleFlight(cache, log)
    const counts = createSearchCounts(store)
    const gone = createGoneOffers(cache)
    const resultSets = createResultSetCache(cache)
    const scaled = (setting: number) => Math.max(1, Math.floor(setting * config.RATE_LIMIT_FACTOR))
    const lookToBook = createLookToBook({
      store,
      perOrder: config.SEARCHES_PER_ORDER,
      free: scaled(config.FREE_SEARCHES),
      metrics,
      log,
    })
    const shared = sharedCounts(cache, MOST_WINDOWS)
    const budget = createSearchBudget({
      account: { perMinute: scaled(config.SEARCHES_PER_MINUTE), perDay: scaled(config.SEARCHES_PER_DAY) },
      brand: { perMinute: scaled(config.BRAND_SEARCHES_PER_MINUTE), perDay: scaled(config.BRAND_SEARCHES_PER_DAY) },
      networkShare: config.NETWORK_SEARCHES_SHARE,
      rate: createSearchRate({
        perMinute: config.NEW_SEARCHES_PER_MINUTE * config.RATE_LIMIT_FACTOR,
        burst: scaled(config.NEW_SEARCHES_BURST),
      }),
      lookToBook,
      counts: shared,
      hash: keyedHash(secretFrom(config.INTERNAL_KEY, 'networks').toString('base64')),
      metrics,
    })
    const results = createSearchResults({
      suppliers,
      resultSets,
      gone,
      budget,
      singleFlight,
      counts,
      metrics,
      log,
      random,
      // A visitor also waits for a place in the queue, or for another replica that is already asking.
      waitMs: config.DUFFEL_SEARCH_DEADLINE_MS + config.DUFFEL_QUEUE_MS,
    })
    const offerCache = createOfferCache({
      suppliers,
      cache,
      gone,
      singleFlight,
      waitMs: config.DUFFEL_READ_DEADLINE_MS,
      onOpened: ({ known, readAt }) =>
        withDeadline('keeping an opened offer', KEEP_MS, store.keepOpened(known, new Date(readAt))).catch((err) =>
          log.warn({ err }, 'an opened offer could not be kept'),
        ),
    })
    const offers = createOffers({
      suppliers,
      offerCache,
      gone,
      isListed: results.isListed,
      store,
      counts: {
        supplier(mode, key) {
          counts.supplier(mode, key)
          budget.note(mode)
        },
      },
      log,
      quoteMs: searchApi.routes.quote.timeoutMs - ANSWER_MS,
      requoteMs: searchApi.routes.requote.timeoutMs - ANSWER_MS,
    })
    return {
      routers: [searchRoutes({ results, calendar: createCalendar({ resultSets, results, gone }), offers, counts, http })],
      workers: [
        {
          name: 'search-counts',
          everyMs: 5000,
          async run() {
            await counts.flush()
            return false
          },
        },
        {
          name: 'look-to-book',
          everyMs: 5000,
          async run() {
            await lookToBook.refresh()
            return false
          },
        },
        {
          name: 'search-budget',
          everyMs: 5000,
          async run() {
            budget.measure()
            return false
          },
        },
        {
          name: 'gone-offers',
          everyMs: 1000,
          async run() {
            await gone.share()
            return false
          },
        },
      ],
      async stop() {
        await singleFlight.settle()
        await shared.stop()
        await withDeadline('the last counts', 3000, counts.flush()).catch((err) =>
          log.warn({ err }, 'the last counts of searches were lost'),
        )
      },
    }
  },
})
