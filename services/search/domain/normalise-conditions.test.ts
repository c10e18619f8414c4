import { describe, expect, it } from 'vitest'
import { pricedOffer } from './known-offer.ts'
import { normaliseOffer } from './normalise.ts'
import { JFK, supplierOffer, supplierSegment, supplierSlice } from './supplier.fixture.ts'

const offerOf = (more: Parameters<typeof supplierOffer>[0] = {}) => normaliseOffer(supplierOffer(more), 'test').offer

describe('what is promised', () => {
  it('a bag and wifi are promised only when every passenger with a seat has them', () => {
    const [adult] = supplierSegment().passengers ?? []
    if (!adult) throw new Error('no passenger')
    const offer = offerOf({
      passengers: [
        { id: 'pas_0000Ap1', type: 'adult' },
        { id: 'pas_child', type: 'child' },
        { id: 'pas_infant', type: 'infant_without_seat' },
      ],
      slices: [
        supplierSlice({
          segments: [
            supplierSegment({
              passengers: [adult, { ...adult, passenger_id: 'pas_child', baggages: [] }, { passenger_id: 'pas_infant', baggages: null }],
            }),
          ],
        }),
      ],
    })
    expect(offer.slices[0]?.segments[0]?.services.map(({ type }) => type)).toEqual(['wifi'])
    expect(offer.baggage_included).toBe(false)
  })

  it('a lap infant without a bag takes no bag from the others', () => {
    const [adult] = supplierSegment().passengers ?? []
    if (!adult) throw new Error('no passenger')
    const segments = [supplierSegment({ passengers: [adult, { passenger_id: 'pas_infant', baggages: [] }] })]
    const offer = offerOf({
      passengers: [
        { id: 'pas_0000Ap1', type: 'adult' },
        { id: 'pas_infant', type: 'infant_without_seat' },
      ],
      slices: [supplierSlice({ segments })],
    })
    expect(offer.baggage_included).toBe(true)
  })

  it('baggage counts as included only when the first flight of every slice has it', () => {
    const bare = supplierSegment({ passengers: [{ passenger_id: 'pas_0000Ap1', baggages: [{ type: 'carry_on', quantity: 1 }] }] })
    expect(offerOf().baggage_included).toBe(true)
    expect(offerOf({ slices: [supplierSlice(), supplierSlice({ segments: [bare] })] }).baggage_included).toBe(false)
  })

  it('conditions that the airline did not state are unknown, and penalties are money', () => {
    expect(offerOf().conditions).toEqual({
      refundable: true,
      changeable: false,
      refund: { allowed: true, penalty: { amount: '40.00', currency: 'EUR' } },
      change: { allowed: false, penalty: null },
    })
    expect(offerOf({ conditions: null }).conditions).toEqual({ refundable: false, changeable: false, refund: null, change: null })
    const unknownPenalty = { refund_before_departure: { allowed: true, penalty_amount: null, penalty_currency: null } }
    expect(offerOf({ conditions: unknownPenalty }).conditions.refund).toEqual({ allowed: true, penalty: null })
  })

  it('technical stops are listed and not counted as flights', () => {
    const [slice] = offerOf({
      slices: [supplierSlice({ segments: [supplierSegment({ stops: [{ airport: JFK, duration: 'PT50M' }] })] })],
    }).slices
    expect(slice?.segments).toHaveLength(1)
    expect(slice?.segments[0]?.technical_stops).toMatchObject([{ airport: { iata_code: 'JFK' }, duration: 'PT50M' }])
  })

  it('services get names and descriptions from what is known of them', () => {
    const available_services = [
      {
        id: 'ase_1',
        type: 'baggage',
        total_amount: '20',
        total_currency: 'EUR',
        maximum_quantity: 2,
        metadata: { type: 'checked', maximum_weight_kg: 23 },
      },
      {
        id: 'ase_2',
        type: 'cancel_for_any_reason',
        total_amount: null,
        total_currency: null,
        metadata: { merchant_copy: 'Cancel freely.' },
      },
    ]
    expect(pricedOffer(offerOf({ available_services }), 23).available_services).toEqual([
      {
        id: 'svc_1',
        name: 'Checked bag 23 kg',
        description: 'One extra checked bag, up to 23 kg, at most 2',
        type: 'baggage',
        total_amount: '20.00',
        total_currency: 'EUR',
        price: { amount: '25.00', currency: 'EUR' },
      },
      {
        id: 'svc_2',
        name: 'Cancel for any reason',
        description: 'Cancel freely.',
        type: 'cancel_for_any_reason',
        total_amount: null,
        total_currency: null,
        price: null,
      },
    ])
  })
})
