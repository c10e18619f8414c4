import { describe, expect, it } from 'vitest'
import type { Filters } from './filters.ts'
import { FRESH_VIEW, readView, type View, withView } from './view-address.ts'

const SEARCH = 'origin=CDG&destination=JFK&departureDate=2026-12-10'
const everything: View = {
  sort: 'duration-asc',
  filters: {
    priceRange: [120, 480],
    airlines: ['AF', 'B6'],
    stops: [0, 1],
    departureTime: ['early_morning', 'evening'],
    arrivalTime: ['afternoon'],
    duration: 600,
    refundable: true,
    baggageIncluded: true,
  },
}

describe('filters and sort order in the address', () => {
  it('come back as they were written, beside the search', () => {
    const address = withView(new URLSearchParams(SEARCH), everything)
    expect(readView(address)).toEqual(everything)
    expect(address.toString()).toContain(SEARCH)
  })

  it('RES-14, FILT-16: leave no trace when nothing is chosen', () => {
    const cleared = withView(withView(new URLSearchParams(SEARCH), everything), FRESH_VIEW)
    expect(cleared.toString()).toBe(SEARCH)
    expect(readView(cleared)).toEqual(FRESH_VIEW)
  })

  it.each([
    ['sort=cheapest', FRESH_VIEW.filters],
    ['price=500-100', FRESH_VIEW.filters],
    ['price=-5-100&longest=1e9&stops=7&departs=noon&airlines=<b>,A', FRESH_VIEW.filters],
    ['stops=1,0,1&airlines=AF,AF', { ...FRESH_VIEW.filters, stops: [0, 1], airlines: ['AF'] }],
  ] satisfies [string, Filters][])('read %s as what of it is known', (query, filters) => {
    expect(readView(new URLSearchParams(query))).toEqual({ sort: 'price-asc', filters })
  })
})
