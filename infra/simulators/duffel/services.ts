/** What can be bought beside the flights: extra bags, and seats that are still free. */
import { airlineOf } from './airlines.ts'
import { collectProblems } from './errors.ts'
import { type Fields, onlyKnownQuery } from './fields.ts'
import type { Draft } from './generator/offers.ts'
import { typeOf } from './generator/search.ts'
import { seatMapsOf } from './generator/seat-maps.ts'
import { passengerId, segmentId, serviceId } from './ids.ts'
import { formatMinor, fromEuroCents, nominalMinor } from './money.ts'
import { type FoundOffer, findOffer, refuseLost } from './offers.ts'
import type { OfferRequestRow } from './state.ts'
import { routeOf } from './test-routes.ts'
import type { World } from './world.ts'

export type BagService = {
  id: string
  passenger: number
  segmentIds: string[]
  amount: number
  most: number
  metadata: Record<string, unknown>
}

/** One extra bag of 23 kg for each passenger with a seat, on all segments of a slice. */
export const bagServices = (draft: Draft, request: OfferRequestRow): BagService[] => {
  const { nonce, search } = request
  if (routeOf(search) === 'BTS-ABV') return []
  const airline = airlineOf(draft.owner)
  const amount = airline.style === 'duffel' ? nominalMinor(airline.bag, draft.currency) : fromEuroCents(airline.bag, draft.currency)
  return search.passengers.flatMap((passenger, at) => {
    if (typeOf(passenger) === 'infant_without_seat') return []
    return draft.slices.map((itinerary, slice) => ({
      id: serviceId(nonce, draft.index, `bag/${slice}/${at}`),
      passenger: at,
      segmentIds: itinerary.legs.map((_, position) => segmentId(nonce, draft.index, slice, position)),
      amount,
      most: airline.style === 'duffel' ? 1 : 2,
      metadata: { type: 'checked', maximum_weight_kg: 23, maximum_length_cm: null, maximum_height_cm: null, maximum_depth_cm: null },
    }))
  })
}

export const availableServices = (draft: Draft, request: OfferRequestRow) =>
  bagServices(draft, request).map((bag) => ({
    id: bag.id,
    type: 'baggage',
    maximum_quantity: bag.most,
    passenger_ids: [passengerId(request.nonce, bag.passenger)],
    segment_ids: bag.segmentIds,
    total_amount: formatMinor(bag.amount, draft.currency),
    total_currency: draft.currency,
    metadata: bag.metadata,
  }))

const travellersOf = (request: OfferRequestRow) =>
  request.search.passengers.map((passenger, at) => ({ id: passengerId(request.nonce, at), type: typeOf(passenger) }))

/** Reads the sold seats of each flight once. */
export const soldSeats = (world: World) => {
  const flights = new Map<string, Set<string>>()
  return (flight: string, designator: string): boolean => {
    let sold = flights.get(flight)
    if (!sold) {
      sold = world.state.soldOn(flight)
      flights.set(flight, sold)
    }
    return sold.has(designator)
  }
}

export const seatMapsFor = (world: World, offer: FoundOffer, isSold: (flight: string, designator: string) => boolean) =>
  seatMapsOf(world.seed, offer.request.nonce, offer.draft, travellersOf(offer.request), isSold)

export const listSeatMaps = (world: World, query: Fields) => {
  onlyKnownQuery(query, ['offer_id'])
  if (typeof query.offer_id !== 'string' || query.offer_id === '') {
    const problems = collectProblems()
    problems.add('validation_required', '/offer_id', "Field 'offer_id' can't be blank")
    problems.refuse()
  }
  const offer = findOffer(world, query.offer_id as string)
  refuseLost(world, offer, 'read')
  if (offer.route === 'BTS-ABV' || world.cases.take(['no-seat-maps'], { route: offer.route, offerId: offer.id })) return []
  return seatMapsFor(world, offer, soldSeats(world)).maps
}

/** Bags and seats of an offer by id, as far as their price goes. Seats that are taken are not among them. */
export const knownServices = (world: World, offer: FoundOffer): Map<string, { amount: number; most: number }> => {
  const services = new Map<string, { amount: number; most: number }>()
  for (const bag of bagServices(offer.draft, offer.request)) services.set(bag.id, { amount: bag.amount, most: bag.most })
  if (offer.route !== 'BTS-ABV')
    for (const [id, seat] of seatMapsFor(world, offer, soldSeats(world)).services) services.set(id, { amount: seat.amount, most: 1 })
  return services
}
