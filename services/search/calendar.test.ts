/** Lowest prices by day, from lists that are cached. */
import type { CalendarQuery } from '@passerelle/contracts/http/search-criteria'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Calendar, createCalendar } from './calendar.ts'
import { createResultSetCache } from './result-set-cache.ts'
import { criteria, MINUTE, openResultsBench, type Replica, type ResultsBench } from './search-results.fixture.ts'

let bench: ResultsBench
beforeEach(() => {
  bench = openResultsBench()
  return bench.close
})

const { departureDate, returnDate: _none, ...trip } = criteria
const WEEK: CalendarQuery = { ...trip, from: '2027-03-01', days: 7 }
const ROUND: CalendarQuery = { ...WEEK, nights: 7 }
const VISITOR = { mode: 'test', markupPercent: 23 } as const

const calendarOf = (replica: Replica): Calendar =>
  createCalendar({ resultSets: createResultSetCache(bench.cache), results: replica, gone: replica.gone })

async function search(date: string, { mode = 'test' as 'test' | 'live', returnDate = undefined as string | undefined } = {}) {
  const found = await bench.first.find(
    { ...criteria, departureDate: date, returnDate },
    { mode, brand: 'default', network: '203.0.113.7' },
    false,
  )
  await bench.first.singleFlight.settle()
  return found
}

describe('lowest prices by day', () => {
  it('are those of days that were searched, with the markup of the brand, and the supplier is not asked', async () => {
    await search(departureDate)
    await search('2027-03-06')
    await search('2027-03-08')
    const days = [
      { date: departureDate, price: { amount: '246.00', currency: 'EUR' } },
      { date: '2027-03-06', price: { amount: '246.00', currency: 'EUR' } },
    ]
    expect(await calendarOf(bench.first).prices(WEEK, VISITOR)).toEqual({ days })
    expect(await calendarOf(bench.second).prices(WEEK, VISITOR)).toEqual({ days })
    const dearer = await calendarOf(bench.first).prices(WEEK, { ...VISITOR, markupPercent: 50 })
    expect(dearer.days[0]?.price).toEqual({ amount: '300.00', currency: 'EUR' })
    expect(bench.calls).toBe(3)
  })

  it('of a round trip are for the same number of nights', async () => {
    await search('2027-03-02', { returnDate: '2027-03-09' })
    await search('2027-03-03', { returnDate: '2027-03-09' })
    await search('2027-03-04')
    expect((await calendarOf(bench.first).prices(ROUND, VISITOR)).days.map(({ date }) => date)).toEqual(['2027-03-02'])
    expect((await calendarOf(bench.first).prices(WEEK, VISITOR)).days.map(({ date }) => date)).toEqual(['2027-03-04'])
  })

  it('are of the same cabin, travellers and mode', async () => {
    await search(departureDate)
    const { prices } = calendarOf(bench.first)
    for (const other of [{ adultsCount: 2 }, { cabinClass: 'business' as const }, { origin: 'ORY' }])
      expect(await prices({ ...WEEK, ...other }, VISITOR)).toEqual({ days: [] })
    expect(await prices(WEEK, { ...VISITOR, mode: 'live' })).toEqual({ days: [] })
  })

  it('leave with their list after five minutes', async () => {
    await search(departureDate)
    bench.now += 5 * MINUTE - 1
    expect((await calendarOf(bench.second).prices(WEEK, VISITOR)).days).toHaveLength(1)
    bench.now += 1
    expect((await calendarOf(bench.first).prices(WEEK, VISITOR)).days).toEqual([])
  })

  it('are those of the next offer when the cheapest is gone, and of none when the cheapest three are', async () => {
    const { set } = await search(departureDate)
    const price = async () => (await calendarOf(bench.second).prices(WEEK, VISITOR)).days[0]?.price.amount
    for (const [index, left] of ['247.00', '248.00', undefined].entries()) {
      bench.now += 1001
      await bench.first.gone.add(set.offers[index]?.id ?? '')
      expect(await price()).toBe(left)
    }
  })

  it('come from the memory of the process while Redis is away', async () => {
    bench.cache.away = true
    await search(departureDate)
    expect((await calendarOf(bench.first).prices(WEEK, VISITOR)).days).toHaveLength(1)
    expect((await calendarOf(bench.second).prices(WEEK, VISITOR)).days).toEqual([])
  })

  it('have no price for a list without offers', async () => {
    bench.answer = async () => []
    await search(departureDate)
    expect(await calendarOf(bench.first).prices(WEEK, VISITOR)).toEqual({ days: [] })
  })

  it('are found in one read of Redis, under keys that name nobody', async () => {
    await search(departureDate)
    const reads: string[][] = []
    const calendar = createCalendar({
      resultSets: createResultSetCache({
        ...bench.cache,
        async getAll(keys) {
          reads.push([...keys])
          return []
        },
      }),
      results: { inMemory: () => undefined },
      gone: bench.second.gone,
    })
    await calendar.prices({ ...ROUND, days: 62 }, VISITOR)
    expect(reads.map(({ length }) => length)).toEqual([62])
    expect(reads[0]?.[0]).toBe('cheapest:1:test:CDG:LIS:2027-03-01:2027-03-08:economy:1:0:0')
  })
})
