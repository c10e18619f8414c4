import { AppError } from '@passerelle/contracts/error'
import { searchKey } from '@passerelle/contracts/rules/search'
import { ShareExceededError } from '@passerelle/kit/fair-bulkhead'
import { beforeEach, describe, expect, it } from 'vitest'
import { criteria, openResultsBench, type ResultsBench } from './search-results.fixture.ts'

let bench: ResultsBench
beforeEach(() => {
  bench = openResultsBench()
  return bench.close
})

describe('one supplier search', () => {
  it('ASRCH-15: the same search again is answered from memory', async () => {
    const [miss, hit] = [await bench.find(), await bench.find()]
    expect([miss.source, hit.source, bench.calls]).toEqual(['miss', 'hit', 1])
    expect(hit.set.id).toBe(miss.set.id)
    expect(bench.counted).toEqual([`test:${searchKey(criteria)}`])
  })

  it('ASRCH-16: fifty at once on two replicas ask the supplier once and get the same set', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, (_, index) => bench.find(index % 2 === 0 ? bench.first : bench.second)))
    expect(bench.calls).toBe(1)
    expect(new Set(found.map(({ set }) => set.id)).size).toBe(1)
  })

  it('another replica reads the set that the first one made', async () => {
    const { set } = await bench.find(bench.first)
    await bench.first.singleFlight.settle()
    const found = await bench.find(bench.second)
    expect([found.source, found.set, bench.calls]).toEqual(['hit', set, 1])
  })

  it('R-70: searches of the two modes are kept apart', async () => {
    await bench.find()
    expect((await bench.first.find(criteria, { mode: 'live', brand: 'default', network: '203.0.113.7' }, false)).source).toBe('miss')
  })

  it('EVT-08: without the shared cache each replica asks once and answers from its own memory', async () => {
    bench.cache.away = true
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => bench.find(index % 2 === 0 ? bench.first : bench.second)))
    expect(bench.calls).toBe(2)
    expect(found.every(({ source }) => source === 'miss')).toBe(true)
    expect((await bench.find()).source).toBe('hit')
  })

  it('one late answer of the shared cache does not make a replica ask for itself', async () => {
    const { lock } = bench.cache
    let asked = 0
    bench.cache.lock = async (key, ttlMs) => {
      asked += 1
      return asked === 2 ? 'unavailable' : lock(key, ttlMs)
    }
    bench.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return bench.offers(2)
    }
    await Promise.all([bench.find(bench.first), bench.find(bench.second)])
    expect(bench.calls).toBe(1)
  })

  it('a holder that died leaves its lock to expire, and a waiting replica takes over', async () => {
    await bench.cache.lock(`lock:search:test:${searchKey(criteria)}`, 4000)
    const waiting = bench.find()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(bench.calls).toBe(0)
    bench.now += 4001
    expect((await waiting).source).toBe('miss')
    expect(bench.calls).toBe(1)
  })

  it('a search that nobody finishes is given up with SEARCH_BUSY', async () => {
    const keptForever = setInterval(() => void bench.cache.set(`lock:search:test:${searchKey(criteria)}`, '1', 4000), 20)
    await bench.cache.set(`lock:search:test:${searchKey(criteria)}`, '1', 4000)
    await expect(bench.find(bench.replica(400))).rejects.toMatchObject({ code: 'SEARCH_BUSY', retryAfter: 5 })
    clearInterval(keptForever)
  })

  it('a failure is shared with those who wait, and the next search asks again', async () => {
    bench.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      throw new AppError('SEARCH_FAILED')
    }
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => bench.find(index % 2 === 0 ? bench.first : bench.second)),
    )
    expect(results.map((result) => result.status === 'rejected' && (result.reason as AppError).code)).toEqual(
      Array(10).fill('SEARCH_FAILED'),
    )
    expect(bench.calls).toBe(1)
    bench.answer = async () => bench.offers(1)
    expect((await bench.find()).source).toBe('miss')
  })
})

describe('one network and the others', () => {
  const search = (day: number) => ({ ...criteria, departureDate: `2027-04-${String(day).padStart(2, '0')}` })
  const findDay = (day: number, network: string) => bench.first.find(search(day), { mode: 'test', brand: 'default', network }, false)

  it('a network may have 20 new searches at once, and one more every two seconds', async () => {
    for (let day = 1; day <= 20; day++) await findDay(day, '203.0.113.7')
    await expect(findDay(21, '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 2 })
    expect((await findDay(21, '198.51.100.9')).source).toBe('miss')
    bench.now += 2000
    expect((await findDay(22, '203.0.113.7')).source).toBe('miss')
  })

  it('a search that is answered from memory, by another replica or by joining costs nothing', async () => {
    for (let day = 1; day <= 19; day++) await findDay(day, '203.0.113.7')
    await Promise.all([findDay(20, '198.51.100.9'), findDay(20, '203.0.113.7')])
    for (let again = 0; again < 5; again++) await findDay(1, '203.0.113.7')
    await bench.first.singleFlight.settle()
    await bench.find(bench.second)
    await bench.second.singleFlight.settle()
    expect((await bench.find(bench.first)).source).toBe('hit')
    expect((await findDay(23, '203.0.113.7')).source).toBe('miss')
    await expect(findDay(24, '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('one that is refused for what it has under way already takes nobody along who joined it', async () => {
    const asked: string[] = []
    bench.refuse = (clients) => {
      asked.push(clients.first)
      if (clients.first === '203.0.113.7') throw new ShareExceededError('SEARCH_BUSY', clients.first)
    }
    const both = await Promise.allSettled([
      bench.find(bench.first, false, '203.0.113.7'),
      bench.find(bench.first, false, '198.51.100.9'),
      bench.find(bench.second, false, '192.0.2.4'),
    ])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect([asked[0], bench.calls]).toEqual(['203.0.113.7', 1])
  })
})
