import { OfferView } from '@passerelle/contracts/http/offer-view'
import { SearchResults } from '@passerelle/contracts/http/search'
import { expect, test } from 'vitest'
import { chosenView } from './chosen-view.ts'
import { normaliseOffer } from './normalise.ts'
import { createResultSet, pageText, showable } from './result-set.ts'
import { supplierOffer, supplierSegment, supplierSlice } from './supplier.fixture.ts'

const NOW = Date.parse('2027-01-05T10:00:00Z')
const AF = { id: 'arl_af', name: 'Air France', iata_code: 'AF', logo_symbol_url: null }
const KL = { id: 'arl_kl', name: 'KLM', iata_code: 'KL', logo_symbol_url: null }

type Made = {
  total: string
  duration?: string
  stops?: number
  departs?: string
  arrives?: string
  carrier?: typeof AF
  refundable?: boolean
  currency?: string
}
function made(
  name: string,
  { total, duration = 'PT8H', stops = 0, departs = '09:00', arrives = '17:00', carrier = AF, refundable = false, currency = 'EUR' }: Made,
) {
  const flights = Array.from({ length: stops + 1 }, () =>
    supplierSegment({ departing_at: `2027-03-04T${departs}:00`, arriving_at: `2027-03-04T${arrives}:00`, marketing_carrier: carrier }),
  )
  const penalty = { allowed: refundable, penalty_amount: null, penalty_currency: null }
  const offer = supplierOffer({
    id: `off_${name}`,
    expires_at: new Date(NOW + 30 * 60_000).toISOString(),
    total_amount: total,
    base_amount: total,
    tax_amount: '0',
    total_currency: currency,
    base_currency: currency,
    tax_currency: currency,
    owner: carrier,
    conditions: { refund_before_departure: penalty, change_before_departure: null },
    slices: [supplierSlice({ duration, segments: flights })],
  })
  return normaliseOffer(offer, 'test').offer
}

const offers = [
  made('cheap', { total: '300.00', duration: 'PT20H', stops: 2, departs: '05:59' }),
  made('quick', { total: '900.00', duration: 'PT7H', departs: '18:00', arrives: '23:30' }),
  made('good', { total: '360.00', duration: 'PT8H', carrier: KL, refundable: true }),
  made('fair', { total: '500.00', duration: 'PT12H', stops: 1, carrier: KL }),
  made('dollars', { total: '100.00', currency: 'USD' }),
]
const set = createResultSet('srs_1', offers, NOW, 1)
const whole = { positions: null }

function ask(query: Record<string, string>, { markup = 0, shown = whole as Parameters<typeof chosenView>[1] } = {}) {
  const { positions, facets } = chosenView(set, shown, OfferView.parse(query), markup, [])
  const page = pageText(set, { searchId: 'srs_1', positions }, { page: 1, limit: 30 }, markup, [], facets)
  const answer = SearchResults.parse(JSON.parse(page))
  return { ...answer, names: answer.offers.map(({ id }) => id.replace('oft_', '')) }
}

test('without wishes all of it comes in its own order', () => {
  expect(ask({}).names).toEqual(['cheap', 'good', 'fair', 'quick', 'dollars'])
  expect(ask({ sort: 'price-asc' }).names).toEqual(['cheap', 'good', 'fair', 'quick', 'dollars'])
})

test('RES-15: sorts the whole list; another currency comes last', () => {
  expect(ask({ sort: 'price-desc' }).names).toEqual(['quick', 'fair', 'good', 'cheap', 'dollars'])
  expect(ask({ sort: 'duration-asc' }).names).toEqual(['quick', 'good', 'dollars', 'fair', 'cheap'])
})

test('best weighs the price and half of the travel time, each against the least there is', () => {
  // good 1.2 + 0.57, cheap 1 + 1.43, fair 1.67 + 0.86, quick 3 + 0.5
  expect(ask({ sort: 'best' }).names).toEqual(['good', 'cheap', 'fair', 'quick', 'dollars'])
})

test.each([
  [{ stops: '0,1' }, ['good', 'fair', 'quick', 'dollars']],
  [{ airlines: 'KL' }, ['good', 'fair']],
  [{ departs: 'early_morning' }, ['cheap']],
  [{ departs: 'evening', arrives: 'evening' }, ['quick']],
  [{ longest: '480' }, ['good', 'quick', 'dollars']],
  [{ refundable: 'yes' }, ['good']],
  [{ price: '350-600' }, ['good', 'fair', 'dollars']],
  [{ price: '350-600', stops: '1' }, ['fair']],
  [{ airlines: 'LH' }, []],
])('FILT-14: %j leaves %j of the whole list', (query, names) => {
  const answer = ask(query)
  expect(answer.names).toEqual(names)
  expect(answer.total_count).toBe(names.length)
})

test('counts say how many each choice would show, over the whole list and given the other wishes', () => {
  const { facets } = ask({ facets: 'yes', stops: '0', limit: '1' })
  expect(facets?.total).toBe(5)
  expect(facets?.stops).toEqual({ 0: 3, 1: 1, 2: 1 })
  expect(facets?.airlines).toEqual([
    { code: 'AF', name: 'Air France', count: 2, total: 3 },
    { code: 'KL', name: 'KLM', count: 1, total: 2 },
  ])
  expect(facets?.departureTime).toEqual({ early_morning: 0, morning: 2, afternoon: 0, evening: 1 })
  expect(facets?.refundable).toBe(1)
  expect(facets?.price).toEqual({ min: 300, max: 900 })
  expect(facets?.histogram.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(facets?.duration).toEqual({ min: 420, max: 1200 })
  expect([facets?.cheapest?.id, facets?.fastest?.id, facets?.best?.id]).toEqual(['oft_good', 'oft_quick', 'oft_good'])
})

test('prices are the customer’s: a markup moves the bounds and what a range leaves', () => {
  const { facets, names } = ask({ facets: 'yes', price: '350-600' }, { markup: 20 })
  expect(facets?.price).toEqual({ min: 360, max: 1080 })
  expect(facets?.cheapest).toEqual({ id: 'oft_cheap', price: { total: '360.00', currency: 'EUR' }, duration: 1200 })
  expect(names).toEqual(['cheap', 'good', 'fair', 'dollars'])
})

test('an offer that is gone is in no page and no count', () => {
  const positions = showable(set, NOW, (id) => (id === 'oft_good' ? NOW + 1 : undefined))
  const { names, facets } = ask({ facets: 'yes', airlines: 'KL' }, { shown: { positions } })
  expect(names).toEqual(['fair'])
  expect(facets?.total).toBe(4)
})

test.each([
  [{ sort: 'cheapest' }, 'sort must be one of price-asc, price-desc, duration-asc, emissions-asc, best'],
  [{ price: '600-' }, 'price must be two whole amounts, as in 100-500'],
  [{ stops: '0,3' }, 'stops must be some of 0, 1, 2'],
  [{ departs: 'noon' }, 'departs must be some of early_morning, morning, afternoon, evening'],
  [{ longest: 'short' }, 'longest must be a number of minutes'],
  [{ refundable: 'maybe' }, 'refundable is yes or left out'],
])('the wish %j is refused with a message', (query, message) => {
  expect(OfferView.safeParse(query).error?.issues[0]?.message).toBe(message)
})
