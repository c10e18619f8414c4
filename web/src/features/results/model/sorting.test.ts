import { describe, expect, it } from 'vitest'
import { makeOffer, makeSegment, makeSlice } from './offer.fixture.ts'
import { factsOf, priceOf } from './offer-facts.ts'
import { SORTS } from './sorting.ts'

describe('sorting', () => {
  it('RES-14, RES-15: offers lowest price first, highest price, shortest duration and lowest estimate of emissions', () => {
    expect(SORTS.map(([sort]) => sort)).toEqual(['price-asc', 'price-desc', 'duration-asc', 'emissions-asc'])
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
