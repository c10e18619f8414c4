/** The saga under every outcome of the outer world, and with its worker dead or asleep at every point of each of them. */
import { replaceRuntime } from '@passerelle/kit/runtime'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isOpen } from './domain/state.ts'
import { type Fault, openSagaWorld, type SagaWorld, type StoredBooking } from './saga.fixture.ts'
import { drive } from './saga.ts'
import { type Scenario, scenarios } from './scenarios.fixture.ts'
import { RENEW_MS } from './store.ts'
import { violations } from './violations.fixture.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})

/** One booking through a scenario by a worker with a fault; then a healthy one goes on, and a sleeping one wakes when all is over. */
async function through({ around, from }: Scenario, fault?: Fault) {
  const booking = await world.book(around, from)
  const { context, points, stopped, wake } = world.worker(fault)
  const driven = drive(booking, context).catch(() => null)
  await Promise.race([driven, stopped])
  await world.rest(booking._id)
  wake()
  await driven
  await world.minute()
  return { booking: await world.rest(booking._id), points }
}

test('an offer that is gone at the order is reported to the search, which shows it no more; a spent one is not', async () => {
  const [gone, spent] = await Promise.all([
    through({ name: 'gone', around: { order: ['gone'] }, ends: 'FAILED' }),
    through({ name: 'offer-used', around: { order: ['offer-used', 'made'] }, ends: 'CONFIRMED' }),
  ])
  expect(world.reportedGone.has(gone.booking.requestId)).toBe(true)
  expect(world.reportedGone.has(spent.booking.requestId)).toBe(false)
})

describe.each(scenarios)('$name', (scenario) => {
  test(`ends ${scenario.ends}, ticket and money together`, async () => {
    const { booking } = await through(scenario)
    expect(violations(booking, world)).toEqual([])
    expect(booking).toMatchObject({ state: scenario.ends, ...scenario.as })
  })

  test.each<[string, Fault['how']]>([
    ['EVT-07, C7-C14, C21-C23: the worker is killed before or after any of its calls and writes', 'dies'],
    ['C26: it falls asleep there, another goes on, and it wakes when all is over', 'sleeps'],
  ])('%s', { timeout: 60_000 }, async (_what, how) => {
    const { points } = await through(scenario)
    expect(points.length).toBeGreaterThanOrEqual(2)
    for (let at = 0; at < points.length; at++) {
      for (const when of ['before', 'after'] as const) {
        const { booking } = await through(scenario, { at, when, how })
        expect(violations(booking, world), `${how} ${when} ${points[at]}`).toEqual([])
      }
    }
  })
})

test('R-52: it is cancelled while the answer to its capture is lost: it is confirmed, and cancelled with its refund', async () => {
  const booking = await world.book({}, { state: 'ORDERED', orderId: 'its own', attempts: 1, pendingCancellation: true })
  Object.assign(world.payment(booking), { state: 'captured', captures: 1 })
  await drive(booking, world.worker().context)
  const cancelled = await world.byId(booking._id)
  expect(cancelled).toMatchObject({ state: 'ORDER_CANCELLED', refund: { kind: 'card', minor: 18_250 }, pendingCancellation: false })
  expect(eventsOf(cancelled)).toEqual(['booking.confirmed', 'booking.cancelled'])
  expect(violations(cancelled, world)).toEqual([])
})

const eventsOf = (booking: StoredBooking) => (booking.outbox ?? []).map(({ name }) => name)

test('ABOOK-16: booking.pending leaves when the visitor is told "pending", while the airline is still being waited for', async () => {
  const booking = await world.book({}, { answerBy: new Date(world.clock().getTime() + 30) })
  const { context, points, stopped, wake } = world.worker({ at: 'airline.order', when: 'before', how: 'sleeps' })
  const driven = drive(booking, context)
  await stopped
  world.advance(1)
  await vi.waitFor(async () => expect(eventsOf(await world.byId(booking._id))).toEqual(['booking.pending']), { timeout: 10_000 })
  expect(await world.byId(booking._id)).toMatchObject({ state: 'ORDERING', pendingAnnouncedAt: world.clock() })
  wake()
  expect(await driven).toMatchObject({ state: 'CONFIRMED' })
  expect(points.filter((point) => point === 'airline.order')).toHaveLength(1)
  expect(eventsOf(await world.byId(booking._id))).toEqual(['booking.pending', 'booking.confirmed'])
  expect(violations(await world.byId(booking._id), world)).toEqual([])
})

test('ABOOK-16: a worker that takes up a booking in mid-order tells "pending" at once; twelve seconds after the kill at the latest', async () => {
  const booking = await world.book({ order: ['late'] })
  const { context } = world.worker({ at: 'airline.order', when: 'before', how: 'dies' })
  // The dying worker can neither put it back nor renew its lease.
  await drive(booking, context).catch(() => null)
  const { leaseUntil } = await world.byId(booking._id)
  expect(leaseUntil.getTime() - world.clock().getTime()).toBeLessThanOrEqual(12_000)
  world.advance(12)
  const claimed = await world.store.claimDue(world.clock())
  expect(claimed?._id).toBe(booking._id)
  await drive(claimed!, world.worker().context)
  expect(eventsOf(await world.byId(booking._id))).toEqual(['booking.pending'])
})

test('with a supplier that answers within twenty seconds a booking is final within a minute of a kill', async () => {
  const booking = await world.book({ order: ['never'] })
  const dying = world.worker({ at: 'airline.order', when: 'after', how: 'dies' }).context
  dying.orderLongestMs = 20_000
  const killed = world.clock().getTime()
  await drive(booking, dying).catch(() => null)
  const { context } = world.worker()
  for (let second = 0; second < 60 && isOpen((await world.byId(booking._id)).state); second++) {
    world.advance(1)
    const claimed = await world.store.claimDue(world.clock())
    if (claimed) await drive(claimed, context)
  }
  expect(await world.byId(booking._id)).toMatchObject({ state: 'FAILED' })
  expect(world.clock().getTime() - killed).toBeLessThan(60_000)
  expect(violations(await world.byId(booking._id), world)).toEqual([])
})

test('an order that could not be sent in time is decided again; nothing is sent late', async () => {
  const booking = await world.book()
  const { context, points } = world.worker()
  const { change } = context.store
  let slow = 1
  context.store.change = async (...given) => {
    const written = await change(...given)
    if (given[1].state === 'ORDERING' && slow-- > 0) world.advance(6)
    return written
  }
  expect(await drive(booking, context)).toMatchObject({ state: 'CONFIRMED', attempts: 2 })
  expect(points.filter((point) => point === 'airline.order')).toHaveLength(1)
})

test('ABOOK-12: the only seat that was chosen is the one that was lost', async () => {
  const seat = {
    passengerId: 'pas_1',
    segmentId: 'seg_2_1',
    seatId: '7C',
    price: { amount: '20.00', currency: 'EUR' },
    supplierAmount: '16.00',
  }
  const booking = await world.book({ order: ['seat-taken'] }, { seats: [seat] })
  const failed = await drive(booking, world.worker().context)
  expect(failed?.failure?.message).toBe(
    'Seat 7C on TP439 from Lisbon to Paris (passenger 1) has just been taken. Please choose another seat.',
  )
})

test('C26, R-52: one sleeps before it takes the money, the visitor cancels meanwhile, and nothing is taken when it wakes', async () => {
  const booking = await world.book()
  const { context, stopped, wake } = world.worker({ at: 'payment.capture', when: 'before', how: 'sleeps' })
  const driven = drive(booking, context)
  await stopped
  expect(await world.store.requestCancellation(booking._id)).toBe(true)
  const rested = await world.rest(booking._id)
  expect(rested).toMatchObject({ state: 'FAILED', cancelledAt: expect.any(Date) })
  wake()
  expect(await driven).toBeNull()
  expect(violations(await world.byId(booking._id), world)).toEqual([])
})

test('C26: one sleeps before it cancels at the airline, another keeps the booking meanwhile, and nothing is cancelled when it wakes', async () => {
  const booking = await world.book({ cancel: ['worse', 'cancelled'] }, { state: 'CANCEL_REQUESTED', orderId: 'its own', attempts: 1 })
  const { context, stopped, wake } = world.worker({ at: 'airline.cancel', when: 'before', how: 'sleeps' })
  const driven = drive(booking, context)
  await stopped
  expect(await world.rest(booking._id)).toMatchObject({ state: 'CONFIRMED', cancelNote: 'worse' })
  wake()
  expect(await driven).toBeNull()
  expect(world.ordersOf(booking._id)).toMatchObject([{ cancelled: false }])
  expect(violations(await world.byId(booking._id), world)).toEqual([])
})

test('an airline that takes minutes over an order keeps its booking: nobody else takes it up meanwhile', async () => {
  const renewals: (() => void)[] = []
  const restore = replaceRuntime({
    setTimer(work, ms) {
      if (ms !== RENEW_MS) return setTimeout(work, ms)
      renewals.push(work)
      return setTimeout(() => undefined, 0)
    },
  })
  try {
    const booking = await world.book()
    const { context, stopped, wake } = world.worker({ at: 'airline.order', when: 'before', how: 'sleeps' })
    const driven = drive(booking, context)
    await stopped
    for (let passed = 0; passed < 120; passed += 4) {
      world.advance(4)
      renewals.shift()?.()
      const until = world.clock().getTime() + 12_000
      await vi.waitFor(async () => expect((await world.byId(booking._id)).leaseUntil.getTime()).toBe(until))
      expect(await world.store.claim(booking._id, world.clock())).toBeNull()
    }
    wake()
    expect(await driven).toMatchObject({ state: 'CONFIRMED' })
    expect(eventsOf(await world.byId(booking._id))).toEqual(['booking.pending', 'booking.confirmed'])
  } finally {
    restore()
  }
})

test('R-26: a hold that belongs to another booking is left alone, and the failure is reported', async () => {
  const booking = await world.book()
  world.payment(booking).bookingId = 'bk_of_somebody_else'
  const driven = await drive(booking, world.worker().context)
  expect(driven).toMatchObject({ state: 'FAILED', failure: { code: 'PAYMENT_NOT_USABLE' } })
  expect(world.payment(booking)).toMatchObject({ state: 'authorised', bookingId: 'bk_of_somebody_else' })
  expect(world.ordersOf(booking._id)).toEqual([])
})
