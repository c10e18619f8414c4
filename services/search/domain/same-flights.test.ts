import { expect, it } from 'vitest'
import { criteriaOf, searchBehind, supplierSearch } from './criteria.ts'
import { normaliseOffer } from './normalise.ts'
import { findSameFlights } from './same-flights.ts'
import { supplierOffer, supplierSegment, supplierSlice } from './supplier.fixture.ts'
import type { SupplierOffer } from './supplier.ts'

const known = (name: string, more: Partial<SupplierOffer> = {}) => normaliseOffer(supplierOffer({ id: `off_${name}`, ...more }), 'test')
const wanted = known('wanted').offer
const basic = (more: Parameters<typeof supplierSegment>[0] = {}) => supplierSlice({ segments: [supplierSegment(more)] })

it('R-109: the same flights and fare are found again, at the same price if there is one', () => {
  const found = findSameFlights(wanted, [
    known('cheaper', { total_amount: '200.00' }),
    known('same', { total_amount: '222.5' }),
    known('dearer', { total_amount: '300.00' }),
  ])
  expect(found?.supplier.offerId).toBe('off_same')
})

it('R-109: at another price the cheapest of the same product is taken', () => {
  const found = findSameFlights(wanted, [known('dear', { total_amount: '300.00' }), known('less', { total_amount: '240.00' })])
  expect(found?.supplier.offerId).toBe('off_less')
})

it.each<[string, Partial<SupplierOffer>]>([
  ['another fare brand', { slices: [supplierSlice({ fare_brand_name: 'Flex' }), ...(supplierOffer().slices ?? []).slice(1)] }],
  ['other conditions', { conditions: null }],
  [
    'no bag',
    {
      slices: [
        basic({ passengers: [{ passenger_id: 'pas_0000Ap1', cabin_class: 'economy' }] }),
        ...(supplierOffer().slices ?? []).slice(1),
      ],
    },
  ],
  ['another hour', { slices: [basic({ departing_at: '2027-03-04T08:20:00' }), ...(supplierOffer().slices ?? []).slice(1)] }],
  ['another flight number', { slices: [basic({ marketing_carrier_flight_number: '9' }), ...(supplierOffer().slices ?? []).slice(1)] }],
  ['one way only', { slices: [supplierSlice()] }],
  ['another currency', { total_currency: 'USD' }],
])('R-109: %s is not the same product', (_, more) => {
  expect(findSameFlights(wanted, [known('other', more)])).toBeUndefined()
})

it('the search behind an offer asks for the same days, places, travellers and cabin', () => {
  const offer = known('x', {
    passengers: [
      { id: 'pas_0000Ap1', type: 'adult' },
      { id: 'pas_2', type: 'infant_without_seat' },
    ],
  }).offer
  const search = searchBehind(offer)
  expect(search).toEqual({
    slices: [
      { origin: 'CDG', destination: 'LIS', departure_date: '2027-03-04' },
      { origin: 'LIS', destination: 'CDG', departure_date: '2027-03-11' },
    ],
    passengers: [{ type: 'adult' }, { type: 'infant_without_seat' }],
    cabin_class: 'economy',
  })
  if (search) expect(supplierSearch(criteriaOf(search))).toEqual(search)
})

it('a business fare with a feeder in economy is searched for as business', () => {
  const business = { passengers: [{ passenger_id: 'pas_0000Ap1', cabin_class: 'business' }] }
  const offer = known('x', {
    slices: [supplierSlice({ segments: [supplierSegment(), supplierSegment({ id: 'seg_2', ...business })] })],
  }).offer
  expect(searchBehind(offer)?.cabin_class).toBe('business')
})
