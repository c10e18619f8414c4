import { bookingCancelled, bookingFailed } from '@passerelle/contracts/events/booking'
import { type Bus, connectBus } from '@passerelle/kit/bus'
import { createMetrics } from '@passerelle/kit/metrics'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { card, listenTo, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

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

const charge = { amount: '274.00', currency: 'EUR' }
let bookings = 0
const newBooking = () => `bk_${++bookings}_${Date.now()}`

async function held(): Promise<string> {
  const { status, body } = await payments.authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card() })
  expect([status, body.state]).toEqual([200, 'authorised'])
  return body.id
}

async function claimed(): Promise<{ id: string; bookingId: string }> {
  const [id, bookingId] = [await held(), newBooking()]
  expect((await payments.claim(id, bookingId)).status).toBe(200)
  return { id, bookingId }
}

async function captured() {
  const payment = await claimed()
  expect((await payments.capture(payment.id)).body.state).toBe('captured')
  return payment
}

const types = (id: string) => events.of(id).map((event) => event.type.split('.')[2])
const told = (id: string, ...expected: string[]) => vi.waitFor(() => expect(types(id)).toEqual(expected), 10_000)
const becomes = (id: string, state: object) => vi.waitFor(async () => expect((await payments.read(id)).body).toMatchObject(state), 10_000)
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
const intentOf = async (id: string) => (await payments.simulator.intentsOf(id))[0]!

describe('a booking that brings its card along', () => {
  test('R-21: one key holds once, whoever asks at the same time', async () => {
    const request = { key: newKey(), charge, offerId: 'off_paris', cardDetails: card() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => payments.authorise(request)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ state: 'authorised', amountMinor: 27_400, offerId: 'off_paris', bookingId: null })
    expect(await payments.simulator.intentsOf(answers[0]?.body.id)).toHaveLength(1)
  })

  test('PAY-14: a decline frees the key, so that another card can pay for the same booking', async () => {
    const key = newKey()
    const poor = await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card('4000000000009995') })
    expect([poor.status, poor.body.error, poor.body.message]).toEqual([402, 'CARD_DECLINED', 'Your card has insufficient funds.'])
    const rich = await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card() })
    expect([rich.status, rich.body.state]).toEqual([200, 'authorised'])
  })

  test('another charge under the same key is refused', async () => {
    const key = newKey()
    await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card() })
    const other = await payments.authorise({
      key,
      charge: { amount: '275.00', currency: 'EUR' },
      offerId: 'off_paris',
      cardDetails: card(),
    })
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })
})

describe('claiming', () => {
  test('one booking gets the payment, again and again; another one is told whose it is', async () => {
    const { id, bookingId } = await claimed()
    expect((await payments.claim(id, bookingId)).body).toMatchObject({ bookingId, state: 'authorised' })
    const other = await payments.claim(id, newBooking())
    expect([other.status, other.body.error, other.body.details]).toEqual([409, 'PAYMENT_NOT_USABLE', { bookingId }])
  })

  test('twenty bookings at once: one wins', async () => {
    const id = await held()
    const answers = await Promise.all(Array.from({ length: 20 }, () => payments.claim(id, newBooking())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a booking has one payment', async () => {
    const { bookingId } = await claimed()
    expect((await payments.claim(await held(), bookingId)).body.error).toBe('PAYMENT_NOT_USABLE')
  })

  test('a payment that nobody knows is refused', async () => {
    expect((await payments.read('pay_none')).body.error).toBe('PAYMENT_UNKNOWN')
    expect((await payments.claim('pay_none', newBooking())).body.error).toBe('PAYMENT_UNKNOWN')
  })
})

describe('capture', () => {
  test('takes the amount once, however often it is asked', async () => {
    const { id } = await claimed()
    const answers = await Promise.all([payments.capture(id), payments.capture(id), payments.capture(id)])
    answers.push(await payments.capture(id))
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array(4).fill([200, 'captured']))
    expect(await intentOf(id)).toMatchObject({ status: 'succeeded', captured: 27_400 })
    await told(id, 'authorised', 'captured')
  })

  test('C13: a capture that was made and never recorded is recognised', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/capture' }, effect: 'reset-after-commit' })
    await payments.simulator.fault({ match: { method: 'GET' }, effect: 'status', status: 503 })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    await payments.simulator.clearFaults()
    expect((await payments.capture(id)).body.state).toBe('captured')
    expect(await intentOf(id)).toMatchObject({ captured: 27_400 })
  })

  test('a failure that the provider would repeat for a day does not stand in the way of the next try', async () => {
    const { id } = await claimed()
    await payments.simulator.bringAbout({ case: 'stored-error' })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    expect((await payments.capture(id)).body.state).toBe('captured')
  })

  test('C14: a hold that the bank gave up cannot be captured', async () => {
    const { id } = await claimed()
    await payments.simulator.bringAbout({ case: 'expire-hold', paymentIntent: (await intentOf(id)).id })
    const { status, body } = await payments.capture(id)
    expect([status, body.error]).toEqual([409, 'PAYMENT_NOT_USABLE'])
    expect((await payments.read(id)).body.state).toBe('expired')
  })

  test('nothing is captured without a booking', async () => {
    const id = await held()
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    expect(await intentOf(id)).toMatchObject({ captured: 0 })
  })

  test('a provider that hangs is an unknown outcome, never a success', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/capture' }, effect: 'hang' })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    await payments.simulator.clearFaults()
    expect((await payments.capture(id)).body.state).toBe('captured')
  })
})

describe('release', () => {
  test('voids the hold once, however often it is asked', async () => {
    const { id } = await claimed()
    const answers = await Promise.all([payments.release(id), payments.release(id)])
    answers.push(await payments.release(id))
    expect(answers.map(({ body }) => body.state)).toEqual(Array(3).fill('voided'))
    expect(await intentOf(id)).toMatchObject({ status: 'canceled', capturable: 0 })
    await told(id, 'authorised', 'voided')
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
  })

  test('a captured payment cannot be released', async () => {
    const { id } = await captured()
    expect((await payments.release(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    expect((await payments.read(id)).body.state).toBe('captured')
  })

  test('a hold that could not be voided now is voided later, and captured never', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/cancel' }, effect: 'status', status: 503 })
    expect((await payments.release(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    await payments.simulator.clearFaults()
    expect((await payments.release(id)).body.state).toBe('voided')
  })
})

describe('what the bus says of bookings', () => {
  test('C23: a cancelled booking is refunded once, though the event comes twice', async () => {
    const { id, bookingId } = await captured()
    const event = cancelledEvent(bookingId, id, 20_000)
    await bus.publish([event, event, { ...cancelledEvent(bookingId, id, 20_000) }])
    await becomes(id, { state: 'refunded', refundedMinor: 20_000 })
    await told(id, 'authorised', 'captured', 'refunded')
    expect(events.of(id)[2]?.data).toMatchObject({ amountMinor: 20_000, bookingId })
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
    const told = await vi.waitFor(() => {
      const found = payments.logs.filter((line) => line.includes('a refund was asked for that cannot be made'))
      expect(found).toHaveLength(4)
      return found.map((line) => JSON.parse(line) as { level: unknown; paymentId: string; reason: string })
    }, 10_000)
    expect(told.map(({ paymentId, reason }) => [paymentId, reason]).sort()).toEqual(
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
