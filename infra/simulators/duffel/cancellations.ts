/** Cancelling in two steps: a quote that lives for an hour, then its confirmation. */
import { fromMinor } from '@passerelle/contracts/rules/money'
import { z } from 'zod'
import { endChange, openChange } from './airline-changes.ts'
import { noQuery, read, readData, text } from './body.ts'
import { alreadyCancelled, notFound, staleCancellation, unsupportedAction } from './errors.ts'
import { randomText } from './hash.ts'
import { instantText } from './local-time.ts'
import { availableActions } from './order-resource.ts'
import { findOrder } from './orders.ts'
import type { Cancellation, Order } from './records.ts'
import type { World } from './world.ts'

const quoteLife = 60 * 60_000
const New = z.strictObject({ order_id: text })

/** What the agency gets back, in minor units: all within the void window, else the total less the penalty; null when nobody can say. */
const refundOf = ({ facts }: Order, nowMs: number): number | null => {
  if (facts.voidUntil !== null && nowMs < facts.voidUntil) return facts.total
  if (!facts.refundable) return 0
  return facts.penalty === null ? null : Math.max(0, facts.total - facts.penalty)
}

export const createCancellation = (world: World, body: unknown) => {
  const order = findOrder(world, readData(New, body).order_id)
  const now = world.now()
  const { route, currency } = order.facts
  if (order.cancelledAt !== null) throw alreadyCancelled()
  const change = openChange(world, order)
  if (world.cases.take(['cancel-refused'], { route }) || !(change || availableActions(order, now).includes('cancel')))
    throw unsupportedAction('This order cannot be cancelled.')
  const refund = world.cases.take(['refund-unknown'], { route }) ? null : change ? order.facts.total : refundOf(order, now)
  const inCredits = route === 'LTN-SYD'
  const figures = world.cases.take(['refund-figures'], { route })
  const id = `ore_0000${randomText(18)}`
  const row: Cancellation = {
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
      refund_amount: figures?.refundAmount ?? (refund === null ? null : fromMinor(refund, currency)),
      refund_currency: figures?.refundCurrency ?? (refund === null ? null : currency),
      refund_to: figures?.refundTo ?? (inCredits ? 'airline_credits' : 'balance'),
      airline_credits: inCredits && refund !== null ? creditsOf(order, refund, now) : [],
    },
  }
  world.state.documents.transaction(() => {
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
    credit_amount: fromMinor(at === 0 ? refund - each * (holders.length - 1) : each, currency),
    credit_currency: currency,
    issued_on: new Date(nowMs).toISOString().slice(0, 10),
    passenger_id: passenger.id,
  }))
}

/** @returns the confirmed cancellation, and whether a case keeps its answer back for ever. */
export const confirmCancellation = (world: World, id: string, query: unknown): { resource: unknown; hangs: boolean } => {
  read(noQuery, query)
  const quote = world.state.cancellationById(id)
  if (!quote) throw notFound()
  const order = findOrder(world, quote.orderId)
  const now = world.now()
  const { route } = order.facts
  if (order.cancelledAt !== null) throw alreadyCancelled()
  if (quote.stale || quote.expiresAt <= now) throw staleCancellation()
  if (world.cases.take(['cancel-stale'], { route })) {
    world.state.updateCancellation({ ...quote, stale: true })
    throw staleCancellation()
  }
  const change = openChange(world, order)
  if (!change && !availableActions(order, now).includes('cancel')) throw unsupportedAction('This order can no longer be cancelled.')
  const resource = { ...quote.resource, confirmed_at: instantText(now), expires_at: null }
  world.state.documents.transaction(() => {
    world.state.updateCancellation({ ...quote, confirmedAt: now, resource })
    world.state.updateOrder({ ...order, cancelledAt: now })
    if (change) endChange(world, change, 'cancelled')
    world.notify('order.updated', { id: order.id }, quote.id)
    for (const { flight, designator } of order.facts.seats) world.state.releaseSeat(flight, designator)
  })
  return { resource, hangs: world.cases.take(['cancel-timeout-after-commit'], { route }) !== undefined }
}

/** Those of one order, newest first. */
export const listCancellations = (world: World, query: unknown) => {
  const { order_id } = read(New, query)
  const rows = world.state.cancellations(order_id).toReversed()
  return { data: rows.map((row) => row.resource), meta: { limit: 50, before: null, after: null } }
}
