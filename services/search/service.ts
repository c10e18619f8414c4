import { searchApi } from '@passerelle/contracts/http/search'
import { withDeadline } from '@passerelle/kit/resilience'
import { random } from '@passerelle/kit/runtime'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { createCalendar } from './calendar.ts'
import { createSuppliers, DuffelConfig } from './duffel.ts'
import { createGoneOffers } from './gone-offers.ts'
import { createOfferCache } from './offer-cache.ts'
import { createOffers } from './offers.ts'
import { createResultSetCache } from './result-set-cache.ts'
import { searchRoutes } from './routes.ts'
import { createSearchCounts } from './search-counts.ts'
import { createSearchRate } from './search-rate.ts'
import { createSearchResults } from './search-results.ts'
import { createSingleFlight } from './single-flight.ts'
import { createStore } from './store.ts'

/** When the database takes longer than this, an opened offer is shown without being stored. */
const KEEP_MS = 250

/** A quote is refused this long before its caller's timeout, so that the caller gets the reason. */
const ANSWER_MS = 2000

const SearchConfig = DuffelConfig.extend({
  /** New searches that one network may have asked of the supplier, per process: evenly, and at once after a quiet time. */
  NEW_SEARCHES_PER_MINUTE: z.coerce.number().positive().default(30),
  NEW_SEARCHES_BURST: z.coerce.number().int().min(1).default(20),
  /** Scales both, as it scales the gateway's limits. */
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
    const perMinute = config.NEW_SEARCHES_PER_MINUTE * config.RATE_LIMIT_FACTOR
    const burst = Math.max(1, Math.floor(config.NEW_SEARCHES_BURST * config.RATE_LIMIT_FACTOR))
    const results = createSearchResults({
      suppliers,
      resultSets,
      gone,
      rate: createSearchRate({ perMinute, burst }),
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
      counts,
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
        await withDeadline('the last counts', 3000, counts.flush()).catch((err) =>
          log.warn({ err }, 'the last counts of searches were lost'),
        )
      },
    }
  },
})
