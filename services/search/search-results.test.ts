import { AppError } from '@passerelle/contracts/error'
import { SearchResults as Answer } from '@passerelle/contracts/http/search'
import { SearchCriteria } from '@passerelle/contracts/http/search-criteria'
import { searchKey } from '@passerelle/contracts/rules/search'
import { type Clients, ShareExceededError } from '@passerelle/kit/fair-bulkhead'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CacheFixture, createCacheFixture } from './cache.fixture.ts'
import { supplierOffer } from './domain/supplier.fixture.ts'
import type { SupplierOffer } from './domain/supplier.ts'
import { createGoneOffers, type GoneOffers } from './gone-offers.ts'
import { createResultSetCache } from './result-set-cache.ts'
import { createSearchRate } from './search-rate.ts'
import { createSearchResults, type SearchResults } from './search-results.ts'
import { createSingleFlight, type SingleFlight } from './single-flight.ts'

const log = createLog('search', 'silent')
const START = Date.parse('2027-01-05T10:00:00Z')
const MINUTE = 60_000
const criteria = SearchCriteria.parse({ origin: 'CDG', destination: 'LIS', departureDate: '2027-03-04' })

let now = START
let calls = 0
let answer: () => Promise<SupplierOffer[]>
let refuse: (clients: Clients) => void
let cache: CacheFixture
let counted: string[]
let first: Replica
let second: Replica

type Replica = SearchResults & { singleFlight: SingleFlight; gone: GoneOffers }

function replica(): Replica {
  const singleFlight = createSingleFlight(cache, log)
  const gone = createGoneOffers(cache)
  const counts = {
    visitor: () => undefined,
    supplier: (mode: string, key: string) => void counted.push(`${mode}:${key}`),
    flush: async () => undefined,
  }
  const results = createSearchResults({
    suppliers: () => ({
      async search(_search, { clients } = {}) {
        if (clients) refuse(clients)
        calls += 1
        return answer()
      },
    }),
    resultSets: createResultSetCache(cache),
    gone,
    rate: createSearchRate({ perMinute: 30, burst: 20 }),
    singleFlight,
    counts,
    metrics: createMetrics('search'),
    log,
    random: () => 1,
    waitMs: 400,
  })
  return { ...results, singleFlight, gone }
}

const offers = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    supplierOffer({
      id: `off_c${calls}n${index}`,
      expires_at: new Date(now + 30 * MINUTE).toISOString(),
      total_amount: `${200 + index}.00`,
    }),
  )
const find = (from: SearchResults = first, refresh = false, network = '203.0.113.7') =>
  from.find(criteria, { mode: 'test', network }, refresh)
const show = (from: SearchResults, found: Awaited<ReturnType<typeof find>>, page = 1, limit = 30) =>
  Answer.parse(JSON.parse(from.page(found, { page, limit }, {}, 23).json))

beforeEach(() => {
  const restoreRuntime = replaceRuntime({ now: () => now })
  now = START
  calls = 0
  counted = []
  cache = createCacheFixture()
  answer = async () => offers(3)
  refuse = () => undefined
  first = replica()
  second = replica()
  return restoreRuntime
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
    await first.singleFlight.settle()
    const found = await find(second)
    expect([found.source, found.set, calls]).toEqual(['hit', set, 1])
  })

  it('R-70: searches of the two modes are kept apart', async () => {
    await find()
    expect((await first.find(criteria, { mode: 'live', network: '203.0.113.7' }, false)).source).toBe('miss')
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
  it('R-92: when a list is nearly five minutes old it is shown while one new search is made', async () => {
    const old = await find()
    await first.singleFlight.settle()
    now += 5 * MINUTE - 1
    const [stale, again] = await Promise.all([find(), find()])
    expect([stale.source, again.source, stale.set.id]).toEqual(['stale', 'stale', old.set.id])
    await first.singleFlight.settle()
    const fresh = await find()
    expect([fresh.source, calls]).toEqual(['hit', 2])
    expect(fresh.set.id).not.toBe(old.set.id)
  })

  it('R-92: a list that is five minutes old is never shown, on no replica', async () => {
    await find()
    await first.singleFlight.settle()
    await find(second)
    now += 5 * MINUTE
    expect((await find()).source).toBe('miss')
    await first.singleFlight.settle()
    expect([(await find(second)).source, calls]).toEqual(['hit', 2])
  })

  it('a stale list is still shown when the supplier fails', async () => {
    await find()
    await first.singleFlight.settle()
    now += 4.5 * MINUTE
    answer = async () => Promise.reject(new AppError('SEARCH_FAILED'))
    expect((await find()).source).toBe('stale')
    expect((await find(first, true)).source).toBe('stale')
  })

  it('R-92: a list that became five minutes old while the supplier failed is not shown', async () => {
    await find()
    await first.singleFlight.settle()
    now += 4.5 * MINUTE
    answer = async () => {
      now += MINUTE
      throw new AppError('SEARCH_FAILED')
    }
    await expect(find(first, true)).rejects.toMatchObject({ code: 'SEARCH_FAILED' })
  })

  it('an empty list is asked for again after a minute', async () => {
    answer = async () => []
    await find()
    await first.singleFlight.settle()
    now += MINUTE - 1
    expect((await find()).source).toBe('hit')
    now += 1
    expect((await find()).source).toBe('miss')
  })

  it('R-93: a refresh asks the supplier again at most once in 30 seconds', async () => {
    const old = await find()
    await first.singleFlight.settle()
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
    await first.singleFlight.settle()
    expect((await find(second)).set.id).toBe(old.set.id)
    now += 31_000
    const refreshed = await find(first, true)
    await first.singleFlight.settle()
    now += 1000
    expect((await find(second)).set.id).toBe(refreshed.set.id)
    expect(calls).toBe(2)
  })

  it('a flushed cache costs nothing while memory holds the set', async () => {
    const { set } = await find()
    await first.singleFlight.settle()
    cache.flush()
    now += 2000
    expect(await find()).toMatchObject({ source: 'hit', set: { id: set.id } })
  })

  it('text that is no set in the shared cache is as good as none', async () => {
    await cache.set(`set:2:test:${searchKey(criteria)}`, 'garbage', 60_000)
    expect((await find()).source).toBe('miss')
  })
})

describe('pages', () => {
  it('are built once per markup and not shared between markups', async () => {
    const found = await find()
    const read = (markup: number) => Answer.parse(JSON.parse(first.page(found, { page: 1, limit: 2 }, {}, markup).json))
    expect([read(23).offers[0]?.price.total, read(10).offers[0]?.price.total, read(23).offers[0]?.price.total]).toEqual([
      '246.00',
      '220.00',
      '246.00',
    ])
    expect(first.page(found, { page: 1, limit: 2 }, {}, 23)).toBe(first.page(found, { page: 1, limit: 2 }, {}, 23))
  })

  it('ASRCH-17: a list is not kept beyond the last five minutes of its first offer to end', async () => {
    answer = async () => [
      ...offers(2),
      supplierOffer({ id: 'off_short', expires_at: new Date(now + 8 * MINUTE).toISOString(), total_amount: '1.00' }),
    ]
    expect(show(first, await find()).offers.map(({ id }) => id)).toContain('oft_short')
    await first.singleFlight.settle()
    now += 3 * MINUTE
    expect((await find()).source).toBe('miss')
  })
})

describe('an offer that the supplier says is gone', () => {
  const idsOf = ({ offers }: Answer) => offers.map(({ id }) => id)

  it('leaves the list at once, with its place in the count, under another search id', async () => {
    const found = await find()
    const before = show(first, found)
    await first.gone.add(before.offers[0]?.id ?? '')
    const after = show(first, await find())
    expect([after.total_count, idsOf(after)]).toEqual([2, idsOf(before).slice(1)])
    expect(after.search_id).not.toBe(before.search_id)
    expect(after.search_id.startsWith(found.set.id)).toBe(true)
    expect(calls).toBe(1)
  })

  it('leaves the list of another replica within a second, under the same search id', async () => {
    const [id = ''] = idsOf(show(first, await find(first)))
    await first.singleFlight.settle()
    expect(idsOf(show(second, await find(second)))).toContain(id)
    await first.gone.add(id)
    now += 1000
    const there = show(second, await find(second))
    expect(idsOf(there)).not.toContain(id)
    expect(there.search_id).toBe(show(first, await find(first)).search_id)
  })

  it('stays away from a replica that starts later', async () => {
    const [id = ''] = idsOf(show(first, await find(first)))
    await first.singleFlight.settle()
    await first.gone.add(id)
    const late = replica()
    expect(idsOf(show(late, await find(late)))).not.toContain(id)
  })

  it('EVT-08: is told to the others when the shared cache is back', async () => {
    const [id = ''] = idsOf(show(first, await find(first)))
    await first.singleFlight.settle()
    await find(second)
    cache.away = true
    await first.gone.add(id)
    expect(idsOf(show(first, await find(first)))).not.toContain(id)
    cache.away = false
    await first.gone.share()
    now += 1000
    expect(idsOf(show(second, await find(second)))).not.toContain(id)
  })

  it('is shown again only when a later search of the supplier returns it', async () => {
    answer = async () => [supplierOffer({ id: 'off_again', expires_at: new Date(now + 30 * MINUTE).toISOString() })]
    await find()
    await first.singleFlight.settle()
    await first.gone.add('oft_again')
    now += 31_000
    expect(show(first, await find())).toMatchObject({ offers: [], total_count: 0 })
    const refreshed = show(first, await find(first, true))
    expect([idsOf(refreshed), calls]).toEqual([['oft_again'], 2])
  })
})

describe('one network and the others', () => {
  const search = (day: number) => ({ ...criteria, departureDate: `2027-04-${String(day).padStart(2, '0')}` })
  const findDay = (day: number, network: string) => first.find(search(day), { mode: 'test', network }, false)

  it('a network may have 20 new searches at once, and one more every two seconds', async () => {
    for (let day = 1; day <= 20; day++) await findDay(day, '203.0.113.7')
    await expect(findDay(21, '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 2 })
    expect((await findDay(21, '198.51.100.9')).source).toBe('miss')
    now += 2000
    expect((await findDay(22, '203.0.113.7')).source).toBe('miss')
  })

  it('a search that is answered from memory, by another replica or by joining costs nothing', async () => {
    for (let day = 1; day <= 19; day++) await findDay(day, '203.0.113.7')
    await Promise.all([findDay(20, '198.51.100.9'), findDay(20, '203.0.113.7')])
    for (let again = 0; again < 5; again++) await findDay(1, '203.0.113.7')
    await first.singleFlight.settle()
    await find(second)
    await second.singleFlight.settle()
    expect((await find(first)).source).toBe('hit')
    expect((await findDay(23, '203.0.113.7')).source).toBe('miss')
    await expect(findDay(24, '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('one that is refused for what it has under way already takes nobody along who joined it', async () => {
    const asked: string[] = []
    refuse = (clients) => {
      asked.push(clients.first)
      if (clients.first === '203.0.113.7') throw new ShareExceededError('SEARCH_BUSY', clients.first)
    }
    const both = await Promise.allSettled([
      find(first, false, '203.0.113.7'),
      find(first, false, '198.51.100.9'),
      find(second, false, '192.0.2.4'),
    ])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect([asked[0], calls]).toEqual(['203.0.113.7', 1])
  })
})
