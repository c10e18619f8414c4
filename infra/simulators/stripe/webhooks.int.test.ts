import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { atEnd, confirmation, errorOf, hold, intentOf, setUp } from './test-client.fixture.ts'

const secret = 'whsec_test'

/** Takes deliveries, answers what `answer` says for the n-th, and keeps those whose signature the real client accepts. */
const receive = async (answer: (delivery: number) => number = () => 200) => {
  const events: Stripe.Event[] = []
  const deliveries: { body: string; signature: string }[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const signature = String(req.headers['stripe-signature'])
    deliveries.push({ body, signature })
    const status = answer(deliveries.length)
    if (status < 300) events.push(Stripe.webhooks.constructEvent(body, signature, secret))
    res.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { events, deliveries, webhook: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, secret } }
}

it('sends signed events for hold, capture, refund, cancellation and decline', async () => {
  const { events, webhook } = await receive()
  const { stripe, sim } = await setUp({ webhook })
  const { id } = await stripe.paymentIntents.create(intentOf())
  const paid = await stripe.paymentIntents.confirm(id, confirmation(), { idempotencyKey: 'k1' })
  await stripe.paymentIntents.capture(paid.id)
  await stripe.refunds.create({ payment_intent: paid.id, amount: 100 })
  const given = await hold(stripe)
  await stripe.paymentIntents.cancel(given.id)
  const declined = await errorOf(hold(stripe, { card: 'pm_card_visa_chargeDeclined' }))
  await expect.poll(async () => (await sim.ledger()).counts.webhooks).toEqual({ delivered: 6 })
  const received = events.map((event) => `${event.type} ${(event.data.object as { id: string }).id}`).sort()
  expect(received).toEqual(
    [
      `payment_intent.amount_capturable_updated ${paid.id}`,
      `payment_intent.succeeded ${paid.id}`,
      `charge.refunded ${(paid.latest_charge as Stripe.Charge).id}`,
      `payment_intent.amount_capturable_updated ${given.id}`,
      `payment_intent.canceled ${given.id}`,
      `payment_intent.payment_failed ${declined.payment_intent?.id}`,
    ].sort(),
  )
  const held = events.find(
    (event) => event.type === 'payment_intent.amount_capturable_updated' && (event.data.object as Stripe.PaymentIntent).id === paid.id,
  )
  expect(held).toMatchObject({
    object: 'event',
    livemode: false,
    request: { idempotency_key: 'k1' },
    data: { object: { status: 'requires_capture', metadata: { booking_id: 'bk_1' } } },
  })
  expect(new Set(events.map((event) => event.id)).size).toBe(6)
})

it('signs so that the client refuses a changed body or another secret', async () => {
  const { deliveries, webhook } = await receive()
  const { stripe } = await setUp({ webhook })
  await hold(stripe)
  await expect.poll(() => deliveries.length).toBe(1)
  const [{ body, signature }] = deliveries as [{ body: string; signature: string }]
  expect(() => Stripe.webhooks.constructEvent(body.replace('27368', '27369'), signature, secret)).toThrow('No signatures found')
  expect(() => Stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow('No signatures found')
})

it('delivers again until the receiver accepts, with the same event id', async () => {
  const { events, deliveries, webhook } = await receive((delivery) => (delivery < 3 ? 500 : 200))
  const { stripe, sim } = await setUp({ webhook })
  await hold(stripe)
  await expect.poll(() => events.length, { timeout: 10_000 }).toBe(1)
  expect(deliveries).toHaveLength(3)
  expect(new Set(deliveries.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
  await expect.poll(async () => (await sim.ledger()).counts.webhooks).toEqual({ delivered: 1 })
})

it('sends events for a refund in the dashboard and for the end of a dispute, and lists the dispute', async () => {
  const { events, webhook } = await receive()
  const { stripe, sim } = await setUp({ webhook })
  const { id } = await hold(stripe)
  await stripe.paymentIntents.capture(id)
  await sim.bringAbout({ case: 'refund', paymentIntent: id, amount: 1000 })
  await expect(sim.bringAbout({ case: 'close-dispute', paymentIntent: id, won: true })).rejects.toThrow('no dispute is open')
  await sim.bringAbout({ case: 'dispute', paymentIntent: id })
  const refund = () => stripe.refunds.create({ payment_intent: id, amount: 100 })
  expect((await errorOf(refund())).code).toBe('charge_disputed')
  await sim.bringAbout({ case: 'close-dispute', paymentIntent: id, won: true })
  expect((await refund()).metadata).toEqual({})
  expect((await stripe.disputes.list({ payment_intent: id, limit: 100 })).data).toMatchObject([{ status: 'won', amount: 26_368 }])
  await expect.poll(() => events.map(({ type }) => type)).toContain('charge.dispute.closed')
})

it('sends events for an expired hold and for a dispute', async () => {
  const { events, webhook } = await receive()
  const { stripe, sim } = await setUp({ webhook })
  const held = await hold(stripe)
  const disputed = await hold(stripe)
  await stripe.paymentIntents.capture(disputed.id)
  await sim.bringAbout({ case: 'dispute', paymentIntent: disputed.id })
  await sim.advance(8 * 86_400)
  await expect
    .poll(() => events.map((event) => event.type).sort())
    .toEqual([
      'charge.dispute.created',
      'payment_intent.amount_capturable_updated',
      'payment_intent.amount_capturable_updated',
      'payment_intent.canceled',
      'payment_intent.succeeded',
    ])
  const cancelled = events.find((event) => event.type === 'payment_intent.canceled')
  expect(cancelled?.data.object).toMatchObject({ id: held.id, cancellation_reason: 'expired' })
})
