/** A transition that would break a rule of money and tickets: nothing is written, the rule is counted, and the work stops. */
import { bookingCancelled, bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'
import { InvariantError } from '@passerelle/kit/invariant'
import type { OutboxEvent } from '@passerelle/kit/outbox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newOffer, visitor } from './checkout.fixture.ts'
import type { BookingRecord } from './domain/booking.ts'
import type { SagaState } from './domain/state.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'
import { createEvent, transition } from './transition.ts'
import { sagaWorker } from './workers.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => world.conditionsAre({}))

const captured = { minor: 27_400, currency: 'EUR' }
const refund = { kind: 'card', minor: 18_250, credit: null, refundedAt: null } as const
const withOrder = { orderId: 'its own' }
const confirmed = (booking: BookingRecord) =>
  createEvent(booking, bookingConfirmed, { paymentId: booking.paymentId, userId: null, amountMinor: 27_400, currency: 'EUR' })
const failed = (booking: BookingRecord) => createEvent(booking, bookingFailed, { paymentId: booking.paymentId, reason: 'BOOKING_FAILED' })
const cancelled = (booking: BookingRecord) =>
  createEvent(booking, bookingCancelled, { paymentId: booking.paymentId, refundMinor: 18_250, currency: 'EUR' })

type Violation = {
  rule: string
  from: Partial<BookingRecord> & { state: SagaState }
  to: SagaState
  change?: object
  event?(booking: BookingRecord): OutboxEvent
}

const violations: Violation[] = [
  { rule: 'transition is in the table', from: { state: 'CONFIRMED', ...withOrder }, to: 'ORDERED' },
  { rule: 'I1 captured only with an order', from: { state: 'ORDERED' }, to: 'CONFIRMED', change: { captured }, event: confirmed },
  {
    rule: 'I2 captured once',
    from: { state: 'CONFIRMED', ...withOrder },
    to: 'CANCEL_REQUESTED',
    change: { captured: { ...captured, minor: 54_800 } },
  },
  {
    rule: 'I2 refund at most the charge',
    from: { state: 'CANCEL_REQUESTED', ...withOrder },
    to: 'ORDER_CANCELLED',
    change: { orderCancelledAt: new Date(0), refund: { ...refund, minor: 27_401 } },
    event: cancelled,
  },
  {
    rule: 'I2 refunded once',
    from: { state: 'ORDER_CANCELLED', ...withOrder, refund: { ...refund, refundedAt: new Date(0) } },
    to: 'REFUNDED',
  },
  { rule: 'I3 one order', from: { state: 'ORDERED', ...withOrder }, to: 'CAPTURE_FAILED', change: { orderId: 'ord_second' } },
  { rule: 'I3 one order', from: { state: 'REQUESTED', ...withOrder }, to: 'ORDERING' },
  { rule: 'I4 payment stays', from: { state: 'REQUESTED' }, to: 'ORDERING', change: { paymentId: 'pay_of_another' } },
  { rule: 'I5 confirmed with ticket and capture', from: { state: 'ORDERED', ...withOrder }, to: 'CONFIRMED', event: confirmed },
  {
    rule: 'I5 confirmed with ticket and capture',
    from: { state: 'CANCEL_REQUESTED', ...withOrder, orderCancelledAt: new Date(0) },
    to: 'CONFIRMED',
  },
  { rule: 'I6 failed without capture', from: { state: 'ORDER_FAILED', ...withOrder }, to: 'FAILED', change: { captured }, event: failed },
  { rule: 'I6 ended without a ticket', from: { state: 'CAPTURE_FAILED', ...withOrder }, to: 'ORDER_FAILED' },
  {
    rule: 'I6 ended without a ticket',
    from: { state: 'CANCEL_REQUESTED', ...withOrder },
    to: 'ORDER_CANCELLED',
    change: { refund },
    event: cancelled,
  },
  { rule: 'I7 open booking is due', from: { state: 'REQUESTED' }, to: 'ORDERING', change: { nextAt: new Date('2100-01-01') } },
  { rule: 'I8 outcome leaves as an event', from: { state: 'ORDERED', ...withOrder }, to: 'CONFIRMED', change: { captured } },
  { rule: 'I8 outcome leaves as an event', from: { state: 'ORDER_FAILED' }, to: 'FAILED', event: confirmed },
  {
    rule: 'I8 events in order',
    from: { state: 'ORDER_FAILED' },
    to: 'FAILED',
    event: (booking) => ({ ...failed(booking), sequence: booking.version }),
  },
  { rule: 'I12 charge stays', from: { state: 'REQUESTED' }, to: 'ORDERING', change: { charge: { ...captured, minor: 27_401 } } },
  {
    rule: 'I12 charge stays',
    from: { state: 'ORDERED', ...withOrder },
    to: 'CONFIRMED',
    change: { captured: { ...captured, currency: 'USD' } },
    event: confirmed,
  },
  {
    rule: 'I12 order costs no more than quoted',
    from: { state: 'ORDERING' },
    to: 'ORDERING',
    change: { supplierCharge: { amount: '222.51', currency: 'EUR' } },
  },
  {
    rule: 'I13 no card or document number',
    from: { state: 'ORDERING' },
    to: 'ORDER_FAILED',
    change: { failure: { code: 'BOOKING_REFUSED', message: 'not accepted: 4242 4242 4242 4242' } },
  },
]

const countOf = async (rule: string) =>
  (await world.metrics.invariantBroken.get()).values.find(({ labels }) => labels.rule === rule)?.value ?? 0

describe('a transition that would break a rule', () => {
  test.each(violations)('$rule: $from.state to $to writes nothing, and is counted', async ({ rule, from, to, change = {}, event }) => {
    const { _id } = await world.book({}, from)
    const before = await world.byId(_id)
    const counted = await countOf(rule)
    const work = transition(before, to, change, event ? [event(before)] : [], world.worker().context)
    await expect(work).rejects.toMatchObject({ name: 'InvariantError', rule })
    expect(await countOf(rule)).toBe(counted + 1)
    expect(await world.byId(_id)).toEqual(before)
  })
})

describe('I12: a capture of another amount than the price', () => {
  const rule = 'I12 charge stays'

  test('stops the request of the visitor, and no confirmation is written', async () => {
    world.conditionsAre({ capture: ['other-amount'] })
    const [offerId, counted] = [newOffer(), await countOf(rule)]
    await expect(visitor(world).book(offerId)).rejects.toThrow(InvariantError)
    expect(await countOf(rule)).toBe(counted + 1)
    const stored = await world.mongo.collection('bookings').findOne({ 'offer.id': offerId })
    expect(stored).toMatchObject({ state: 'ORDERED', captured: null })
    expect(stored?.outbox).toBeUndefined()
  })

  test('stops a worker: the booking is as it was claimed, and an operator is alerted', async () => {
    const { _id } = await world.book({ capture: ['other-amount'] }, { state: 'ORDERED', ...withOrder, leaseUntil: new Date(0) })
    await sagaWorker(world.worker().context).run(new AbortController().signal)
    expect(await world.byId(_id)).toMatchObject({ state: 'ORDERED', tries: 0, captured: null })
    expect(world.alarms.filter((line) => line.includes(_id) && line.includes('invariant broken'))).toHaveLength(1)
  })
})
