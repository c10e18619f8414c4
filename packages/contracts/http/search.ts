/** Calls of the search service. Amounts of an offer are the supplier's; what a customer pays is in `price`, computed by the server. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { contract } from '../route.ts'
import { Amount, ById, CabinClass, CurrencyCode, Empty, Id, Mode, Money, PassengerType } from './common.ts'
import { Facets, OfferView } from './offer-view.ts'
import { SearchCriteria } from './search-criteria.ts'

export const Place = z.object({
  name: z.string().nullable(),
  iata_code: z.string().nullable(),
  city_name: z.string().nullable(),
  country_code: z.string().nullable(),
  /** IANA, e.g. Europe/Paris; turns the local times into instants. */
  time_zone: z.string().nullable(),
})
export type Place = z.infer<typeof Place>

export const Carrier = z.object({ name: z.string().nullable(), iata_code: z.string().nullable(), logo_url: z.string().nullable() })
export type Carrier = z.infer<typeof Carrier>

export const SegmentService = z.object({ type: z.enum(['wifi', 'meal', 'baggage']), description: z.string() })
export type SegmentService = z.infer<typeof SegmentService>

/** A technical stop keeps the flight number; it is shown but not counted as a stop. */
export const TechnicalStop = z.object({ airport: Place, duration: z.string().nullable() })
export type TechnicalStop = z.infer<typeof TechnicalStop>

export const Segment = z.object({
  /** Ours, unique within the offer, e.g. `seg_1_2`: first slice, second segment. */
  id: z.string(),
  /** Airport-local wall clock, no offset: `2027-03-04T08:15:00`. */
  departing_at: z.string(),
  arriving_at: z.string(),
  origin: Place,
  destination: Place,
  origin_terminal: z.string().nullable(),
  destination_terminal: z.string().nullable(),
  /** ISO 8601, e.g. PT2H30M; null when neither supplier nor time zones tell. */
  duration: z.string().nullable(),
  flight_number: z.string(),
  aircraft: z.object({ name: z.string() }).nullable(),
  airline: Carrier.extend({ icao_code: z.string().nullable(), id: z.string().nullable() }),
  operating_carrier: Carrier,
  marketing_carrier: Carrier,
  services: z.array(SegmentService),
  cabin_class: CabinClass.nullable(),
  technical_stops: z.array(TechnicalStop),
})
export type Segment = z.infer<typeof Segment>

export const Slice = z.object({
  /** Ours, unique within the offer: `sli_1`. */
  id: z.string(),
  origin: Place,
  destination: Place,
  duration: z.string().nullable(),
  departure_time: z.string(),
  arrival_time: z.string(),
  fare_brand_name: z.string().nullable(),
  segments: z.array(Segment),
})
export type Slice = z.infer<typeof Slice>

export const AvailableService = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  total_amount: Amount.nullable(),
  total_currency: CurrencyCode.nullable(),
  /** What the customer would pay for it. */
  price: Money.nullable(),
})
export type AvailableService = z.infer<typeof AvailableService>

/** The customer's price for all passengers; base + tax = total to the last digit. */
export const CustomerPrice = z.object({
  total: Amount,
  base: Amount,
  tax: Amount,
  currency: CurrencyCode,
  /** The markup that is in it, e.g. 23. */
  markupPercent: z.number(),
})
export type CustomerPrice = z.infer<typeof CustomerPrice>

/** `penalty` null: the airline did not say what it keeps. */
export const FareCondition = z.object({ allowed: z.boolean(), penalty: Money.nullable() })
export type FareCondition = z.infer<typeof FareCondition>

export const OfferPassenger = z.object({
  /** Ours, unique within the offer, adults first: `pas_1`. Seats and passengers of a booking refer to it. */
  id: z.string(),
  type: PassengerType,
})
export type OfferPassenger = z.infer<typeof OfferPassenger>

export const FlightOffer = z.object({
  /** Ours; it maps to a supplier's offer and outlives it. */
  id: Id,
  total_amount: Amount,
  total_currency: CurrencyCode,
  base_amount: Amount,
  base_currency: CurrencyCode,
  tax_amount: Amount,
  tax_currency: CurrencyCode,
  price: CustomerPrice,
  created_at: z.string(),
  expires_at: z.string(),
  owner: Carrier,
  conditions: z.object({
    refundable: z.boolean(),
    changeable: z.boolean(),
    /** null: the airline did not say. */
    refund: FareCondition.nullable(),
    change: FareCondition.nullable(),
  }),
  /** Filled when one offer is read; empty in a list. */
  available_services: z.array(AvailableService),
  passenger_identity_documents_required: z.boolean(),
  payment_requirements: z.object({ price_guarantee_expires_at: z.string().nullable(), payment_required_by: z.string().nullable() }),
  passengers: z.array(OfferPassenger),
  slices: z.array(Slice),
  /** Checked baggage on the first segment of every slice, for every passenger with a seat. */
  baggage_included: z.boolean(),
})
export type FlightOffer = z.infer<typeof FlightOffer>

export const SearchPage = z.object({
  page: z.coerce.number('page must be a number').int('page must be a whole number').min(1, 'page must be 1 or more').default(1),
  /** More than 100 is read as 100. */
  limit: z.coerce
    .number('limit must be a number')
    .int('limit must be a whole number')
    .min(1, 'limit must be 1 or more')
    .transform((limit) => Math.min(limit, 100))
    .default(30),
})
export type SearchPage = z.infer<typeof SearchPage>

export const SearchResults = z.object({
  offers: z.array(FlightOffer),
  total_count: z.int().nonnegative(),
  /** Which frozen result set this page belongs to; pages of different sets must not be merged. */
  search_id: Id,
  /** When asked for. */
  facets: Facets.optional(),
})
export type SearchResults = z.infer<typeof SearchResults>

export const OfferVerification = z.object({
  valid: z.boolean(),
  message: z.string(),
  /** null when valid; else a verification code such as OFFER_EXPIRED. */
  error: z.string().nullable(),
  offer_id: z.string(),
  expires_at: z.string().nullable(),
  /** Whole minutes until expiry. */
  minutes_remaining: z.int().nullable(),
})
export type OfferVerification = z.infer<typeof OfferVerification>

export const SeatElement = z.object({
  type: z.enum(['seat', 'other']),
  /** What an `other` element is: exit_row, lavatory, galley, empty... */
  kind: z.string().nullable(),
  designator: z.string().nullable(),
  name: z.string().nullable(),
  /** For at least one passenger. */
  available: z.boolean(),
  /** One entry per passenger who can have it. `price` is what the customer pays. */
  available_services: z.array(
    z.object({ id: z.string(), passenger_id: z.string(), total_amount: Amount, total_currency: CurrencyCode, price: Money }),
  ),
  disclosures: z.array(z.string()),
})
export type SeatElement = z.infer<typeof SeatElement>

export const SeatMapSegment = z.object({
  segment_id: z.string(),
  cabins: z.array(
    z.object({
      cabin_class: z.string(),
      /** 0 main deck, 1 upper deck. */
      deck_configuration: z.int(),
      wings: z.object({ first_row_index: z.int(), last_row_index: z.int() }).nullable(),
      rows: z.array(z.object({ number: z.int().nullable(), sections: z.array(z.object({ elements: z.array(SeatElement) })) })),
    }),
  ),
})
export type SeatMapSegment = z.infer<typeof SeatMapSegment>

/** One map per slice, holding the cabin plan of each of its flights that has one. `cabins` is the first flight's, as older clients read it. */
export const SeatMap = z.object({
  slice_id: z.string(),
  segments: z.array(SeatMapSegment),
  cabins: SeatMapSegment.shape.cabins,
})
export type SeatMap = z.infer<typeof SeatMap>

export const SeatChoice = z.object({
  passengerId: z.string().min(1),
  /** Seat designator, e.g. 12A. */
  seatId: z.string().min(1).max(6),
  segmentId: z.string().min(1),
  cabinClass: z.string().optional(),
  price: Money.optional(),
})
export type SeatChoice = z.infer<typeof SeatChoice>

/** Everything that payment and booking need to charge and order one offer. Supplier ids never leave the services. */
export const Quote = z.object({
  offer: FlightOffer,
  mode: Mode,
  supplier: z.object({
    offerId: z.string(),
    total: Money,
    /** Ours -> the supplier's, for this supplier offer. */
    passengers: z.array(z.object({ id: z.string(), supplierId: z.string(), type: PassengerType })),
    segments: z.array(z.object({ id: z.string(), supplierId: z.string() })),
    services: z.array(z.object({ id: z.string(), quantity: z.int() })),
    identityDocuments: z.object({ required: z.boolean(), passportSupported: z.boolean() }),
  }),
  seats: z.array(SeatChoice.extend({ price: Money, supplierAmount: Amount })),
  /** offer.price.total plus the seats: what is shown is what is charged. */
  charge: Money,
  /** The offer's total (without seats) as visitors were last shown it, before this read; null when nobody opened it. Differs from offer.price.total: the price has changed. */
  shownTotal: Money.nullable(),
  /** Supplier total plus seats, to the cent: what the agency pays. */
  supplierCharge: Money,
})
export type Quote = z.infer<typeof Quote>

const QuoteBody = z.object({ seats: z.array(SeatChoice).default([]) })

/** Visitors without a session share the second figure with their network; an office whose visitors have sessions shares the first. */
const SEARCH_LIMITS = [
  { max: 120, seconds: 60, by: 'network' },
  { max: 60, seconds: 60, by: 'session' },
] as const

export const searchApi = contract('search', {
  search: {
    ...addresses.search.search,
    access: 'public',
    summary: 'One page of the offers of a search, or of what wishes leave of them; the counts of the choices when asked for',
    query: SearchCriteria.and(SearchPage).and(OfferView),
    response: SearchResults,
    errors: ['VALIDATION_ERROR', 'SEARCH_REFUSED', 'SEARCH_FAILED', 'SEARCH_BUSY', 'RATE_LIMITED'],
    limits: SEARCH_LIMITS,
    cacheSeconds: 30,
    timeoutMs: 40_000,
    readyJson: true,
  },
  startSearch: {
    ...addresses.search.startSearch,
    access: 'public',
    summary: 'Search, and the first offers',
    body: SearchCriteria,
    response: SearchResults,
    errors: ['VALIDATION_ERROR', 'SEARCH_REFUSED', 'SEARCH_FAILED', 'SEARCH_BUSY', 'RATE_LIMITED'],
    limits: SEARCH_LIMITS,
    timeoutMs: 40_000,
    readyJson: true,
  },
  getOffer: {
    ...addresses.search.getOffer,
    access: 'public',
    summary: 'One offer, with its services, as it stands now',
    params: ById,
    response: FlightOffer,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'RATE_LIMITED'],
    limits: [
      { max: 240, seconds: 60, by: 'network' },
      { max: 120, seconds: 60, by: 'session' },
    ],
    timeoutMs: 20_000,
  },
  getSeatMaps: {
    ...addresses.search.getSeatMaps,
    access: 'public',
    summary: 'Seat maps of an offer, one per slice; an empty list when the airline has none',
    params: ById,
    response: z.object({ data: z.array(SeatMap) }),
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'SEAT_MAPS_FAILED', 'RATE_LIMITED'],
    limits: [
      { max: 120, seconds: 60, by: 'network' },
      { max: 30, seconds: 60, by: 'session' },
    ],
    timeoutMs: 20_000,
  },
  verifyOffer: {
    ...addresses.search.verifyOffer,
    access: 'public',
    summary: 'Whether an offer can still be booked; 410 when it has expired',
    params: ById,
    response: OfferVerification,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'RATE_LIMITED'],
    limits: [
      { max: 120, seconds: 60, by: 'network' },
      { max: 30, seconds: 60, by: 'session' },
    ],
    timeoutMs: 20_000,
  },
  countSearches: {
    method: 'POST',
    path: '/internal/searches',
    access: 'internal',
    callers: ['gateway'],
    summary: 'Searches that the gateway answered from its memory, for the count of searches per booking',
    body: z.object({
      searches: z.array(z.object({ key: z.string().min(1).max(100), visitors: z.int().positive() })).max(500),
    }),
    response: Empty,
  },
  quote: {
    method: 'POST',
    path: '/internal/offers/:id/quote',
    access: 'internal',
    callers: ['booking', 'payment'],
    summary: 'Read the offer at the supplier, price it with its seats',
    params: ById,
    body: QuoteBody,
    response: Quote,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'SEAT_UNAVAILABLE', 'SEAT_MAPS_FAILED', 'SEARCH_FAILED', 'SEARCH_BUSY'],
    // All of it: reading the offer and its seat maps and, when it was booked by somebody else, a new search. The answer comes 2 s earlier.
    timeoutMs: 15_000,
  },
  requote: {
    method: 'POST',
    path: '/internal/offers/:id/requote',
    access: 'internal',
    callers: ['booking'],
    summary: 'The supplier offer behind this offer is used up: search again for the same flights and fare',
    params: ById,
    body: QuoteBody,
    response: Quote,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'SEAT_UNAVAILABLE', 'SEAT_MAPS_FAILED', 'SEARCH_FAILED', 'SEARCH_BUSY'],
    timeoutMs: 40_000,
  },
  offerGone: {
    method: 'POST',
    path: '/internal/offers/:id/gone',
    access: 'internal',
    callers: ['booking'],
    summary: 'The supplier refused an order because this offer is gone: it is not shown any more',
    params: ById,
    response: Empty,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED'],
  },
})
