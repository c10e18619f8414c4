/** Offers for tests, as the search service answers them. */
import type { FlightOffer, Place, Segment, Slice } from '@passerelle/contracts/http/search'
import { carrierOf, offerOf, segmentOf, sliceOf } from '../../../lib/flights.fixture.ts'

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
  const { airline = 'AF', operator = airline } = wishes
  const named = (code: string) => carrierOf(code, `Airline ${code}`)
  return segmentOf({
    id: 'seg_1_1',
    departing_at: wishes.departs ?? '2026-12-10T13:35:00',
    arriving_at: wishes.arrives ?? '2026-12-10T16:05:00',
    origin: place(wishes.from ?? 'CDG', 'Paris'),
    destination: place(wishes.to ?? 'JFK', 'New York'),
    duration: wishes.duration ?? 'PT8H30M',
    marketing_carrier: named(airline),
    operating_carrier: named(operator),
    services: wishes.baggage ? [{ type: 'baggage', description: '1 checked bag' }] : [],
  })
}

export const makeSlice = (segments: [Segment, ...Segment[]], duration = 'PT8H30M'): Slice => sliceOf('sli_1', duration, segments)

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
  return offerOf({
    id,
    currency,
    price: { total, base: total, tax: '0.00', currency, markupPercent: 23 },
    owner: carrierOf(owner, `Airline ${owner}`),
    conditions: { refundable, changeable, refund: null, change: null },
    slices: slices ?? [makeSlice([makeSegment()])],
  })
}
