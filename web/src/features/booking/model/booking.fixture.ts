/** Flights for the tests of this folder: Paris to New York non-stop, back by way of Amsterdam. */
import type { Booking } from '@passerelle/contracts/http/booking'
import type { FlightOffer, SeatElement, SeatMap, Segment } from '@passerelle/contracts/http/search'
import { customerPrice } from '@passerelle/contracts/rules/money'
import { carrierOf, offerOf, segmentOf, sliceOf } from '../../../lib/flights.fixture.ts'

const PLACES = {
  CDG: ['Paris Charles de Gaulle', 'Paris', 'FR', 'Europe/Paris'],
  ORY: ['Paris Orly', 'Paris', 'FR', 'Europe/Paris'],
  NCE: ['Nice Côte d’Azur', 'Nice', 'FR', 'Europe/Paris'],
  JFK: ['John F. Kennedy', 'New York', 'US', 'America/New_York'],
  AMS: ['Schiphol', 'Amsterdam', 'NL', 'Europe/Amsterdam'],
} as const

export function place(code: keyof typeof PLACES) {
  const [name, city_name, country_code, time_zone] = PLACES[code]
  return { iata_code: code, name, city_name, country_code, time_zone }
}

const CARRIERS = { AF: 'Air France', KL: 'KLM' } as const

export function segment(
  id: string,
  carrier: keyof typeof CARRIERS,
  number: string,
  [from, departing_at]: [keyof typeof PLACES, string],
  [to, arriving_at]: [keyof typeof PLACES, string],
  duration: string,
): Segment {
  return segmentOf({
    id,
    departing_at,
    arriving_at,
    origin: place(from),
    destination: place(to),
    duration,
    flight_number: number,
    marketing_carrier: carrierOf(carrier, CARRIERS[carrier]),
  })
}

export const out = sliceOf('sli_1', 'PT8H30M', [
  segment('seg_1_1', 'AF', '006', ['CDG', '2026-12-10T13:35:00'], ['JFK', '2026-12-10T16:05:00'], 'PT8H30M'),
])
export const back = sliceOf('sli_2', 'PT10H10M', [
  segment('seg_2_1', 'KL', '642', ['JFK', '2026-12-17T18:25:00'], ['AMS', '2026-12-18T07:40:00'], 'PT7H15M'),
  segment('seg_2_2', 'KL', '1227', ['AMS', '2026-12-18T09:15:00'], ['CDG', '2026-12-18T10:35:00'], 'PT1H20M'),
])

export const offer: FlightOffer = offerOf({
  price: customerPrice({ total_amount: '1613.00', base_amount: '1148.00', total_currency: 'USD' }),
  conditions: { refundable: true, changeable: true, refund: null, change: null },
  passengers: [
    { id: 'pas_1', type: 'adult' },
    { id: 'pas_2', type: 'adult' },
    { id: 'pas_3', type: 'child' },
    { id: 'pas_4', type: 'infant_without_seat' },
  ],
  slices: [out, back],
  baggage_included: true,
})

/** `prices`: what each passenger pays for it; nobody: taken. */
export function seat(designator: string, prices: Record<string, string>): SeatElement {
  const services = Object.entries(prices).map(([passenger_id, amount]) => ({
    id: `${designator}_${passenger_id}`,
    passenger_id,
    total_amount: amount,
    total_currency: 'USD',
    price: { amount, currency: 'USD' },
  }))
  return { type: 'seat', kind: null, designator, name: null, available: services.length > 0, available_services: services, disclosures: [] }
}

export function other(kind: string): SeatElement {
  return { type: 'other', kind, designator: null, name: null, available: false, available_services: [], disclosures: [] }
}

export const everybody = (amount: string) => ({ pas_1: amount, pas_2: amount, pas_3: amount })

export const economy: SeatMap['cabins'][number] = {
  cabin_class: 'economy',
  deck_configuration: 0,
  wings: null,
  rows: [
    { number: null, sections: [{ elements: [other('exit_row')] }, { elements: [other('exit_row')] }] },
    {
      number: 24,
      sections: [
        { elements: [seat('24A', everybody('31.00')), seat('24B', everybody('31.00')), seat('24C', {})] },
        { elements: [seat('24D', everybody('31.00')), seat('24E', {}), seat('24F', { pas_1: '31.00' })] },
      ],
    },
    {
      number: 25,
      sections: [
        { elements: [seat('25B', everybody('0.00')), seat('25C', everybody('0.00'))] },
        { elements: [seat('25D', {}), seat('25E', everybody('0.00')), seat('25F', everybody('0.00'))] },
      ],
    },
  ],
}

export const maps: SeatMap[] = [
  { slice_id: 'sli_1', segments: [{ segment_id: 'seg_1_1', cabins: [economy] }], cabins: [economy] },
  { slice_id: 'sli_2', segments: [{ segment_id: 'seg_2_2', cabins: [economy] }], cabins: [economy] },
]

export const booking: Booking = {
  id: 'bk_1',
  status: 'confirmed',
  duffelBookingId: '7KQX2M9DAAAABBBBCCCC',
  bookingReference: '7KQX2M9D',
  airlineReference: 'QX4T7L',
  createdAt: '2026-11-21T10:12:00Z',
  brand: 'default',
  paid: true,
  cardLast4: '4242',
  charged: { amount: '2077.00', currency: 'USD' },
  refund: null,
  refundKind: null,
  airlineCredit: null,
  cancellation: null,
  cancelRequested: false,
  scheduleChange: null,
  cancelledAt: null,
  bookingData: {
    slices: [out, back],
    passengers: [
      { id: 'pas_1', given_name: 'Camille', family_name: 'Moreau', type: 'adult', ticketName: null },
      { id: 'pas_3', given_name: 'Léa', family_name: 'Moreau', type: 'child', ticketName: { given_name: 'Lea', family_name: 'Moreau' } },
    ],
    conditions: { cancellation_options: [], changeable: true },
    total_amount: '1613.00',
    total_currency: 'USD',
    seats: [{ passengerId: 'pas_1', segmentId: 'seg_1_1', seatId: '24A', price: { amount: '31.00', currency: 'USD' } }],
  },
}
