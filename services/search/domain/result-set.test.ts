import { SearchResults } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import type { BareOffer } from './known-offer.ts'
import { normaliseOffer } from './normalise.ts'
import { ranked } from './ranking.ts'
import { createResultSet, decodeResultSet, encodeResultSet, freshnessOf, pageText, type ResultSet, showable } from './result-set.ts'
import { supplierOffer, supplierSlice } from './supplier.fixture.ts'
import type { SupplierOffer } from './supplier.ts'

const NOW = Date.parse('2027-01-05T10:00:00Z')
const MINUTE = 60_000
const minutes = (count: number) => new Date(NOW + count * MINUTE).toISOString()

const offer = (name: string, more: Partial<SupplierOffer> = {}): BareOffer =>
  normaliseOffer(supplierOffer({ id: `off_${name}`, expires_at: minutes(30), ...more }), 'test').offer
const many = (count: number, more: Partial<SupplierOffer> = {}) =>
  Array.from({ length: count }, (_, index) =>
    offer(`n${String(index).padStart(4, '0')}`, { total_amount: `${300 + ((index * 37) % 100)}.00`, ...more }),
  )
const page = (set: ResultSet, request: { page: number; limit: number }, { now = NOW, markup = 23, goneAt = notGone } = {}) =>
  SearchResults.parse(JSON.parse(pageText(set, { searchId: set.id, positions: showable(set, now, goneAt) }, request, markup, [])))
const notGone = (_id: string): number | undefined => undefined

describe('order', () => {
  it('R-17: the most frequent currency comes first, then price, then duration, then id', () => {
    const quick = { slices: [supplierSlice({ duration: 'PT2H' })] }
    const slow = { slices: [supplierSlice({ duration: 'PT9H' })] }
    const dollars = { total_currency: 'USD', base_currency: 'USD', tax_currency: 'USD' }
    const offers = [
      offer('dollar', { total_amount: '10.00', ...dollars }),
      offer('b', { total_amount: '200.0', ...quick }),
      offer('slow', { total_amount: '200.00', ...slow }),
      offer('a', { total_amount: '200', ...quick }),
      offer('cheap', { total_amount: '99.00', ...slow }),
    ]
    expect(ranked(offers).map(({ id }) => id)).toEqual(['oft_cheap', 'oft_a', 'oft_b', 'oft_slow', 'oft_dollar'])
  })
})

describe('pages', () => {
  it('ASRCH-14: 245 offers in pages of 30, then 100s, hold every offer once', () => {
    const set = createResultSet('srs_1', many(245), NOW, 1)
    const ids = [1, 2, 3].flatMap((number) => page(set, { page: number, limit: 100 }).offers.map(({ id }) => id))
    expect(new Set(ids).size).toBe(245)
    expect(page(set, { page: 1, limit: 30 }).offers.map(({ id }) => id)).toEqual(ids.slice(0, 30))
  })

  it('ASRCH-13: a page past the end is empty and tells the true count', () => {
    const set = createResultSet('srs_1', many(7), NOW, 1)
    expect(page(set, { page: 2, limit: 30 })).toEqual({ offers: [], total_count: 7, search_id: 'srs_1' })
    expect(page(set, { page: Number.MAX_SAFE_INTEGER, limit: 100 }).total_count).toBe(7)
  })

  it('every brand gets its own price around the same text', () => {
    const set = createResultSet('srs_1', [offer('a', { total_amount: '100.00', base_amount: '80.00' })], NOW, 1)
    expect(page(set, { page: 1, limit: 30 }).offers[0]?.price).toMatchObject({ total: '123.00', base: '98.00', tax: '25.00' })
    expect(page(set, { page: 1, limit: 30 }, { markup: 10 }).offers[0]?.price).toMatchObject({ total: '110.00', markupPercent: 10 })
  })

  it('a set survives the way through the shared cache, and half of one is refused', () => {
    const set = createResultSet('srs_1', many(3), NOW, 0.5)
    const text = encodeResultSet(set)
    expect(decodeResultSet(text)).toEqual(set)
    expect(decodeResultSet(text.slice(0, text.lastIndexOf('\n')))).toBeNull()
    expect(decodeResultSet('?')).toBeNull()
    const empty = createResultSet('srs_2', [], NOW, 0.5)
    expect(decodeResultSet(encodeResultSet(empty))).toEqual(empty)
  })
})

describe('freshness', () => {
  it('R-92: a list is fresh for 4 to 4.5 minutes, may be shown until it is 5 minutes old, and not a moment longer', () => {
    const set = createResultSet('srs_1', many(3), NOW, 1)
    expect([set.freshUntil, set.staleUntil]).toEqual([NOW + 4 * MINUTE, NOW + 5 * MINUTE])
    expect(createResultSet('srs_1', many(3), NOW, 0).freshUntil).toBe(NOW + 4.5 * MINUTE)
    expect([freshnessOf(set, NOW + 5 * MINUTE - 1), freshnessOf(set, NOW + 5 * MINUTE)]).toEqual(['stale', 'gone'])
  })

  it('R-92, ASRCH-17: a list ends, fresh or stale, 5 minutes before its soonest expiry', () => {
    const set = createResultSet('srs_1', [...many(3), offer('short', { expires_at: minutes(8) })], NOW, 1)
    expect([set.freshUntil, set.staleUntil]).toEqual([NOW + 2.4 * MINUTE, NOW + 3 * MINUTE])
    expect(set.offers).toHaveLength(4)
    expect(freshnessOf(set, NOW + 3 * MINUTE)).toBe('gone')
  })

  it('offers that end within 6 minutes are left out when there are others', () => {
    const set = createResultSet('srs_1', [...many(3), offer('short', { expires_at: minutes(5.5) })], NOW, 1)
    expect(set.offers).toHaveLength(3)
    expect(set.staleUntil).toBe(NOW + 5 * MINUTE)
  })

  it('a list of nothing but short-lived offers is shown and not kept', () => {
    const set = createResultSet('srs_1', many(2, { expires_at: minutes(4) }), NOW, 1)
    expect(freshnessOf(set, NOW)).toBe('gone')
    expect(page(set, { page: 1, limit: 30 }).total_count).toBe(2)
  })

  it('an empty list is fresh for a minute and never stale', () => {
    const set = createResultSet('srs_1', [], NOW, 1)
    expect(freshnessOf(set, NOW + MINUTE - 1)).toBe('fresh')
    expect(freshnessOf(set, NOW + MINUTE)).toBe('gone')
    expect(page(set, { page: 1, limit: 30 })).toEqual({ offers: [], total_count: 0, search_id: 'srs_1' })
  })

  it('offers that were dead when they were found are not shown', () => {
    expect(createResultSet('srs_1', many(2, { expires_at: minutes(-1) }), NOW, 1).offers).toHaveLength(0)
  })
})

describe('offers that the supplier says are gone', () => {
  const gone = (id: string, at: number) => (asked: string) => (asked === id ? at : undefined)

  it('R-09: leave the list, and pages together still hold the count without a repetition or a hole', () => {
    const set = createResultSet('srs_1', many(245), NOW, 1)
    const first = set.offers[0]?.id ?? ''
    const pages = [1, 2, 3].map((number) => page(set, { page: number, limit: 100 }, { goneAt: gone(first, NOW + 1000) }))
    const ids = pages.flatMap(({ offers }) => offers.map(({ id }) => id))
    expect(pages.map(({ total_count }) => total_count)).toEqual([244, 244, 244])
    expect(new Set(ids).size).toBe(244)
    expect(ids).not.toContain(first)
  })

  it('are shown again when a later search finds them', () => {
    const set = createResultSet('srs_2', many(2), NOW, 1)
    const first = set.offers[0]?.id ?? ''
    expect(showable(set, NOW, gone(first, NOW - 1000))).toBeNull()
    expect(showable(set, NOW, gone(first, NOW))).toEqual([1])
  })
})
