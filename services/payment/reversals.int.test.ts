/** Money that goes back without a call of ours: disputes, and refunds made by hand in the provider's dashboard. */
import { randomUUID } from 'node:crypto'
import { bookingCancelled } from '@passerelle/contracts/events/booking'
import { type Bus, connectBus } from '@passerelle/kit/bus'
import { createMetrics } from '@passerelle/kit/metrics'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { signature } from '@passerelle/simulators/webhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bookingCalls } from './booking-calls.fixture.ts'
import { listenTo, type PaymentFixture, startPaymentFixture, WEBHOOK_SECRET } from './payment.fixture.ts'

/** So many payments are raced; `RUNS=1000` for the whole proof. */
const RUNS = Number(process.env.RUNS ?? 24)
const AT_ONCE = 8

let payments: PaymentFixture
let events: Awaited<ReturnType<typeof listenTo>>
let bus: Bus
beforeAll(async () => {
  payments = await startPaymentFixture()
  events = await listenTo(payments.servers, 'payment.events')
  const { KAFKA_BROKERS: brokers, NAMESPACE: namespace } = payments.servers.environment
  const metrics = createMetrics('booking')
  bus = await connectBus({ brokers, namespace, clientId: 'booking', log: payments.log, metrics, onFatal: () => undefined })
})
afterAll(async () => {
  await bus.stop()
  await events.stop()
  await payments.stop()
})

const { claimed, captured, becomes, intentOf } = bookingCalls(() => payments)
const reversals = (id: string) => events.of(id).filter(({ type }) => type === 'travel.payment.reversed.v1')
const told = (id: string, ...data: object[]) =>
  vi.waitFor(() => expect(reversals(id).map((event) => event.data)).toMatchObject(data), { timeout: 10_000 })

/** What the provider sends about a payment; what it says beside the intent counts for nothing. */
const about = (type: string, intent: string, id = `evt_${randomUUID()}`) =>
  JSON.stringify({ id, object: 'event', type, data: { object: { id: 'x_1', object: type.split('.')[0], payment_intent: intent } } })
const send = async (payload: string, secret = WEBHOOK_SECRET) => (await payments.webhook(payload, signature(payload, secret))).status
const bring = (body: object) => payments.simulator.bringAbout(body)

const cancel = (bookingId: string, paymentId: string, refundMinor: number) =>
  bus.publish([
    createOutboxEvent(
      bookingCancelled,
      { ...{ bookingId, paymentId, refundMinor, currency: 'EUR' }, ...{ reference: 'ABCD2345', brand: 'default', mode: 'test' as const } },
      { sequence: 1, at: new Date() },
    ),
  ])

describe('a refund made in the dashboard', () => {
  test('is recorded and told once, though the event comes three times', async () => {
    const { id, bookingId } = await captured()
    const { id: paymentIntent } = await intentOf(id)
    await bring({ case: 'refund', paymentIntent, amount: 2000 })
    const payload = about('charge.refunded', paymentIntent)
    for (let time = 0; time < 3; time++) expect(await send(payload)).toBe(200)
    await becomes(id, { state: 'captured', refundedMinor: 2000 })
    await told(id, { bookingId, refundedMinor: 2000, dispute: null, disputedMinor: 0 })
    await bring({ case: 'refund', paymentIntent, amount: 500 })
    await send(about('refund.created', paymentIntent))
    await told(id, { refundedMinor: 2000 }, { refundedMinor: 2500 })
  })

  test('that a forger tells of changes nothing, and neither does one that never was', async () => {
    const { id } = await captured()
    const { id: paymentIntent } = await intentOf(id)
    expect(await send(about('charge.refunded', paymentIntent), 'whsec_other')).toBe(400)
    expect(await send(about('charge.refunded', paymentIntent))).toBe(200)
    await vi.waitFor(async () => expect((await payments.documentOf(id)) as object).toMatchObject({ reversalsRecheckAt: null }), 10_000)
    expect([(await payments.read(id)).body.refundedMinor, reversals(id)]).toEqual([0, []])
  })

  test('our own refund is not taken for one', async () => {
    const { id, bookingId } = await captured()
    await cancel(bookingId, id, 10_000)
    await becomes(id, { state: 'refunded', refundedMinor: 10_000 })
    expect(await send(about('charge.refunded', (await intentOf(id)).id))).toBe(200)
    await vi.waitFor(async () => expect((await payments.documentOf(id)) as object).toMatchObject({ reversalsRecheckAt: null }), 10_000)
    expect([(await payments.read(id)).body.refundedMinor, reversals(id)]).toEqual([10_000, []])
  })

  test.each([
    ['leaves the promised refund as it is where the charge has enough', 2000, 20_000, 22_000],
    ['leaves to a cancellation what is still there', 20_000, 20_000, 27_400],
    ['of everything leaves a cancellation nothing to give', 27_400, 20_000, 27_400],
  ])('%s, though nobody told of it', async (_what, byHand, promised, inAll) => {
    const { id, bookingId } = await captured()
    await bring({ case: 'refund', paymentIntent: (await intentOf(id)).id, amount: byHand })
    await cancel(bookingId, id, promised)
    await vi.waitFor(async () => expect((await intentOf(id)).refunded).toBe(inAll), 10_000)
    await becomes(id, { state: 'refunded' })
    await send(about('charge.refunded', (await intentOf(id)).id))
    await becomes(id, { state: 'refunded', refundedMinor: inAll })
    const refunds = (await payments.simulator.ledger()).refunds.filter((one) => one.metadata.booking_id === bookingId)
    expect(refunds.map(({ amount }) => amount)).toEqual(inAll === byHand ? [] : [inAll - byHand])
  })
})

describe('a dispute', () => {
  test('is told when it begins and when it is lost, also when the end is heard of first', async () => {
    const { id, bookingId } = await captured()
    const { id: paymentIntent } = await intentOf(id)
    await bring({ case: 'dispute', paymentIntent })
    await send(about('charge.dispute.created', paymentIntent))
    await told(id, { bookingId, dispute: 'open', disputedMinor: 27_400 })
    await bring({ case: 'close-dispute', paymentIntent, won: false })
    await send(about('charge.dispute.closed', paymentIntent))
    await send(about('charge.dispute.updated', paymentIntent))
    await told(id, { dispute: 'open' }, { dispute: 'lost', disputedMinor: 27_400, refundedMinor: 0 })
    const late = await captured()
    const intent = (await intentOf(late.id)).id
    await bring({ case: 'dispute', paymentIntent: intent })
    await bring({ case: 'close-dispute', paymentIntent: intent, won: false })
    for (const type of ['charge.dispute.closed', 'charge.dispute.created']) expect(await send(about(type, intent))).toBe(200)
    await told(late.id, { dispute: 'lost' })
  })

  test('that is won lets the refund be made that the provider refused while it was open', async () => {
    const { id, bookingId } = await captured()
    const { id: paymentIntent } = await intentOf(id)
    await bring({ case: 'dispute', paymentIntent })
    await send(about('charge.dispute.created', paymentIntent))
    await told(id, { dispute: 'open' })
    await cancel(bookingId, id, 20_000)
    await vi.waitFor(async () => expect((await payments.documentOf(id)) as object).toMatchObject({ refund: { failed: true } }), 10_000)
    await bring({ case: 'close-dispute', paymentIntent, won: true })
    await send(about('charge.dispute.closed', paymentIntent))
    await becomes(id, { state: 'refunded', refundedMinor: 20_000 })
    await told(id, { dispute: 'open' }, { dispute: 'won' })
  })
})

/** The same work for `RUNS` payments, a few at a time. */
async function race(work: (run: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < RUNS; first += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, RUNS - first) }, (_, index) => work(first + index)))
}

/** In both orders. */
const both = (run: number, one: () => Promise<unknown>, other: () => Promise<unknown>) =>
  Promise.all(run % 2 === 0 ? [one(), other()] : [other(), one()])

describe(`the event and our own completion of one payment at the same moment, ${RUNS} times`, () => {
  const timeout = 60_000 + RUNS * 1000

  test('a capture: one capture, and no sign of money without a booking', { timeout }, async () => {
    await race(async (run) => {
      const { id } = await claimed()
      const { id: intent } = await intentOf(id)
      const [first, second] = await both(
        run,
        () => payments.capture(id),
        () => send(about('payment_intent.succeeded', intent)),
      )
      const capture = (run % 2 === 0 ? first : second) as { status: number; body: object }
      expect([capture.status, capture.body]).toMatchObject([200, { state: 'captured' }])
      await send(about('payment_intent.amount_capturable_updated', intent))
      expect(await intentOf(id)).toMatchObject({ status: 'succeeded', captured: 27_400 })
      expect(await payments.documentOf(id)).toMatchObject({ state: 'captured', unclaimedCaptureAt: null, release: null })
    })
    const { captures } = await payments.simulator.ledger()
    expect(new Set(captures.map(({ paymentIntent }) => paymentIntent)).size).toBe(captures.length)
  })

  test('a release: the hold is voided, whoever says so first', { timeout }, async () => {
    await race(async (run) => {
      const { id } = await claimed()
      const { id: intent } = await intentOf(id)
      await both(
        run,
        () => payments.release(id),
        () => send(about('payment_intent.canceled', intent)),
      )
      expect(await payments.documentOf(id)).toMatchObject({ state: 'voided' })
      expect(await intentOf(id)).toMatchObject({ status: 'canceled', captured: 0 })
    })
  })

  test('a refund: made once, told once, and not taken for one by hand', { timeout }, async () => {
    await race(async (run) => {
      const { id, bookingId } = await captured()
      const { id: intent } = await intentOf(id)
      await both(
        run,
        () => cancel(bookingId, id, 10_000),
        () => send(about('charge.refunded', intent)),
      )
      await becomes(id, { state: 'refunded', refundedMinor: 10_000 })
      await send(about('charge.refunded', intent))
      expect(await intentOf(id)).toMatchObject({ refunded: 10_000 })
      await vi.waitFor(() => expect(events.of(id).map(({ type }) => type)).toEqual(['travel.payment.refunded.v1']), 10_000)
    })
  })
})
