import { withDeadline } from '@passerelle/kit/resilience'
import { defineService } from '@passerelle/kit/service'
import { createSuppliers, DuffelConfig } from './duffel.ts'
import { createFlights } from './flights.ts'
import { createOffers } from './offers.ts'
import { createReadings } from './readings.ts'
import { searchRoutes } from './routes.ts'
import { createSearchCounts } from './search-counts.ts'
import { createSearchResults } from './search-results.ts'
import { createSharedSets } from './shared-sets.ts'
import { createStore } from './store.ts'

/** A visitor also waits for a place in the queue, and for another replica that is already asking. */
const PATIENCE_MS = 10_000

/** An opened offer is shown without being remembered when the database takes longer than this. */
const KEEP_MS = 250

export const search = defineService({
  name: 'search',
  config: DuffelConfig,
  needs: { mongo: true, redis: true },
  async setup({ config, log, metrics, mongo, cache, http }) {
    const clock = Date.now
    const store = createStore(mongo)
    const suppliers = createSuppliers(config, metrics, log)
    const flights = createFlights(cache, log)
    const counts = createSearchCounts(store, clock)
    const searchWaitMs = config.DUFFEL_SEARCH_DEADLINE_MS + PATIENCE_MS
    const results = createSearchResults({
      suppliers,
      shared: createSharedSets(cache),
      flights,
      counts,
      metrics,
      log,
      clock,
      random: Math.random,
      waitMs: searchWaitMs,
    })
    const readings = createReadings({
      suppliers,
      cache,
      flights,
      clock,
      waitMs: config.DUFFEL_READ_DEADLINE_MS,
      onOpened: ({ known, readAt }) =>
        withDeadline('keeping an opened offer', KEEP_MS, store.keepOpened(known, new Date(readAt))).catch((err) =>
          log.warn({ err }, 'an opened offer could not be kept'),
        ),
    })
    const offers = createOffers({ suppliers, readings, store, counts, log, clock })
    return {
      routers: [searchRoutes({ results, offers, counts, http, clock })],
      workers: [
        {
          name: 'search-counts',
          everyMs: 5000,
          async run() {
            await counts.flush()
            return false
          },
        },
      ],
      async stop() {
        await flights.settle()
        await withDeadline('the last counts', 3000, counts.flush()).catch((err) =>
          log.warn({ err }, 'the last counts of searches were lost'),
        )
      },
    }
  },
})
