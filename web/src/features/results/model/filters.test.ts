import { describe, expect, it } from 'vitest'
import { makeCounts } from './facets.fixture.ts'
import { chipsOf, facetsFrom, LISTED_AIRLINES, moneyOf } from './facets.ts'
import {
  activeFilters,
  BUCKETS,
  effectiveRange,
  type Filters,
  NO_FILTERS,
  PRICE_STEP,
  STOPS,
  sliderEnd,
  withoutFilter,
  withToggled,
} from './filters.ts'

const facets = facetsFrom(makeCounts())
const { scale } = facets

describe('price filter', () => {
  it('FILT-04: steps by 10 between the bounds of the whole list', () => {
    expect(PRICE_STEP).toBe(10)
    expect(scale.bounds).toEqual([1527, 3011])
  })

  it('FILT-04: is 0-1000 while there is nothing to measure', () => {
    expect(facetsFrom(makeCounts({ price: null })).scale.bounds).toEqual([0, 1000])
    expect(facetsFrom(undefined).scale.bounds).toEqual([0, 1000])
  })

  it('FILT-04: the thumb of the highest price reaches it in whole steps, and stands for it there', () => {
    expect(sliderEnd([1527, 3011])).toBe(3017)
    expect(sliderEnd([100, 300])).toBe(300)
    expect(effectiveRange([1527, 3017], [1527, 3011])).toEqual([1527, 3011])
    expect(activeFilters({ ...NO_FILTERS, priceRange: [1527, 3017] }, [1527, 3011])).toEqual([])
  })

  it('FILT-05, R-17: speaks the currency of the results, USD when it is missing', () => {
    expect(moneyOf(300, { ...scale, currency: 'EUR' })).toBe('€300')
    expect(facetsFrom(makeCounts({ currency: '' })).scale.currency).toBe('USD')
  })

  it('keeps a chosen range within the bounds when they move', () => {
    expect(effectiveRange([1000, 1800], [1520, 3020])).toEqual([1520, 1800])
    expect(effectiveRange(null, [1520, 3020])).toEqual([1520, 3020])
  })
})

describe('choices', () => {
  it('FILT-08: stops are 0, 1 and 2', () => {
    expect(STOPS.map(({ value }) => value)).toEqual([0, 1, 2])
  })

  it('FILT-09, FILT-10: has four buckets of hours', () => {
    expect(BUCKETS.map(({ id, from, until }) => [id, from, until])).toEqual([
      ['early_morning', 0, 6],
      ['morning', 6, 12],
      ['afternoon', 12, 18],
      ['evening', 18, 24],
    ])
    expect(BUCKETS[0]?.hours).toBe('12:00 AM-5:59 AM')
  })

  it('FILT-06, FILT-07: airlines are the twelve and those of the results, most offers of the whole list first', () => {
    expect(Object.keys(LISTED_AIRLINES)).toEqual(['AA', 'DL', 'UA', 'B6', 'WN', 'AS', 'F9', 'NK', 'CX', 'QF', 'BA', 'LH'])
    expect(facets.airlines.map(({ code }) => code)).toEqual(['AF', 'QF', 'AS', 'AA', 'BA', 'CX', 'DL', 'F9', 'B6', 'LH', 'WN', 'NK', 'UA'])
    expect(facets.airlines[0]).toEqual({ code: 'AF', name: 'Air France', count: 0 })
    expect(facets.airlines[1]).toEqual({ code: 'QF', name: 'Qantas', count: 1 })
  })

  it('draws prices as shares of the highest bar, and durations in whole hours', () => {
    expect(facets.histogram).toHaveLength(18)
    expect(facets.histogram.slice(0, 3)).toEqual([1, 0.5, 0])
    expect(facets.hours).toEqual([9, 21])
  })
})

describe('active filters', () => {
  it('FILT-02: a price range that differs from the bounds counts one, every filter that is set counts one', () => {
    const filters: Filters = { ...NO_FILTERS, priceRange: [1520, 2400], stops: [0, 1], airlines: ['AF', 'KL'], refundable: true }
    expect(activeFilters(filters, scale.bounds)).toHaveLength(4)
    expect(activeFilters({ ...NO_FILTERS, priceRange: [1520, 3020] }, scale.bounds)).toEqual([])
  })

  it('FILT-16: no filters count 0', () => {
    expect(activeFilters(NO_FILTERS, scale.bounds)).toEqual([])
  })

  it('FILT-18: the state holds its eight filters', () => {
    expect(Object.keys(NO_FILTERS)).toEqual([
      'priceRange',
      'airlines',
      'stops',
      'departureTime',
      'arrivalTime',
      'duration',
      'refundable',
      'baggageIncluded',
    ])
  })

  it('is one chip each, in words, and each can be taken away', () => {
    const filters: Filters = { ...NO_FILTERS, priceRange: [1520, 2400], stops: [0, 1], duration: 600, departureTime: ['morning'] }
    expect(chipsOf(filters, facets).map(({ text }) => text)).toEqual([
      'Up to $2,400',
      'Direct or 1 stop',
      'Departs morning',
      'Up to 10h 0m',
    ])
    expect(activeFilters(withoutFilter(filters, 'stops'), scale.bounds)).not.toContain('stops')
  })

  it('toggles a value', () => {
    expect(withToggled([0, 1], 1)).toEqual([0])
    expect(withToggled([0], 1)).toEqual([0, 1])
  })
})
