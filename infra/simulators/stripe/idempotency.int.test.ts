import { expect, it } from 'vitest'
import { clientOf, confirmation, errorOf, intentOf, setUp } from './test-client.fixture.ts'

it('answers the same key with the first answer, and does nothing again', async () => {
  const { stripe, sim } = await setUp()
  const first = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'booking:1:auth:1' })
  const again = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'booking:1:auth:1' })
  expect(again).toEqual(first)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(again.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  expect(first.lastResponse.idempotencyKey).toBe('booking:1:auth:1')
  await stripe.paymentIntents.confirm(first.id, confirmation())
  await stripe.paymentIntents.capture(first.id, {}, { idempotencyKey: 'booking:1:capture' })
  expect((await stripe.paymentIntents.capture(first.id, {}, { idempotencyKey: 'booking:1:capture' })).status).toBe('succeeded')
  const refund = { payment_intent: first.id, amount: 100 }
  const one = await stripe.refunds.create(refund, { idempotencyKey: 'booking:1:refund:1' })
  expect((await stripe.refunds.create(refund, { idempotencyKey: 'booking:1:refund:1' })).id).toBe(one.id)
  expect((await sim.ledger()).counts).toMatchObject({ intents: 1, captures: 1, refunds: 1 })
})

it('replays a decline, so that a new attempt needs a new key', async () => {
  const { stripe, sim } = await setUp()
  const { id } = await stripe.paymentIntents.create(intentOf())
  const confirm = (card: string, idempotencyKey: string) => stripe.paymentIntents.confirm(id, confirmation(card), { idempotencyKey })
  await errorOf(confirm('pm_card_visa_chargeDeclined', 'a'))
  expect(await errorOf(confirm('pm_card_visa_chargeDeclined', 'a'))).toMatchObject({ code: 'card_declined', payment_intent: { id } })
  expect((await sim.ledger()).counts.declines).toBe(1)
  expect((await confirm('pm_card_visa', 'b')).status).toBe('requires_capture')
})

it('replays a wrong-state answer even when the state has changed since', async () => {
  const { stripe } = await setUp()
  const { id } = await stripe.paymentIntents.create(intentOf())
  expect(await errorOf(stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'c' }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  await stripe.paymentIntents.confirm(id, confirmation())
  expect(await errorOf(stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'c' }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  expect((await stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'c2' })).status).toBe('succeeded')
})

it('refuses the same key with other parameters or for another route', async () => {
  const { stripe, sim } = await setUp()
  const { id } = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
  const other = await errorOf(stripe.paymentIntents.create(intentOf({ amount: 5000 }), { idempotencyKey: 'a' }))
  expect(other).toMatchObject({ type: 'StripeIdempotencyError', rawType: 'idempotency_error', statusCode: 400 })
  expect(await errorOf(stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'a' }))).toMatchObject({ rawType: 'idempotency_error' })
  expect((await sim.ledger()).counts).toMatchObject({ intents: 1, captures: 0 })
  expect(await errorOf(stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'k'.repeat(256) }))).toMatchObject({ statusCode: 400 })
})

it('does not keep a key whose request was refused for its parameters or its API key', async () => {
  const { stripe, simulator } = await setUp()
  expect(await errorOf(stripe.paymentIntents.create(intentOf({ amount: 1 }), { idempotencyKey: 'a' }))).toMatchObject({
    code: 'amount_too_small',
  })
  const live = clientOf(simulator.port, {}, 'sk_live_x')
  expect(await errorOf(live.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({ statusCode: 401 })
  expect((await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })).status).toBe('requires_payment_method')
})

it('answers 409 while the first request is under way, and the client comes back for the stored answer', async () => {
  const { stripe, sim, simulator } = await setUp()
  await sim.fault({ match: { method: 'POST', path: '/v1/payment_intents' }, effect: 'delay', ms: 400, times: 1 })
  const first = stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
  await expect.poll(async () => (await sim.ledger()).counts.requests['POST /v1/payment_intents']).toBe(1)
  const conflict = await errorOf(stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))
  expect(conflict).toMatchObject({ statusCode: 409, rawType: 'idempotency_error', code: 'idempotency_key_in_use' })
  const patient = clientOf(simulator.port, { maxNetworkRetries: 3 })
  const again = await patient.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
  expect(again.id).toBe((await first).id)
  expect((await sim.ledger()).counts.intents).toBe(1)
})

it('carries out a request whose client gave up waiting, and replays it to the retry', async () => {
  const { stripe, sim, simulator } = await setUp()
  await sim.fault({ match: { path: '/v1/payment_intents' }, effect: 'delay', ms: 300, times: 1 })
  const hasty = clientOf(simulator.port, { timeout: 100 })
  expect(await errorOf(hasty.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({
    type: 'StripeConnectionError',
  })
  await expect.poll(async () => (await sim.ledger()).counts.intents).toBe(1)
  const [listed] = (await sim.ledger()).intents
  const again = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
  expect(again.id).toBe(listed?.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
})

it('stores a server error too, when one is planned: the same key never gets through', async () => {
  const { stripe, sim } = await setUp()
  await sim.bringAbout({ case: 'stored-error' })
  expect(await errorOf(stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({ statusCode: 500 })
  expect(await errorOf(stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({ statusCode: 500 })
  expect((await sim.ledger()).counts.intents).toBe(0)
  expect((await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'b' })).status).toBe('requires_payment_method')
})

it('forgets keys after a day', async () => {
  const { stripe, sim } = await setUp()
  const first = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
  await sim.advance(24 * 3600 + 1)
  expect((await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })).id).not.toBe(first.id)
})
