/** Orders that exist: found by id and listed, newest first. */
import { z } from 'zod'
import { read } from './body.ts'
import { ApiError, notFound, problem } from './errors.ts'
import { orderResource } from './order-resource.ts'
import type { Order } from './records.ts'
import type { World } from './world.ts'

/** @throws ApiError 404 for an order that does not exist or cannot be seen yet. */
export const findOrder = (world: World, id: string): Order => {
  const order = world.state.orderById(id)
  if (!order || order.visibleAt > world.now()) throw notFound()
  return order
}

const Query = z.strictObject({
  offer_id: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  after: z.string().optional(),
})

export const getOrder = (world: World, id: string) => orderResource(findOrder(world, id), world.now())

/** A cursor is the id of the last order of the page before. */
export const listOrders = (world: World, query: unknown) => {
  const { offer_id: parent, limit, after: before } = read(Query, query)
  if (before !== undefined && !world.state.orderById(before))
    throw new ApiError(422, [problem('validation_format', '/after', "Field 'after' is not a cursor of this list")])
  const now = world.now()
  const found = world.state.orders({
    dueUntil: now,
    newestFirst: true,
    limit: limit + 1,
    ...(parent !== undefined && { parent }),
    ...(before !== undefined && { before }),
  })
  const page = found.slice(0, limit)
  const after = found.length > limit ? page.at(-1)!.id : null
  return { data: page.map((order) => orderResource(order, now)), meta: { limit, before: null, after } }
}
