import { AppError } from '@passerelle/contracts/error'
import { SearchResults as Answer } from '@passerelle/contracts/http/search'
import { SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CacheFixture, createCacheFixture } from './cache.fixture.ts'
import type { SupplierOffer } from './domain/supplier.ts'
import { supplierOffer } from './domain/supplier-fixture.ts'
import { createFlights, type Flights } from './flights.ts'
import { createSearchResults, type SearchResults } from './search-results.ts'
import { createSharedSets } from './shared-sets.ts'

const log = createLog('search', 'silent')
const START = Date.parse('2027-01-05T10:00:00Z')
const MINUTE = 60_000
const criteria = SearchCriteria.parse({ origin: 'CDG', destination: 'LIS', departureDate: '2027-03-04' })

let now = START
let calls = 0
let answer: () => Promise<SupplierOffer[]>
let cache: CacheFixture
let counted: string[]
let first: Replica
let second: Replica

type Replica = SearchResults & { flights: Flights }

function replica(): Replica {
  const flights = createFlights(cache, log)
  const counts = {
    visitor: () => undefined,
    supplier: (mode: string, key: string) => void counted.push(`${mode}:${key}`),
    flush: async () => undefined,
  }
  const results = createSearchResults({
    suppliers: () => ({
      async search() {
        calls += 1
        return answer()
      },
    }),
    shared: createSharedSets(cache),
    flights,
    counts,
    metrics: createMetrics('search'),
    log,
    clock: () => now,
    random: () => 1,
    waitMs: 400,
  })
  return { ...results, flights }
}

const offers = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    supplierOffer({
      id: `off_c${calls}n${index}`,
      expires_at: new Date(now + 30 * MINUTE).toISOString(),
      total_amount: `${200 + index}.00`,
    }),
  )
const find = (from: SearchResults = first, refresh = false) => from.find(criteria, 'test', refresh)

beforeEach(() => {
  now = START
  calls = 0
  counted = []
  cache = createCacheFixture(() => now)
  answer = async () => offers(3)
  first = replica()
  second = replica()
})

describe('one supplier search', () => {
  it('ASRCH-15: the same search again is answered from memory', async () => {
    const [miss, hit] = [await find(), await find()]
    expect([miss.source, hit.source, calls]).toEqual(['miss', 'hit', 1])
    expect(hit.set.id).toBe(miss.set.id)
    expect(counted).toEqual([`test:${searchKey(criteria)}`])
  })

  it('ASRCH-16: fifty at once on two replicas ask the supplier once and get the same set', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, (_, index) => find(index % 2 === 0 ? first : second)))
    expect(calls).toBe(1)
    expect(new Set(found.map(({ set }) => set.id)).size).toBe(1)
  })

  it('another replica reads the set that the first one made', async () => {
    const { set } = await find(first)
    await first.flights.settle()
    const found = await find(second)
    expect([found.source, found.set, calls]).toEqual(['hit', set, 1])
  })

  it('R-70: searches of the two modes are kept apart', async () => {
    await first.find(criteria, 'test', false)
    expect((await first.find(criteria, 'live', false)).source).toBe('miss')
  })

  it('EVT-08: without the shared cache each replica asks once and answers from its own memory', async () => {
    cache.away = true
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => find(index % 2 === 0 ? first : second)))
    expect(calls).toBe(2)
    expect(found.every(({ source }) => source === 'miss')).toBe(true)
    expect((await find()).source).toBe('hit')
  })

  it('one late answer of the shared cache does not make a replica ask for itself', async () => {
    const { lock } = cache
    let asked = 0
    cache.lock = async (key, ttlMs) => {
      asked += 1
      return asked === 2 ? 'unavailable' : lock(key, ttlMs)
    }
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return offers(2)
    }
    await Promise.all([find(first), find(second)])
    expect(calls).toBe(1)
  })

  it('a holder that died leaves its lock to expire, and a waiting replica takes over', async () => {
    await cache.lock(`lock:search:test:${searchKey(criteria)}`, 4000)
    const waiting = find()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(calls).toBe(0)
    now += 4001
    expect((await waiting).source).toBe('miss')
    expect(calls).toBe(1)
  })

  it('a search that nobody finishes is given up with SEARCH_BUSY', async () => {
    const keptForever = setInterval(() => void cache.set(`lock:search:test:${searchKey(criteria)}`, '1', 4000), 20)
    await cache.set(`lock:search:test:${searchKey(criteria)}`, '1', 4000)
    await expect(find()).rejects.toMatchObject({ code: 'SEARCH_BUSY', retryAfter: 5 })
    clearInterval(keptForever)
  })

  it('a failure is shared with those who wait, and the next search asks again', async () => {
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      throw new AppError('SEARCH_FAILED')
    }
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => find(index % 2 === 0 ? first : second)))
    expect(results.map((result) => result.status === 'rejected' && (result.reason as AppError).code)).toEqual(
      Array(10).fill('SEARCH_FAILED'),
    )
    expect(calls).toBe(1)
    answer = async () => offers(1)
    expect((await find()).source).toBe('miss')
  })
})

describe('freshness', () => {
  it('R-92: after five minutes the old list is shown while one new search is made', async () => {
    const old = await find()
    await first.flights.settle()
    now += 5 * MINUTE + 1
    const [stale, again] = await Promise.all([find(), find()])
    expect([stale.source, again.source, stale.set.id]).toEqual(['stale', 'stale', old.set.id])
    await first.flights.settle()
    const fresh = await find()
    expect([fresh.source, calls]).toEqual(['hit', 2])
    expect(fresh.set.id).not.toBe(old.set.id)
  })

  it('after ten minutes there is nothing left to show', async () => {
    await find()
    await first.flights.settle()
    now += 10 * MINUTE + 1
    expect((await find()).source).toBe('miss')
  })

  it('a stale list is still shown when the supplier fails', async () => {
    await find()
    await first.flights.settle()
    now += 6 * MINUTE
    answer = async () => Promise.reject(new AppError('SEARCH_FAILED'))
    expect((await find()).source).toBe('stale')
    expect((await find(first, true)).source).toBe('stale')
  })

  it('an empty list is asked for again after a minute', async () => {
    answer = async () => []
    await find()
    await first.flights.settle()
    now += MINUTE - 1
    expect((await find()).source).toBe('hit')
    now += 1
    expect((await find()).source).toBe('miss')
  })

  it('R-93: a refresh asks the supplier again at most once in 30 seconds', async () => {
    const old = await find()
    await first.flights.settle()
    now += 29_000
    expect(await find(first, true)).toMatchObject({ source: 'hit', set: { id: old.set.id } })
    now += 2000
    const refreshed = await Promise.all([find(first, true), find(second, true)])
    expect(calls).toBe(2)
    expect(new Set(refreshed.map(({ set }) => set.id)).size).toBe(1)
    expect(refreshed[0]?.set.id).not.toBe(old.set.id)
    expect((await find(first, true)).source).toBe('hit')
    expect(calls).toBe(2)
  })

  it('R-09: a set that one replica refreshed is the set of the other within a second', async () => {
    const old = await find(first)
    await first.flights.settle()
    expect((await find(second)).set.id).toBe(old.set.id)
    now += 31_000
    const refreshed = await find(first, true)
    await first.flights.settle()
    now += 1000
    expect((await find(second)).set.id).toBe(refreshed.set.id)
    expect(calls).toBe(2)
  })

  it('a flushed cache costs nothing while memory holds the set', async () => {
    const { set } = await find()
    await first.flights.settle()
    cache.flush()
    now += 2000
    expect(await find()).toMatchObject({ source: 'hit', set: { id: set.id } })
  })

  it('text that is no set in the shared cache is as good as none', async () => {
    await cache.set(`set:1:test:${searchKey(criteria)}`, 'garbage', 60_000)
    expect((await find()).source).toBe('miss')
  })
})

describe('pages', () => {
  it('are built once per markup and not shared between markups', async () => {
    const found = await find()
    const read = (markup: number) => Answer.parse(JSON.parse(first.page(found, { page: 1, limit: 2 }, markup).json))
    expect([read(23).offers[0]?.price.total, read(10).offers[0]?.price.total, read(23).offers[0]?.price.total]).toEqual([
      '246.00',
      '220.00',
      '246.00',
    ])
    expect(first.page(found, { page: 1, limit: 2 }, 23)).toBe(first.page(found, { page: 1, limit: 2 }, 23))
  })

  it('ASRCH-17: a page that was built earlier is not used once an offer of it has expired', async () => {
    answer = async () => [
      ...offers(2),
      supplierOffer({ id: 'off_short', expires_at: new Date(now + 11 * MINUTE).toISOString(), total_amount: '1.00' }),
    ]
    const found = await find()
    expect(first.page(found, { page: 1, limit: 30 }, 23).json).toContain('oft_short')
    now += 7 * MINUTE
    const later = Answer.parse(JSON.parse(first.page(await find(), { page: 1, limit: 30 }, 23).json))
    expect([later.total_count, later.offers.map(({ id }) => id).includes('oft_short')]).toEqual([2, false])
  })
})
