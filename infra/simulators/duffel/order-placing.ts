/** Placing an order: checked against everything, made once for an offer request, and ended as a waiting case says. */
import { readData } from './body.ts'
import type { CaseName } from './cases.ts'
import {
  type ApiError,
  airlineUnknown,
  alreadyBooked,
  insufficientBalance,
  internalError,
  orderNotCreated,
  priceChanged,
  serviceGone,
  unavailable,
} from './errors.ts'
import { pickOf, randomText } from './hash.ts'
import { applyLossCases, type FoundOffer, findOffer, raisePrice, refuseLost } from './offers.ts'
import { type Bought, checkPassengers, checkPayment, orderTotal, readServices } from './order-checks.ts'
import { OrderRequest } from './order-request.ts'
import { newOrder, orderResource } from './order-resource.ts'
import type { World } from './world.ts'

/** How POST /air/orders ends. */
export type OrderAnswer =
  | { kind: 'created'; resource: unknown }
  | { kind: 'accepted' }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'error'; error: ApiError }

type Ending = { commits: boolean; answer: OrderAnswer }
const failing = (error: ApiError): Ending => ({ commits: false, answer: { kind: 'error', error } })

/** Cases that decide how the next order ends, once it is known to be in order. */
const endings: Partial<Record<CaseName, () => Ending>> = {
  'order-202': () => ({ commits: true, answer: { kind: 'accepted' } }),
  'order-timeout-after-commit': () => ({ commits: true, answer: { kind: 'hang' } }),
  'order-reset-after-commit': () => ({ commits: true, answer: { kind: 'reset' } }),
  'order-500-after-commit': () => ({ commits: true, answer: { kind: 'error', error: internalError() } }),
  'order-502-not-created': () => failing(orderNotCreated()),
  'order-502-unknown': () => failing(airlineUnknown()),
  'order-503': () => failing(unavailable()),
  'insufficient-balance': () => failing(insufficientBalance()),
}
const endingNames = Object.keys(endings) as CaseName[]
/** Seconds after which a 202's order appears when the case does not say. */
const usualDelay = 5

export const createOrder = (world: World, body: unknown): OrderAnswer =>
  world.state.documents.transaction(() => place(world, readData(OrderRequest, body)))

const refused = (error: ApiError): OrderAnswer => ({ kind: 'error', error })

/** Refusals that leave something changed (a price, a seat, a lost offer) are returned, not thrown: a throw undoes what was written. */
const place = (world: World, request: OrderRequest): OrderAnswer => {
  const found = findOffer(world, request.selected_offers[0])
  if (found.request.orderId !== null) throw alreadyBooked()
  let offer = applyLossCases(world, found, 'order')
  try {
    refuseLost(world, offer, 'order')
  } catch (error) {
    return refused(error as ApiError)
  }
  checkPassengers(offer, request.passengers, world.now())
  const change = world.cases.take(['price-change'], { route: offer.route, offerId: offer.id, at: 'order' })
  if (change) {
    offer = raisePrice(world, offer, change.amount)
    return refused(priceChanged())
  }
  const bought = readServices(world, offer, request.services)
  if (takeSeatAway(world, offer, bought)) return refused(serviceGone())
  checkPayment(request.payments, orderTotal(offer, bought), offer.draft.currency)
  return finish(world, offer, request, bought)
}

/** The case of somebody else taking a seat in the last moment. */
const takeSeatAway = (world: World, offer: FoundOffer, bought: Bought[]): boolean => {
  const seat = bought.find((one) => one.seat)?.seat
  if (!seat || !world.cases.take(['seat-taken'], { route: offer.route, offerId: offer.id })) return false
  world.state.sellSeat(seat.flight, seat.designator)
  return true
}

const finish = (world: World, offer: FoundOffer, request: OrderRequest, bought: Bought[]): OrderAnswer => {
  const strike = world.cases.take(endingNames, { route: offer.route, offerId: offer.id, at: 'order' })
  const ending = strike && endings[strike.case]!()
  if (ending && !ending.commits) return ending.answer
  const now = world.now()
  const delay = strike ? (strike.appearsAfterSeconds ?? (strike.case === 'order-202' ? usualDelay : 0)) : 0
  const order = newOrder(offer, request, bought, freshReference(), now, now + delay * 1000)
  world.state.addOrder(order)
  world.state.updateOfferRequest({ ...offer.request, orderId: order.id })
  for (const { flight, designator } of order.facts.seats) world.state.sellSeat(flight, designator)
  return ending?.answer ?? { kind: 'created', resource: orderResource(order, now) }
}

const referenceLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const freshReference = (): string =>
  Array.from({ length: 6 }, () => referenceLetters[pickOf(randomText(12), referenceLetters.length)]).join('')
