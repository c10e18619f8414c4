/** What can be bought beside the flights: extra bags, and seats that are still free. */
import { fromMinor } from '@passerelle/contracts/rules/money'
import { z } from 'zod'
import { airlineOf } from './airlines.ts'
import { read, text } from './body.ts'
import type { Draft } from './generator/offers.ts'
import { routeOf } from './generator/search.ts'
import { seatMapsOf } from './generator/seat-maps.ts'
import { passengerId, segmentId, serviceId } from './ids.ts'
import { type FoundOffer, findOffer, refuseLost } from './offers.ts'
import { fromEuroCents, nominalMinor } from './prices.ts'
import type { OfferRequest } from './records.ts'
import type { World } from './world.ts'

/** The route without additional services. */
const withoutServices = 'BTS-ABV'

export type BagService = { id: string; passenger: number; segmentIds: string[]; amount: number; most: number }

/** One extra bag of 23 kg for each passenger with a seat, on all segments of a slice. */
export const bagServices = (draft: Draft, { nonce, search }: OfferRequest): BagService[] => {
  if (routeOf(search) === withoutServices) return []
  const { style, bag } = airlineOf(draft.owner)
  const amount = style === 'duffel' ? nominalMinor(bag, draft.currency) : fromEuroCents(bag, draft.currency)
  return search.passengers.flatMap((type, at) => {
    if (type === 'infant_without_seat') return []
    return draft.slices.map((itinerary, slice) => ({
      id: serviceId(nonce, draft.index, `bag/${slice}/${at}`),
      passenger: at,
      segmentIds: itinerary.legs.map((_, position) => segmentId(nonce, draft.index, slice, position)),
      amount,
      most: style === 'duffel' ? 1 : 2,
    }))
  })
}

export const availableServices = (draft: Draft, request: OfferRequest) =>
  bagServices(draft, request).map((bag) => ({
    id: bag.id,
    type: 'baggage',
    maximum_quantity: bag.most,
    passenger_ids: [passengerId(request.nonce, bag.passenger)],
    segment_ids: bag.segmentIds,
    total_amount: fromMinor(bag.amount, draft.currency),
    total_currency: draft.currency,
    metadata: { type: 'checked', maximum_weight_kg: 23, maximum_length_cm: null, maximum_height_cm: null, maximum_depth_cm: null },
  }))

export const seatMapsFor = (world: World, offer: FoundOffer, isSold: (flight: string, designator: string) => boolean) => {
  const { nonce, search } = offer.request
  if (offer.route === withoutServices) return { maps: [], services: new Map() as ReturnType<typeof seatMapsOf>['services'] }
  const travellers = search.passengers.map((type, at) => ({ id: passengerId(nonce, at), type }))
  return seatMapsOf(world.seed, nonce, offer.draft, travellers, isSold)
}

const Query = z.strictObject({ offer_id: text })

export const listSeatMaps = (world: World, query: unknown) => {
  const offer = findOffer(world, read(Query, query).offer_id)
  refuseLost(world, offer, 'read')
  const flights = new Map<string, Set<string>>()
  const soldOn = (flight: string) => {
    const sold = flights.get(flight) ?? world.state.soldOn(flight)
    flights.set(flight, sold)
    return sold
  }
  return seatMapsFor(world, offer, (flight, designator) => soldOn(flight).has(designator)).maps
}
