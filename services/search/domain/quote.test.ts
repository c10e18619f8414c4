import { AppError } from '@passerelle/contracts/error'
import { Quote, SeatMap } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { normaliseOffer } from './normalise.ts'
import { quoteOf, resolveSeats } from './quote.ts'
import { seatMapsOf } from './seat-map.ts'
import { supplierOffer } from './supplier.fixture.ts'
import type { SupplierSeatMap, SupplierSeatService } from './supplier.ts'

const known = normaliseOffer(
  supplierOffer({
    passengers: [
      { id: 'pas_a', type: 'adult' },
      { id: 'pas_c', type: 'child' },
      { id: 'pas_i', type: 'infant_without_seat' },
    ],
  }),
  'test',
)
const service = (id: string, passenger_id: string, total_amount = '20.00', total_currency = 'EUR'): SupplierSeatService => ({
  id,
  passenger_id,
  total_amount,
  total_currency,
})
const maps: SupplierSeatMap[] = [
  {
    slice_id: 'sli_0000As1',
    segment_id: 'seg_0000Ag1',
    cabins: [
      {
        deck: 0,
        cabin_class: 'economy',
        wings: { first_row_index: 0, last_row_index: 1 },
        rows: [
          { sections: [{ elements: [{ type: 'exit_row' }] }, { elements: [] }] },
          {
            sections: [
              {
                elements: [
                  {
                    type: 'seat',
                    designator: '12A',
                    name: 'Window seat',
                    disclosures: ['Limited recline'],
                    available_services: [
                      service('ase_12A_a', 'pas_a', '10.5'),
                      service('ase_12A_c', 'pas_c'),
                      service('ase_12A_i', 'pas_i'),
                      service('ase_12A_x', 'pas_stranger'),
                    ],
                  },
                  { type: 'seat', designator: '12B', name: '', disclosures: null, available_services: [] },
                  { type: 'restricted_seat_general', designator: '12C', available_services: [service('ase_12C_c', 'pas_c', '0.00')] },
                  { type: 'seat', designator: '12D', available_services: [service('ase_12D_a', 'pas_a', '9.00', 'USD')] },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
]
const choice = (passengerId: string, seatId: string, segmentId = 'seg_1_1') => ({ passengerId, seatId, segmentId })
const refusal = (choices: ReturnType<typeof choice>[]) => {
  try {
    resolveSeats(known, maps, choices)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, seats: error.details?.seats }
  }
  return null
}

describe('seat maps', () => {
  const [map, ...others] = seatMapsOf(known, maps, 23)

  it('ASRCH-26: one map per slice that has one, with rows, places and customer prices', () => {
    expect(others).toEqual([])
    expect(SeatMap.parse(map)).toEqual(map)
    expect(map?.slice_id).toBe('sli_1')
    expect(map?.segments.map(({ segment_id }) => segment_id)).toEqual(['seg_1_1'])
    expect(map?.cabins).toEqual(map?.segments[0]?.cabins)
    expect(map?.cabins[0]?.rows.map(({ number }) => number)).toEqual([null, 12])
  })

  it('a seat lists who can have it and for how much; lap infants and strangers cannot', () => {
    const seat = map?.cabins[0]?.rows[1]?.sections[0]?.elements[0]
    expect(seat).toMatchObject({ type: 'seat', designator: '12A', available: true, disclosures: ['Limited recline'] })
    expect(seat?.available_services).toEqual([
      {
        id: 'seg_1_1_12A_pas_1',
        passenger_id: 'pas_1',
        total_amount: '10.50',
        total_currency: 'EUR',
        price: { amount: '13.00', currency: 'EUR' },
      },
      {
        id: 'seg_1_1_12A_pas_2',
        passenger_id: 'pas_2',
        total_amount: '20.00',
        total_currency: 'EUR',
        price: { amount: '25.00', currency: 'EUR' },
      },
    ])
  })

  it('a taken seat and one in another currency are not for sale; what is no seat says what it is', () => {
    const elements = map?.cabins[0]?.rows[1]?.sections[0]?.elements ?? []
    expect(elements.map(({ designator, available }) => [designator, available])).toEqual([
      ['12A', true],
      ['12B', false],
      ['12C', true],
      ['12D', false],
    ])
    expect(map?.cabins[0]?.rows[0]?.sections[0]?.elements[0]).toMatchObject({ type: 'other', kind: 'exit_row', available: false })
  })

  it('no maps at the airline are no maps here', () => {
    expect(seatMapsOf(known, [], 23)).toEqual([])
  })
})

describe('a quote', () => {
  it('adds each seat at its own rounded price, and what the agency pays to the cent', () => {
    const seats = resolveSeats(known, maps, [choice('pas_1', '12a'), choice('pas_2', '12C')])
    const quote = quoteOf({
      known,
      seats,
      markupPercent: 23,
      publicId: 'oft_shown',
      shown: { total_amount: '212.50', total_currency: 'EUR' },
    })
    expect(Quote.parse(quote)).toEqual(quote)
    expect(quote.offer.id).toBe('oft_shown')
    expect(quote.seats).toEqual([
      {
        passengerId: 'pas_1',
        seatId: '12A',
        segmentId: 'seg_1_1',
        cabinClass: 'economy',
        price: { amount: '13.00', currency: 'EUR' },
        supplierAmount: '10.50',
      },
      {
        passengerId: 'pas_2',
        seatId: '12C',
        segmentId: 'seg_1_1',
        cabinClass: 'economy',
        price: { amount: '0.00', currency: 'EUR' },
        supplierAmount: '0.00',
      },
    ])
    expect(quote.charge).toEqual({ amount: '287.00', currency: 'EUR' })
    expect(quote.supplierCharge).toEqual({ amount: '233.00', currency: 'EUR' })
    expect(quote.shownTotal).toEqual({ amount: '261.00', currency: 'EUR' })
    expect(quote.supplier).toMatchObject({
      offerId: 'off_0000Aexample01',
      total: { amount: '222.50', currency: 'EUR' },
      services: [
        { id: 'ase_12A_a', quantity: 1 },
        { id: 'ase_12C_c', quantity: 1 },
      ],
      identityDocuments: { required: false, passportSupported: true },
    })
  })

  it('without seats it is the offer alone, and nobody was shown another price', () => {
    const quote = quoteOf({ known, seats: [], markupPercent: 23, publicId: known.offer.id, shown: null })
    expect([quote.charge.amount, quote.supplierCharge.amount, quote.shownTotal]).toEqual(['274.00', '222.50', null])
  })

  it.each([
    ['a taken seat', choice('pas_1', '12B')],
    ['a seat that does not exist', choice('pas_1', '99Z')],
    ['a seat for a lap infant', choice('pas_3', '12A')],
    ['a seat for nobody of this offer', choice('pas_9', '12A')],
    ['a seat on a flight without a map', choice('pas_1', '12A', 'seg_2_1')],
    ['a seat on no flight of this offer', choice('pas_1', '12A', 'seg_9_9')],
    ['a seat in another currency', choice('pas_1', '12D')],
  ])('%s is unavailable and named', (_, criteria) => {
    expect(refusal([criteria])).toEqual({ code: 'SEAT_UNAVAILABLE', seats: [criteria] })
  })

  it('two passengers on one seat, or two seats for one passenger on one flight, are refused', () => {
    expect(refusal([choice('pas_1', '12A'), choice('pas_2', '12A')])?.seats).toEqual([choice('pas_2', '12A')])
    expect(refusal([choice('pas_2', '12A'), choice('pas_2', '12C')])?.seats).toEqual([choice('pas_2', '12C')])
  })
})
