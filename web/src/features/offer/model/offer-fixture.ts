/** An offer for tests: Paris to New York nonstop, back with a change in Amsterdam. */
import type { Carrier, FlightOffer, Place, Segment, Slice } from '@passerelle/contracts/http/search'

export function place(iata_code: string, city_name: string | null, name: string, country_code = 'FR'): Place {
  return { iata_code, city_name, name, country_code, time_zone: null }
}

const CDG = place('CDG', 'Paris', 'Charles de Gaulle Airport')
const JFK = place('JFK', 'New York', 'John F. Kennedy International Airport', 'US')
const AMS = place('AMS', 'Amsterdam', 'Schiphol Airport', 'NL')
export const AIR_FRANCE: Carrier = { name: 'Air France', iata_code: 'AF', logo_url: null }
export const KLM: Carrier = { name: 'KLM', iata_code: 'KL', logo_url: null }

type Flown = Pick<Segment, 'origin' | 'destination' | 'departing_at' | 'arriving_at' | 'duration' | 'flight_number'>

export function segment(id: string, carrier: Carrier, flown: Flown, more: Partial<Segment> = {}): Segment {
  return {
    id,
    ...flown,
    origin_terminal: null,
    destination_terminal: null,
    aircraft: { name: 'Airbus A350-900' },
    airline: { ...carrier, icao_code: null, id: null },
    operating_carrier: carrier,
    marketing_carrier: carrier,
    services: [],
    cabin_class: 'economy',
    technical_stops: [],
    ...more,
  }
}

function slice(id: string, duration: string, segments: Segment[]): Slice {
  const [first, last] = [segments[0]!, segments.at(-1)!]
  return {
    id,
    origin: first.origin,
    destination: last.destination,
    duration,
    departure_time: first.departing_at,
    arrival_time: last.arriving_at,
    fare_brand_name: null,
    segments,
  }
}

const outbound = segment(
  'seg_1_1',
  AIR_FRANCE,
  {
    origin: CDG,
    destination: JFK,
    departing_at: '2026-12-10T13:35:00',
    arriving_at: '2026-12-10T16:05:00',
    duration: 'PT8H30M',
    flight_number: '006',
  },
  {
    services: [
      { type: 'baggage', description: '1 checked bag per passenger' },
      { type: 'wifi', description: 'Wi-Fi' },
    ],
  },
)
const back = [
  segment('seg_2_1', KLM, {
    origin: JFK,
    destination: AMS,
    departing_at: '2026-12-17T18:25:00',
    arriving_at: '2026-12-18T07:40:00',
    duration: 'PT7H15M',
    flight_number: '642',
  }),
  segment('seg_2_2', KLM, {
    origin: AMS,
    destination: CDG,
    departing_at: '2026-12-18T09:15:00',
    arriving_at: '2026-12-18T10:35:00',
    duration: 'PT1H20M',
    flight_number: '1227',
  }),
]

export const OFFER: FlightOffer = {
  id: 'oft_1',
  total_amount: '1613.01',
  total_currency: 'USD',
  base_amount: '1147.97',
  base_currency: 'USD',
  tax_amount: '465.04',
  tax_currency: 'USD',
  price: { total: '1984.00', base: '1412.00', tax: '572.00', currency: 'USD', markupPercent: 23 },
  created_at: '2026-11-21T13:12:00Z',
  expires_at: '2026-11-21T13:42:00Z',
  owner: AIR_FRANCE,
  conditions: {
    refundable: true,
    changeable: false,
    refund: { allowed: true, penalty: { amount: '40.00', currency: 'USD' } },
    change: null,
  },
  available_services: [],
  passenger_identity_documents_required: false,
  payment_requirements: { price_guarantee_expires_at: null, payment_required_by: null },
  passengers: [
    { id: 'pas_1', type: 'adult' },
    { id: 'pas_2', type: 'adult' },
    { id: 'pas_3', type: 'child' },
  ],
  slices: [slice('sli_1', 'PT8H30M', [outbound]), slice('sli_2', 'PT10H10M', back)],
  baggage_included: false,
}
export const [OUTBOUND, RETURN] = OFFER.slices as [Slice, Slice]
