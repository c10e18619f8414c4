import type { SearchResults } from '@passerelle/contracts/http/search'
import type { RunningService } from '@passerelle/kit/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anotherDay, type Bench, startSearchBench, supplierIdOf } from './search.fixture.ts'

let bench: Bench
let other: RunningService
beforeAll(async () => {
  bench = await startSearchBench()
  other = await bench.replica()
})
afterAll(() => bench?.stop())

const criteria = () => ({ origin: 'LHR', destination: 'JFK', departureDate: anotherDay() })

/** All pages of a search, as a visitor loads them. */
async function wholeList(search: ReturnType<typeof criteria>, at?: RunningService) {
  const pages: SearchResults[] = []
  for (const page of [1, 2, 3]) pages.push((await bench.find({ ...search, page, limit: 100 }, { at })).body)
  return {
    ids: pages.flatMap(({ offers }) => offers.map(({ id }) => id)),
    counts: new Set(pages.map(({ total_count }) => total_count)),
    sets: [...new Set(pages.map(({ search_id }) => search_id))],
  }
}

/** A list that both replicas hold, and its first offer, which the supplier sells no more. */
async function lose(how: 'offer-gone' | 'offer-expired', { as, opened = false }: { as?: 'payload'; opened?: boolean } = {}) {
  const search = criteria()
  const before = await wholeList(search)
  await wholeList(search, other)
  const [id = ''] = before.ids
  if (opened) for (const at of [bench.service, other]) expect((await bench.ask(`/api/flights/offer/${id}`, { at })).status).toBe(200)
  await bench.control('cases', { case: how, offerId: supplierIdOf(id), ...(as && { as }) })
  return { search, before, id }
}

const ask: Record<string, (id: string) => Promise<{ status: number }>> = {
  'opening it': (id) => bench.offer(id),
  'its seat maps': (id) => bench.ask(`/api/flights/seatmaps/${id}`),
  'a verification': (id) => bench.ask(`/api/flights/verify-offer/${id}`),
  'a quote': (id) => bench.ask(`/internal/offers/${id}/quote`, { body: {} }),
  'a refused order': async (id) => {
    await bench.ask(`/internal/offers/${id}/gone`, { body: {} })
    return { status: 410 }
  },
}

describe('an offer that the supplier does not sell any more', () => {
  it.each([
    ['opening it', 'offer-gone'],
    ['opening it', 'offer-expired', 'payload'],
    ['its seat maps', 'offer-gone'],
    ['a verification', 'offer-gone'],
    ['a verification', 'offer-expired', 'payload'],
    ['a quote', 'offer-gone'],
    ['a quote', 'offer-expired'],
    ['a refused order', 'offer-gone'],
  ] as const)('R-92, ASRCH-17: leaves the lists of all replicas after %s (%s)', async (call, how, as?: 'payload') => {
    const { search, before, id } = await lose(how, { as })
    expect((await ask[call]?.(id))?.status).toBe(410)
    const after = await wholeList(search)
    expect(after.ids).toEqual(before.ids.slice(1))
    expect(after.counts).toEqual(new Set([before.ids.length - 1]))
    expect(after.sets).toHaveLength(1)
    expect(after.sets).not.toEqual(before.sets)
    await expect.poll(() => wholeList(search, other), { timeout: 10_000 }).toEqual(after)
  })

  it('cannot be opened from what was read of it before, on any replica', async () => {
    const { id } = await lose('offer-expired', { opened: true })
    expect((await bench.ask(`/internal/offers/${id}/quote`, { body: {} })).status).toBe(410)
    for (const at of [bench.service, other]) {
      const { status, body } = await bench.ask(`/api/flights/offer/${id}`, { at })
      expect([status, body.error]).toEqual([410, 'OFFER_EXPIRED'])
    }
  })

  it('is not shown from the database either while the supplier is away', async () => {
    const { id } = await lose('offer-expired', { opened: true })
    expect((await bench.ask(`/internal/offers/${id}/quote`, { body: {} })).status).toBe(410)
    await bench.fault('status', '/air/offers/*', { status: 503, times: 2 })
    for (const at of [bench.service, other]) expect((await bench.ask(`/api/flights/offer/${id}`, { at })).status).toBe(410)
    await bench.control('faults', undefined, 'DELETE')
  })

  it('is not in a list that was asked for in the same search after a refresh either', async () => {
    const { search, id } = await lose('offer-gone')
    await bench.ask(`/internal/offers/${id}/quote`, { body: {} })
    const { body } = await bench.find(search, { headers: { 'cache-control': 'no-cache' } })
    expect(body.offers.map((offer) => offer.id)).not.toContain(id)
  })

  it('an offer of the other mode stays where it is', async () => {
    const search = criteria()
    const before = await wholeList(search)
    const [id = ''] = before.ids
    expect((await bench.offer(id, { mode: 'live' })).status).toBe(410)
    expect((await bench.ask(`/internal/offers/${id}/gone`, { body: {}, caller: { mode: 'live' } })).status).toBe(410)
    expect(await wholeList(search)).toEqual(before)
  })

  it('R-109: an offer that somebody else has booked stays: its flights can be shopped for again', async () => {
    const search = criteria()
    const before = await wholeList(search)
    const [id = ''] = before.ids
    expect((await bench.ask(`/internal/offers/${id}/requote`, { body: {} })).status).toBe(200)
    expect(await wholeList(search)).toEqual(before)
  })
})
