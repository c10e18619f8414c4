import type { CalendarPrices, SearchResults } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, dayAfter, startSearchBench } from './search.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())

const calendar = (query: Record<string, string>, options: Parameters<Bench['ask']>[1] = {}) =>
  bench.ask<CalendarPrices>(`/api/flights/calendar?${new URLSearchParams(query)}`, options)
const TRIP = { origin: 'CDG', destination: 'LIS' }

it('tells every replica the lowest price of each day that was searched, without a call of the supplier', async () => {
  const other = await bench.replica()
  const searched: { date: string; body: SearchResults }[] = []
  for (const [departure, back] of [
    [40, 47],
    [42, 49],
    [43, 49],
  ] as const) {
    const { body } = await bench.find({ ...TRIP, departureDate: dayAfter(departure), returnDate: dayAfter(back) })
    searched.push({ date: dayAfter(departure), body })
  }
  const calls = (await bench.ledger()).searches.length
  const week = { ...TRIP, from: dayAfter(39), nights: '7' }
  const expected = searched.slice(0, 2).map(({ date, body }) => {
    const { total, currency } = body.offers[0]?.price ?? {}
    return { date, price: { amount: total, currency } }
  })
  for (const at of [bench.service, other]) {
    const { status, body, header } = await calendar(week, { at })
    expect([status, header('cache-control')]).toEqual([200, 'public, max-age=10'])
    expect(body.days).toEqual(expected)
  }
  const { body: dearer } = await calendar(week, { caller: { markupPercent: 100 } })
  const bare = Number(searched[0]?.body.offers[0]?.total_amount)
  expect(Number(dearer.days[0]?.price.amount)).toBe(Math.round(bare * 2))
  expect((await bench.ledger()).searches).toHaveLength(calls)
})

it('refuses what is no calendar', async () => {
  const { status, body } = await calendar({ ...TRIP, from: 'today' })
  expect([status, body.message]).toEqual([400, 'from must be a date, as in 2027-03-04'])
})
