/**
 * Searches, answered from memory, then from the shared cache, then from the supplier, who is asked once however many ask us. A list
 * past its best is shown while the next one is fetched.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import { type SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { type Packed, packable } from '@passerelle/kit/packing'
import { DeadlineError } from '@passerelle/kit/resilience'
import { LRUCache } from 'lru-cache'
import { supplierSearch } from './domain/criteria.ts'
import { normaliseOffers } from './domain/normalise.ts'
import {
  createResultSet,
  freshnessOf,
  type PageRequest,
  type PriceTexts,
  pageText,
  type ResultSet,
  showable,
  sizeOf,
} from './domain/result-set.ts'
import type { Supplier } from './duffel.ts'
import type { Flights } from './flights.ts'
import type { SearchCounts } from './search-counts.ts'
import type { SharedSets } from './shared-sets.ts'

const MOST_SETS = 500
const SETS_BYTES = 64 * 1024 * 1024
const PAGES_BYTES = 32 * 1024 * 1024
/** What a text and its compressed forms take together. */
const PACKED_TOO = 1.25
/** Another replica may have renewed a search: whether it has is asked at most this often. */
const RECHECK_MS = 1000
/** A visitor's refresh asks the supplier again at most this often. */
const REFRESH_MS = 30_000
/** A brand's markup is one number; more than a few different ones at once are somebody playing. */
const MOST_MARKUPS = 16

/** JSON text, and the same compressed. */
export type Page = { json: string; packed: Packed }

export type Source = 'hit' | 'stale' | 'miss'
export type Found = { set: ResultSet; source: Source; prices: Map<number, PriceTexts> }

export type SearchResults = {
  /** @param refresh the visitor wants it anew. Throws SEARCH_REFUSED, SEARCH_BUSY or SEARCH_FAILED. */
  find(criteria: SearchCriteria, mode: Mode, refresh: boolean): Promise<Found>
  page(found: Found, request: PageRequest, markupPercent: number): Page
}

export type SearchTools = {
  suppliers(mode: Mode): Pick<Supplier, 'search'>
  shared: SharedSets
  flights: Flights
  counts: SearchCounts
  metrics: Pick<Metrics, 'searchCache'>
  log: Log
  clock(): number
  /** 0 to 1. */
  random(): number
  /** Milliseconds that a visitor waits for a new search. */
  waitMs: number
}

type Entry = { set: ResultSet; prices: Map<number, PriceTexts>; checkedAt: number }

export function createSearchResults(tools: SearchTools): SearchResults {
  const { shared, flights, counts, metrics, log, clock } = tools
  const memory = new LRUCache<string, Entry>({ max: MOST_SETS, maxSize: SETS_BYTES, sizeCalculation: ({ set }) => sizeOf(set) })
  const pages = new LRUCache<string, Page>({ maxSize: PAGES_BYTES, sizeCalculation: ({ json }) => Math.ceil(json.length * PACKED_TOO) })
  const reading = new Map<string, Promise<Entry | undefined>>()

  const remember = (key: string, set: ResultSet): Entry => {
    const entry: Entry = { set, prices: new Map(), checkedAt: clock() }
    if (set.staleUntil > set.createdAt) memory.set(key, entry)
    return entry
  }

  /** From the shared cache into memory, once for everybody in this process. */
  const adopt = (key: string): Promise<Entry | undefined> => {
    let under = reading.get(key)
    if (!under) {
      under = shared
        .read(key)
        .then((set) => {
          const own = memory.get(key)
          if (!set || freshnessOf(set, clock()) === 'gone') return own
          // Ours may be newer, when it could not be written there.
          return own && own.set.createdAt >= set.createdAt ? own : remember(key, set)
        })
        .finally(() => reading.delete(key))
      reading.set(key, under)
    }
    return under
  }

  const recollect = async (key: string): Promise<Entry | undefined> => {
    const entry = memory.get(key)
    if (!entry) return adopt(key)
    if (clock() - entry.checkedAt < RECHECK_MS) return entry
    entry.checkedAt = clock()
    const current = await shared.currentId(key)
    return current !== undefined && current !== entry.set.id ? ((await adopt(key)) ?? entry) : entry
  }

  const ask = async (key: string, criteria: SearchCriteria, mode: Mode): Promise<Entry> => {
    counts.supplier(mode, searchKey(criteria))
    const raw = await tools.suppliers(mode).search(supplierSearch(criteria))
    const { offers, broken } = normaliseOffers(raw, mode)
    if (broken > 0) log.warn({ broken, of: raw.length }, 'offers that cannot be shown were left out')
    const bare = offers.map(({ offer }) => offer)
    return remember(key, createResultSet(`srs_${randomBytes(12).toString('base64url')}`, bare, clock(), tools.random()))
  }

  const renew = async (key: string, criteria: SearchCriteria, mode: Mode, notBefore: number): Promise<Found> => {
    const { result, source } = await flights.join<Entry>(
      `search:${key}`,
      {
        async recall() {
          const entry = await adopt(key)
          return entry && entry.set.createdAt >= notBefore && freshnessOf(entry.set, clock()) === 'fresh' ? entry : undefined
        },
        work: () => ask(key, criteria, mode),
        share: ({ set }) => shared.write(key, set, clock()),
      },
      tools.waitMs,
    )
    return { ...result, source: source === 'made' ? 'miss' : 'hit' }
  }

  const look = async (criteria: SearchCriteria, mode: Mode, refresh: boolean): Promise<Found> => {
    const key = `${mode}:${searchKey(criteria)}`
    const known = await recollect(key)
    const now = clock()
    const freshness = known ? freshnessOf(known.set, now) : 'gone'
    const wanted = refresh ? now - REFRESH_MS : 0
    if (known && freshness === 'fresh' && known.set.createdAt >= wanted) return { ...known, source: 'hit' }
    const renewal = renew(key, criteria, mode, wanted)
    if (!known || freshness === 'gone') return renewal
    // What is there is still good enough to be shown should the supplier fail, and to be shown meanwhile if nobody asked for more.
    const fallback: Found = { ...known, source: 'stale' }
    const renewed = renewal.catch((err) => {
      log.warn({ err }, 'a search could not be renewed')
      return fallback
    })
    return refresh ? renewed : fallback
  }

  return {
    async find(criteria, mode, refresh) {
      try {
        const found = await look(criteria, mode, refresh)
        metrics.searchCache.inc({ result: found.source })
        return found
      } catch (error) {
        metrics.searchCache.inc({ result: 'error' })
        throw error instanceof DeadlineError ? new AppError('SEARCH_BUSY', { cause: error, retryAfter: 5 }) : error
      }
    },
    page({ set, prices }, request, markupPercent) {
      const positions = showable(set, clock())
      const name = `${set.id}:${markupPercent}:${request.page}:${request.limit}`
      const ready = positions ? undefined : pages.get(name)
      if (ready !== undefined) return ready
      if (prices.size > MOST_MARKUPS) prices.clear()
      const texts = prices.get(markupPercent) ?? []
      prices.set(markupPercent, texts)
      const json = pageText(set, positions, request, markupPercent, texts)
      const page: Page = { json, packed: packable(json) }
      if (!positions) pages.set(name, page)
      return page
    },
  }
}
