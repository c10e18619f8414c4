import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { describe, expect, it, vi } from 'vitest'
import { firstPage, hasMore, loadMore, nextPage, readMore, readResults, withMore, withoutMore } from './pages.ts'

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

describe('loadMore', () => {
  it('RES-23: asks for one page and keeps what was there', async () => {
    const fetchPage = vi.fn(async () => results(100, 200))
    const more = await loadMore(results(0, 100), 100, fetchPage)
    expect(fetchPage.mock.calls).toEqual([[2]])
    expect(ids(more)).toEqual(ids(results(0, 200)))
  })

  it('RES-13, RES-25: an overlap is removed, earlier offers stay first', async () => {
    const more = await loadMore(results(0, 30), 30, async () => results(0, 100))
    expect(ids(more)).toEqual(ids(results(0, 100)))
  })

  it('leaves no gap when fewer offers are kept than the address says', async () => {
    const fetchPage = vi.fn(async (page: number) => results((page - 1) * 100, page * 100))
    const more = await loadMore(results(0, 30), 200, fetchPage)
    expect(fetchPage.mock.calls[0]).toEqual([3])
    expect(ids(more)).toEqual(ids(results(0, 300)))
  })

  it('R-09: when the set was rebuilt, the pages before are read from the new set', async () => {
    const fetchPage = vi.fn(async (page: number) => results((page - 1) * 100, page * 100, 'set_2'))
    const more = await loadMore(results(900, 1000), 100, fetchPage)
    expect(ids(more)).toEqual(ids(results(0, 200)))
    expect(more.search_id).toBe('set_2')
  })

  it('reads the pages before when nothing earlier was kept', async () => {
    const more = await loadMore(null, 100, async (page) => results((page - 1) * 100, page * 100))
    expect(ids(more)).toEqual(ids(results(0, 200)))
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
