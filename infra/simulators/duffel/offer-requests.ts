/** Offer requests: made, kept, and their offers generated and listed. */
import { collectProblems, gatewayTimeout, notFound } from './errors.ts'
import { type Fields, onlyKnownQuery } from './fields.ts'
import { type Draft, generateOffers } from './generator/offers.ts'
import { typeOf } from './generator/search.ts'
import { nonceWidth, randomText } from './hash.ts'
import { offerId, offerRequestId, passengerId } from './ids.ts'
import { instantText } from './local-time.ts'
import { expiryOf, offerResource, totalOf } from './offer-resource.ts'
import { pageOf, readPageRequest } from './pages.ts'
import { findPlace } from './places.ts'
import { readSearch } from './search-validation.ts'
import type { OfferRequestRow } from './state.ts'
import { routeOf } from './test-routes.ts'
import type { World } from './world.ts'

const offerLife = 30 * 60_000
/** Offer requests are forgotten this long after they expired. */
const kept = 60 * 60_000

/** The offers of a request: generated at most once for each of the latest requests, and again when an older one is asked for. */
export const draftsOf = (world: World, request: OfferRequestRow): Map<string, Draft> => {
  const known = world.drafts.get(request.nonce)
  if (known) {
    world.drafts.delete(request.nonce)
    world.drafts.set(request.nonce, known)
    return known
  }
  const drafts = generateOffers(world.seed, request.search, world.currency)
  const byId = new Map(drafts.map((draft) => [offerId(request.nonce, draft.index), draft]))
  world.drafts.set(request.nonce, byId)
  while (world.drafts.size > 24) world.drafts.delete(world.drafts.keys().next().value!)
  return byId
}

export const createOfferRequest = (world: World, data: Fields, query: Fields) => {
  onlyKnownQuery(query, ['return_offers', 'supplier_timeout', 'view'])
  const now = world.now()
  const search = readSearch(data, now)
  const problems = collectProblems()
  if (query.return_offers !== undefined && query.return_offers !== 'true' && query.return_offers !== 'false')
    problems.add('validation_inclusion', '/return_offers', "Field 'return_offers' must be true or false")
  if (query.view !== undefined && query.view !== 'offers')
    problems.add('validation_inclusion', '/view', "Only the view 'offers' is enabled for this account")
  problems.refuse()
  const { state } = world
  const route = routeOf(search)
  state.record('search', {
    at: new Date(now).toISOString(),
    slices: search.slices.map(({ origin, destination, departureDate }) => ({ origin, destination, departure_date: departureDate })),
    passengers: search.passengers.length,
    passenger_types: search.passengers.map(typeOf),
    cabin: search.cabin,
  })
  if (route === 'STN-LHR' || world.cases.take(['search-timeout'], { route })) throw gatewayTimeout()
  state.dropOfferRequestsBefore(now - kept)
  const nonce = randomText(nonceWidth)
  if (world.cases.take(['no-offers'], { route })) search.barren = true
  const request: OfferRequestRow = { id: offerRequestId(nonce), nonce, createdAt: now, expiresAt: now + offerLife, search, orderId: null }
  state.addOfferRequest(request)
  return offerRequestResource(world, request, query.return_offers !== 'false')
}

export const getOfferRequest = (world: World, id: string) => {
  const request = world.state.offerRequestById(id)
  if (!request) throw notFound()
  return offerRequestResource(world, request, true)
}

const offerRequestResource = (world: World, request: OfferRequestRow, withOffers: boolean) => ({
  id: request.id,
  live_mode: false,
  created_at: instantText(request.createdAt),
  cabin_class: request.search.cabin,
  client_key: `ck_${request.nonce}`,
  slices: request.search.slices.map((slice) => {
    const origin = findPlace(slice.origin)!
    const destination = findPlace(slice.destination)!
    return {
      origin,
      origin_type: origin.type,
      destination,
      destination_type: destination.type,
      departure_date: slice.departureDate,
      departure_time: slice.departureTime,
      arrival_time: slice.arrivalTime,
    }
  }),
  passengers: request.search.passengers.map((passenger, at) => ({
    id: passengerId(request.nonce, at),
    type: passenger.type,
    age: passenger.age,
    fare_type: null,
    given_name: passenger.givenName,
    family_name: passenger.familyName,
    loyalty_programme_accounts: passenger.loyalty,
  })),
  ...(withOffers ? { offers: liveOffers(world, request).map(({ draft, changes }) => offerResource(draft, { request, changes })) } : {}),
})

/** The offers that can still be had, in order of id. */
const liveOffers = (world: World, request: OfferRequestRow) => {
  const all = world.state.changesWithin(request.nonce)
  const now = world.now()
  return [...draftsOf(world, request)]
    .map(([id, draft]) => ({ id, draft, changes: all.get(id) ?? {} }))
    .filter(({ changes }) => !changes.gone && expiryOf({ request, changes }) > now)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

export const listOffers = (world: World, query: Fields) => {
  onlyKnownQuery(query, ['offer_request_id', 'limit', 'after', 'before', 'sort', 'max_connections'])
  const pageRequest = readPageRequest(query)
  const problems = collectProblems()
  const { offer_request_id: requestId, sort, max_connections: most } = query
  if (typeof requestId !== 'string' || requestId === '')
    problems.add('validation_required', '/offer_request_id', "Field 'offer_request_id' can't be blank")
  if (sort !== undefined && !/^-?(total_amount|total_duration)$/.test(String(sort)))
    problems.add('validation_inclusion', '/sort', "Field 'sort' must be total_amount, total_duration or one of them with a leading '-'")
  if (most !== undefined && !/^[012]$/.test(String(most)))
    problems.add('validation_inclusion', '/max_connections', "Field 'max_connections' must be 0, 1 or 2")
  problems.refuse()
  const request = world.state.offerRequestById(requestId as string)
  if (!request) throw notFound()
  const offers = liveOffers(world, request).filter(
    ({ draft }) => most === undefined || draft.slices.every((itinerary) => itinerary.legs.length - 1 <= Number(most)),
  )
  if (sort !== undefined) {
    const direction = String(sort).startsWith('-') ? -1 : 1
    const value = (one: (typeof offers)[number]) => (String(sort).endsWith('amount') ? totalOf(one.draft, one.changes) : one.draft.minutes)
    offers.sort((a, b) => direction * (value(a) - value(b)))
  }
  const page = pageOf(`${request.id}/${sort ?? 'id'}/${most ?? ''}`, offers, (one) => one.id, pageRequest)
  return { data: page.items.map(({ draft, changes }) => offerResource(draft, { request, changes })), meta: page.meta }
}
