/** What happens to bookings while nobody is waiting for them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSagaWorld, type SagaWorld, wrongs } from './saga.fixture.ts'
import { sagaWorker } from './workers.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})

const LANDED = new Date('2026-11-20T09:50:00Z')
const confirmed = { state: 'CONFIRMED', orderId: 'its own' } as const

test('C7: eight at a time are taken up, and it says whether there are more', async () => {
  const ids = await Promise.all(Array.from({ length: 11 }, async () => (await world.book())._id))
  world.advance(31)
  const worker = sagaWorker(world.worker().tools)
  const { signal } = new AbortController()
  expect(await worker.run(signal)).toBe(true)
  expect(await worker.run(signal)).toBe(false)
  for (const id of ids) expect(wrongs(await world.byId(id), world)).toEqual([])
})

test('C30: a worker that is told to stop lets go of what it holds, and another goes on at once', async () => {
  const { _id } = await world.book()
  world.advance(31)
  const stopping = new AbortController()
  const { tools } = world.worker()
  const { supplier } = tools
  tools.supplier = (mode) => {
    stopping.abort()
    return supplier(mode)
  }
  await sagaWorker(tools).run(stopping.signal)
  expect(await world.byId(_id)).toMatchObject({ state: 'ORDERED', leaseUntil: new Date(0) })
  await sagaWorker(world.worker().tools).run(new AbortController().signal)
  expect((await world.byId(_id)).state).toBe('CONFIRMED')
})

test('a step that fails is tried again later and later, at most half a minute apart', async () => {
  const booking = await world.book({ capture: ['away'] })
  const waits: number[] = []
  for (let round = 0; round < 9; round++) {
    world.advance(31)
    await sagaWorker(world.worker().tools).run(new AbortController().signal)
    const { nextAt } = await world.byId(booking._id)
    waits.push((nextAt.getTime() - world.clock().getTime()) / 1000)
  }
  expect(waits.slice(-8)).toEqual([...waits.slice(-8)].sort((a, b) => a - b))
  expect(Math.max(...waits)).toBe(30)
})

describe('once a minute', () => {
  test('ABOOK-27: a booking whose last flight has landed is completed, and that is told once', async () => {
    const { _id } = await world.book({}, { ...confirmed, lastArrival: LANDED })
    await world.minute()
    await world.minute()
    const booking = await world.byId(_id)
    expect(booking).toMatchObject({ state: 'COMPLETED', open: false })
    expect(booking.outbox?.map(({ name }) => name)).toEqual(['booking.completed'])
  })

  test('documents are destroyed a month after the last landing, and not before', async () => {
    const day = (days: number) => new Date(world.clock().getTime() - days * 86_400_000)
    const [old, young] = [
      await world.book({}, { ...confirmed, lastArrival: day(31) }),
      await world.book({}, { ...confirmed, lastArrival: day(29) }),
    ]
    await world.minute()
    expect(await world.byId(old._id)).toMatchObject({ documents: null, documentKey: null })
    expect(world.safe.open(await world.byId(young._id))).toHaveLength(2)
  })

  test('R-52: a wish to cancel that came a moment after the confirmation is fulfilled', async () => {
    const { _id } = await world.book({}, { ...confirmed, cancelWish: true })
    await world.minute()
    const booking = await world.rest(_id)
    expect(booking).toMatchObject({ state: 'ORDER_CANCELLED', cancelWish: false })
    expect(wrongs(booking, world)).toEqual([])
  })

  test('R-52: unless the ticket cannot be given back: then it stands, and that is noted', async () => {
    const { _id } = await world.book({}, { ...confirmed, cancelWish: true, orderCancellable: false })
    await world.minute()
    expect(await world.byId(_id)).toMatchObject({ state: 'CONFIRMED', cancelWish: false, cancelNote: 'refused' })
  })

  test('C26: an order whose booking has failed, or was never stored, is cancelled; those of living bookings are not', async () => {
    const failed = await world.book({ cancel: ['away', 'cancelled'] }, { state: 'FAILED', orderId: 'its own' })
    const living = await world.book({}, confirmed)
    const unsure = await world.book({}, { state: 'ORDER_UNKNOWN', orderId: 'its own', settleBy: new Date('2100-01-01') })
    const stray = { id: 'ord_stray', bookingId: failed._id, offerId: 'off_9', cancelled: false, foundFrom: new Date(0) }
    world.orders.push(stray)
    await world.minute()
    expect(world.ordersOf(failed._id).map(({ cancelled }) => cancelled)).toEqual([false, true])
    await world.minute()
    expect(world.ordersOf(failed._id).map(({ cancelled }) => cancelled)).toEqual([true, true])
    for (const { _id } of [living, unsure]) expect(world.ordersOf(_id).map(({ cancelled }) => cancelled)).toEqual([false])
  })
})
