import { describe, expect, it } from 'vitest'
import { anything, authorisation, clientOf, controlOf, errorOf, jsonOf, setUp } from './test-client.ts'

describe('test cards', () => {
  const declines = [
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.', '0002'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.', '9995'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', 'Your card was declined.', '9987'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'Your card was declined.', '9979'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded', 'repeated attempts', '6975'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', undefined, 'Your card has expired.', '0069'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', undefined, 'security code is incorrect', '0127'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', undefined, 'An error occurred while processing your card.', '0119'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline', 'Your card was declined.', '0341'],
  ] as const

  it.each(declines)('%s is declined with %s / %s', async (payment_method, code, declineCode, message, last4) => {
    const { stripe, sim } = await setUp()
    const error = await errorOf(stripe.paymentIntents.create({ ...authorisation, payment_method }))
    expect(error).toMatchObject({ type: 'StripeCardError', rawType: 'card_error', statusCode: 402, code })
    // The client turns an absent code into an empty one.
    expect(error.decline_code).toBe(declineCode ?? '')
    expect(error.message).toContain(message)
    expect(error.requestId).toMatch(/^req_/)
    const intent = await stripe.paymentIntents.retrieve(error.payment_intent?.id as string, { expand: ['latest_charge'] })
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { type: 'card_error', code, message: error.message, payment_method: { card: { last4 } } },
      latest_charge: { status: 'failed', paid: false, failure_code: code },
    })
    expect((await sim.ledger()).counts).toMatchObject({ intents: 1, declines: 1, authorisations: 0, captures: 0 })
  })

  it.each([
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
  ])('%s pays', async (payment_method, brand, last4) => {
    const { stripe } = await setUp()
    const intent = await stripe.paymentIntents.create({ ...authorisation, payment_method, expand: ['latest_charge', 'payment_method'] })
    expect(intent).toMatchObject({
      status: 'requires_capture',
      payment_method: { type: 'card', card: { brand, last4 } },
      latest_charge: { payment_method_details: { card: { brand, last4 } } },
    })
  })

  it('lets a declined intent be confirmed again with another card', async () => {
    const { stripe, sim } = await setUp()
    const error = await errorOf(stripe.paymentIntents.create({ ...authorisation, payment_method: 'pm_card_visa_chargeDeclined' }))
    const id = error.payment_intent?.id as string
    expect(await errorOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedExpiredCard' }))).toMatchObject({
      code: 'expired_card',
      payment_intent: { id, status: 'requires_payment_method' },
    })
    const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', error_on_requires_action: true })
    expect(paid).toMatchObject({ id, status: 'requires_capture', last_payment_error: null })
    expect((await sim.ledger()).intents).toMatchObject([{ id, attempts: 3, declines: 2, card: { last4: '4242' } }])
  })

  it('opens a dispute for the disputing card once it is captured', async () => {
    const { stripe, sim } = await setUp()
    const { id } = await stripe.paymentIntents.create({ ...authorisation, payment_method: 'pm_card_createDispute' })
    expect((await sim.ledger()).disputes).toEqual([])
    await stripe.paymentIntents.capture(id)
    expect((await sim.ledger()).disputes).toMatchObject([{ paymentIntent: id, amount: 27_368 }])
    expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_disputed' })
  })
})

describe('3-D Secure', () => {
  it.each(['pm_card_authenticationRequired', 'pm_card_authenticationRequiredOnSetup'])(
    '%s fails with authentication_required when no action is possible',
    async (payment_method) => {
      const { stripe } = await setUp()
      const error = await errorOf(stripe.paymentIntents.create({ ...authorisation, payment_method }))
      expect(error).toMatchObject({
        statusCode: 402,
        code: 'authentication_required',
        payment_intent: { status: 'requires_payment_method', next_action: null },
      })
    },
  )

  it('asks for an action otherwise, and the cardholder completes it on the page of the bank', async () => {
    const { stripe } = await setUp()
    const { error_on_requires_action: _, ...open } = authorisation
    const intent = await stripe.paymentIntents.create({
      ...open,
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'http://shop.example/back?x=1',
    })
    expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' }, amount_capturable: 0 })
    const page = intent.next_action?.redirect_to_url?.url as string
    expect(await (await fetch(page)).text()).toContain('Complete authentication')
    const back = await fetch(`${page}/complete`, { method: 'POST', redirect: 'manual' })
    expect(back.status).toBe(303)
    const location = new URL(back.headers.get('location') as string)
    expect(location.searchParams.get('redirect_status')).toBe('succeeded')
    expect(location.searchParams.get('payment_intent')).toBe(intent.id)
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_capture')
    expect((await fetch(page)).status).toBe(404)
  })

  it('goes back to requires_payment_method when the cardholder fails', async () => {
    const { stripe, sim } = await setUp()
    const { error_on_requires_action: _, ...open } = authorisation
    const intent = await stripe.paymentIntents.create({ ...open, payment_method: 'pm_card_authenticationRequired' })
    expect(intent.next_action?.type).toBe('use_stripe_sdk')
    await sim.bringAbout({ case: 'authenticate', paymentIntent: intent.id, outcome: 'failure' })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    expect((await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })).status).toBe('requires_capture')
  })
})

describe('card numbers and keys', () => {
  it('refuses raw card numbers everywhere and never repeats them', async () => {
    const { stripe, sim } = await setUp()
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' }
    for (const call of [
      stripe.paymentMethods.create({ type: 'card', card }),
      stripe.paymentIntents.create(anything({ ...authorisation, payment_method_data: { type: 'card', card } })),
    ]) {
      const error = await errorOf(call)
      expect(error).toMatchObject({ rawType: 'invalid_request_error', statusCode: 402 })
      expect(error.code).toBeUndefined()
      expect(error.message).toContain('Sending credit card numbers directly to the Stripe API is generally unsafe')
      expect(JSON.stringify(error.raw)).not.toContain('4242424242')
    }
    expect(JSON.stringify(await sim.ledger())).not.toContain('4242424242')
  })

  it('makes payment methods from test tokens and retrieves them, like the published ids', async () => {
    const { stripe } = await setUp()
    const method = await stripe.paymentMethods.create({
      type: 'card',
      card: { token: 'tok_visa_chargeDeclinedInsufficientFunds' },
      billing_details: { name: 'Ada Lovelace' },
    })
    expect(await stripe.paymentMethods.retrieve(method.id)).toMatchObject({
      card: { last4: '9995' },
      billing_details: { name: 'Ada Lovelace' },
    })
    expect(await errorOf(stripe.paymentIntents.create({ ...authorisation, payment_method: method.id }))).toMatchObject({
      decline_code: 'insufficient_funds',
    })
    expect(await stripe.paymentMethods.retrieve('pm_card_amex')).toMatchObject({
      object: 'payment_method',
      card: { brand: 'amex', last4: '0005' },
    })
    expect(await errorOf(stripe.paymentMethods.retrieve('pm_card_none'))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
    expect(await errorOf(stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_none' } }))).toMatchObject({
      code: 'resource_missing',
    })
  })

  it('wants a secret test key', async () => {
    const { simulator } = await setUp()
    for (const key of ['sk_live_real', 'pk_test_public', 'nonsense', 'sk_test_']) {
      const error = await errorOf(clientOf(simulator.port, {}, key).paymentIntents.list())
      expect(error, key).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
      expect(error.message).not.toContain('sk_live_real')
    }
    const bare = await fetch(`${simulator.url}/v1/payment_intents`)
    expect(bare.status).toBe(401)
    expect((await jsonOf(bare)).error.message).toContain('You did not provide an API key')
  })

  it('makes the same ids from the same seed, and never one twice in a data file', async () => {
    const [first, second] = [await setUp({ seed: 'same' }), await setUp({ seed: 'same' })]
    const [a, b] = [await first.stripe.paymentIntents.create(authorisation), await second.stripe.paymentIntents.create(authorisation)]
    expect(a.id).toBe(b.id)
    await first.sim.reset()
    expect((await first.stripe.paymentIntents.create(authorisation)).id).not.toBe(a.id)
    expect((await controlOf(first.simulator.url).ledger()).counts.intents).toBe(1)
  })
})
