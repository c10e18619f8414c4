/** The truth that tests read at `/_sim/ledger`, and the count of what arrived on the wire. */
import type { RequestHandler } from 'express'
import type { World } from './world.ts'

const names: [method: string, path: RegExp, name: string][] = [
  ['POST', /^\/air\/offer_requests\/?$/, 'offerRequests'],
  ['GET', /^\/air\/offers\/./, 'offerReads'],
  ['GET', /^\/air\/seat_maps/, 'seatMaps'],
  ['POST', /^\/air\/orders\/?$/, 'orders'],
  ['GET', /^\/air\/orders\/?$/, 'orderLists'],
  ['POST', /^\/air\/order_cancellations\/?$/, 'orderCancellations'],
  ['POST', /^\/air\/order_cancellations\/[^/]+\/actions\/confirm$/, 'cancellationConfirms'],
  ['GET', /^\/air\/order_cancellations/, 'cancellationLists'],
]

/** Counts every request as it arrives, before faults and checks: also those that are cut, hung or refused. */
export const countArrivals =
  ({ state }: World): RequestHandler =>
  (req, _res, next) => {
    state.count(names.find(([method, path]) => method === req.method && path.test(req.path))?.[2] ?? 'other')
    next()
  }

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export const ledgerOf = ({ state }: World) => ({
  searches: state.documents.list<{ at: string; route: string }>('search'),
  counts: Object.fromEntries([...names.map(([, , name]) => name), 'other'].map((name) => [name, state.counted(name)])),
  /** Every order that exists at the airline, oldest first, whether the API shows it yet or not. */
  orders: state.orders().map(({ facts, resource, ...order }) => ({
    id: order.id,
    offer_id: order.offerId,
    booking_reference: resource.booking_reference,
    route: facts.route,
    total_amount: resource.total_amount,
    total_currency: resource.total_currency,
    services: resource.services,
    loyalty_programme_accounts: resource.passengers.flatMap((passenger) => passenger.loyalty_programme_accounts ?? []),
    metadata: resource.metadata,
    created_at: iso(order.createdAt),
    visible_at: iso(order.visibleAt),
    cancelled_at: iso(order.cancelledAt),
  })),
  cancellations: state.cancellations().map(({ id, orderId, confirmedAt, resource }) => ({
    id,
    order_id: orderId,
    confirmed_at: iso(confirmedAt),
    refund_amount: resource.refund_amount,
    refund_currency: resource.refund_currency,
    refund_to: resource.refund_to,
  })),
})
export type DuffelLedger = ReturnType<typeof ledgerOf>
