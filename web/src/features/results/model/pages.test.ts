import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { describe, expect, it, vi } from 'vitest'
import { fetchMore, firstPage, hasMore, mergePages, nextPage, readMore, readResults, withMore, withoutMore } from './pages.ts'

const offers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ({ id: `off_${from + index}` }) as FlightOffer)
const results = (from: number, to: number, search_id = 'set_1', total_count = 245): SearchResults => ({
  offers: offers(from, to),
  total_count,
  search_id,
})
const ids = (list: SearchResults) => list.offers.map((offer) => offer.id)

describe('pages', () => {
  it.each([
    [30, 1],
    [100, 2],
    [250, 3],
  ])('RES-24: previousCount %i asks for page %i', (previousCount, page) => {
    expect(nextPage(previousCount)).toBe(page)
  })

  it('RES-22: there is more only while fewer are loaded than exist', () => {
    expect(hasMore(results(0, 30))).toBe(true)
    expect(hasMore(results(0, 30, 'set_1', 30))).toBe(false)
    expect(hasMore(results(0, 0, 'set_1', 0))).toBe(false)
  })

  it('RES-29: the first page is the first 30', () => {
    expect(ids(firstPage(results(0, 200)))).toEqual(ids(results(0, 30)))
  })

  it.each([[{}], [null], [{ data: [], meta: { total: 0 } }]])('RES-32, R-08: %j is read as no offers', (body) => {
    expect(readResults(body)).toEqual({ offers: [], total_count: 0, search_id: '' })
  })
})

describe('a further page', () => {
  it('RES-23: is one call while the set is the same', async () => {
    const fetchPage = vi.fn(async () => results(100, 200))
    expect(ids(await fetchMore(2, 'set_1', fetchPage))).toEqual(ids(results(100, 200)))
    expect(fetchPage.mock.calls).toEqual([[2]])
  })

  it('R-09: brings the pages before it along when the set was rebuilt', async () => {
    const fetchPage = vi.fn(async (page: number) => results((page - 1) * 100, page * 100, 'set_2'))
    const more = await fetchMore(3, 'set_1', fetchPage)
    expect(fetchPage.mock.calls.map(([page]) => page)).toEqual([3, 1, 2])
    expect(ids(more)).toEqual(ids(results(0, 300)))
  })
})

describe('the pages as one list', () => {
  it('RES-13, RES-25: have no offer twice, and earlier offers stay first', () => {
    expect(ids(mergePages([results(0, 30), results(0, 100), results(100, 200)]))).toEqual(ids(results(0, 200)))
  })

  it('R-09: hold nothing of an older set', () => {
    const merged = mergePages([results(900, 930), results(0, 100, 'set_2', 180)])
    expect(ids(merged)).toEqual(ids(results(0, 100)))
    expect(merged).toMatchObject({ search_id: 'set_2', total_count: 180 })
  })

  it('are an empty list while there are none', () => {
    expect(mergePages([])).toEqual({ offers: [], total_count: 0, search_id: '' })
  })
})

describe('the address while loading more', () => {
  it('RES-23, RES-26: carries showMore and previousCount, and loses them again', () => {
    const plain = new URLSearchParams('origin=CDG&adultsCount=2')
    const more = withMore(plain, 30)
    expect(readMore(more)).toEqual({ previousCount: 30 })
    expect(withoutMore(more).toString()).toBe(plain.toString())
  })

  it('asks for nothing without both, or with nonsense', () => {
    expect(readMore(new URLSearchParams('showMore=true'))).toBeNull()
    expect(readMore(new URLSearchParams('showMore=true&previousCount=-3'))).toBeNull()
    expect(readMore(new URLSearchParams('previousCount=30'))).toBeNull()
  })
})
