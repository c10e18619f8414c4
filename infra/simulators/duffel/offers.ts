/** Single offers: found again by id, changed, lost. */
import { notFound, offerExpired, offerGone } from './errors.ts'
import type { Draft } from './generator/offers.ts'
import { routeOf } from './generator/search.ts'
import { nonceOf } from './hash.ts'
import { draftsOf } from './offer-requests.ts'
import { expiryOf } from './offer-resource.ts'
import { nominalMinor } from './prices.ts'
import type { OfferChanges, OfferRequest } from './records.ts'
import type { World } from './world.ts'

export type FoundOffer = { id: string; draft: Draft; request: OfferRequest; changes: OfferChanges; route: string }

/** @throws ApiError 404 for an id that no offer (any more) has. */
export const findOffer = (world: World, id: string): FoundOffer => {
  const nonce = nonceOf(id)
  const request = nonce === undefined ? undefined : world.state.offerRequestByNonce(nonce)
  const draft = request && draftsOf(world, request).get(id)
  if (!request || !draft) throw notFound()
  return { id, draft, request, changes: world.state.changesOf(id), route: routeOf(request.search) }
}

const changeOffer = (world: World, offer: FoundOffer, changes: OfferChanges): FoundOffer => {
  const next = { ...offer.changes, ...changes }
  world.state.changeOffer(offer.id, offer.request.nonce, next)
  return { ...offer, changes: next }
}

/** Ten units of the currency, or as much more as a case says. */
export const raisePrice = (world: World, offer: FoundOffer, amount = '10.00'): FoundOffer => {
  const minor = nominalMinor(Math.round(Number(amount) * 100), offer.draft.currency)
  return changeOffer(world, offer, { delta: (offer.changes.delta ?? 0) + minor })
}

/** Applies what was asked to happen at the next reading or ordering of an offer, except for price changes. */
export const applyLossCases = (world: World, offer: FoundOffer, at: 'read' | 'order'): FoundOffer => {
  const occasion = { route: offer.route, offerId: offer.id, at }
  if (world.cases.take(['offer-gone'], occasion)) return changeOffer(world, offer, { gone: true })
  const expires = world.cases.take(['offer-expired'], occasion)
  if (!expires) return offer
  return changeOffer(world, offer, { expiresAt: world.now() - 1000, readableWhenExpired: expires.as === 'payload' })
}

/** @throws ApiError 422 `offer_no_longer_available` or `offer_expired`. */
export const refuseLost = (world: World, offer: FoundOffer, at: 'read' | 'order'): void => {
  if (offer.changes.gone || offer.route === 'LGW-LHR') throw offerGone()
  const readable = at === 'read' && offer.changes.readableWhenExpired
  if (expiryOf(offer) <= world.now() && !readable) throw offerExpired()
}
