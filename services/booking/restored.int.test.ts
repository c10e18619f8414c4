/** Bookings of a copy of the database that was put back: the airline and the card provider are asked before anything is done again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(() => world.stop())

test('one that the copy has as asked for and that was ordered since is not ordered again, and stands', async () => {
  const { _id } = await world.book()
  world.orders.push({ id: `ord_of_${_id.slice(3)}`, bookingId: _id, offerId: 'off_1', cancelled: false, foundFrom: world.clock() })
  world.advance(600)
  expect(await world.rest(_id)).toMatchObject({ state: 'CONFIRMED', orderId: `ord_of_${_id.slice(3)}` })
  expect(world.ordersOf(_id)).toHaveLength(1)
})

test('one whose worker died before it was ordered is ordered once, as before', async () => {
  const { _id } = await world.book()
  world.advance(600)
  expect(await world.rest(_id)).toMatchObject({ state: 'CONFIRMED' })
  expect(world.ordersOf(_id)).toHaveLength(1)
})
