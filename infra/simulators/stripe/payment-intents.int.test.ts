import { describe, expect, it } from 'vitest'
import { anything, authorisation, errorOf, setUp } from './test-client.ts'

describe('authorising', () => {
  it('places a hold: requires_capture, the whole amount capturable, nothing received', async () => {
    const { stripe, sim } = await setUp()
    const intent = await stripe.paymentIntents.create(authorisation)
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'requires_capture',
      amount: 27_368,
      amount_capturable: 27_368,
      amount_received: 0,
      currency: 'eur',
      capture_method: 'manual',
      livemode: false,
      payment_method_types: ['card'],
      allowed_payment_method_types: ['card'],
      metadata: { booking_id: 'bk_1' },
      last_payment_error: null,
      next_action: null,
      canceled_at: null,
    })
    expect(intent.id).toMatch(/^pi_/)
    expect(intent.client_secret).toContain(`${intent.id}_secret_`)
    expect(intent.latest_charge).toMatch(/^ch_/)
    expect(intent.payment_method).toMatch(/^pm_1/)
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
    expect((await sim.ledger()).intents).toMatchObject([
      {
        id: intent.id,
        status: 'requires_capture',
        captured: 0,
        refunded: 0,
        card: { brand: 'visa', last4: '4242' },
        metadata: { booking_id: 'bk_1' },
      },
    ])
  })

  it('goes in two steps: create, then confirm with a payment method', async () => {
    const { stripe } = await setUp()
    const made = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
    })
    expect(made).toMatchObject({ status: 'requires_payment_method', latest_charge: null, amount_capturable: 0 })
    const withMethod = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      payment_method: 'pm_card_mastercard',
      allowed_payment_method_types: ['card'],
    })
    expect(withMethod.status).toBe('requires_confirmation')
    expect((await stripe.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' })).status).toBe('requires_capture')
    expect(await stripe.paymentIntents.confirm(withMethod.id)).toMatchObject({ status: 'succeeded', amount_received: 1000 })
  })

  it('takes the money at once when the capture is automatic', async () => {
    const { stripe, sim } = await setUp()
    const intent = await stripe.paymentIntents.create({ ...authorisation, capture_method: 'automatic' })
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 27_368, amount_capturable: 0 })
    expect((await sim.ledger()).counts).toMatchObject({ captures: 1, byStatus: { succeeded: 1 } })
  })

  it('refuses to confirm without a payment method, or what is already paid', async () => {
    const { stripe } = await setUp()
    const made = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd', allowed_payment_method_types: ['card'] })
    expect(await errorOf(stripe.paymentIntents.confirm(made.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    })
    await stripe.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' })
    const error = await errorOf(stripe.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' }))
    expect(error).toMatchObject({ code: 'payment_intent_unexpected_state', payment_intent: { id: made.id, status: 'succeeded' } })
  })

  it('asks for a return URL when methods that redirect are not excluded', async () => {
    const { stripe } = await setUp()
    const open = { amount: 1000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' }
    expect(await errorOf(stripe.paymentIntents.create(open))).toMatchObject({ statusCode: 400, param: 'return_url' })
    const never = { enabled: true, allow_redirects: 'never' } as const
    expect((await stripe.paymentIntents.create({ ...open, automatic_payment_methods: never })).status).toBe('succeeded')
  })

  it('changes description, metadata and amount until the payment is made', async () => {
    const { stripe } = await setUp()
    const { id } = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      metadata: { a: '1', b: '2' },
      allowed_payment_method_types: ['card'],
    })
    const changed = await stripe.paymentIntents.update(id, { amount: 2000, description: 'Flight', metadata: { a: '', c: '3' } })
    expect(changed).toMatchObject({ amount: 2000, description: 'Flight', metadata: { b: '2', c: '3' } })
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(await errorOf(stripe.paymentIntents.update(id, { amount: 3000 }))).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect((await stripe.paymentIntents.update(id, { metadata: '' })).metadata).toEqual({})
  })
})

describe('capturing and cancelling', () => {
  it('captures the hold once', async () => {
    const { stripe, sim } = await setUp()
    const { id } = await stripe.paymentIntents.create(authorisation)
    expect(await stripe.paymentIntents.capture(id)).toMatchObject({ status: 'succeeded', amount_received: 27_368, amount_capturable: 0 })
    const error = await errorOf(stripe.paymentIntents.capture(id))
    expect(error).toMatchObject({
      statusCode: 400,
      rawType: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: { id },
    })
    expect(error.message).toContain('could not be captured because it has a status of succeeded')
    expect((await sim.ledger()).captures).toMatchObject([{ paymentIntent: id, amount: 27_368, currency: 'eur' }])
  })

  it('captures a part and releases the rest; never more than the hold', async () => {
    const { stripe } = await setUp()
    const { id } = await stripe.paymentIntents.create(authorisation)
    expect(await errorOf(stripe.paymentIntents.capture(id, { amount_to_capture: 27_369 }))).toMatchObject({ param: 'amount_to_capture' })
    const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 20_000, expand: ['latest_charge'] } as never)
    expect(captured).toMatchObject({ status: 'succeeded', amount: 27_368, amount_received: 20_000, amount_capturable: 0 })
    const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    expect(latest_charge).toMatchObject({ object: 'charge', captured: true, amount_captured: 20_000, amount_refunded: 0 })
  })

  it('gives back the hold, with a reason, in every state before the money is taken', async () => {
    const { stripe, sim } = await setUp()
    const held = await stripe.paymentIntents.create(authorisation)
    const cancelled = await stripe.paymentIntents.cancel(held.id, { cancellation_reason: 'requested_by_customer' })
    expect(cancelled).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'requested_by_customer',
      amount_capturable: 0,
      amount_received: 0,
    })
    expect(cancelled.canceled_at).toBeGreaterThan(0)
    const bare = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd', allowed_payment_method_types: ['card'] })
    expect((await stripe.paymentIntents.cancel(bare.id)).status).toBe('canceled')
    expect((await sim.ledger()).counts).toMatchObject({ captures: 0, cancellations: 2 })
  })

  it('refuses to cancel what is captured or cancelled, and to capture what is cancelled', async () => {
    const { stripe } = await setUp()
    const captured = await stripe.paymentIntents.create({ ...authorisation, capture_method: 'automatic' })
    expect(await errorOf(stripe.paymentIntents.cancel(captured.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      statusCode: 400,
    })
    const held = await stripe.paymentIntents.create(authorisation)
    await stripe.paymentIntents.cancel(held.id)
    expect(await errorOf(stripe.paymentIntents.cancel(held.id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect(await errorOf(stripe.paymentIntents.capture(held.id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect(await errorOf(stripe.paymentIntents.confirm(held.id, { payment_method: 'pm_card_visa' }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(await errorOf(stripe.paymentIntents.cancel(held.id, { cancellation_reason: anything('bored') }))).toMatchObject({
      param: 'cancellation_reason',
    })
  })

  it('keeps a hold for seven days, then cancels it', async () => {
    const { stripe, sim } = await setUp()
    const { id, created } = await stripe.paymentIntents.create(authorisation)
    const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    expect(latest_charge).toMatchObject({ payment_method_details: { card: { capture_before: created + 7 * 86_400 } } })
    await sim.advance(7 * 86_400 - 60)
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_capture')
    await sim.advance(120)
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
      amount_capturable: 0,
    })
    expect(await errorOf(stripe.paymentIntents.capture(id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
  })
})

describe('strictness', () => {
  it('refuses unknown parameters, also those that older clients knew', async () => {
    const { stripe } = await setUp()
    const { allowed_payment_method_types: types, ...rest } = authorisation
    const error = await errorOf(stripe.paymentIntents.create(anything({ ...rest, payment_method_types: types })))
    expect(error).toMatchObject({
      statusCode: 400,
      rawType: 'invalid_request_error',
      code: 'parameter_unknown',
      param: 'payment_method_types',
    })
    expect(error.message).toBe('Received unknown parameter: payment_method_types')
    const { id } = await stripe.paymentIntents.create(authorisation)
    expect(await errorOf(stripe.paymentIntents.capture(id, anything({ amount: 5 })))).toMatchObject({
      code: 'parameter_unknown',
      param: 'amount',
    })
  })

  it('refuses missing and malformed parameters, naming them', async () => {
    const { stripe, sim } = await setUp()
    const create = (change: object) => errorOf(stripe.paymentIntents.create(anything({ ...authorisation, ...change })))
    expect(await create({ amount: undefined })).toMatchObject({ code: 'parameter_missing', param: 'amount' })
    expect(await create({ currency: undefined })).toMatchObject({ code: 'parameter_missing', param: 'currency' })
    expect(await create({ amount: 10.5 })).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'amount',
      message: 'Invalid integer: 10.5',
    })
    expect(await create({ amount: -5 })).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' })
    expect(await create({ currency: '' })).toMatchObject({ code: 'parameter_invalid_empty', param: 'currency' })
    expect(await create({ currency: 'EUR' })).toMatchObject({ param: 'currency' })
    expect(await create({ currency: 'xyz' })).toMatchObject({ param: 'currency' })
    expect(await create({ capture_method: 'later' })).toMatchObject({ param: 'capture_method' })
    expect(await create({ confirm: 'yes' })).toMatchObject({ param: 'confirm', message: 'Invalid boolean: yes' })
    expect(await create({ receipt_email: 'nobody' })).toMatchObject({ code: 'email_invalid', param: 'receipt_email' })
    expect(await create({ metadata: { a: 'x'.repeat(501) } })).toMatchObject({ param: 'metadata[a]' })
    expect(await create({ metadata: { ['k'.repeat(41)]: 'x' } })).toMatchObject({ statusCode: 400 })
    expect(await create({ payment_method: 'pm_none' })).toMatchObject({
      code: 'resource_missing',
      param: 'payment_method',
      statusCode: 400,
    })
    expect(await create({ confirm: false })).toMatchObject({ param: 'error_on_requires_action' })
    expect(await create({ expand: ['customer.name'] })).toMatchObject({ param: 'expand' })
    expect((await sim.ledger()).intents).toEqual([])
  })

  it('knows the smallest units: minimum amounts, zero-decimal, three-decimal', async () => {
    const { stripe } = await setUp()
    const pay = (amount: number, currency: string) => stripe.paymentIntents.create({ ...authorisation, amount, currency })
    expect(await errorOf(pay(49, 'eur'))).toMatchObject({ code: 'amount_too_small', message: 'Amount must be at least 0.50 eur' })
    expect(await errorOf(pay(49, 'jpy'))).toMatchObject({ code: 'amount_too_small', message: 'Amount must be at least 50 jpy' })
    expect(await errorOf(pay(100_000_000, 'eur'))).toMatchObject({ code: 'amount_too_large' })
    expect(await errorOf(pay(1050, 'isk'))).toMatchObject({ param: 'amount' })
    expect(await errorOf(pay(12_345, 'kwd'))).toMatchObject({ param: 'amount' })
    expect((await pay(30_000, 'jpy')).status).toBe('requires_capture')
    expect((await pay(12_340, 'kwd')).status).toBe('requires_capture')
  })

  it('answers 404 for what does not exist, encoded ids and unknown routes among them', async () => {
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
    expect(await errorOf(stripe.customers.list())).toMatchObject({ statusCode: 404 })
    const response = await fetch(`${simulator.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_x', 'content-type': 'application/json' },
      body: '{"amount":1}',
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('application/x-www-form-urlencoded')
  })
})
