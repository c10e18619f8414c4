/**
 * Searches, answered from memory, then from Redis, then from the supplier, who is asked once for concurrent equal searches. A stale
 * list is returned while the next one is fetched.
 */
import { createHash } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import { type OfferView, viewKey } from '@passerelle/contracts/http/offer-view'
import { type SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import { type Compressed, compressible } from '@passerelle/kit/compression'
import type { Clients } from '@passerelle/kit/fair-bulkhead'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { DeadlineError } from '@passerelle/kit/resilience'
import { nowMs, randomToken } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import { chosenView } from './domain/chosen-view.ts'
import { supplierSearch } from './domain/criteria.ts'
import { normaliseOffers } from './domain/normalise.ts'
import {
  createResultSet,
  freshnessOf,
  type PageRequest,
  type Prices,
  pageText,
  type ResultSet,
  showable,
  sizeOf,
  type View,
} from './domain/result-set.ts'
import type { Supplier } from './duffel.ts'
import type { GoneOffers } from './gone-offers.ts'
import type { ResultSetCache } from './result-set-cache.ts'
import type { SearchBudget, Searcher } from './search-budget.ts'
import type { SearchCounts } from './search-counts.ts'
import type { SingleFlight } from './single-flight.ts'

const MOST_SETS = 500
const SETS_BYTES = 64 * 1024 * 1024
const PAGES_BYTES = 32 * 1024 * 1024
/** What a text and its compressed forms take together. */
const PACKED_TOO = 1.25
/** How often Redis is asked whether another replica has renewed a search. */
const RECHECK_MS = 1000
/** A refresh asks the supplier again at most this often. */
const REFRESH_MS = 30_000
/** The same while searches are to be saved. */
const TIGHT_REFRESH_MS = 120_000
/** A brand has one markup, so a set is priced for a few markups at most. */
const MOST_MARKUPS = 16

/** JSON text, and the same compressed. */
export type Page = { json: Buffer; compressed: Compressed }

export type Source = 'hit' | 'stale' | 'miss'
export type Found = { set: ResultSet; source: Source; prices: Map<number, Prices> }

export type SearchResults = {
  /** @param refresh the visitor asked for a new list. Throws SEARCH_REFUSED, SEARCH_BUSY, SEARCH_FAILED, SEARCH_LIMITED or RATE_LIMITED. */
  find(criteria: SearchCriteria, visitor: Searcher, refresh: boolean): Promise<Found>
  /** One page of what the wishes leave of the list, in their order. */
  page(found: Found, request: PageRequest, wishes: OfferView, markupPercent: number): Page
  /** A set in this process's memory that may still be shown. `key`: mode and search. */
  inMemory(key: string): ResultSet | undefined
  /** Whether a list of this process holds the offer. */
  isListed(offerId: string): boolean
}

type SearchTools = {
  suppliers(mode: Mode): Pick<Supplier, 'search'>
  resultSets: ResultSetCache
  gone: GoneOffers
  singleFlight: SingleFlight
  /** How often the supplier may be asked. */
  budget: SearchBudget
  counts: SearchCounts
  metrics: Pick<Metrics, 'searchCache'>
  log: Log
  /** 0 to 1. */
  random(): number
  /** Milliseconds that a visitor waits for a new search. */
  waitMs: number
}

type Entry = { set: ResultSet; prices: Map<number, Prices>; checkedAt: number }

export function createSearchResults(tools: SearchTools): SearchResults {
  const { resultSets, gone, singleFlight, budget, counts, metrics, log } = tools
  const memory = new LRUCache<string, Entry>({ max: MOST_SETS, maxSize: SETS_BYTES, sizeCalculation: ({ set }) => sizeOf(set) })
  const views = new WeakMap<ResultSet, { view: View; version: number }>()
  const pages = new LRUCache<string, Page>({ maxSize: PAGES_BYTES, sizeCalculation: ({ json }) => Math.ceil(json.length * PACKED_TOO) })
  const loading = new Map<string, Promise<Entry | undefined>>()

  const remember = (key: string, set: ResultSet): Entry => {
    const entry: Entry = { set, prices: new Map(), checkedAt: nowMs() }
    if (set.staleUntil > set.createdAt) memory.set(key, entry)
    return entry
  }

  /** Reads a set from the shared cache into memory; concurrent callers share one read. */
  const loadShared = (key: string): Promise<Entry | undefined> => {
    let underWay = loading.get(key)
    if (!underWay) {
      underWay = resultSets
        .read(key)
        .then((set) => {
          const own = memory.get(key)
          if (!set || freshnessOf(set, nowMs()) === 'gone') return own
          // This process may hold a newer set that could not be written to the shared cache.
          return own && own.set.createdAt >= set.createdAt ? own : remember(key, set)
        })
        .finally(() => loading.delete(key))
      loading.set(key, underWay)
    }
    return underWay
  }

  const findKnown = async (key: string): Promise<Entry | undefined> => {
    const entry = memory.get(key)
    if (!entry) return loadShared(key)
    if (nowMs() - entry.checkedAt < RECHECK_MS) return entry
    entry.checkedAt = nowMs()
    const current = await resultSets.currentId(key)
    return current !== undefined && current !== entry.set.id ? ((await loadShared(key)) ?? entry) : entry
  }

  const searchSupplier = async (key: string, criteria: SearchCriteria, mode: Mode, clients: Clients): Promise<Entry> => {
    counts.supplier(mode, searchKey(criteria))
    const raw = await tools.suppliers(mode).search(supplierSearch(criteria), { clients })
    const { offers, broken } = normaliseOffers(raw, mode)
    if (broken > 0) log.warn({ broken, of: raw.length }, 'offers that cannot be shown were left out')
    const bare = offers.map(({ offer }) => offer)
    return remember(key, createResultSet(randomToken('srs_', 12), bare, nowMs(), tools.random()))
  }

  const renew = async (key: string, criteria: SearchCriteria, searcher: Searcher, notBefore: number): Promise<Found> => {
    const { mode, network } = searcher
    let admitted = false
    const { result, source } = await singleFlight.join<Entry>(
      `search:${key}`,
      {
        admit() {
          budget.take(searcher)
          admitted = true
        },
        async findShared() {
          const entry = await loadShared(key)
          return entry && entry.set.createdAt >= notBefore && freshnessOf(entry.set, nowMs()) === 'fresh' ? entry : undefined
        },
        run: (clients) => searchSupplier(key, criteria, mode, clients),
        share: ({ set }) => resultSets.write(key, set, nowMs()),
      },
      { client: network, waitMs: tools.waitMs },
    )
    if (admitted && source === 'shared') budget.returnTokens(searcher)
    return { ...result, source: source === 'made' ? 'miss' : 'hit' }
  }

  const lookUp = async (criteria: SearchCriteria, visitor: Searcher, refresh: boolean): Promise<Found> => {
    const key = setKeyOf(visitor.mode, criteria)
    const known = await findKnown(key)
    const at = nowMs()
    const freshness = known ? freshnessOf(known.set, at) : 'gone'
    const isTight = (refresh || freshness === 'stale') && budget.isTight(visitor.mode)
    const wanted = refresh ? at - (isTight ? TIGHT_REFRESH_MS : REFRESH_MS) : 0
    if (known && freshness === 'fresh' && known.set.createdAt >= wanted) return { ...known, source: 'hit' }
    if (known && freshness === 'stale' && isTight && !refresh) return { ...known, source: 'stale' }
    const renewal = renew(key, criteria, visitor, wanted)
    if (!known || freshness === 'gone') return renewal
    // The known set is returned at once unless the visitor asked for a refresh, and if the supplier fails.
    const fallback: Found = { ...known, source: 'stale' }
    const renewed = renewal.catch((err) => {
      log.warn({ err }, 'a search could not be renewed')
      if (freshnessOf(known.set, nowMs()) === 'gone') throw err
      return fallback
    })
    if (!refresh) renewed.catch(() => undefined)
    return refresh ? renewed : fallback
  }

  /** The offers of a set that may still be shown. No offer expires while its set is kept, so this is computed once per offer that is gone. */
  const viewOf = (set: ResultSet): View => {
    const version = gone.version()
    const known = views.get(set)
    if (known?.version === version && set.staleUntil > set.createdAt) return known.view
    const positions = showable(set, nowMs(), gone.goneAt)
    const view: View = { searchId: searchIdOf(set, positions), positions }
    views.set(set, { view, version })
    return view
  }

  return {
    async find(criteria, visitor, refresh) {
      try {
        const [found] = await Promise.all([lookUp(criteria, visitor, refresh), gone.sync()])
        metrics.searchCache.inc({ result: found.source })
        return found
      } catch (error) {
        metrics.searchCache.inc({ result: 'error' })
        throw error instanceof DeadlineError ? new AppError('SEARCH_BUSY', { cause: error, retryAfter: 5 }) : error
      }
    },
    page({ set, prices }, request, wishes, markupPercent) {
      const shown = viewOf(set)
      const wished = viewKey(wishes)
      const name = `${shown.searchId}:${markupPercent}:${request.page}:${request.limit}:${wished ?? ''}`
      const ready = pages.get(name)
      if (ready !== undefined) return ready
      if (prices.size > MOST_MARKUPS) prices.clear()
      const ofMarkup = prices.get(markupPercent) ?? []
      prices.set(markupPercent, ofMarkup)
      const chosen = wished === null ? null : chosenView(set, shown, wishes, markupPercent, ofMarkup)
      const view = chosen ? { searchId: searchIdOf(set, chosen.positions), positions: chosen.positions } : shown
      const json = Buffer.from(pageText(set, view, request, markupPercent, ofMarkup, chosen?.facets))
      const page: Page = { json, compressed: compressible(json) }
      pages.set(name, page)
      return page
    },
    inMemory(key) {
      const set = memory.peek(key)?.set
      return set && freshnessOf(set, nowMs()) !== 'gone' ? set : undefined
    },
    isListed: (offerId) => [...memory.values()].some(({ set }) => set.offers.some(({ id }) => id === offerId)),
  }
}

/** Under which a search's set is kept. */
export const setKeyOf = (mode: Mode, criteria: SearchCriteria): string => `${mode}:${searchKey(criteria)}`

/** The same text for the same offers in the same order, whichever replica shows them; null is the whole set. */
function searchIdOf({ id, offers }: ResultSet, positions: readonly number[] | null): string {
  if (!positions || (positions.length === offers.length && positions.every((position, index) => position === index))) return id
  return `${id}-${createHash('sha256').update(positions.join()).digest('base64url').slice(0, 10)}`
}
