/** Changes of the schedule by the airline: made by a case, told by a notice, listed, accepted. Until then the order may be cancelled in full. */
import { z } from 'zod'
import { noQuery, read, text } from './body.ts'
import { notFound, unsupportedAction } from './errors.ts'
import { randomText } from './hash.ts'
import { instantText } from './local-time.ts'
import { findOrder } from './orders.ts'
import type { AirlineChange, Order, OrderSlice } from './records.ts'
import type { World } from './world.ts'

const OfOrder = z.strictObject({ order_id: text })

/** The one that waits for an answer. */
export const openChange = ({ state }: World, order: Order): AirlineChange | undefined =>
  state.airlineChanges(order.id).findLast(({ actionTaken }) => actionTaken === null)

/** Moves all flights of a slice by so many minutes, as their local clocks show it. */
export const changeSchedule = (world: World, order: Order, minutes: number, slice: number): AirlineChange | undefined => {
  const { slices = [] } = order.resource
  const before = slices[slice]
  if (!before) return undefined
  const after: OrderSlice = {
    ...before,
    segments: before.segments.map((segment) => ({
      ...segment,
      departing_at: shifted(segment.departing_at, minutes),
      arriving_at: shifted(segment.arriving_at, minutes),
    })),
  }
  const change: AirlineChange = {
    id: `aic_0000${randomText(18)}`,
    orderId: order.id,
    createdAt: world.now(),
    actionTaken: null,
    actionTakenAt: null,
    removed: [before],
    added: [after],
  }
  world.state.documents.transaction(() => {
    world.state.addAirlineChange(change)
    world.state.updateOrder({ ...order, resource: { ...order.resource, slices: slices.with(slice, after) } })
    world.notify('order.airline_initiated_change_detected', { id: order.id, aic_id: change.id }, change.id)
  })
  return change
}

const shifted = (local: string, minutes: number): string => new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 19)

const resourceOf = (world: World, change: AirlineChange) => ({
  id: change.id,
  order_id: change.orderId,
  created_at: instantText(change.createdAt),
  updated_at: instantText(change.actionTakenAt ?? change.createdAt),
  action_taken: change.actionTaken,
  action_taken_at: change.actionTakenAt === null ? null : instantText(change.actionTakenAt),
  available_actions: change.actionTaken === null && findOrder(world, change.orderId).cancelledAt === null ? ['accept', 'cancel'] : [],
  removed: change.removed,
  added: change.added,
  travel_agent_ticket: null,
})

export const listChanges = (world: World, query: unknown) => {
  const { order_id } = read(OfOrder, query)
  return { data: world.state.airlineChanges(findOrder(world, order_id).id).map((change) => resourceOf(world, change)) }
}

export const acceptChange = (world: World, id: string, query: unknown) => {
  read(noQuery, query)
  const change = world.state.airlineChangeById(id)
  if (!change) throw notFound()
  if (change.actionTaken !== null || findOrder(world, change.orderId).cancelledAt !== null)
    throw unsupportedAction('This airline-initiated change can no longer be accepted.')
  return resourceOf(world, endChange(world, change, 'accepted'))
}

/** Somebody has answered it. */
export const endChange = (world: World, change: AirlineChange, action: 'accepted' | 'cancelled'): AirlineChange => {
  const ended = { ...change, actionTaken: action, actionTakenAt: world.now() }
  world.state.updateAirlineChange(ended)
  return ended
}
