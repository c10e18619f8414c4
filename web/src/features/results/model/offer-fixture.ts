/** Offers for tests, as the search service answers them. */
import type { FlightOffer, Place, Segment, Slice } from '@passerelle/contracts/http/search'

export const place = (iata_code: string, city_name = iata_code): Place => ({
  iata_code,
  city_name,
  name: `${city_name} Airport`,
  country_code: 'FR',
  time_zone: null,
})

type SegmentWishes = {
  from?: string
  to?: string
  departs?: string
  arrives?: string
  duration?: string
  airline?: string
  operator?: string
  baggage?: boolean
}

export function makeSegment(wishes: SegmentWishes = {}): Segment {
  const airline = { iata_code: wishes.airline ?? 'AF', name: `Airline ${wishes.airline ?? 'AF'}`, logo_url: null }
  const operator = wishes.operator ?? wishes.airline ?? 'AF'
  return {
    id: 'seg_1_1',
    departing_at: wishes.departs ?? '2026-12-10T13:35:00',
    arriving_at: wishes.arrives ?? '2026-12-10T16:05:00',
    origin: place(wishes.from ?? 'CDG', 'Paris'),
    destination: place(wishes.to ?? 'JFK', 'New York'),
    origin_terminal: null,
    destination_terminal: null,
    duration: wishes.duration ?? 'PT8H30M',
    flight_number: '6',
    aircraft: null,
    airline: { ...airline, icao_code: null, id: null },
    marketing_carrier: airline,
    operating_carrier: { iata_code: operator, name: `Airline ${operator}`, logo_url: null },
    services: wishes.baggage ? [{ type: 'baggage', description: '1 checked bag' }] : [],
    cabin_class: 'economy',
    technical_stops: [],
  }
}

export function makeSlice(segments: Segment[], duration = 'PT8H30M'): Slice {
  const [first, end] = [segments[0], segments.at(-1)]
  return {
    id: 'sli_1',
    origin: first?.origin ?? place('CDG'),
    destination: end?.destination ?? place('JFK'),
    duration,
    departure_time: first?.departing_at ?? '',
    arrival_time: end?.arriving_at ?? '',
    fare_brand_name: null,
    segments,
  }
}

type OfferWishes = {
  id?: string
  total?: string
  currency?: string
  slices?: Slice[]
  owner?: string
  refundable?: boolean
  changeable?: boolean
}

export function makeOffer({
  id = 'off_1',
  total = '1984.00',
  currency = 'USD',
  slices,
  owner = 'AF',
  refundable = false,
  changeable = false,
}: OfferWishes = {}): FlightOffer {
  return {
    id,
    total_amount: '1613.00',
    total_currency: currency,
    base_amount: '1148.00',
    base_currency: currency,
    tax_amount: '465.00',
    tax_currency: currency,
    price: { total, base: total, tax: '0.00', currency, markupPercent: 23 },
    created_at: '2026-11-21T10:00:00Z',
    expires_at: '2026-11-21T10:30:00Z',
    owner: { iata_code: owner, name: `Airline ${owner}`, logo_url: null },
    conditions: { refundable, changeable, refund: null, change: null },
    available_services: [],
    passenger_identity_documents_required: false,
    payment_requirements: { price_guarantee_expires_at: null, payment_required_by: null },
    passengers: [{ id: 'pas_1', type: 'adult' }],
    slices: slices ?? [makeSlice([makeSegment()])],
    baggage_included: false,
  }
}
