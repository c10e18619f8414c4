import { FlightOffer } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { pricedOffer } from './known-offer.ts'
import { normaliseOffer, normaliseOffers } from './normalise.ts'
import { CDG, JFK, LIS, supplierOffer, supplierSegment, supplierSlice } from './supplier.fixture.ts'

const offerOf = (more: Parameters<typeof supplierOffer>[0] = {}) => normaliseOffer(supplierOffer(more), 'test').offer
const segmentOf = (more: Parameters<typeof supplierSegment>[0]) => {
  const segment = offerOf({ slices: [supplierSlice({ segments: [supplierSegment(more)] })] }).slices[0]?.segments[0]
  if (!segment) throw new Error('no segment')
  return segment
}

describe('a supplier offer becomes ours', () => {
  it('ASRCH-21: fits the contract with every field, amounts as the supplier states them and the price beside them', () => {
    const offer = pricedOffer(offerOf(), 23)
    expect(FlightOffer.parse(offer)).toEqual(offer)
    expect(offer).toMatchObject({
      id: 'oft_0000Aexample01',
      total_amount: '222.50',
      base_amount: '180.00',
      tax_amount: '42.50',
      owner: { name: 'Duffel Airways', iata_code: 'ZZ', logo_url: 'https://assets.example/ZZ.svg' },
      price: { total: '274.00', base: '221.00', tax: '53.00', currency: 'EUR', markupPercent: 23 },
      passengers: [{ id: 'pas_1', type: 'adult' }],
    })
  })

  it('the estimate of emissions is whole kilograms; one that is missing or none is left out', () => {
    const emissions = (total_emissions_kg: string | null | undefined) => offerOf({ total_emissions_kg }).emissions_kg
    expect(['310', '310.6', undefined, null, '', '0', '-5', 'a lot'].map(emissions)).toEqual([310, 311, ...Array(6).fill(undefined)])
  })

  it('airlines whose frequent flyer numbers are taken are named once; without any, or with none that can be read, nothing is', () => {
    const programmes = (supported_loyalty_programmes: unknown) =>
      offerOf({ supported_loyalty_programmes: supported_loyalty_programmes as string[] }).supported_loyalty_programmes
    expect(programmes(['AF', 'KL', 'AF', 'Air France', null])).toEqual(['AF', 'KL'])
    expect([undefined, null, [], ['af'], 'AF'].map(programmes)).toEqual(Array(5).fill(undefined))
  })

  it('ASRCH-22: a slice has its ends, its duration and the times of its first and last flight', () => {
    expect(offerOf().slices[0]).toMatchObject({
      id: 'sli_1',
      origin: {
        name: 'Paris Charles de Gaulle Airport',
        iata_code: 'CDG',
        city_name: 'Paris',
        country_code: 'FR',
        time_zone: 'Europe/Paris',
      },
      destination: { iata_code: 'LIS', country_code: 'PT' },
      duration: 'PT2H35M',
      departure_time: '2027-03-04T08:15:00',
      arrival_time: '2027-03-04T09:50:00',
      fare_brand_name: 'Basic',
    })
  })

  it('ASRCH-23: a segment has carriers, number, aircraft, terminals and services', () => {
    expect(offerOf().slices[0]?.segments[0]).toMatchObject({
      id: 'seg_1_1',
      flight_number: '1204',
      aircraft: { name: 'Airbus A320' },
      airline: { name: 'Duffel Airways', iata_code: 'ZZ', icao_code: null, id: 'arl_zz' },
      marketing_carrier: { iata_code: 'ZZ' },
      operating_carrier: { iata_code: 'ZZ' },
      origin_terminal: '2F',
      cabin_class: 'economy',
      services: [
        { type: 'wifi', description: 'Wi-Fi, for a fee' },
        { type: 'baggage', description: '1 checked bag and 1 carry-on bag per passenger' },
      ],
    })
  })

  it('ASRCH-24: amounts are decimal strings with the digits of their currency, whatever form they came in', () => {
    const offer = offerOf({ total_amount: '118.7', base_amount: 100 as unknown as string, tax_amount: '18.7' })
    expect([offer.total_amount, offer.base_amount, offer.tax_amount]).toEqual(['118.70', '100.00', '18.70'])
    expect(offerOf({ total_amount: '30123', total_currency: 'JPY', base_currency: 'JPY', base_amount: '30123' }).total_amount).toBe('30123')
  })

  it('a missing tax is zero in the currency of the total', () => {
    expect(offerOf({ tax_amount: null, tax_currency: null, base_amount: '222.50' })).toMatchObject({
      tax_amount: '0.00',
      tax_currency: 'EUR',
    })
  })

  it('the price of an offer whose base is in another currency still adds up', () => {
    const { price } = pricedOffer(offerOf({ base_amount: '210.00', base_currency: 'USD' }), 23)
    expect(price).toMatchObject({ total: '274.00', base: '221.00', tax: '53.00', currency: 'EUR' })
  })

  it('passengers are ours with adults first, and each keeps its name at the supplier', () => {
    const raw = supplierOffer({
      passengers: [
        { id: 'pas_i', type: 'infant_without_seat' },
        { id: 'pas_c', type: null, age: 7 },
        { id: 'pas_a', type: 'adult' },
      ],
    })
    expect(normaliseOffer(raw, 'test').supplier.passengers).toEqual([
      { id: 'pas_1', supplierId: 'pas_a', type: 'adult' },
      { id: 'pas_2', supplierId: 'pas_c', type: 'child' },
      { id: 'pas_3', supplierId: 'pas_i', type: 'infant_without_seat' },
    ])
  })

  it('segments keep their names at the supplier, which seats and orders need', () => {
    const { supplier } = normaliseOffer(supplierOffer(), 'test')
    expect(supplier.segments).toEqual([
      { id: 'seg_1_1', supplierId: 'seg_0000Ag1' },
      { id: 'seg_2_1', supplierId: 'seg_0000Ag2' },
    ])
    expect(supplier.passportSupported).toBe(true)
  })
})

describe('durations', () => {
  it('days are written as hours', () => {
    expect(segmentOf({ duration: 'P1DT2H30M' }).duration).toBe('PT26H30M')
    expect(segmentOf({ duration: 'PT02H26M' }).duration).toBe('PT2H26M')
  })

  it('a missing duration is computed from the local times in the time zones of the airports', () => {
    const flight = {
      duration: null,
      origin: CDG,
      destination: JFK,
      departing_at: '2027-03-04T10:00:00',
      arriving_at: '2027-03-04T12:30:00',
    }
    expect(segmentOf(flight).duration).toBe('PT8H30M')
  })

  it('a change of clocks on the way is accounted for', () => {
    const night = { duration: null, origin: LIS, destination: CDG, departing_at: '2027-03-27T23:30:00', arriving_at: '2027-03-28T03:00:00' }
    expect(segmentOf(night).duration).toBe('PT1H30M')
  })

  it('without time zones it stays unknown', () => {
    expect(segmentOf({ duration: null, origin: { ...CDG, time_zone: 'Nowhere/Land' } }).duration).toBeNull()
  })

  it('a slice without a duration is its flights and the waiting between them', () => {
    const slice = supplierSlice({
      duration: null,
      destination: JFK,
      segments: [
        supplierSegment({ duration: null }),
        supplierSegment({
          id: 'seg_b',
          duration: null,
          origin: LIS,
          destination: JFK,
          departing_at: '2027-03-04T11:50:00',
          arriving_at: '2027-03-04T14:50:00',
        }),
      ],
    })
    expect(offerOf({ slices: [slice] }).slices[0]?.duration).toBe('PT12H35M')
  })
})

describe('broken offers', () => {
  it.each([
    ['without slices', { slices: [] }],
    ['without flights', { slices: [supplierSlice({ segments: [] })] }],
    ['with an amount that is none', { total_amount: '12,50' }],
    ['with a negative amount', { total_amount: '-1.00' }],
    ['without a currency', { total_currency: '' }],
    ['without an expiry', { expires_at: null }],
    ['without passengers', { passengers: [] }],
    ['with an id of another kind', { id: '../orders' }],
    ['with flight times that are none', { slices: [supplierSlice({ segments: [supplierSegment({ departing_at: 'soon' })] })] }],
  ])('an offer %s is left out of the list and the others stay', (_, more) => {
    const { offers, broken } = normaliseOffers([supplierOffer({ id: 'off_a', ...more }), supplierOffer({ id: 'off_good' })], 'test')
    expect(offers.map(({ offer }) => offer.id)).toEqual(['oft_good'])
    expect(broken).toBe(1)
  })

  it('something that is no offer at all costs only itself', () => {
    const { offers, broken } = normaliseOffers([null, 7, supplierOffer()] as never, 'test')
    expect([offers.length, broken]).toEqual([1, 2])
  })

  it('the same offer twice is listed once', () => {
    expect(normaliseOffers([supplierOffer(), supplierOffer()], 'test').offers).toHaveLength(1)
  })
})
