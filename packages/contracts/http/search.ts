/** Calls of the search service. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { Amount, ById, Empty, Id, Mode, Money, PassengerType } from './common.ts'
import { FlightOffer } from './offer.ts'
import { Facets, OfferView } from './offer-view.ts'
import { CalendarQuery, SearchCriteria } from './search-criteria.ts'
import { SeatChoice, SeatMap } from './seats.ts'

export * from './offer.ts'
export * from './seats.ts'

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

export const CalendarPrices = z.object({
  /** In their order; a day without a recent search is not among them. */
  days: z.array(z.object({ date: z.iso.date(), /** The lowest, for all passengers. */ price: Money })),
})
export type CalendarPrices = z.infer<typeof CalendarPrices>

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

/** Reads of one offer, which may have to ask the supplier. */
const offerRead = { access: 'public', params: ById, timeoutMs: 20_000 } as const

/** Visitors without a session share the second figure with their network; an office whose visitors have sessions shares the first. */
const SEARCH_LIMITS = callsPer(60, { network: 120, session: 60 })

const SEARCH_ERRORS = ['VALIDATION_ERROR', 'SEARCH_REFUSED', 'SEARCH_FAILED', 'SEARCH_BUSY', 'SEARCH_LIMITED', 'RATE_LIMITED'] as const

export const searchApi = contract('search', {
  search: {
    ...addresses.search.search,
    access: 'public',
    summary: 'One page of the offers of a search, or of what wishes leave of them; the counts of the choices when asked for',
    query: SearchCriteria.and(SearchPage).and(OfferView),
    response: SearchResults,
    errors: SEARCH_ERRORS,
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
    errors: SEARCH_ERRORS,
    limits: SEARCH_LIMITS,
    timeoutMs: 40_000,
    readyJson: true,
  },
  calendar: {
    ...addresses.search.calendar,
    access: 'public',
    summary: 'Lowest price by day of departure, where a recent search knows it; the supplier is never asked',
    query: CalendarQuery,
    response: CalendarPrices,
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    limits: callsPer(60, { network: 240, session: 120 }),
    cacheSeconds: 10,
  },
  getOffer: {
    ...addresses.search.getOffer,
    ...offerRead,
    summary: 'One offer, with its services, as it stands now',
    response: FlightOffer,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'RATE_LIMITED'],
    limits: callsPer(60, { network: 240, session: 120 }),
  },
  getSeatMaps: {
    ...addresses.search.getSeatMaps,
    ...offerRead,
    summary: 'Seat maps of an offer, one per slice; an empty list when the airline has none',
    response: z.object({ data: z.array(SeatMap) }),
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'SEAT_MAPS_FAILED', 'RATE_LIMITED'],
    limits: callsPer(60, { network: 120, session: 30 }),
  },
  verifyOffer: {
    ...addresses.search.verifyOffer,
    ...offerRead,
    summary: 'Whether an offer can still be booked; 410 when it has expired',
    response: OfferVerification,
    errors: ['OFFER_NOT_FOUND', 'OFFER_EXPIRED', 'OFFER_FAILED', 'RATE_LIMITED'],
    limits: callsPer(60, { network: 120, session: 30 }),
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
    repeatable: true,
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
  orderPlaced: {
    method: 'POST',
    path: '/internal/orders',
    access: 'internal',
    callers: ['booking'],
    summary: 'The supplier has an order of ours: for the count of searches per order',
    response: Empty,
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
