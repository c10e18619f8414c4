/** What happens to bookings while nobody is waiting for them. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordRefund } from './refund.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'
import { violations } from './violations.fixture.ts'
import { ageWorker, sagaWorker } from './workers.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})

const LANDED = new Date('2026-11-20T09:50:00Z')
const confirmed = { state: 'CONFIRMED', orderId: 'its own' } as const

const signal = () => new AbortController().signal

test('C7: all that are due are taken up, at most eight at once', async () => {
  const ids = await Promise.all(Array.from({ length: 11 }, async () => (await world.book())._id))
  world.advance(31)
  const { context } = world.worker()
  let [atOnce, most] = [0, 0]
  const { supplier } = context
  context.supplier = (mode) => ({
    ...supplier(mode),
    async order(request) {
      most = Math.max(most, ++atOnce)
      const outcome = await supplier(mode).order(request)
      atOnce -= 1
      return outcome
    },
  })
  await sagaWorker(context).run(signal())
  expect(most).toBeLessThanOrEqual(8)
  for (const id of ids) expect(violations(await world.byId(id), world)).toEqual([])
})

test('a booking whose airline hangs keeps its own place only: twenty others finish meanwhile', async () => {
  const hanging = await world.book()
  const { context, stopped, wake } = world.worker({ at: 'airline.order', when: 'before', how: 'sleeps' })
  world.advance(31)
  const run = sagaWorker(context).run(signal())
  await stopped
  const others = await Promise.all(
    Array.from({ length: 20 }, () => world.book({}, { state: 'ORDERED', orderId: 'its own', leaseUntil: new Date(0) })),
  )
  const states = async () => (await Promise.all(others.map(({ _id }) => world.byId(_id)))).map(({ state }) => state)
  await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['CONFIRMED'])), { timeout: 10_000 })
  expect((await world.byId(hanging._id)).state).toBe('ORDERING')
  wake()
  await run
  expect((await world.byId(hanging._id)).state).toBe('CONFIRMED')
})

test('C30: a worker that is told to stop lets go of what it holds, and another goes on at once', async () => {
  const { _id } = await world.book()
  world.advance(31)
  const stopping = new AbortController()
  const { context } = world.worker()
  const { supplier } = context
  context.supplier = (mode) => {
    stopping.abort()
    return supplier(mode)
  }
  await sagaWorker(context).run(stopping.signal)
  expect(await world.byId(_id)).toMatchObject({ state: 'ORDERED', leaseUntil: new Date(0) })
  await sagaWorker(world.worker().context).run(signal())
  expect((await world.byId(_id)).state).toBe('CONFIRMED')
})

test('a step that fails is tried again within five seconds for two minutes, then every half minute', async () => {
  const booking = await world.book({ capture: ['away'] })
  const waits: number[] = []
  let passed = 0
  world.advance(31)
  for (let round = 0; round < 30; round++) {
    await sagaWorker(world.worker().context).run(signal())
    const { nextAt } = await world.byId(booking._id)
    waits.push((nextAt.getTime() - world.clock().getTime()) / 1000)
    passed += waits.at(-1) ?? 0
    world.advance(waits.at(-1) ?? 0)
    if (passed < 110) expect(waits.at(-1)).toBeLessThanOrEqual(5)
  }
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.at(-1)).toBe(30)
})

test('ABOOK-16: an outcome that is open is asked for every second or two, until it is certain that there is no order', async () => {
  const { _id } = await world.book({ order: ['never'] })
  world.advance(31)
  const { context } = world.worker()
  const asked: number[] = []
  for (let round = 0; round < 200; round++) {
    await sagaWorker(context).run(signal())
    const { state, nextAt } = await world.byId(_id)
    if (state !== 'ORDER_UNKNOWN') break
    asked.push(world.clock().getTime())
    world.advance((nextAt.getTime() - world.clock().getTime()) / 1000)
  }
  const pauses = asked.slice(1).map((at, i) => at - (asked[i] ?? 0))
  expect(Math.max(...pauses)).toBeLessThanOrEqual(2000)
  const booking = await world.byId(_id)
  expect(booking.state).toBe('FAILED')
  const settledAfter = world.clock().getTime() - (booking.settleBy?.getTime() ?? 0)
  expect(settledAfter).toBeGreaterThan(0)
  expect(settledAfter).toBeLessThanOrEqual(2000)
  expect(violations(booking, world)).toEqual([])
})

describe('once a minute', () => {
  test('ABOOK-27, R-56: a booking whose last flight has landed is completed', async () => {
    const { _id } = await world.book({}, { ...confirmed, lastArrival: LANDED })
    await world.minute()
    expect(await world.byId(_id)).toMatchObject({ state: 'COMPLETED', open: false })
  })

  test('R-101: a booking at rest is removed seven years after its last landing, and no sooner', async () => {
    const landed = (years: number, days: number) => {
      const at = new Date(world.clock().getTime() + days * 86_400_000)
      return new Date(at.setUTCFullYear(at.getUTCFullYear() - years))
    }
    const completed = { state: 'COMPLETED', orderId: 'its own' } as const
    const old = await world.book({}, { ...completed, lastArrival: landed(7, -1) })
    const young = await world.book({}, { ...completed, lastArrival: landed(7, 1) })
    const open = await world.book({}, { state: 'CANCEL_REQUESTED', orderId: 'its own', lastArrival: landed(8, 0) })
    await world.minute()
    expect(await world.store.byId(old._id)).toBeNull()
    expect(await world.byId(young._id)).toMatchObject({ state: 'COMPLETED', documents: null, charge: { minor: 27_400 } })
    expect(await world.store.byId(open._id)).not.toBeNull()
  })

  test('a refund that waits for an operator is counted with the bookings that need attention, until it is made', async () => {
    const counted = async () => {
      await world.minute()
      return (await world.metrics.needsAttention.get()).values[0]?.value ?? 0
    }
    const before = await counted()
    const { _id } = await world.book({ refund: { currency: 'USD' } }, { state: 'CANCEL_REQUESTED', orderId: 'its own' })
    await world.book({}, { state: 'CANCEL_REQUESTED', orderId: 'its own' })
    world.advance(31)
    await sagaWorker(world.worker().context).run(signal())
    expect(await counted()).toBe(before + 1)
    await recordRefund(_id, world.worker().context)
    expect(await counted()).toBe(before)
  })

  test('the age of the oldest booking of each state is told while it is not settled, and since a cancellation was asked for', async () => {
    const { context } = world.worker()
    const ages = async () => {
      await ageWorker(context).run(signal())
      const { values } = await context.metrics.sagaOldest.get()
      return Object.fromEntries(values.map(({ labels, value }) => [labels.state, value]))
    }
    const { _id } = await world.book()
    await world.book({}, { state: 'CANCEL_REQUESTED', orderId: 'its own', openSince: world.clock() })
    world.advance(400)
    const before = await ages()
    expect(before.REQUESTED).toBeGreaterThanOrEqual(400)
    expect(before.CANCEL_REQUESTED).toBe(400)
    expect(before.CAPTURE_FAILED).toBe(0)
    await sagaWorker(context).run(signal())
    expect((await world.byId(_id)).open).toBe(false)
    expect(await ages()).toMatchObject({ REQUESTED: 0, CANCEL_REQUESTED: 0 })
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

  test('R-52: a cancellation that was asked for a moment before the confirmation is applied', async () => {
    const { _id } = await world.book({}, { ...confirmed, pendingCancellation: true })
    await world.minute()
    const booking = await world.rest(_id)
    expect(booking).toMatchObject({ state: 'ORDER_CANCELLED', pendingCancellation: false })
    expect(violations(booking, world)).toEqual([])
  })

  test('R-52: unless the ticket cannot be given back: then it stands, and that is noted', async () => {
    const { _id } = await world.book({}, { ...confirmed, pendingCancellation: true, orderCancellable: false })
    await world.minute()
    expect(await world.byId(_id)).toMatchObject({ state: 'CONFIRMED', pendingCancellation: false, cancelNote: 'refused' })
  })
})
