/** Offer requests: checked, kept, and their offers generated. */
import { z } from 'zod'
import { airportsOf, isPlace } from './airports.ts'
import { read, readData, textOf } from './body.ts'
import { ApiError, gatewayTimeout, problem } from './errors.ts'
import { cabinClasses } from './generator/fares.ts'
import { type Draft, generateOffers } from './generator/offers.ts'
import { routeOf, type Search } from './generator/search.ts'
import { nonceWidth, randomText } from './hash.ts'
import { offerId, offerRequestId, passengerId } from './ids.ts'
import { instantText, localDate } from './local-time.ts'
import { offerResource } from './offer-resource.ts'
import type { OfferRequest } from './records.ts'
import type { World } from './world.ts'

const offerLife = 30 * 60_000
/** Offer requests are forgotten this long after they expired. */
const kept = 60 * 60_000

const place = textOf(isPlace, 'validation_inclusion', 'Not the code of a known airport or city')
const Slice = z
  .strictObject({ origin: place, destination: place, departure_date: z.iso.date() })
  .refine(({ origin, destination }) => origin !== destination, {
    path: ['destination'],
    message: 'Must differ from origin',
  })
const Query = z.strictObject({ return_offers: z.literal('true'), supplier_timeout: z.string().regex(/^\d+$/).optional() })
const Body = z
  .strictObject({
    slices: z.array(Slice).min(1).max(2),
    passengers: z
      .array(z.strictObject({ type: z.enum(['adult', 'child', 'infant_without_seat']) }))
      .min(1)
      .max(9),
    cabin_class: z.enum(cabinClasses),
    max_connections: z.literal(2).optional(),
  })
  .refine(({ slices: [out, back] }) => !back || back.departure_date >= out!.departure_date, {
    path: ['slices', 1, 'departure_date'],
    message: 'Must not be before that of the previous slice',
  })
  .refine(({ passengers }) => passengers.filter(isInfant).length <= passengers.filter(({ type }) => type === 'adult').length, {
    path: ['passengers'],
    message: 'There must be an adult for each infant without a seat',
  })
const isInfant = ({ type }: { type: string }) => type === 'infant_without_seat'

/** The offers of a request: generated at most once for each of the latest requests, and again when an older one is asked for. */
export const draftsOf = (world: World, request: OfferRequest): Map<string, Draft> => {
  const known = world.drafts.get(request.nonce)
  if (known) {
    world.drafts.delete(request.nonce)
    world.drafts.set(request.nonce, known)
    return known
  }
  const drafts = generateOffers(world.seed, request.search)
  const byId = new Map(drafts.map((draft) => [offerId(request.nonce, draft.index), draft]))
  world.drafts.set(request.nonce, byId)
  while (world.drafts.size > 24) world.drafts.delete(world.drafts.keys().next().value!)
  return byId
}

export const createOfferRequest = (world: World, body: unknown, query: unknown) => {
  read(Query, query)
  const data = readData(Body, body)
  const now = world.now()
  const [out] = data.slices
  if (out!.departure_date < localDate(airportsOf(out!.origin)[0]!.time_zone, now))
    throw new ApiError(422, [problem('validation_inclusion', '/slices/0/departure_date', "Field 'departure_date' must be today or later")])
  const search: Search = {
    slices: data.slices.map(({ origin, destination, departure_date }) => ({ origin, destination, departureDate: departure_date })),
    passengers: data.passengers.map(({ type }) => type),
    cabin: data.cabin_class,
  }
  const { state } = world
  const route = routeOf(search)
  const nonce = randomText(nonceWidth)
  state.documents.insert('search', nonce, { at: new Date(now).toISOString(), route })
  if (route === 'STN-LHR') throw gatewayTimeout()
  state.dropOfferRequestsBefore(now - kept)
  if (world.cases.take(['no-offers'], { route })) search.barren = true
  const request: OfferRequest = { id: offerRequestId(nonce), nonce, createdAt: now, expiresAt: now + offerLife, search, orderId: null }
  state.addOfferRequest(request)
  return {
    id: request.id,
    live_mode: false,
    created_at: instantText(now),
    cabin_class: search.cabin,
    passengers: search.passengers.map((type, at) => ({ id: passengerId(nonce, at), type, age: null })),
    offers: [...draftsOf(world, request)]
      .map(([id, draft]) => ({ id, draft }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ draft }) => offerResource(draft, { request, changes: {} })),
  }
}
