/** Cancelling in two steps: a quote that lives for an hour, then its confirmation. */
import { alreadyCancelled, collectProblems, notFound, staleCancellation, unsupportedAction } from './errors.ts'
import { type Fields, onlyKnown, onlyKnownQuery, readText } from './fields.ts'
import { randomText } from './hash.ts'
import { instantText } from './local-time.ts'
import { formatMinor } from './money.ts'
import { availableActions, type Order } from './order-resource.ts'
import { findOrder } from './orders.ts'
import { pageOf, readPageRequest } from './pages.ts'
import type { CancellationRow } from './state.ts'
import type { World } from './world.ts'

const quoteLife = 60 * 60_000

/** What the agency gets back, in minor units: all within the void window, else the total less the penalty; null when nobody can say. */
const refundOf = (order: Order, nowMs: number): number | null => {
  const { facts } = order
  if (facts.awaitingPayment) return 0
  if (facts.voidUntil !== null && nowMs < facts.voidUntil) return facts.total
  if (!facts.refundable) return 0
  return facts.penalty === null ? null : Math.max(0, facts.total - facts.penalty)
}

export const createCancellation = (world: World, data: Fields) => {
  const problems = collectProblems()
  onlyKnown(problems, data, ['order_id'])
  const orderId = readText(problems, data, 'order_id', '/order_id')
  problems.refuse()
  const order = findOrder(world, orderId!)
  const now = world.now()
  const { route, currency } = order.facts
  if (order.cancelledAt !== null) throw alreadyCancelled()
  if (world.cases.take(['cancel-refused'], { route }) || !availableActions(order, now).includes('cancel'))
    throw unsupportedAction('This order cannot be cancelled.')
  const refund = world.cases.take(['refund-unknown'], { route }) ? null : refundOf(order, now)
  const credits = route === 'LTN-SYD' && refund !== null
  const figures = world.cases.take(['refund-figures'], { route })
  const id = `ore_0000${randomText(18)}`
  const row: CancellationRow = {
    id,
    orderId: order.id,
    createdAt: now,
    expiresAt: now + quoteLife,
    confirmedAt: null,
    stale: false,
    resource: {
      id,
      order_id: order.id,
      live_mode: false,
      created_at: instantText(now),
      expires_at: instantText(now + quoteLife),
      confirmed_at: null,
      refund_amount: refund === null ? null : formatMinor(refund, currency),
      refund_currency: refund === null ? null : currency,
      refund_to: order.facts.awaitingPayment ? 'awaiting_payment' : route === 'LTN-SYD' ? 'airline_credits' : 'balance',
      airline_credits: credits ? creditsOf(order, refund, now) : [],
      ...(figures?.refundAmount !== undefined && { refund_amount: figures.refundAmount }),
      ...(figures?.refundCurrency !== undefined && { refund_currency: figures.refundCurrency }),
      ...(figures?.refundTo !== undefined && { refund_to: figures.refundTo }),
    },
  }
  world.state.together(() => {
    // A new quote replaces the one before it.
    for (const other of world.state.cancellations(order.id)) if (!other.stale) world.state.updateCancellation({ ...other, stale: true })
    world.state.addCancellation(row)
  })
  return row.resource
}

/** The refund in equal parts for the passengers with a seat; the first has what cannot be divided. */
const creditsOf = (order: Order, refund: number, nowMs: number) => {
  const { currency } = order.facts
  const holders = order.resource.passengers.filter((passenger) => passenger.type !== 'infant_without_seat')
  const each = Math.floor(refund / holders.length)
  return holders.map((passenger, at) => ({
    id: `acd_0000${randomText(18)}`,
    credit_name: 'Duffel Travel Credit',
    credit_code: randomText(10).toUpperCase(),
    credit_amount: formatMinor(at === 0 ? refund - each * (holders.length - 1) : each, currency),
    credit_currency: currency,
    issued_on: new Date(nowMs).toISOString().slice(0, 10),
    passenger_id: passenger.id,
  }))
}

export const findCancellation = (world: World, id: string): CancellationRow => {
  const found = world.state.cancellationById(id)
  if (!found) throw notFound()
  return found
}

/** @returns the confirmed cancellation, and whether a case keeps its answer back for ever. */
export const confirmCancellation = (world: World, id: string): { resource: unknown; hangs: boolean } => {
  const quote = findCancellation(world, id)
  const order = findOrder(world, quote.orderId)
  const now = world.now()
  const { route } = order.facts
  if (order.cancelledAt !== null) throw alreadyCancelled()
  if (quote.stale || quote.expiresAt <= now) throw staleCancellation()
  if (world.cases.take(['cancel-stale'], { route })) {
    world.state.updateCancellation({ ...quote, stale: true })
    throw staleCancellation()
  }
  if (!availableActions(order, now).includes('cancel')) throw unsupportedAction('This order can no longer be cancelled.')
  const resource = { ...quote.resource, confirmed_at: instantText(now), expires_at: null }
  world.state.together(() => {
    world.state.updateCancellation({ ...quote, confirmedAt: now, resource })
    world.state.updateOrder({ ...order, cancelledAt: now })
    world.state.releaseSeats(order.id)
  })
  return { resource, hangs: world.cases.take(['cancel-timeout-after-commit'], { route }) !== undefined }
}

export const listCancellations = (world: World, query: Fields) => {
  onlyKnownQuery(query, ['order_id', 'limit', 'after', 'before'])
  const rows = world.state.cancellations(query.order_id as string | undefined)
  const page = pageOf(`cancellations/${query.order_id ?? ''}`, rows, (row) => row.id, readPageRequest(query))
  return { data: page.items.map((row) => row.resource), meta: page.meta }
}
