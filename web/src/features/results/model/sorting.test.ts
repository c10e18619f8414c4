import type { FlightOffer } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { makeOffer, makeSegment, makeSlice } from './offer.fixture.ts'
import { factsOf, mainCurrency, type OfferFacts, priceOf } from './offer-facts.ts'
import { SORTS, sortOffers } from './sorting.ts'

const facts = (offers: FlightOffer[]) => offers.map(factsOf).filter((one): one is OfferFacts => one !== null)
const ids = (list: OfferFacts[]) => list.map(({ offer }) => offer.id)

describe('sorting', () => {
  it('RES-14, RES-15: offers lowest price first, highest price and shortest duration', () => {
    expect(SORTS.map(([sort]) => sort)).toEqual(['price-asc', 'price-desc', 'duration-asc'])
  })

  const cheap = makeOffer({ id: 'cheap', total: '99.00', slices: [makeSlice([makeSegment()], 'PT11H5M')] })
  const dear = makeOffer({ id: 'dear', total: '1000.00', slices: [makeSlice([makeSegment()], 'PT9H40M')] })
  const middle = makeOffer({ id: 'middle', total: '250.00', slices: [makeSlice([makeSegment()], 'P1DT1H')] })
  const list = facts([dear, middle, cheap])

  it('RES-17: prices sort as numbers', () => {
    expect(ids(sortOffers(list, 'price-asc', 'USD'))).toEqual(['cheap', 'middle', 'dear'])
    expect(ids(sortOffers(list, 'price-desc', 'USD'))).toEqual(['dear', 'middle', 'cheap'])
  })

  it('RES-16: durations sort as time, not as text', () => {
    expect(ids(sortOffers(list, 'duration-asc', 'USD'))).toEqual(['dear', 'cheap', 'middle'])
  })

  it('R-17: offers in another currency stand after the main one', () => {
    const yen = makeOffer({ id: 'yen', total: '10', currency: 'JPY' })
    const mixed = facts([yen, dear, cheap])
    expect(mainCurrency(mixed)).toBe('USD')
    expect(ids(sortOffers(mixed, 'price-asc', 'USD'))).toEqual(['cheap', 'dear', 'yen'])
    expect(ids(sortOffers(mixed, 'price-desc', 'USD'))).toEqual(['dear', 'cheap', 'yen'])
  })
})

describe('prices', () => {
  it('DET-22, R-14: the price of the server is taken as it is', () => {
    expect(priceOf(makeOffer({ total: '1984.00' })).total).toBe('1984.00')
  })

  it('CARD-02, GEN-18: an answer without price is marked up once', () => {
    const { price: _price, ...bare } = makeOffer()
    expect(priceOf({ ...bare, total_amount: '100.00', base_amount: '80.00' })).toEqual({ total: '123.00', currency: 'USD', minor: 12300 })
  })

  it('CARD-03: a missing currency is USD, a missing amount 0', () => {
    expect(priceOf({})).toEqual({ total: '0', currency: 'USD', minor: 0 })
  })
})

describe('factsOf', () => {
  it('CARD-07: an offer without outbound slice or flights is not shown', () => {
    expect(factsOf({ ...makeOffer(), slices: [] })).toBeNull()
    expect(factsOf(makeOffer({ slices: [{ ...makeSlice([makeSegment()]), segments: [] }] }))).toBeNull()
    expect(factsOf({ ...makeOffer(), slices: undefined as never })).toBeNull()
  })

  it('CARD-06: a return without flights is left out', () => {
    expect(
      factsOf(makeOffer({ slices: [makeSlice([makeSegment()]), { ...makeSlice([makeSegment()]), segments: [] }] }))?.inbound,
    ).toBeNull()
  })
})
