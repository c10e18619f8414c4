import { z } from 'zod'
import { read } from './body.ts'
import { offerResource } from './offer-resource.ts'
import { applyLossCases, findOffer, raisePrice, refuseLost } from './offers.ts'
import { availableServices } from './services.ts'
import type { World } from './world.ts'

const Query = z.strictObject({ return_available_services: z.enum(['true', 'false']).optional() })

/** Reads an offer as the API does, with what happens on reading it. */
export const getOffer = (world: World, id: string, query: unknown) => {
  const { return_available_services } = read(Query, query)
  let offer = applyLossCases(world, findOffer(world, id), 'read')
  refuseLost(world, offer, 'read')
  if (offer.route === 'LHR-STN') offer = raisePrice(world, offer)
  const change = world.cases.take(['price-change'], { route: offer.route, offerId: id, at: 'read' })
  if (change) offer = raisePrice(world, offer, change.amount)
  const resource = offerResource(offer.draft, offer)
  return return_available_services === 'true'
    ? { ...resource, available_services: availableServices(offer.draft, offer.request) }
    : resource
}
