/** The calls of a visitor, each with its name as a tag, its checks and what it adds to the metrics. */
import { check } from 'k6'
import http, { type RefinedResponse, type ResponseType } from 'k6/http'
import { Counter, Rate } from 'k6/metrics'
import { addresses } from '../../../../packages/contracts/addresses.ts'
import type { Search } from './traffic.ts'

export const BASE_URL = (__ENV.BASE_URL || 'http://localhost:8080').replace(/\/$/, '')

export type Offer = {
  id: string
  price: { total: string; currency: string }
  passengers: { id: string; type: string }[]
  slices: { departure_time: string }[]
}
type Results = { offers: Offer[]; total_count: number; search_id: string }
type Answer = RefinedResponse<ResponseType>

/** Offers whose detail asks another price than the list did. */
export const priceMismatches = new Counter('offer_price_mismatch')
/** Answers that came from a cache: the gateway's memory or the search service's store. */
export const cacheHits = new Rate('search_cache_hits')
/** Answers by which the product says that it has enough to do. */
export const shed = new Counter('requests_shed')

const named = (name: string, headers: Record<string, string> = {}) => ({ headers, tags: { name }, timeout: '60s' })
const json = { 'content-type': 'application/json' }
const path = (address: { path: string }, id = '') => BASE_URL + address.path.replace(':id', id)

function bodyOf<T>(answer: Answer): T | null {
  try {
    return answer.json() as T
  } catch {
    return null
  }
}

const refusals = new Set([429, 503])

/** Counts 429 and 503, which must say when to come again; every other answer than `expected` fails the check. */
function answered(answer: Answer, what: string, expected = 200): boolean {
  if (refusals.has(answer.status)) {
    shed.add(1, { status: String(answer.status) })
    check(answer, { 'a refusal says when to come again': ({ headers }) => Number(headers['Retry-After']) > 0 })
    return false
  }
  return check(answer, { [what]: ({ status }) => status === expected })
}

/** One page of a search; null when it was refused. */
export function searchPage(search: Search, page = 1, limit = 30, name = 'search'): Results | null {
  const query = Object.entries({ ...search, page, limit }).map(([key, value]) => `${key}=${value}`)
  const answer = http.get(`${path(addresses.search.search)}?${query.join('&')}`, named(name, { 'accept-encoding': 'br' }))
  if (!answered(answer, `${name} is answered`)) return null
  cacheHits.add(!/^(miss|supplier)/i.test(answer.headers['X-Cache'] ?? 'miss'))
  return bodyOf<Results>(answer)
}

export function readOffer(listed: Offer): Offer | null {
  const answer = http.get(path(addresses.search.getOffer, listed.id), named('offer'))
  if (!answered(answer, 'the offer is answered')) return null
  const offer = bodyOf<Offer>(answer)
  if (offer?.price.total !== listed.price.total) priceMismatches.add(1)
  return offer
}

export function verifyOffer(offer: Offer): void {
  answered(http.get(path(addresses.search.verifyOffer, offer.id), named('verify')), 'the offer is still valid')
}

export function openHome(): void {
  const answer = http.get(`${BASE_URL}/`, named('home', { accept: 'text/html', 'accept-encoding': 'br' }))
  answered(answer, 'the home page is answered')
}

export function readMode(): void {
  answered(http.get(path(addresses.brand.systemMode), named('mode')), 'the mode is answered')
}

/** One booking with a test card; true when it is confirmed. */
export function book(offer: Offer): boolean {
  const mark = `${__VU}x${__ITER}x${Date.now().toString(36)}`
  const passengers = offer.passengers.map(({ id, type }, index) => ({
    id,
    type,
    title: 'ms',
    gender: 'female',
    firstName: 'Ines',
    lastName: 'Moreau',
    dateOfBirth: '1988-06-15',
    passportNumber: `L${mark}${index}`.slice(0, 20),
    passportExpiryDate: '2038-04-25',
    passportIssuingCountry: 'FR',
    ...(index === 0 && { email: `load.${mark}@example.org`, phone: '+33 1 23 45 67 89' }),
  }))
  const cardDetails = { number: '4242 4242 4242 4242', expiryMonth: '12', expiryYear: '38', cvv: '123', holderName: 'Ines Moreau' }
  const paymentDetails = { amount: offer.price.total, currency: offer.price.currency, cardDetails }
  const answer = http.post(
    path(addresses.booking.createBooking),
    JSON.stringify({ offerId: offer.id, passengers, seats: [], paymentDetails }),
    named('book', json),
  )
  return answered(answer, 'the booking is confirmed', 201)
}
