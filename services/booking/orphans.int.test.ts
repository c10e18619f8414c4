/** Live orders at the supplier that no booking stands for: what is cancelled, what is only reported, and by whom. */
import { createLease } from '@passerelle/kit/lease'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orphanWorker } from './orphans.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  world.orders.length = 0
})

const confirmed = { state: 'CONFIRMED', orderId: 'its own' } as const
const signal = () => new AbortController().signal
const always = { acquire: async () => true }
const stray = (id: string, bookingId: string) =>
  world.orders.push({ id, bookingId, offerId: 'off_9', cancelled: false, foundFrom: new Date(0) })
const cancelled = () => Object.fromEntries(world.orders.map((order) => [order.id, order.cancelled]))
const gauge = async () => (await world.metrics.orphanOrders.get()).values[0]?.value
const toldOf = (id: string) => world.alarms.filter((line) => line.includes(id))

test('C26: an order whose own booking failed is cancelled; one of a living booking, or of one at work, is not', async () => {
  const failed = await world.book({ cancel: ['away', 'cancelled'] }, { state: 'FAILED' })
  const living = await world.book({}, confirmed)
  const unsure = await world.book({}, { state: 'ORDER_UNKNOWN', orderId: 'its own', settleBy: new Date('2100-01-01') })
  stray('ord_late', failed._id)
  const worker = orphanWorker(world.worker().context, ['test'], always)
  await worker.run(signal())
  expect(cancelled().ord_late).toBe(false)
  await worker.run(signal())
  expect(cancelled().ord_late).toBe(true)
  for (const { _id } of [living, unsure]) expect(world.ordersOf(_id).map((order) => order.cancelled)).toEqual([false])
  expect(toldOf('ord_late')).toHaveLength(1)
})

test('an order of a booking that this database does not know is a paid ticket for all we know: reported once, never cancelled', async () => {
  const living = await world.book({}, confirmed)
  await world.mongo.collection('bookings').deleteOne({ _id: living._id as never })
  const { id } = world.ordersOf(living._id)[0]!
  stray('ord_of_nobody', 'bk_of_another_system')
  const worker = orphanWorker(world.worker().context, ['test'], always)
  for (let minute = 0; minute < 3; minute++) await worker.run(signal())
  expect(cancelled()).toEqual({ [id]: false, ord_of_nobody: false })
  for (const order of [id, 'ord_of_nobody']) expect(toldOf(`"${order}"`)).toHaveLength(1)
  expect(await gauge()).toBe(2)
})

test('a second order of a living booking is reported, not cancelled', async () => {
  const living = await world.book({}, confirmed)
  stray('ord_second', living._id)
  await orphanWorker(world.worker().context, ['test'], always).run(signal())
  expect(Object.values(cancelled())).toEqual([false, false])
  expect(toldOf('ord_second')).toHaveLength(1)
  expect(await gauge()).toBe(1)
})

test('an order of a failed booking that was paid after all, or that the airline keeps, is an operator’s matter', async () => {
  const paid = await world.book({}, { state: 'FAILED' })
  Object.assign(world.payment(paid), { state: 'captured', bookingId: paid._id })
  const keeping = await world.book({ cancel: ['refused'] }, { state: 'FAILED' })
  stray('ord_paid', paid._id)
  stray('ord_kept', keeping._id)
  const { context, points } = world.worker()
  const worker = orphanWorker(context, ['test'], always)
  for (let minute = 0; minute < 3; minute++) await worker.run(signal())
  expect(cancelled()).toEqual({ ord_paid: false, ord_kept: false })
  for (const id of ['ord_paid', 'ord_kept']) expect(toldOf(id)).toHaveLength(1)
  expect(points.filter((point) => point === 'airline.cancel')).toHaveLength(1)
  expect(await gauge()).toBe(2)
})

test('orders that were judged are not read again, and all others are read at once', async () => {
  for (let i = 0; i < 5; i++) await world.book({}, confirmed)
  const { context } = world.worker()
  const { byIds } = context.store
  const reads: number[] = []
  context.store.byIds = (ids) => {
    reads.push(ids.length)
    return byIds(ids)
  }
  const worker = orphanWorker(context, ['test'], always)
  await worker.run(signal())
  stray('ord_new', 'bk_unknown')
  await worker.run(signal())
  await worker.run(signal())
  expect(reads).toEqual([5, 1, 1])
})

test('of two replicas one sweeps; the other does so when the first asks no more', async () => {
  const sweeps: string[] = []
  const replica = (name: string) => {
    const { context } = world.worker()
    const { supplier } = context
    context.supplier = (mode) => ({
      ...supplier(mode),
      madeSince: (...given) => {
        sweeps.push(name)
        return supplier(mode).madeSince(...given)
      },
    })
    return orphanWorker(context, ['test'], createLease(world.mongo, 'orphan-orders', 180_000))
  }
  const [one, two] = [replica('one'), replica('two')]
  for (let minute = 0; minute < 3; minute++) {
    await one.run(signal())
    await two.run(signal())
    world.advance(60)
  }
  expect(sweeps).toEqual(['one', 'one', 'one'])
  world.advance(180)
  await two.run(signal())
  expect(sweeps.at(-1)).toBe('two')
})
