/** Lists of offers as time passes and offers go. */
import { AppError } from '@passerelle/contracts/error'
import { SearchResults as Answer } from '@passerelle/contracts/http/search'
import { searchKey } from '@passerelle/contracts/rules/search'
import { beforeEach, describe, expect, it } from 'vitest'
import { supplierOffer } from './domain/supplier.fixture.ts'
import { criteria, MINUTE, openResultsBench, type ResultsBench } from './search-results.fixture.ts'

let bench: ResultsBench
beforeEach(() => {
  bench = openResultsBench()
  return bench.close
})

describe('freshness', () => {
  it('R-92: when a list is nearly five minutes old it is shown while one new search is made', async () => {
    const old = await bench.find()
    await bench.first.singleFlight.settle()
    bench.now += 5 * MINUTE - 1
    const [stale, again] = await Promise.all([bench.find(), bench.find()])
    expect([stale.source, again.source, stale.set.id]).toEqual(['stale', 'stale', old.set.id])
    await bench.first.singleFlight.settle()
    const fresh = await bench.find()
    expect([fresh.source, bench.calls]).toEqual(['hit', 2])
    expect(fresh.set.id).not.toBe(old.set.id)
  })

  it('R-92: a list that is five minutes old is never shown, on no replica', async () => {
    await bench.find()
    await bench.first.singleFlight.settle()
    await bench.find(bench.second)
    bench.now += 5 * MINUTE
    expect((await bench.find()).source).toBe('miss')
    await bench.first.singleFlight.settle()
    expect([(await bench.find(bench.second)).source, bench.calls]).toEqual(['hit', 2])
  })

  it('a stale list is still shown when the supplier fails', async () => {
    await bench.find()
    await bench.first.singleFlight.settle()
    bench.now += 4.5 * MINUTE
    bench.answer = async () => Promise.reject(new AppError('SEARCH_FAILED'))
    expect((await bench.find()).source).toBe('stale')
    expect((await bench.find(bench.first, true)).source).toBe('stale')
  })

  it('R-92: a list that became five minutes old while the supplier failed is not shown', async () => {
    await bench.find()
    await bench.first.singleFlight.settle()
    bench.now += 4.5 * MINUTE
    bench.answer = async () => {
      bench.now += MINUTE
      throw new AppError('SEARCH_FAILED')
    }
    await expect(bench.find(bench.first, true)).rejects.toMatchObject({ code: 'SEARCH_FAILED' })
  })

  it('an empty list is asked for again after a minute', async () => {
    bench.answer = async () => []
    await bench.find()
    await bench.first.singleFlight.settle()
    bench.now += MINUTE - 1
    expect((await bench.find()).source).toBe('hit')
    bench.now += 1
    expect((await bench.find()).source).toBe('miss')
  })

  it('a list that is nearly five minutes old is shown without a new search while searches are to be saved', async () => {
    const thrifty = { ...bench.budgetOf(), isTight: () => true }
    bench.budgetOf = () => thrifty
    const replica = bench.replica()
    const old = await bench.find(replica)
    await replica.singleFlight.settle()
    bench.now += 5 * MINUTE - 1
    expect(await bench.find(replica)).toMatchObject({ source: 'stale', set: { id: old.set.id } })
    expect(await bench.find(replica, true)).toMatchObject({ source: 'miss' })
    await replica.singleFlight.settle()
    bench.now += 119_000
    expect(await bench.find(replica, true)).toMatchObject({ source: 'hit' })
    expect(bench.calls).toBe(2)
  })

  it('when the budget of searches is spent, known lists are shown and new searches refused', async () => {
    const spent = () => {
      throw new AppError('SEARCH_LIMITED', { retryAfter: 30 })
    }
    const old = await bench.find()
    await bench.first.singleFlight.settle()
    const { budgetOf } = bench
    bench.budgetOf = () => ({ ...budgetOf(), take: spent })
    const replica = bench.replica()
    expect(await bench.find(replica)).toMatchObject({ source: 'hit', set: { id: old.set.id } })
    bench.now += 5 * MINUTE - 1
    expect(await bench.find(replica)).toMatchObject({ source: 'stale' })
    expect(await bench.find(replica, true)).toMatchObject({ source: 'stale' })
    bench.now += 1
    await expect(bench.find(replica)).rejects.toMatchObject({ code: 'SEARCH_LIMITED', retryAfter: 30 })
    expect(bench.calls).toBe(1)
  })

  it('R-93: a refresh asks the supplier again at most once in 30 seconds', async () => {
    const old = await bench.find()
    await bench.first.singleFlight.settle()
    bench.now += 29_000
    expect(await bench.find(bench.first, true)).toMatchObject({ source: 'hit', set: { id: old.set.id } })
    bench.now += 2000
    const refreshed = await Promise.all([bench.find(bench.first, true), bench.find(bench.second, true)])
    expect(bench.calls).toBe(2)
    expect(new Set(refreshed.map(({ set }) => set.id)).size).toBe(1)
    expect(refreshed[0]?.set.id).not.toBe(old.set.id)
    expect((await bench.find(bench.first, true)).source).toBe('hit')
    expect(bench.calls).toBe(2)
  })

  it('R-09: a set that one replica refreshed is the set of the other within a second', async () => {
    const old = await bench.find(bench.first)
    await bench.first.singleFlight.settle()
    expect((await bench.find(bench.second)).set.id).toBe(old.set.id)
    bench.now += 31_000
    const refreshed = await bench.find(bench.first, true)
    await bench.first.singleFlight.settle()
    bench.now += 1000
    expect((await bench.find(bench.second)).set.id).toBe(refreshed.set.id)
    expect(bench.calls).toBe(2)
  })

  it('a flushed cache costs nothing while memory holds the set', async () => {
    const { set } = await bench.find()
    await bench.first.singleFlight.settle()
    bench.cache.flush()
    bench.now += 2000
    expect(await bench.find()).toMatchObject({ source: 'hit', set: { id: set.id } })
  })

  it('text that is no set in the shared cache is as good as none', async () => {
    await bench.cache.set(`set:2:test:${searchKey(criteria)}`, 'garbage', 60_000)
    expect((await bench.find()).source).toBe('miss')
  })
})

describe('pages', () => {
  it('are built once per markup and not shared between markups', async () => {
    const found = await bench.find()
    const read = (markup: number) => Answer.parse(JSON.parse(bench.first.page(found, { page: 1, limit: 2 }, {}, markup).json.toString()))
    expect([read(23).offers[0]?.price.total, read(10).offers[0]?.price.total, read(23).offers[0]?.price.total]).toEqual([
      '246.00',
      '220.00',
      '246.00',
    ])
    expect(bench.first.page(found, { page: 1, limit: 2 }, {}, 23)).toBe(bench.first.page(found, { page: 1, limit: 2 }, {}, 23))
  })

  it('ASRCH-17: a list is not kept beyond the last five minutes of its first offer to end', async () => {
    bench.answer = async () => [
      ...bench.offers(2),
      supplierOffer({ id: 'off_short', expires_at: new Date(bench.now + 8 * MINUTE).toISOString(), total_amount: '1.00' }),
    ]
    expect(bench.show(bench.first, await bench.find()).offers.map(({ id }) => id)).toContain('oft_short')
    await bench.first.singleFlight.settle()
    bench.now += 3 * MINUTE
    expect((await bench.find()).source).toBe('miss')
  })
})

describe('an offer that the supplier says is gone', () => {
  const idsOf = ({ offers }: Answer) => offers.map(({ id }) => id)

  it('leaves the list at once, with its place in the count, under another search id', async () => {
    const found = await bench.find()
    const before = bench.show(bench.first, found)
    await bench.first.gone.add(before.offers[0]?.id ?? '')
    const after = bench.show(bench.first, await bench.find())
    expect([after.total_count, idsOf(after)]).toEqual([2, idsOf(before).slice(1)])
    expect(after.search_id).not.toBe(before.search_id)
    expect(after.search_id.startsWith(found.set.id)).toBe(true)
    expect(bench.calls).toBe(1)
  })

  it('leaves the list of another replica within a second, under the same search id', async () => {
    const [id = ''] = idsOf(bench.show(bench.first, await bench.find(bench.first)))
    await bench.first.singleFlight.settle()
    expect(idsOf(bench.show(bench.second, await bench.find(bench.second)))).toContain(id)
    await bench.first.gone.add(id)
    bench.now += 1000
    const there = bench.show(bench.second, await bench.find(bench.second))
    expect(idsOf(there)).not.toContain(id)
    expect(there.search_id).toBe(bench.show(bench.first, await bench.find(bench.first)).search_id)
  })

  it('stays away from a replica that starts later', async () => {
    const [id = ''] = idsOf(bench.show(bench.first, await bench.find(bench.first)))
    await bench.first.singleFlight.settle()
    await bench.first.gone.add(id)
    const late = bench.replica()
    expect(idsOf(bench.show(late, await bench.find(late)))).not.toContain(id)
  })

  it('EVT-08: is shared with the other replicas when the shared cache is back', async () => {
    const [id = ''] = idsOf(bench.show(bench.first, await bench.find(bench.first)))
    await bench.first.singleFlight.settle()
    await bench.find(bench.second)
    bench.cache.away = true
    await bench.first.gone.add(id)
    expect(idsOf(bench.show(bench.first, await bench.find(bench.first)))).not.toContain(id)
    bench.cache.away = false
    await bench.first.gone.share()
    bench.now += 1000
    expect(idsOf(bench.show(bench.second, await bench.find(bench.second)))).not.toContain(id)
  })

  it('is shown again only when a later search of the supplier returns it', async () => {
    bench.answer = async () => [supplierOffer({ id: 'off_again', expires_at: new Date(bench.now + 30 * MINUTE).toISOString() })]
    await bench.find()
    await bench.first.singleFlight.settle()
    await bench.first.gone.add('oft_again')
    bench.now += 31_000
    expect(bench.show(bench.first, await bench.find())).toMatchObject({ offers: [], total_count: 0 })
    const refreshed = bench.show(bench.first, await bench.find(bench.first, true))
    expect([idsOf(refreshed), bench.calls]).toEqual([['oft_again'], 2])
  })
})

describe('wishes', () => {
  it('pages under other wishes have another id, on every replica the same', async () => {
    const offers = ['300.00', '200.00', '100.00'].map((total_amount, index) => supplierOffer({ id: `off_${index}`, total_amount }))
    bench.answer = async () => offers
    const found = await bench.find()
    await bench.first.singleFlight.settle()
    const idOf = (from: ResultsBench['first'], list: typeof found, wishes: object) =>
      Answer.parse(JSON.parse(from.page(list, { page: 1, limit: 30 }, wishes, 23).json.toString())).search_id
    const wishes = [{}, { sort: 'price-desc' }, { price: [0, 200] }, { price: [0, 300], facets: 'yes' }]
    const ids = wishes.map((one) => idOf(bench.first, found, one))
    expect(new Set(ids).size).toBe(4)
    const elsewhere = await bench.find(bench.second)
    expect(wishes.map((one) => idOf(bench.second, elsewhere, one))).toEqual(ids)
    expect(idOf(bench.first, found, { sort: 'price-asc', facets: 'yes' })).toBe(ids[0])
  })
})
