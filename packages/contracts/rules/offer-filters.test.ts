import { describe, expect, it } from 'vitest'
import { bucketOf, facetsOf, filterOffers, NO_FILTERS, type OfferFilters, type PricedTraits, sortOffers } from './offer-filters.ts'

type Named = PricedTraits & { id: string }
const offer = (id: string, price: string, change: Partial<PricedTraits> = {}, currency = 'USD'): Named => ({
  id,
  price: { currency, minor: Math.round(Number(price) * 100) },
  airlines: ['AF'],
  stops: 0,
  departureHour: 9,
  arrivalHour: 11,
  duration: 510,
  travelTime: 510,
  emissions: 300,
  refundable: false,
  baggageIncluded: false,
  ...change,
})

const all = [
  offer('direct', '1527.00', { departureHour: 6, refundable: true, baggageIncluded: true }),
  offer('one-stop', '1688.00', { airlines: ['KL', 'DL'], stops: 1, departureHour: 5, arrivalHour: 23, duration: 660 }),
  offer('late', '2046.00', { stops: 1, departureHour: 18, arrivalHour: 16, duration: 540 }),
  offer('three', '3011.00', { airlines: ['QF'], stops: 2, departureHour: 13, duration: 1210 }),
]
const idsWith = (change: Partial<OfferFilters>, list = all) => filterOffers(list, { ...NO_FILTERS, ...change }, 'USD').map(({ id }) => id)

describe('filters', () => {
  it('R-90: the price range compares what a customer pays, both ends included', () => {
    expect(idsWith({ priceRange: [1527, 1688] })).toEqual(['direct', 'one-stop'])
  })

  it('R-17: a price in another currency is left alone', () => {
    expect(idsWith({ priceRange: [1, 2] }, [...all, offer('yen', '9', {}, 'JPY')])).toEqual(['yen'])
  })

  it('FILT-08, R-87: 2 means two or more stops, in the direction that has the most', () => {
    expect(idsWith({ stops: [2] })).toEqual(['three'])
    expect(idsWith({ stops: [0, 1] })).toEqual(['direct', 'one-stop', 'late'])
  })

  it('R-88: an airline matches as owner or as marketing carrier of any flight', () => {
    expect(idsWith({ airlines: ['DL'] })).toEqual(['one-stop'])
    expect(idsWith({ airlines: ['DL', 'QF'] })).toEqual(['one-stop', 'three'])
  })

  it('FILT-11: a departure at 06:00 is in the morning', () => {
    expect([5, 6, 12, 18, 23].map(bucketOf)).toEqual(['early_morning', 'morning', 'afternoon', 'evening', 'evening'])
    expect(idsWith({ departureTime: ['morning'] })).toEqual(['direct'])
    expect(idsWith({ departureTime: ['early_morning'] })).toEqual(['one-stop'])
  })

  it('R-87: arrival is measured at the end of the outbound slice', () => {
    expect(idsWith({ arrivalTime: ['evening'] })).toEqual(['one-stop'])
  })

  it('FILT-12: a longest outbound duration is a limit, none is none', () => {
    expect(idsWith({ duration: 540 })).toEqual(['direct', 'late'])
    expect(idsWith({ duration: null })).toHaveLength(4)
    expect(idsWith({ duration: 9999 }, [offer('unknown', '1', { duration: null })])).toEqual([])
  })

  it('FILT-13: refundable and baggage included are on or off', () => {
    expect(idsWith({ refundable: true })).toEqual(['direct'])
    expect(idsWith({ baggageIncluded: true })).toEqual(['direct'])
  })

  it('FILT-14: combine with AND, values with OR', () => {
    expect(idsWith({ stops: [0, 1], refundable: true })).toEqual(['direct'])
    expect(idsWith({ departureTime: ['early_morning', 'evening'] })).toEqual(['one-stop', 'late'])
  })

  it('FILT-16: no filters leave everything', () => {
    expect(idsWith({})).toHaveLength(4)
  })
})

describe('sorting', () => {
  const cheap = offer('cheap', '99.00', { duration: 665 })
  const dear = offer('dear', '1000.00', { duration: 580 })
  const middle = offer('middle', '250.00', { duration: 1500 })
  const ids = (list: Named[]) => list.map(({ id }) => id)

  it('RES-17: prices sort as numbers', () => {
    expect(ids(sortOffers([dear, middle, cheap], 'price-asc', 'USD'))).toEqual(['cheap', 'middle', 'dear'])
    expect(ids(sortOffers([middle, cheap, dear], 'price-desc', 'USD'))).toEqual(['dear', 'middle', 'cheap'])
  })

  it('estimates of emissions sort from the lowest; equal ones by price; without an estimate an offer comes last', () => {
    const [unknown, low, same] = [
      offer('unknown', '1.00', { emissions: null }),
      offer('low', '900.00', { emissions: 99 }),
      offer('same', '800.00', { emissions: 300 }),
    ]
    const other = offer('other', '700.00', { emissions: 300 })
    expect(ids(sortOffers([unknown, same, low, other], 'emissions-asc', 'USD'))).toEqual(['low', 'other', 'same', 'unknown'])
  })

  it('RES-16: durations sort as time; an unknown one comes last', () => {
    const unknown = offer('unknown', '1.00', { duration: null })
    expect(ids(sortOffers([unknown, middle, cheap, dear], 'duration-asc', 'USD'))).toEqual(['dear', 'cheap', 'middle', 'unknown'])
  })

  it('R-17: offers in another currency stand after the main one', () => {
    const yen = offer('yen', '10', {}, 'JPY')
    expect(ids(sortOffers([yen, dear, cheap], 'price-asc', 'USD'))).toEqual(['cheap', 'dear', 'yen'])
    expect(ids(sortOffers([yen, dear, cheap], 'price-desc', 'USD'))).toEqual(['dear', 'cheap', 'yen'])
    expect(ids(sortOffers([yen, dear, cheap], 'best', 'USD')).at(-1)).toBe('yen')
  })
})

describe('facets', () => {
  it('FILT-04: bounds go from the lowest floor to the highest ceiling of the main currency', () => {
    const list = [offer('a', '99.50'), offer('b', '120.10'), offer('yen', '9', {}, 'JPY')]
    expect(facetsOf(list, NO_FILTERS, 'USD').price).toEqual({ min: 99, max: 121 })
    expect(facetsOf([], NO_FILTERS, 'USD').price).toBeNull()
  })

  it('counts a choice on what the other filters leave', () => {
    const { stops, refundable, total } = facetsOf(all, { ...NO_FILTERS, stops: [0], refundable: true }, 'USD')
    expect([stops, refundable, total]).toEqual([{ 0: 1, 1: 0, 2: 0 }, 1, 4])
  })

  it('knows every airline of the whole list, whatever is filtered', () => {
    expect(facetsOf(all, { ...NO_FILTERS, stops: [1] }, 'USD').airlines).toEqual({ AF: 1, KL: 1, DL: 1, QF: 0 })
  })

  it('the histogram is of the whole list and has its ends at the lowest and highest price', () => {
    const { histogram } = facetsOf(all, { ...NO_FILTERS, refundable: true }, 'USD')
    expect(histogram).toHaveLength(18)
    expect([histogram[0], histogram.at(-1), histogram.reduce((sum, count) => sum + count)]).toEqual([1, 1, 4])
  })
})
