import type { FlightOffer } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { chipsOf, facetsOf, LISTED_AIRLINES, moneyOf, scaleOf } from './facets.ts'
import {
  activeFilters,
  BUCKETS,
  bucketOf,
  effectiveRange,
  type Filters,
  filterOffers,
  NO_FILTERS,
  PRICE_STEP,
  priceBounds,
  STOPS,
  sliderEnd,
  withoutFilter,
  withToggled,
} from './filters.ts'
import { makeOffer, makeSegment, makeSlice } from './offer.fixture.ts'
import { factsOf, type OfferFacts } from './offer-facts.ts'

const facts = (offers: FlightOffer[]) => offers.map(factsOf).filter((one): one is OfferFacts => one !== null)

const direct = makeOffer({
  id: 'direct',
  total: '1527.00',
  refundable: true,
  slices: [makeSlice([makeSegment({ departs: '2026-12-10T06:00:00', arrives: '2026-12-10T11:59:00', baggage: true })], 'PT8H30M')],
})
const oneStop = makeOffer({
  id: 'one-stop',
  total: '1688.00',
  owner: 'KL',
  slices: [
    makeSlice(
      [makeSegment({ airline: 'KL', departs: '2026-12-10T05:59:00' }), makeSegment({ airline: 'DL', arrives: '2026-12-10T23:10:00' })],
      'PT11H',
    ),
    makeSlice([makeSegment({ airline: 'KL' }), makeSegment({ airline: 'KL' })], 'PT10H'),
  ],
})
const mixed = makeOffer({
  id: 'mixed',
  total: '2046.00',
  slices: [makeSlice([makeSegment({ departs: '2026-12-10T18:00:00' })], 'PT9H'), makeSlice([makeSegment(), makeSegment()], 'PT12H')],
})
const three = makeOffer({
  id: 'three',
  total: '3011.00',
  owner: 'QF',
  slices: [makeSlice([makeSegment(), makeSegment(), makeSegment(), makeSegment()], 'PT20H10M')],
})
const all = facts([direct, oneStop, mixed, three])
const scale = scaleOf(all)
const idsWith = (change: Partial<Filters>) => filterOffers(all, { ...NO_FILTERS, ...change }, scale).map(({ offer }) => offer.id)

describe('price filter', () => {
  it('FILT-04: steps by 10 between the lowest floor and the highest ceiling', () => {
    expect(PRICE_STEP).toBe(10)
    expect(scale.bounds).toEqual([1527, 3011])
    expect(priceBounds(facts([makeOffer({ total: '99.50' }), makeOffer({ total: '120.10' })]), 'USD', 100)).toEqual([99, 121])
  })

  it('FILT-04: is 0-1000 while there is nothing to measure', () => {
    expect(priceBounds([], 'USD', 100)).toEqual([0, 1000])
    expect(priceBounds(facts([makeOffer({ currency: 'EUR' })]), 'USD', 100)).toEqual([0, 1000])
  })

  it('FILT-04: the thumb of the highest price reaches it in whole steps, and stands for it there', () => {
    expect(sliderEnd([1527, 3011])).toBe(3017)
    expect(sliderEnd([100, 300])).toBe(300)
    expect(effectiveRange([1527, 3017], [1527, 3011])).toEqual([1527, 3011])
    expect(activeFilters({ ...NO_FILTERS, priceRange: [1527, 3017] }, [1527, 3011])).toEqual([])
  })

  it('R-90: compares what is shown, so the slider matches the cards', () => {
    expect(idsWith({ priceRange: [1520, 1690] })).toEqual(['direct', 'one-stop'])
  })

  it('FILT-05, R-17: speaks the currency of the results and leaves other currencies alone', () => {
    const euros = facts([
      makeOffer({ id: 'a', total: '100.00', currency: 'EUR' }),
      makeOffer({ id: 'b', total: '300.00', currency: 'EUR' }),
      makeOffer({ id: 'c', total: '90000', currency: 'JPY' }),
    ])
    const euroScale = scaleOf(euros)
    expect(moneyOf(euroScale.bounds[1], euroScale)).toBe('€300')
    expect(filterOffers(euros, { ...NO_FILTERS, priceRange: [100, 200] }, euroScale).map(({ offer }) => offer.id)).toEqual(['a', 'c'])
  })

  it('keeps a chosen range within the bounds when they move', () => {
    expect(effectiveRange([1000, 1800], [1520, 3020])).toEqual([1520, 1800])
    expect(effectiveRange(null, [1520, 3020])).toEqual([1520, 3020])
  })
})

describe('filters', () => {
  it('FILT-08: 2 means two or more stops', () => {
    expect(STOPS.map(({ value }) => value)).toEqual([0, 1, 2])
    expect(idsWith({ stops: [2] })).toEqual(['three'])
  })

  it('R-87: stops must hold for every slice', () => {
    expect(idsWith({ stops: [0] })).toEqual(['direct'])
    expect(idsWith({ stops: [0, 1] })).toEqual(['direct', 'one-stop', 'mixed'])
  })

  it('a mixed trip counts under its direction with the most stops, as often as it is shown there', () => {
    expect(idsWith({ stops: [1] })).toEqual(['one-stop', 'mixed'])
    const { stops } = facetsOf(all, NO_FILTERS, scale)
    expect([stops.get(0), stops.get(1), stops.get(2)]).toEqual([1, 2, 1])
  })

  it('R-88: an airline matches as owner or as marketing carrier of any flight', () => {
    expect(idsWith({ airlines: ['KL'] })).toEqual(['one-stop'])
    expect(idsWith({ airlines: ['DL'] })).toEqual(['one-stop'])
    expect(idsWith({ airlines: ['DL', 'QF'] })).toEqual(['one-stop', 'three'])
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

  it('FILT-11: a departure at 06:00 is in the morning', () => {
    expect(bucketOf(6)).toBe('morning')
    expect(idsWith({ departureTime: ['morning'] })).toEqual(['direct'])
    expect(idsWith({ departureTime: ['early_morning'] })).toEqual(['one-stop'])
  })

  it('R-87: arrival is measured at the end of the outbound slice', () => {
    expect(idsWith({ arrivalTime: ['evening'] })).toEqual(['one-stop'])
    expect(idsWith({ arrivalTime: ['morning'] })).toEqual(['direct'])
  })

  it('FILT-12: a longest outbound duration is a limit, none is none', () => {
    expect(idsWith({ duration: 9 * 60 })).toEqual(['direct', 'mixed'])
    expect(idsWith({ duration: null })).toHaveLength(4)
  })

  it('FILT-13: refundable and baggage included are on or off', () => {
    expect(idsWith({ refundable: true })).toEqual(['direct'])
    expect(
      filterOffers(facts([{ ...direct, baggage_included: true }, mixed]), { ...NO_FILTERS, baggageIncluded: true }, scale).map(
        ({ offer }) => offer.id,
      ),
    ).toEqual(['direct'])
  })

  it('FILT-14: combine with AND, values with OR', () => {
    expect(idsWith({ stops: [0, 1], refundable: true })).toEqual(['direct'])
    expect(idsWith({ departureTime: ['early_morning', 'evening'] })).toEqual(['one-stop', 'mixed'])
  })
})

describe('active filters', () => {
  it('FILT-02: a price range that differs from the bounds counts one, every filter that is set counts one', () => {
    const filters: Filters = { ...NO_FILTERS, priceRange: [1520, 2400], stops: [0, 1], airlines: ['AF', 'KL'], refundable: true }
    expect(activeFilters(filters, scale.bounds)).toHaveLength(4)
    expect(activeFilters({ ...NO_FILTERS, priceRange: [1520, 3020] }, scale.bounds)).toEqual([])
  })

  it('FILT-16: no filters count 0 and show everything', () => {
    expect(activeFilters(NO_FILTERS, scale.bounds)).toEqual([])
    expect(filterOffers(all, NO_FILTERS, scale)).toHaveLength(4)
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
    const chips = chipsOf(filters, facetsOf(all, filters, scale))
    expect(chips.map(({ text }) => text)).toEqual(['Up to $2,400', 'Direct or 1 stop', 'Departs morning', 'Up to 10h 0m'])
    expect(activeFilters(withoutFilter(filters, 'stops'), scale.bounds)).not.toContain('stops')
  })

  it('toggles a value', () => {
    expect(withToggled([0, 1], 1)).toEqual([0])
    expect(withToggled([0], 1)).toEqual([0, 1])
  })
})

describe('facets', () => {
  it('FILT-06, FILT-07: lists the twelve airlines and those of the results', () => {
    const options = facetsOf(all, NO_FILTERS, scale).airlines
    expect(Object.keys(LISTED_AIRLINES)).toEqual(['AA', 'DL', 'UA', 'B6', 'WN', 'AS', 'F9', 'NK', 'CX', 'QF', 'BA', 'LH'])
    expect(options.map(({ code }) => code)).toEqual(expect.arrayContaining([...Object.keys(LISTED_AIRLINES), 'AF', 'KL']))
    expect(options[0]).toEqual({ code: 'AF', name: 'Airline AF', count: 3 })
    expect(options.find(({ code }) => code === 'WN')).toEqual({ code: 'WN', name: 'Southwest Airlines', count: 0 })
  })

  it('keeps the order of airlines while other filters change their counts', () => {
    const order = (filters: Filters) => facetsOf(all, filters, scale).airlines.map(({ code }) => code)
    expect(order({ ...NO_FILTERS, stops: [1] })).toEqual(order(NO_FILTERS))
  })

  it('counts an option on what the other filters leave', () => {
    const filters: Filters = { ...NO_FILTERS, stops: [0], refundable: true }
    const { stops, refundable } = facetsOf(all, filters, scale)
    expect([stops.get(0), stops.get(1), stops.get(2)]).toEqual([1, 0, 0])
    expect(refundable).toBe(1)
  })

  it('draws the loaded prices', () => {
    const { histogram, hours } = facetsOf(all, NO_FILTERS, scale)
    expect(histogram).toHaveLength(18)
    expect(histogram[0]).toBe(1)
    expect(histogram.at(-1)).toBe(1)
    expect(hours).toEqual([9, 21])
  })
})
