/** The saga under every outcome of the outer world, and with its worker dead or asleep at every point of each of them. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BookingRecord } from './domain/booking.ts'
import type { SagaState } from './domain/state.ts'
import { type Fault, openSagaWorld, type SagaWorld, type Surroundings, wrongs } from './saga.fixture.ts'
import { drive } from './saga.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})

type Scenario = {
  name: string
  around?: Partial<Surroundings>
  from?: Partial<BookingRecord>
  ends: SagaState
  as?: Partial<BookingRecord>
}

const pending = { state: 'ORDER_UNKNOWN', attempts: 1, sendBefore: new Date(0), settleBy: new Date('2100-01-01') } as const
const cancelling = { state: 'CANCEL_REQUESTED', orderId: 'its own' } as const

const scenarios: Scenario[] = [
  { name: 'all goes well', ends: 'CONFIRMED' },
  { name: 'the answer to the order is lost', around: { order: ['lost'] }, ends: 'CONFIRMED' },
  { name: 'ABOOK-16: the order appears a minute later', around: { order: ['late'] }, ends: 'CONFIRMED' },
  { name: 'ABOOK-16: the order never appears', around: { order: ['never'] }, ends: 'FAILED', as: { failure: { code: 'BOOKING_FAILED' } } },
  { name: 'ABOOK-15: the airline refuses', around: { order: ['refused'] }, ends: 'FAILED' },
  {
    name: 'R-109: the supplier offer is spent, and the same flights are had again',
    around: { order: ['spent', 'made'] },
    ends: 'CONFIRMED',
  },
  {
    name: 'every supplier offer is spent',
    around: { order: ['spent'] },
    ends: 'FAILED',
    as: { attempts: 3, failure: { code: 'OFFER_EXPIRED' } },
  },
  {
    name: 'ABOOK-11: the flights cost more by now',
    around: { order: ['repriced'], price: 'other' },
    ends: 'FAILED',
    as: { failure: { code: 'PRICE_CHANGED', details: { amount: '301.00', currency: 'EUR' } } },
  },
  { name: 'ABOOK-10: the flights are gone by now', around: { order: ['spent'], price: 'gone' }, ends: 'FAILED' },
  { name: 'the payment service is away for a while', around: { capture: ['away', 'away', 'captured'] }, ends: 'CONFIRMED' },
  { name: 'C14: the hold has expired: the ticket is given back', around: { capture: ['expired'] }, ends: 'FAILED' },
  {
    name: 'C14: the hold has expired and the airline keeps the ticket: an operator must look',
    around: { capture: ['expired'], cancel: ['refused'] },
    ends: 'NEEDS_ATTENTION',
  },
  { name: 'R-52: it is cancelled before it was ordered', from: { cancelWish: true }, ends: 'FAILED' },
  { name: 'R-52: it is cancelled while the outcome is open', from: { ...pending, orderId: 'its own', cancelWish: true }, ends: 'FAILED' },
  {
    name: 'R-52: it is cancelled while the outcome is open, and the airline keeps the ticket',
    around: { cancel: ['refused'] },
    from: { ...pending, orderId: 'its own', cancelWish: true },
    ends: 'CONFIRMED',
    as: { cancelWish: false, cancelNote: 'refused' },
  },
  {
    name: 'ABOOK-24: a confirmed one is cancelled',
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { minor: 18_250, refundedAt: null } },
  },
  {
    name: 'the airline does not answer to the cancellation at first',
    around: { cancel: ['away', 'cancelled'] },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
  },
  {
    name: 'ABOOK-25: the airline refuses to cancel',
    around: { cancel: ['refused'] },
    from: cancelling,
    ends: 'CONFIRMED',
    as: { cancelNote: 'refused' },
  },
  {
    name: 'C22: the airline would give back less by now',
    around: { cancel: ['worse'] },
    from: cancelling,
    ends: 'CONFIRMED',
    as: { cancelNote: 'worse' },
  },
]

/** One booking through a scenario by a worker with a fault; then a healthy one goes on, and a sleeping one wakes when all is over. */
async function through({ around, from }: Scenario, fault?: Fault) {
  const booking = await world.book(around, from)
  const { tools, points, stopped, wake } = world.worker(fault)
  const driven = drive(booking, tools).catch(() => null)
  await Promise.race([driven, stopped])
  await world.rest(booking._id)
  wake()
  await driven
  await world.minute()
  return { booking: await world.rest(booking._id), points }
}

describe.each(scenarios)('$name', (scenario) => {
  test(`ends ${scenario.ends}, ticket and money together`, async () => {
    const { booking } = await through(scenario)
    expect(wrongs(booking, world)).toEqual([])
    expect(booking).toMatchObject({ state: scenario.ends, ...scenario.as })
  })

  test.each<[string, Fault['how']]>([
    ['C7-C14, C21-C23: the worker is killed before or after any of its calls and writes', 'dies'],
    ['C26: it falls asleep there, another goes on, and it wakes when all is over', 'sleeps'],
  ])('%s', { timeout: 60_000 }, async (_what, how) => {
    const { points } = await through(scenario)
    expect(points.length).toBeGreaterThanOrEqual(2)
    for (let at = 0; at < points.length; at++) {
      for (const when of ['before', 'after'] as const) {
        const { booking } = await through(scenario, { at, when, how })
        expect(wrongs(booking, world), `${how} ${when} ${points[at]}`).toEqual([])
      }
    }
  })
})

test('C26, R-52: one sleeps before it takes the money, the visitor cancels meanwhile, and nothing is taken when it wakes', async () => {
  const booking = await world.book()
  const { tools, stopped, wake } = world.worker({ at: 'payment.capture', when: 'before', how: 'sleeps' })
  const driven = drive(booking, tools)
  await stopped
  expect(await world.store.wish(booking._id)).toBe(true)
  const rested = await world.rest(booking._id)
  expect(rested).toMatchObject({ state: 'FAILED', cancelledAt: expect.any(Date) })
  wake()
  expect(await driven).toBeNull()
  expect(wrongs(await world.byId(booking._id), world)).toEqual([])
})

test('an airline that takes minutes over an order keeps its booking: nobody else takes it up meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const booking = await world.book()
    const { tools, stopped, wake } = world.worker({ at: 'airline.order', when: 'before', how: 'sleeps' })
    const driven = drive(booking, tools)
    await stopped
    for (let passed = 0; passed < 120; passed += 10) {
      world.advance(10)
      vi.advanceTimersByTime(10_000)
      const until = world.clock().getTime() + 30_000
      await vi.waitFor(async () => expect((await world.byId(booking._id)).leaseUntil.getTime()).toBe(until))
      expect(await world.store.claim(booking._id, world.clock())).toBeNull()
    }
    wake()
    expect(await driven).toMatchObject({ state: 'CONFIRMED' })
    expect((await world.byId(booking._id)).outbox?.map(({ name }) => name)).toEqual(['booking.confirmed'])
  } finally {
    vi.useRealTimers()
  }
})

test('R-26: a hold that belongs to another booking is left alone, and the failure is told', async () => {
  const booking = await world.book()
  world.payment(booking).bookingId = 'bk_of_somebody_else'
  const driven = await drive(booking, world.worker().tools)
  expect(driven).toMatchObject({ state: 'FAILED', failure: { code: 'PAYMENT_NOT_USABLE' } })
  expect(world.payment(booking)).toMatchObject({ state: 'authorised', bookingId: 'bk_of_somebody_else' })
  expect(world.ordersOf(booking._id)).toEqual([])
})
