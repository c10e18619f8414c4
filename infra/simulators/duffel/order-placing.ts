/** Placing an order: checked against everything, made once for an offer request, and ended as a waiting case says. */
import type { CaseName } from './cases.ts'
import {
  type ApiError,
  airlineFailure,
  airlineUnknown,
  alreadyBooked,
  collectProblems,
  insufficientBalance,
  internalError,
  priceChanged,
  ApiError as Refusal,
  serviceGone,
} from './errors.ts'
import type { Fields } from './fields.ts'
import { pickOf, randomText } from './hash.ts'
import { applyLossCases, type FoundOffer, findOffer, raisePrice, refuseLost } from './offers.ts'
import { type Bought, checkPassengers, checkPayment, orderTotal, readServices } from './order-checks.ts'
import { type OrderRequest, readOrderRequest } from './order-request.ts'
import { newOrder, type Order, orderResource } from './order-resource.ts'
import type { World } from './world.ts'

/** How POST /air/orders ends. `order` is absent when none was made. */
export type OrderAnswer =
  | { kind: 'created'; resource: unknown }
  | { kind: 'accepted' }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'error'; error: ApiError }

const unavailable = () =>
  new Refusal(503, [
    {
      type: 'api_error',
      code: 'service_unavailable',
      title: 'Service unavailable',
      message: 'The order was not created. Try again later.',
    },
  ])
const notCreated = () =>
  airlineFailure('order_not_created', 'Order not created', 'The airline could not create the order. Nothing was booked.')

type Ending = { commits: boolean; answer: OrderAnswer }

/** Cases that decide how the next order ends, once it is known to be in order. */
const endings: Partial<Record<CaseName, () => Ending>> = {
  'order-202': () => ({ commits: true, answer: { kind: 'accepted' } }),
  'order-timeout-after-commit': () => ({ commits: true, answer: { kind: 'hang' } }),
  'order-reset-after-commit': () => ({ commits: true, answer: { kind: 'reset' } }),
  'order-500-after-commit': () => ({ commits: true, answer: { kind: 'error', error: internalError() } }),
  'order-timeout': () => ({ commits: false, answer: { kind: 'hang' } }),
  'order-502-not-created': () => ({ commits: false, answer: { kind: 'error', error: notCreated() } }),
  'order-502-unknown': () => ({ commits: false, answer: { kind: 'error', error: airlineUnknown() } }),
  'order-503': () => ({ commits: false, answer: { kind: 'error', error: unavailable() } }),
  'insufficient-balance': () => ({ commits: false, answer: { kind: 'error', error: insufficientBalance() } }),
}
const endingNames = Object.keys(endings) as CaseName[]
/** Seconds after which a 202's order appears when the case does not say. */
const usualDelay = 5

/** Every attempt is on record, whatever comes of it. */
export const createOrder = (world: World, data: Fields): OrderAnswer => {
  const at = new Date(world.now()).toISOString()
  const attempt = (outcome: string, more: object = {}) =>
    world.state.record('attempt', { at, offer_id: offerIdOf(data), outcome, metadata: data.metadata ?? {}, ...more })
  try {
    const { answer, order } = world.state.together(() => place(world, data))
    attempt(order ? 'created' : answer.kind === 'error' ? (answer.error.problems[0]?.code ?? 'error') : 'nothing', {
      answer: answer.kind,
      ...(order ? { order_id: order.id } : {}),
    })
    return answer
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    attempt(error.problems[0]?.code ?? 'error', { answer: 'error' })
    return { kind: 'error', error }
  }
}

const offerIdOf = (data: Fields): unknown => (Array.isArray(data.selected_offers) ? data.selected_offers[0] : null)

type Placed = { answer: OrderAnswer; order?: Order }

const refused = (error: ApiError): Placed => ({ answer: { kind: 'error', error } })

/** Refusals that leave something changed (a price, a seat, a lost offer) are returned, not thrown: a throw undoes what was written. */
const place = (world: World, data: Fields): Placed => {
  const request = readOrderRequest(data)
  const found = findOffer(world, request.offerId)
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
  const { currency } = offer.draft
  if (request.type === 'instant') checkPayment(request.payments[0]!, orderTotal(offer, bought), currency)
  else if (offer.draft.instant) refuseHold()
  if (offer.route === 'LHR-LGW') throw airlineUnknown()
  if (offer.route === 'LGW-STN') throw insufficientBalance()
  return finish(world, offer, request, bought)
}

const refuseHold = (): void => {
  const problems = collectProblems()
  problems.add('validation_inclusion', '/type', 'This offer requires instant payment')
  problems.refuse()
}

/** The case of somebody else taking a seat in the last moment. */
const takeSeatAway = (world: World, offer: FoundOffer, bought: Bought[]): boolean => {
  const seat = bought.find((one) => one.seat)?.seat
  if (!seat || !world.cases.take(['seat-taken'], { route: offer.route, offerId: offer.id })) return false
  world.state.sellSeat(seat.flightKey, seat.designator, null)
  return true
}

const finish = (world: World, offer: FoundOffer, request: OrderRequest, bought: Bought[]): Placed => {
  const strike = world.cases.take(endingNames, { route: offer.route, offerId: offer.id, at: 'order' })
  const ending = strike && endings[strike.case]!()
  const never = strike?.appearsAfterSeconds === null
  if (ending && (!ending.commits || never)) return { answer: ending.answer }
  const now = world.now()
  const delay = strike ? (strike.appearsAfterSeconds ?? (strike.case === 'order-202' ? usualDelay : 0)) : 0
  const order = newOrder(offer, request, bought, freshReference(world), now, now + delay * 1000)
  world.state.addOrder(order)
  world.state.bookOfferRequest(offer.request.id, order.id)
  for (const { seat } of bought) {
    if (seat) world.state.sellSeat(seat.flightKey, seat.designator, order.id)
  }
  return { order, answer: ending?.answer ?? { kind: 'created', resource: orderResource(order, null, now, true) } }
}

const referenceLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Six characters that no other order has. */
const freshReference = (world: World): string => {
  for (;;) {
    const text = Array.from({ length: 6 }, () => referenceLetters[pickOf(randomText(12), referenceLetters.length)]).join('')
    if (!world.state.hasBookingReference(text)) return text
  }
}
