/** The end of a booking, as its events tell it: refunds once, voids, and refunds that cannot be made. */
import { bookingCancelled, bookingFailed } from '@passerelle/contracts/events/booking'
import { type Bus, connectBus } from '@passerelle/kit/bus'
import { createMetrics } from '@passerelle/kit/metrics'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bookingCalls, newBooking } from './booking-calls.fixture.ts'
import { listenTo, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
let events: Awaited<ReturnType<typeof listenTo>>
let deadLetters: Awaited<ReturnType<typeof listenTo>>
let bus: Bus

beforeAll(async () => {
  payments = await startPaymentFixture({ STRIPE_TIMEOUT_MS: '500' })
  events = await listenTo(payments.servers, 'payment.events')
  deadLetters = await listenTo(payments.servers, 'payment.dlq')
  const { KAFKA_BROKERS: brokers, NAMESPACE: namespace } = payments.servers.environment
  bus = await connectBus({
    brokers,
    namespace,
    clientId: 'booking',
    log: payments.log,
    metrics: createMetrics('booking'),
    onFatal: () => undefined,
  })
})
afterEach(() => payments.simulator.clearFaults())
afterAll(async () => {
  await bus.stop()
  await events.stop()
  await deadLetters.stop()
  await payments.stop()
})

const { claimed, captured, becomes, intentOf } = bookingCalls(() => payments)
const about = { sequence: 1, at: new Date() }
const base = (bookingId: string, paymentId: string) => ({
  bookingId,
  paymentId,
  reference: 'ABCD2345',
  brand: 'default',
  mode: 'test' as const,
})
const cancelledEvent = (bookingId: string, paymentId: string, refundMinor: number, currency = 'EUR') =>
  createOutboxEvent(bookingCancelled, { ...base(bookingId, paymentId), refundMinor, currency }, about)
const failedEvent = (bookingId: string, paymentId: string) =>
  createOutboxEvent(bookingFailed, { ...base(bookingId, paymentId), reason: 'BOOKING_REFUSED' }, about)

describe('the events of bookings', () => {
  test('C23: a cancelled booking is refunded once, though the event comes twice', async () => {
    const { id, bookingId } = await captured()
    const event = cancelledEvent(bookingId, id, 20_000)
    await bus.publish([event, event, { ...cancelledEvent(bookingId, id, 20_000) }])
    await becomes(id, { state: 'refunded', refundedMinor: 20_000 })
    await vi.waitFor(() => expect(events.of(id).map(({ type }) => type)).toEqual(['travel.payment.refunded.v1']), 10_000)
    expect(events.of(id)[0]?.data).toMatchObject({ amountMinor: 20_000, bookingId })
    expect((await payments.simulator.ledger()).refunds.filter((one) => one.metadata.booking_id === bookingId)).toMatchObject([
      { amount: 20_000, status: 'succeeded' },
    ])
  })

  test('C24: a refund that was made and never recorded is not made again', async () => {
    const { id, bookingId } = await captured()
    await payments.simulator.fault({ match: { method: 'POST', path: '/v1/refunds' }, effect: 'reset-after-commit', times: 2 })
    await bus.publish([cancelledEvent(bookingId, id, 10_000)])
    await becomes(id, { state: 'refunded', refundedMinor: 10_000 })
    expect((await payments.simulator.ledger()).refunds.filter((one) => one.metadata.booking_id === bookingId)).toHaveLength(1)
  })

  test('a booking cancelled without a refund leaves the payment as it is', async () => {
    const [quiet, loud] = [await captured(), await captured()]
    await bus.publish([cancelledEvent(quiet.bookingId, quiet.id, 0), cancelledEvent(loud.bookingId, loud.id, 100)])
    await becomes(loud.id, { state: 'refunded' })
    expect((await payments.read(quiet.id)).body).toMatchObject({ state: 'captured', refundedMinor: 0 })
  })

  test('a refund that the provider refuses is left to an operator, and not tried for ever', async () => {
    const { id, bookingId } = await captured()
    await payments.simulator.bringAbout({ case: 'dispute', paymentIntent: (await intentOf(id)).id })
    await bus.publish([cancelledEvent(bookingId, id, 100)])
    await vi.waitFor(() => expect(payments.logs.join('')).toContain('a refund was refused: an operator must look'), 10_000)
    expect((await payments.read(id)).body).toMatchObject({ state: 'captured', refundedMinor: 0 })
  })

  test('a refund that the payment cannot give ends with an operator: logged, counted, on record, and the next event is handled', async () => {
    const [wrong, poor, mine, next] = [await captured(), await captured(), await captured(), await captured()]
    const nobody = newBooking()
    await bus.publish([
      cancelledEvent(wrong.bookingId, wrong.id, 100, 'USD'),
      cancelledEvent(poor.bookingId, poor.id, 27_401),
      cancelledEvent(nobody, mine.id, 100),
      cancelledEvent(newBooking(), 'pay_of_nobody', 100),
      cancelledEvent(next.bookingId, next.id, 100),
    ])
    await becomes(next.id, { state: 'refunded', refundedMinor: 100 })
    const reported = await vi.waitFor(() => {
      const found = payments.logs.filter((line) => line.includes('a refund was asked for that cannot be made'))
      expect(found).toHaveLength(4)
      return found.map((line) => JSON.parse(line) as { level: unknown; paymentId: string; reason: string })
    }, 10_000)
    expect(reported.map(({ paymentId, reason }) => [paymentId, reason]).sort()).toEqual(
      [
        [wrong.id, 'another-currency'],
        [poor.id, 'more-than-captured'],
        [mine.id, 'another-booking'],
        ['pay_of_nobody', 'no-payment'],
      ].sort(),
    )
    for (const { id } of [wrong, poor, mine]) {
      expect((await payments.read(id)).body).toMatchObject({ state: 'captured', refundedMinor: 0 })
      expect((await payments.documentOf(id))?.refusedRefunds).toHaveLength(1)
    }
    const metrics = await (await fetch(`${payments.adminUrl()}/metrics`)).text()
    expect(metrics).toMatch(/payment_operations_total\{[^}]*operation="refund",outcome="impossible"[^}]*\} 4/)
    expect(deadLetters.heard).toEqual([])
    // Another booking's cancellation has not taken this one's refund away.
    await bus.publish([cancelledEvent(mine.bookingId, mine.id, 5000)])
    await becomes(mine.id, { state: 'refunded', refundedMinor: 5000 })
  })

  test('a hold is voided when its booking has failed', async () => {
    const { id, bookingId } = await claimed()
    await bus.publish([failedEvent(bookingId, id)])
    await becomes(id, { state: 'voided' })
    expect(await intentOf(id)).toMatchObject({ status: 'canceled' })
  })

  test('R-24: a failed booking whose amount was taken after all is refunded whole', async () => {
    const { id, bookingId } = await captured()
    await bus.publish([failedEvent(bookingId, id)])
    await becomes(id, { state: 'refunded', refundedMinor: 27_400 })
  })

  test("another booking's failure does not touch a hold", async () => {
    const [mine, theirs] = [await claimed(), await claimed()]
    await bus.publish([failedEvent(newBooking(), mine.id), failedEvent(theirs.bookingId, theirs.id)])
    await becomes(theirs.id, { state: 'voided' })
    expect((await payments.read(mine.id)).body.state).toBe('authorised')
  })
})
