/** The truth that tests read at `/_sim/ledger`, and the count of what arrived on the wire. */
import type { RequestHandler } from 'express'
import type { Order, OrderFacts, OrderResource } from './order-resource.ts'
import type { World } from './world.ts'

const names: [method: string, path: RegExp, name: string][] = [
  ['POST', /^\/air\/offer_requests\/?$/, 'offerRequests'],
  ['GET', /^\/air\/offer_requests\/./, 'offerRequestReads'],
  ['GET', /^\/air\/offers\/?$/, 'offerLists'],
  ['GET', /^\/air\/offers\/./, 'offerReads'],
  ['POST', /^\/air\/offers\/[^/]+\/actions\/price$/, 'offerPrices'],
  ['GET', /^\/air\/seat_maps/, 'seatMaps'],
  ['POST', /^\/air\/orders\/?$/, 'orders'],
  ['GET', /^\/air\/orders\/?$/, 'orderLists'],
  ['GET', /^\/air\/orders\/./, 'orderReads'],
  ['POST', /^\/air\/order_cancellations\/?$/, 'orderCancellations'],
  ['POST', /^\/air\/order_cancellations\/[^/]+\/actions\/confirm$/, 'cancellationConfirms'],
  ['GET', /^\/air\/order_cancellations/, 'cancellationReads'],
]

/** Counts every request as it arrives, before faults and checks: also those that are cut, hung or refused. */
export const countArrivals =
  (world: World): RequestHandler =>
  (req, _res, next) => {
    const name = names.find(([method, path]) => method === req.method && path.test(req.path))?.[2]
    world.state.count(name ?? 'other')
    next()
  }

export const ledgerOf = (world: World) => ({
  searches: world.state.records('search'),
  counts: { ...Object.fromEntries(names.map(([, , name]) => [name, 0])), ...world.state.counts() },
  /** Every order that exists at the airline, oldest first, whether the API shows it yet or not. */
  orders: world.state.orders<OrderFacts, OrderResource>().reverse().map(orderLine),
  /** Each time an order was asked for and what came of it. */
  orderAttempts: world.state.records('attempt'),
  cancellations: world.state
    .cancellations()
    .reverse()
    .map((row) => ({
      id: row.id,
      order_id: row.orderId,
      created_at: new Date(row.createdAt).toISOString(),
      confirmed_at: row.confirmedAt === null ? null : new Date(row.confirmedAt).toISOString(),
      refund_amount: row.resource.refund_amount,
      refund_currency: row.resource.refund_currency,
      refund_to: row.resource.refund_to,
    })),
})

const orderLine = (order: Order) => ({
  id: order.id,
  offer_id: order.offerId,
  booking_reference: order.bookingReference,
  route: order.facts.route,
  total_amount: order.resource.total_amount,
  total_currency: order.resource.total_currency,
  awaiting_payment: order.facts.awaitingPayment,
  passengers: order.facts.passengers,
  services: order.facts.services,
  metadata: order.resource.metadata,
  created_at: new Date(order.createdAt).toISOString(),
  visible_at: new Date(order.visibleAt).toISOString(),
  cancelled_at: order.cancelledAt === null ? null : new Date(order.cancelledAt).toISOString(),
})
