/** An offer for tests: Paris to New York nonstop, back with a change in Amsterdam. */
import type { Carrier, FlightOffer, Place, Segment, Slice } from '@passerelle/contracts/http/search'
import { carrierOf, offerOf, segmentOf, sliceOf } from '../../../lib/flights.fixture.ts'

export function place(iata_code: string, city_name: string | null, name: string, country_code = 'FR'): Place {
  return { iata_code, city_name, name, country_code, time_zone: null }
}

const CDG = place('CDG', 'Paris', 'Charles de Gaulle Airport')
const JFK = place('JFK', 'New York', 'John F. Kennedy International Airport', 'US')
const AMS = place('AMS', 'Amsterdam', 'Schiphol Airport', 'NL')
export const AIR_FRANCE = carrierOf('AF', 'Air France')
export const KLM = carrierOf('KL', 'KLM')

type Flown = Pick<Segment, 'origin' | 'destination' | 'departing_at' | 'arriving_at' | 'duration' | 'flight_number'>

/** `flown` may be another segment, of which only the flight is taken. */
export function segment(id: string, marketing_carrier: Carrier, flown: Flown, more: Partial<Omit<Segment, 'airline'>> = {}): Segment {
  const { origin, destination, departing_at, arriving_at, duration, flight_number } = flown
  return segmentOf({ id, origin, destination, departing_at, arriving_at, duration, flight_number, marketing_carrier, ...more })
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
const toAmsterdam = segment('seg_2_1', KLM, {
  origin: JFK,
  destination: AMS,
  departing_at: '2026-12-17T18:25:00',
  arriving_at: '2026-12-18T07:40:00',
  duration: 'PT7H15M',
  flight_number: '642',
})
const toParis = segment('seg_2_2', KLM, {
  origin: AMS,
  destination: CDG,
  departing_at: '2026-12-18T09:15:00',
  arriving_at: '2026-12-18T10:35:00',
  duration: 'PT1H20M',
  flight_number: '1227',
})

export const OFFER: FlightOffer = offerOf({
  total_amount: '1613.01',
  base_amount: '1147.97',
  tax_amount: '465.04',
  conditions: {
    refundable: true,
    changeable: false,
    refund: { allowed: true, penalty: { amount: '40.00', currency: 'USD' } },
    change: null,
  },
  passengers: [
    { id: 'pas_1', type: 'adult' },
    { id: 'pas_2', type: 'adult' },
    { id: 'pas_3', type: 'child' },
  ],
  slices: [sliceOf('sli_1', 'PT8H30M', [outbound]), sliceOf('sli_2', 'PT10H10M', [toAmsterdam, toParis])],
})
export const [OUTBOUND, RETURN] = OFFER.slices as [Slice, Slice]
