/** The card provider in memory does what the provider's simulator does over its own client: what follows holds of both. */
import { createMetrics } from '@passerelle/kit/metrics'
import { type ProviderError, stripeProvider } from '@passerelle/payment/stripe'
import { startStripeSimulator } from '@passerelle/simulators/stripe/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryCardProvider } from './card-provider.ts'
import { Ledgers } from './ledgers.ts'

const METHOD = { method: 'pm_card_visa', canAsk: false }
let simulator: Awaited<ReturnType<typeof startStripeSimulator>>
beforeAll(async () => {
  simulator = await startStripeSimulator({ seed: 'simulation' })
})
afterAll(() => simulator.stop())

const inMemory = () => {
  const declining = { behaviour: undefined as string | undefined }
  const tools = { ledgers: new Ledgers(), now: Date.now, behaviourAt: () => declining.behaviour, emit: () => {}, onCapture: () => {} }
  return { provider: memoryCardProvider(tools), decline: () => (declining.behaviour = 'declined') }
}
const ofSimulator = () => {
  const provider = stripeProvider({ key: 'sk_test_simulator', url: simulator.url, timeoutMs: 5000, metrics: createMetrics('payment') })
  return { provider, decline: () => (METHOD.method = 'pm_card_visa_chargeDeclined') }
}

describe.each([
  ['in memory', inMemory],
  ['of the simulator', ofSimulator],
])('the card provider %s', (where, open) => {
  let count = 0
  const opened = () => {
    METHOD.method = 'pm_card_visa'
    return open()
  }
  const newPayment = () => ({ id: `pay_${where.replaceAll(' ', '_')}_${++count}`, amountMinor: 27_400, currency: 'EUR' })
  const held = async ({ provider: cards }: ReturnType<typeof open>) => {
    const payment = newPayment()
    const { id } = await cards.create(payment, `pay:${payment.id}:create`)
    await cards.confirm(id, METHOD, `pay:${payment.id}:confirm`)
    return { intentId: id, paymentId: payment.id, bookingId: `bk_${payment.id}` }
  }
  const failure = (work: Promise<unknown>) =>
    work.then(() => null).catch((error: ProviderError) => ({ kind: error.kind, code: error.code }))

  test('makes one intent for a key, and holds the amount when it is confirmed', async () => {
    const { provider: cards } = opened()
    const payment = newPayment()
    const [first, second] = [await cards.create(payment, payment.id), await cards.create(payment, payment.id)]
    expect(second).toEqual(first)
    expect(first).toMatchObject({ status: 'requires_payment_method', error: null, cardSummary: null, clientSecret: null })
    expect(await cards.confirm(first.id, METHOD, `${payment.id}:confirm`)).toMatchObject({
      status: 'requires_capture',
      cardSummary: { brand: 'visa', last4: '4242' },
    })
    expect(await cards.read(first.id)).toMatchObject({ id: first.id, status: 'requires_capture' })
  })

  test('captures once, whatever the key, and voids nothing that was captured', async () => {
    const world = opened()
    const { intentId, bookingId } = await held(world)
    const captured = await world.provider.capture(intentId, `cap:${bookingId}`)
    expect(captured).toMatchObject({ status: 'succeeded' })
    expect(await world.provider.capture(intentId, `cap:${bookingId}`)).toEqual(captured)
    const refusal = { kind: 'refused', code: 'payment_intent_unexpected_state' }
    expect(await failure(world.provider.capture(intentId, `cap:${bookingId}:2`))).toEqual(refusal)
    expect(await failure(world.provider.cancel(intentId, `void:${bookingId}`))).toEqual(refusal)
  })

  test('voids a hold, which is not captured afterwards', async () => {
    const world = opened()
    const { intentId, bookingId } = await held(world)
    expect(await world.provider.cancel(intentId, `void:${bookingId}`)).toMatchObject({ status: 'canceled' })
    expect(await failure(world.provider.capture(intentId, `cap:${bookingId}`))).toEqual({
      kind: 'refused',
      code: 'payment_intent_unexpected_state',
    })
  })

  test('tells a decline, and keeps it with the intent', async () => {
    const world = opened()
    const payment = newPayment()
    const { id } = await world.provider.create(payment, payment.id)
    world.decline()
    expect(await failure(world.provider.confirm(id, METHOD, `${payment.id}:confirm`))).toMatchObject({
      kind: 'declined',
      code: 'card_declined',
    })
    expect(await world.provider.read(id)).toMatchObject({ status: 'requires_payment_method', error: { code: 'card_declined' } })
  })

  test('refunds once for a key, again for another, and never more than was captured', async () => {
    const world = opened()
    const about = { ...(await held(world)), amountMinor: 10_000, currency: 'EUR' }
    expect(await failure(world.provider.refund(about, `ref:${about.bookingId}:0`))).toMatchObject({ kind: 'refused' })
    await world.provider.capture(about.intentId, `cap:${about.bookingId}`)
    const first = await world.provider.refund(about, `ref:${about.bookingId}:1`)
    expect(first).toMatchObject({ status: 'succeeded', bookingId: about.bookingId, amountMinor: 10_000 })
    expect(await world.provider.refund(about, `ref:${about.bookingId}:1`)).toEqual(first)
    const second = await world.provider.refund(about, `ref:${about.bookingId}:2`)
    expect(await world.provider.refundsOf(about.intentId)).toEqual([second, first])
    expect(await failure(world.provider.refund(about, `ref:${about.bookingId}:3`))).toMatchObject({ kind: 'refused' })
  })

  test('lists what it has made, with the money that moved', async () => {
    const world = opened()
    const { intentId, bookingId, paymentId } = await held(world)
    await world.provider.capture(intentId, `cap:${bookingId}`)
    const span = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) }
    const { intents } = await world.provider.made(span, null)
    expect(intents.find((one) => one.intentId === intentId)).toMatchObject({
      paymentId,
      currency: 'EUR',
      capturedMinor: 27_400,
      refundedMinor: 0,
    })
  })
})
