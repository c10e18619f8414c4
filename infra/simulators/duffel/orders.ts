/** Orders that exist: found, listed, updated, paid. */
import { type ApiError, collectProblems, notFound, ApiError as Refusal } from './errors.ts'
import { type Fields, onlyKnown, onlyKnownQuery, readMetadata, readObject, readText } from './fields.ts'
import { randomText } from './hash.ts'
import { instantText } from './local-time.ts'
import { parseMinor } from './money.ts'
import { type Order, type OrderFacts, type OrderResource, orderResource, tickets } from './order-resource.ts'
import { pageOf, readPageRequest } from './pages.ts'
import type { World } from './world.ts'

/** @throws ApiError 404 for an order that does not exist or cannot be seen yet. */
export const findOrder = (world: World, id: string): Order => {
  const order = world.state.orderById<OrderFacts, OrderResource>(id)
  if (!order || order.visibleAt > world.now()) throw notFound()
  return order
}

const written = (world: World, order: Order) => {
  const confirmed = order.cancelledAt === null ? undefined : world.state.cancellations(order.id).find((one) => one.confirmedAt !== null)
  return orderResource(order, confirmed?.resource ?? null, world.now())
}

export const getOrder = (world: World, id: string) => written(world, findOrder(world, id))

export const listOrders = (world: World, query: Fields) => {
  onlyKnownQuery(query, [
    'limit',
    'after',
    'before',
    'booking_reference',
    'awaiting_payment',
    'offer_id',
    'owner_id',
    'user_id',
    'passenger_name[]',
  ])
  const pageRequest = readPageRequest(query)
  const { awaiting_payment: awaiting, offer_id: offerId, booking_reference: reference, owner_id: ownerId, user_id: userId } = query
  if (awaiting !== undefined && awaiting !== 'true' && awaiting !== 'false') {
    const problems = collectProblems()
    problems.add('validation_inclusion', '/awaiting_payment', "Field 'awaiting_payment' must be true or false")
    problems.refuse()
  }
  const names = query['passenger_name[]'] === undefined ? [] : [query['passenger_name[]']].flat().map((name) => String(name).toLowerCase())
  const now = world.now()
  const list = `orders/${JSON.stringify([awaiting, offerId, reference, ownerId, userId, names])}`
  const filtered = [awaiting, offerId, reference, ownerId, userId].some((value) => value !== undefined) || names.length > 0
  if (!filtered) {
    const visible = world.state.orderIndex().filter((row) => row.visibleAt <= now)
    const page = pageOf(list, visible, (row) => row.id, pageRequest)
    return { data: page.items.map((row) => written(world, world.state.orderById(row.id)!)), meta: page.meta }
  }
  const orders = world.state
    .orders<OrderFacts, OrderResource>({ offerId: offerId as string | undefined, bookingReference: reference as string | undefined })
    .filter(
      (order) =>
        order.visibleAt <= now &&
        (reference === undefined || order.bookingReference === reference) &&
        (awaiting === undefined || String(order.facts.awaitingPayment && order.cancelledAt === null) === awaiting) &&
        (ownerId === undefined || (order.resource.owner as { id: string }).id === ownerId) &&
        (userId === undefined || order.resource.users.includes(String(userId))) &&
        names.every((name) => order.resource.passengers.some((one) => `${one.given_name} ${one.family_name}`.toLowerCase().includes(name))),
    )
  const page = pageOf(list, orders, (order) => order.id, pageRequest)
  return { data: page.items.map((order) => written(world, order)), meta: page.meta }
}

/** Only metadata and users of an order can be changed afterwards. */
export const updateOrder = (world: World, id: string, data: Fields) => {
  const order = findOrder(world, id)
  const problems = collectProblems()
  onlyKnown(problems, data, ['metadata', 'users'])
  const metadata = data.metadata === undefined ? order.resource.metadata : readMetadata(problems, data.metadata)
  problems.refuse()
  const next = { ...order, resource: { ...order.resource, metadata, users: (data.users as string[]) ?? order.resource.users } }
  world.state.updateOrder(next)
  return written(world, next)
}

/** Pays an order that was placed on hold. */
export const payOrder = (world: World, data: Fields) => {
  const problems = collectProblems()
  onlyKnown(problems, data, ['order_id', 'payment'])
  const id = readText(problems, data, 'order_id', '/order_id')
  const payment = readObject(problems, data.payment, '/payment')
  problems.refuse()
  const order = findOrder(world, id!)
  const { facts } = order
  if (order.cancelledAt !== null) throw invalid('already_cancelled', 'The order has been cancelled.')
  if (!facts.awaitingPayment) throw invalid('already_paid', 'The order has already been paid.')
  const now = world.now()
  const due = order.resource.payment_status.payment_required_by
  if (typeof due === 'string' && Date.parse(due) < now) throw invalid('past_payment_required_by_date', 'The time to pay has passed.')
  onlyKnown(problems, payment!, ['type', 'amount', 'currency'], '/payment')
  if (payment!.type !== 'balance') problems.add('validation_inclusion', '/payment/type', "Field 'type' must be balance")
  if (payment!.currency !== facts.currency || parseMinor(payment!.amount, facts.currency) !== facts.total)
    problems.add(
      'payment_amount_does_not_match_order_amount',
      '/payment/amount',
      `The amount must be ${order.resource.total_amount} ${facts.currency}`,
    )
  problems.refuse()
  world.state.updateOrder({
    ...order,
    facts: { ...facts, awaitingPayment: false },
    resource: {
      ...order.resource,
      payment_status: { awaiting_payment: false, payment_required_by: null, price_guarantee_expires_at: null, paid_at: instantText(now) },
      documents: tickets((order.resource.owner as { iata_code: string }).iata_code, order.resource.passengers),
    },
  })
  return { id: `pay_0000${randomText(18)}`, live_mode: false, created_at: instantText(now), order_id: order.id, ...payment }
}

const invalid = (code: string, message: string): ApiError =>
  new Refusal(422, [{ type: 'invalid_state_error', code, title: message.replace(/\.$/, ''), message }])
