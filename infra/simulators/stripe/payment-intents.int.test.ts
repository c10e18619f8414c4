import { describe, expect, it } from 'vitest'
import { anything, confirmation, errorOf, hold, intentOf, setUp } from './test-client.fixture.ts'

const unexpectedState = { statusCode: 400, rawType: 'invalid_request_error', code: 'payment_intent_unexpected_state' }

describe('authorising', () => {
  it('places a hold: requires_capture, the whole amount capturable, nothing received', async () => {
    const { stripe, sim } = await setUp()
    const made = await stripe.paymentIntents.create(intentOf())
    expect(made).toMatchObject({ status: 'requires_payment_method', latest_charge: null, amount_capturable: 0 })
    const intent = await stripe.paymentIntents.confirm(made.id, confirmation())
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'requires_capture',
      amount: 27_368,
      amount_capturable: 27_368,
      amount_received: 0,
      currency: 'eur',
      capture_method: 'manual',
      livemode: false,
      allowed_payment_method_types: ['card'],
      metadata: { booking_id: 'bk_1' },
      last_payment_error: null,
      canceled_at: null,
      latest_charge: { object: 'charge', captured: false },
    })
    expect(intent.id).toMatch(/^pi_/)
    expect(intent.payment_method).toMatch(/^pm_1/)
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
    expect((await sim.ledger()).intents).toMatchObject([
      { id: intent.id, status: 'requires_capture', captured: 0, refunded: 0, card: { brand: 'visa', last4: '4242' } },
    ])
  })

  it('refuses to confirm what is already confirmed, and a payment method that is not published', async () => {
    const { stripe } = await setUp()
    const { id } = await hold(stripe)
    expect(await errorOf(stripe.paymentIntents.confirm(id, confirmation()))).toMatchObject({ ...unexpectedState, payment_intent: { id } })
    expect(await errorOf(hold(stripe, { card: 'pm_none' }))).toMatchObject({
      code: 'resource_missing',
      param: 'payment_method',
      statusCode: 400,
    })
  })
})

describe('capturing and cancelling', () => {
  it('captures the hold once', async () => {
    const { stripe, sim } = await setUp()
    const { id } = await hold(stripe)
    expect(await stripe.paymentIntents.capture(id)).toMatchObject({ status: 'succeeded', amount_received: 27_368, amount_capturable: 0 })
    const error = await errorOf(stripe.paymentIntents.capture(id))
    expect(error).toMatchObject({ ...unexpectedState, payment_intent: { id } })
    expect(error.message).toContain('could not be captured because it has a status of succeeded')
    expect((await sim.ledger()).captures).toMatchObject([{ paymentIntent: id, amount: 27_368, currency: 'eur' }])
  })

  it('gives back the hold in every state before the money is taken', async () => {
    const { stripe, sim } = await setUp()
    const cancelled = await stripe.paymentIntents.cancel((await hold(stripe)).id)
    expect(cancelled).toMatchObject({ status: 'canceled', cancellation_reason: null, amount_capturable: 0, amount_received: 0 })
    expect(cancelled.canceled_at).toBeGreaterThan(0)
    const bare = await stripe.paymentIntents.create(intentOf())
    expect((await stripe.paymentIntents.cancel(bare.id)).status).toBe('canceled')
    expect((await sim.ledger()).counts).toMatchObject({ captures: 0, cancellations: 2 })
  })

  it('refuses to cancel what is captured or cancelled, and to capture or confirm what is cancelled', async () => {
    const { stripe } = await setUp()
    const { id } = await hold(stripe)
    await stripe.paymentIntents.capture(id)
    expect(await errorOf(stripe.paymentIntents.cancel(id))).toMatchObject(unexpectedState)
    const given = await hold(stripe)
    await stripe.paymentIntents.cancel(given.id)
    expect(await errorOf(stripe.paymentIntents.cancel(given.id))).toMatchObject(unexpectedState)
    expect(await errorOf(stripe.paymentIntents.capture(given.id))).toMatchObject(unexpectedState)
    expect(await errorOf(stripe.paymentIntents.confirm(given.id, confirmation()))).toMatchObject(unexpectedState)
  })

  it('keeps a hold for seven days, then cancels it', async () => {
    const { stripe, sim } = await setUp()
    const { id, latest_charge } = await hold(stripe)
    const { created } = latest_charge as { created: number }
    expect(latest_charge).toMatchObject({ payment_method_details: { card: { capture_before: created + 7 * 86_400 } } })
    await sim.advance(7 * 86_400 - 60)
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_capture')
    await sim.advance(120)
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
      amount_capturable: 0,
    })
    expect(await errorOf(stripe.paymentIntents.capture(id))).toMatchObject(unexpectedState)
  })
})

describe('strictness', () => {
  it('refuses parameters that are unknown or not simulated, naming them', async () => {
    const { stripe } = await setUp()
    const create = (change: object) => errorOf(stripe.paymentIntents.create(anything(intentOf(change))))
    const error = await create({ payment_method_types: ['card'] })
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', code: 'parameter_unknown' })
    expect(error).toMatchObject({ param: 'payment_method_types', message: 'Received unknown parameter: payment_method_types' })
    expect(await create({ confirm: true })).toMatchObject({ code: 'parameter_unknown', param: 'confirm' })
    const { id } = await hold(stripe)
    expect(await errorOf(stripe.paymentIntents.capture(id, { amount_to_capture: 5 }))).toMatchObject({ code: 'parameter_unknown' })
  })

  it('refuses missing and malformed parameters, naming them', async () => {
    const { stripe, sim } = await setUp()
    const create = (change: object) => errorOf(stripe.paymentIntents.create(anything(intentOf(change))))
    expect(await create({ amount: undefined })).toMatchObject({ code: 'parameter_missing', param: 'amount' })
    expect(await create({ currency: undefined })).toMatchObject({ code: 'parameter_missing', param: 'currency' })
    expect(await create({ amount: 10.5 })).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'amount',
      message: 'Invalid integer: 10.5',
    })
    expect(await create({ amount: -5 })).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' })
    for (const currency of ['', 'EUR', 'xyz']) expect(await create({ currency })).toMatchObject({ param: 'currency' })
    expect(await create({ capture_method: 'automatic' })).toMatchObject({ param: 'capture_method' })
    expect(await create({ metadata: { a: 'x'.repeat(501) } })).toMatchObject({ param: 'metadata[a]' })
    expect(await create({ metadata: { ['k'.repeat(41)]: 'x' } })).toMatchObject({ statusCode: 400 })
    expect((await sim.ledger()).intents).toEqual([])
  })

  it('knows the smallest units: minimum amounts, zero-decimal, three-decimal', async () => {
    const { stripe } = await setUp()
    const pay = (amount: number, currency: string) => hold(stripe, { amount, currency })
    expect(await errorOf(pay(49, 'eur'))).toMatchObject({ code: 'amount_too_small', message: 'Amount must be at least 0.50 eur' })
    expect(await errorOf(pay(49, 'jpy'))).toMatchObject({ code: 'amount_too_small', message: 'Amount must be at least 50 jpy' })
    expect(await errorOf(pay(100_000_000, 'eur'))).toMatchObject({ code: 'amount_too_large' })
    expect(await errorOf(pay(1050, 'isk'))).toMatchObject({ param: 'amount' })
    expect(await errorOf(pay(12_345, 'kwd'))).toMatchObject({ param: 'amount' })
    expect((await pay(30_000, 'jpy')).status).toBe('requires_capture')
    expect((await pay(12_340, 'kwd')).status).toBe('requires_capture')
  })

  it('answers 404 for an unknown id, encoded ones among them, and 501 for what is not simulated', async () => {
    const { stripe, simulator } = await setUp()
    expect(await errorOf(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_none'",
    })
    expect(await errorOf(stripe.paymentIntents.capture('pi/../x'))).toMatchObject({
      statusCode: 404,
      message: "No such payment_intent: 'pi/../x'",
    })
    for (const call of [stripe.customers.list(), stripe.charges.list(), stripe.events.retrieve('evt_1')])
      expect(await errorOf(call)).toMatchObject({ statusCode: 501, message: expect.stringContaining('is not simulated') })
    const response = await fetch(`${simulator.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_x', 'content-type': 'application/json' },
      body: '{"amount":1}',
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('application/x-www-form-urlencoded')
  })
})
