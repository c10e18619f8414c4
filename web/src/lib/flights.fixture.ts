/** Flights for tests, as the search service answers them. Each feature's own fixture says what differs. */
import type { FlightOffer, Segment, Slice } from '@passerelle/contracts/http/search'

export const carrierOf = (iata_code: string, name: string) => ({ iata_code, name, logo_url: null })

const airFrance = carrierOf('AF', 'Air France')

type Needed = 'id' | 'origin' | 'destination' | 'departing_at' | 'arriving_at'

/** Of one carrier alone, unless told. */
export function segmentOf({
  marketing_carrier = airFrance,
  ...flown
}: Pick<Segment, Needed> & Partial<Omit<Segment, Needed | 'airline'>>): Segment {
  return {
    origin_terminal: null,
    destination_terminal: null,
    duration: 'PT8H30M',
    flight_number: '006',
    aircraft: { name: 'Airbus A350-900' },
    airline: { ...marketing_carrier, icao_code: null, id: null },
    marketing_carrier,
    operating_carrier: marketing_carrier,
    services: [],
    cabin_class: 'economy',
    technical_stops: [],
    ...flown,
  }
}

export function sliceOf(id: string, duration: string, segments: [Segment, ...Segment[]]): Slice {
  const [first, last] = [segments[0], segments.at(-1) as Segment]
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

/** An offer of Air France's for one adult, shown at 1,984.00. */
export function offerOf({
  currency = 'USD',
  ...more
}: { currency?: string } & Pick<FlightOffer, 'slices'> & Partial<Omit<FlightOffer, `${'total' | 'base' | 'tax'}_currency`>>): FlightOffer {
  return {
    id: 'oft_1',
    total_amount: '1613.00',
    base_amount: '1148.00',
    tax_amount: '465.00',
    total_currency: currency,
    base_currency: currency,
    tax_currency: currency,
    price: { total: '1984.00', base: '1412.00', tax: '572.00', currency, markupPercent: 23 },
    created_at: '2026-11-21T10:00:00Z',
    expires_at: '2026-11-21T10:30:00Z',
    owner: airFrance,
    conditions: { refundable: true, changeable: false, refund: null, change: null },
    available_services: [],
    passenger_identity_documents_required: false,
    payment_requirements: { price_guarantee_expires_at: null, payment_required_by: null },
    passengers: [{ id: 'pas_1', type: 'adult' }],
    baggage_included: false,
    ...more,
  }
}
