import { describe, expect, it } from 'vitest'
import { anything, clientOf, errorOf, intentOf, jsonOf, setUp } from './test-client.fixture.ts'

const CARD = { key: 'pk_live_simulator', number: '4000002760003184', expiry: '1249', cvc: '123' }

const liveMode = async () => {
  const { simulator, sim } = await setUp({ live: true })
  const stripe = clientOf(simulator.port, {}, 'sk_live_simulated')
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${simulator.url}/hosted/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await jsonOf(response) }
  }
  /** An intent about which the bank asks. */
  const asked = async () => {
    const { id } = await stripe.paymentIntents.create(intentOf())
    const payment_method = (await post('payment_methods', CARD)).body.paymentMethod.id
    return stripe.paymentIntents.confirm(id, anything({ payment_method, use_stripe_sdk: true, expand: ['latest_charge'] }))
  }
  return { url: simulator.url, sim, stripe, post, asked }
}

describe('what a browser gets in live mode', () => {
  it('serves the script and its pages, and nothing of them in test mode', async () => {
    const { url } = await liveMode()
    const test = await setUp()
    for (const path of ['/endive/stripe.js', '/hosted/fields', '/hosted/challenge']) {
      expect((await fetch(url + path)).status, path).toBe(200)
      expect((await fetch(test.simulator.url + path)).status, path).not.toBe(200)
    }
  })

  it('makes a payment method of a card, which nothing repeats but its last four digits', async () => {
    const { post, sim, stripe } = await liveMode()
    const made = await post('payment_methods', CARD)
    expect(made.body.paymentMethod).toMatchObject({ object: 'payment_method', livemode: true, card: { brand: 'visa', last4: '3184' } })
    expect(JSON.stringify([made, await sim.ledger()])).not.toContain(CARD.number)
    expect(await post('payment_methods', { ...CARD, number: '1' })).toMatchObject({ status: 402, body: { error: { param: 'number' } } })
    expect((await post('payment_methods', { ...CARD, key: 'sk_live_secret' })).status).toBe(402)
    const { id } = await stripe.paymentIntents.create(intentOf())
    const published = { payment_method: 'pm_card_visa', use_stripe_sdk: true, expand: ['latest_charge'] }
    expect(await errorOf(stripe.paymentIntents.confirm(id, anything(published)))).toMatchObject({ code: 'resource_missing' })
  })

  it('holds the amount once the cardholder has agreed, with the secret of the intent alone', async () => {
    const { stripe, post, asked } = await liveMode()
    const intent = await asked()
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
      latest_charge: null,
      livemode: true,
    })
    const path = `payment_intents/${intent.id}`
    expect((await post(path, { clientSecret: `${intent.id}_secret_guessed`, agreed: true })).status).toBe(401)
    expect((await post(path, { clientSecret: intent.client_secret })).body.paymentIntent).toMatchObject({ last4: '3184' })
    expect((await post(path, { clientSecret: intent.client_secret, agreed: true })).body.paymentIntent.status).toBe('requires_capture')
    expect(await stripe.paymentIntents.capture(intent.id)).toMatchObject({ status: 'succeeded', amount_received: intent.amount })
  })

  it('takes a refusal as a failed authentication, and cancels a question', async () => {
    const { stripe, sim, asked } = await liveMode()
    const [refused, left] = [await asked(), await asked()]
    await sim.bringAbout({ case: 'answer-challenge', paymentIntent: refused.id, agreed: false })
    expect(await stripe.paymentIntents.retrieve(refused.id, { expand: ['latest_charge'] })).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    expect(await stripe.paymentIntents.cancel(left.id)).toMatchObject({ status: 'canceled', next_action: null })
  })
})
