import { describe, expect, it } from 'vitest'
import { clientOf, confirmation, controlOf, errorOf, hold, intentOf, jsonOf, setUp } from './test-client.fixture.ts'

describe('test cards', () => {
  const declines = [
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', 'Your card was declined.'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'Your card was declined.'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded', 'repeated attempts'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', undefined, 'Your card has expired.'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', undefined, 'security code is incorrect'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', undefined, 'An error occurred while processing your card.'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ] as const

  it.each(declines)('%s is declined with %s / %s', async (card, code, declineCode, message) => {
    const { stripe, sim } = await setUp()
    const error = await errorOf(hold(stripe, { card }))
    expect(error).toMatchObject({ type: 'StripeCardError', rawType: 'card_error', statusCode: 402, code })
    // The client turns an absent code into an empty one.
    expect(error.decline_code).toBe(declineCode ?? '')
    expect(error.message).toContain(message)
    expect(error.requestId).toMatch(/^req_/)
    expect(await stripe.paymentIntents.retrieve(error.payment_intent?.id as string, { expand: ['latest_charge'] })).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { type: 'card_error', code, message: error.message },
      latest_charge: { status: 'failed', failure_code: code },
    })
    expect((await sim.ledger()).counts).toMatchObject({ intents: 1, declines: 1, authorisations: 0, captures: 0 })
  })

  it.each([
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
  ])('%s pays', async (card, brand, last4) => {
    const { stripe } = await setUp()
    expect(await hold(stripe, { card })).toMatchObject({
      status: 'requires_capture',
      latest_charge: { payment_method_details: { card: { brand, last4 } } },
    })
  })

  it('lets a declined intent be confirmed again with another card', async () => {
    const { stripe, sim } = await setUp()
    const error = await errorOf(hold(stripe, { card: 'pm_card_visa_chargeDeclined' }))
    const id = error.payment_intent?.id as string
    expect(await errorOf(stripe.paymentIntents.confirm(id, confirmation('pm_card_chargeDeclinedExpiredCard')))).toMatchObject({
      code: 'expired_card',
      payment_intent: { id, status: 'requires_payment_method' },
    })
    const paid = await stripe.paymentIntents.confirm(id, confirmation())
    expect(paid).toMatchObject({ id, status: 'requires_capture', last_payment_error: null })
    expect((await sim.ledger()).intents).toMatchObject([{ id, attempts: 3, declines: 2, card: { last4: '4242' } }])
  })

  it.each(['pm_card_authenticationRequired', 'pm_card_authenticationRequiredOnSetup'])(
    '%s fails with authentication_required, because no action is possible',
    async (card) => {
      const { stripe } = await setUp()
      expect(await errorOf(hold(stripe, { card }))).toMatchObject({
        statusCode: 402,
        code: 'authentication_required',
        payment_intent: { status: 'requires_payment_method' },
      })
    },
  )
})

describe('card numbers and keys', () => {
  it('refuses raw card numbers and never repeats them', async () => {
    const { stripe, sim } = await setUp()
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' }
    const error = await errorOf(stripe.paymentMethods.create({ type: 'card', card }))
    expect(error).toMatchObject({ rawType: 'invalid_request_error', statusCode: 402 })
    expect(error.code).toBeUndefined()
    expect(error.message).toContain('Sending credit card numbers directly to the Stripe API is generally unsafe')
    expect(JSON.stringify([error.raw, await sim.ledger()])).not.toContain('4242424242')
  })

  it('wants a secret test key', async () => {
    const { simulator } = await setUp()
    for (const key of ['sk_live_real', 'pk_test_public', 'nonsense', 'sk_test_']) {
      const error = await errorOf(clientOf(simulator.port, {}, key).paymentIntents.retrieve('pi_1'))
      expect(error, key).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
      expect(error.message).not.toContain('sk_live_real')
    }
    const bare = await fetch(`${simulator.url}/v1/payment_intents/pi_1`)
    expect(bare.status).toBe(401)
    expect((await jsonOf(bare)).error.message).toContain('You did not provide an API key')
  })

  it('makes the same ids from the same seed, and never one twice in a data file', async () => {
    const [first, second] = [await setUp({ seed: 'same' }), await setUp({ seed: 'same' })]
    const make = async ({ stripe }: typeof first) => (await stripe.paymentIntents.create(intentOf())).id
    const id = await make(first)
    expect(await make(second)).toBe(id)
    await first.sim.reset()
    expect(await make(first)).not.toBe(id)
    expect((await controlOf(first.simulator.url).ledger()).counts.intents).toBe(1)
  })
})
