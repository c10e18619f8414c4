/** Single offers: found again by id, read, priced, changed, lost. */
import { collectProblems, notFound, offerExpired, offerGone } from './errors.ts'
import { type Fields, onlyKnown, onlyKnownQuery, readList, readObject } from './fields.ts'
import type { Draft } from './generator/offers.ts'
import { nonceOf } from './hash.ts'
import { formatMinor, nominalMinor, parseMinor } from './money.ts'
import { draftsOf } from './offer-requests.ts'
import { expiryOf, offerResource } from './offer-resource.ts'
import { availableServices, knownServices } from './services.ts'
import type { OfferChanges, OfferRequestRow } from './state.ts'
import { routeOf } from './test-routes.ts'
import type { World } from './world.ts'

export type FoundOffer = { id: string; draft: Draft; request: OfferRequestRow; changes: OfferChanges; route: string }

/** @throws ApiError 404 for an id that no offer (any more) has. */
export const findOffer = (world: World, id: string): FoundOffer => {
  const nonce = nonceOf(id)
  const request = nonce === undefined ? undefined : world.state.offerRequestByNonce(nonce)
  const draft = request && draftsOf(world, request).get(id)
  if (!request || !draft) throw notFound()
  return { id, draft, request, changes: world.state.changesOf(id), route: routeOf(request.search) }
}

export const changeOffer = (world: World, offer: FoundOffer, changes: OfferChanges): FoundOffer => {
  const next = { ...offer.changes, ...changes }
  world.state.changeOffer(offer.id, offer.request.nonce, next)
  return { ...offer, changes: next }
}

/** Ten units of the currency, or as much more as a case says. */
export const raisePrice = (world: World, offer: FoundOffer, amount = '10.00'): FoundOffer => {
  const cents = parseMinor(amount, 'EUR') ?? 0
  const minor = nominalMinor(Math.abs(cents), offer.draft.currency) * Math.sign(cents)
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

/** Reads an offer as the API does, with what happens on reading it. */
const readOffer = (world: World, id: string): FoundOffer => {
  let offer = applyLossCases(world, findOffer(world, id), 'read')
  refuseLost(world, offer, 'read')
  if (offer.route === 'LHR-STN') offer = raisePrice(world, offer)
  const change = world.cases.take(['price-change'], { route: offer.route, offerId: id, at: 'read' })
  return change ? raisePrice(world, offer, change.amount) : offer
}

export const getOffer = (world: World, id: string, query: Fields) => {
  onlyKnownQuery(query, ['return_available_services'])
  const wish = query.return_available_services
  if (wish !== undefined && wish !== 'true' && wish !== 'false') {
    const problems = collectProblems()
    problems.add('validation_inclusion', '/return_available_services', "Field 'return_available_services' must be true or false")
    problems.refuse()
  }
  const offer = readOffer(world, id)
  const resource = offerResource(offer.draft, offer)
  return wish === 'true' ? { ...resource, available_services: availableServices(offer.draft, offer.request) } : resource
}

/** The offer again, with what the intended services cost. Card surcharges do not exist here, so only balance payments are foreseen. */
export const priceOffer = (world: World, id: string, data: Fields) => {
  const problems = collectProblems()
  onlyKnown(problems, data, ['intended_payment_methods', 'intended_services'])
  const methods = readList(problems, data, 'intended_payment_methods', [0, 1])
  if (methods.length > 0) problems.add('validation_inclusion', '/intended_payment_methods', 'Cards are not enabled for this account')
  const wanted = data.intended_services === undefined ? [] : readList(problems, data, 'intended_services', [0, 100])
  problems.refuse()
  const offer = readOffer(world, id)
  const known = knownServices(world, offer)
  const services = wanted.flatMap((value, at) => {
    const fields = readObject(problems, value, `/intended_services/${at}`)
    const service = fields && known.get(String(fields.id))
    if (fields && !service) problems.add('validation_inclusion', `/intended_services/${at}/id`, "Field 'id' is not a service of this offer")
    if (!fields || !service) return []
    const quantity = Number(fields.quantity ?? 1)
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > service.most)
      problems.add('validation_inclusion', `/intended_services/${at}/quantity`, `Field 'quantity' must be from 1 to ${service.most}`)
    const { currency } = offer.draft
    return [{ id: fields.id, quantity, total_amount: formatMinor(service.amount * quantity, currency), total_currency: currency }]
  })
  problems.refuse()
  return { ...offerResource(offer.draft, offer), intended_payment_methods: [], intended_services: services }
}
