/** Cards in live mode: a payment method of the provider's hosted fields, and the question that a bank may ask its customer. */
import { startStripeSimulator } from '@passerelle/simulators/stripe/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { card, controlOf, newKey, type PaymentFixture, SYSTEM, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
let provider: ReturnType<typeof controlOf>
let stopProvider: () => Promise<void>

beforeAll(async () => {
  const simulator = await startStripeSimulator({ live: true, seed: 'live' })
  stopProvider = simulator.stop
  provider = controlOf(simulator.url)
  payments = await startPaymentFixture({ STRIPE_LIVE_KEY: 'sk_live_simulator', STRIPE_LIVE_URL: simulator.url, CHALLENGE_SECONDS: '3' })
})
afterAll(async () => {
  await payments.stop()
  await stopProvider()
})

const visitor = { mode: 'live' as const, visitorId: 'v_live', sessionId: 's_live' }
const [GOOD, DECLINED, ASKS] = ['4242424242424242', '4000000000000002', '4000002760003184']

/** What the hosted fields make of a number, in the browser. */
async function methodOf(number: string): Promise<string> {
  const response = await fetch(`${provider.url}/hosted/payment_methods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'pk_live_simulator', number, expiry: '1249', cvc: '123' }),
  })
  return ((await response.json()) as { paymentMethod: { id: string } }).paymentMethod.id
}
const payment = async (number: string) => ({ amount: '274.00', currency: 'EUR', paymentMethodId: await methodOf(number) })
const pay = (body: object, key: string) => payments.pay(body, key, visitor)
const stateOf = async (id: string) => (await payments.read(id, { ...SYSTEM, mode: 'live' })).body.state

/** The bank's question, as the browser gets it. */
async function asked(key = newKey()) {
  const body = await payment(ASKS)
  const answer = await pay(body, key)
  expect([answer.status, answer.body.error]).toEqual([402, 'PAYMENT_ACTION_REQUIRED'])
  const { paymentId, clientSecret } = answer.body.details as { paymentId: string; clientSecret: string }
  return { body, key, paymentId, clientSecret, intentId: clientSecret.split('_secret_')[0] as string }
}
const answer = (intentId: string, agreed: boolean) => provider.bringAbout({ case: 'answer-challenge', paymentIntent: intentId, agreed })
const intentOf = async (paymentId: string) => (await provider.intentsOf(paymentId))[0]

describe('R-22: a card in live mode', () => {
  test('a payment method of the hosted fields holds the amount at the provider of live mode alone', async () => {
    const { status, body } = await pay(await payment(GOOD), newKey())
    expect([status, body.success]).toEqual([200, true])
    const { body: record } = await payments.read(String(body.paymentId), { ...SYSTEM, mode: 'live' })
    expect(record).toMatchObject({ state: 'authorised', mode: 'live', cardLast4: '4242' })
    expect(await intentOf(record.id)).toMatchObject({ status: 'requires_capture', amount: 27_400 })
    expect((await payments.simulator.ledger()).intents).toEqual([])
  })

  test('PAY-23: a raw number is refused with what to do instead, and neither stored nor logged', async () => {
    const number = '4916338506082832'
    const { status, body } = await pay({ amount: '274.00', currency: 'EUR', cardDetails: card(number) }, newKey())
    expect([status, body.error, body.message]).toEqual([
      422,
      'RAW_CARD_REFUSED',
      'Card numbers are not accepted here. Please use the secure card form.',
    ])
    expect(payments.logs.join('\n')).not.toContain(number)
  })

  test('a card that is declined at once is told as in test mode', async () => {
    const { status, body } = await pay(await payment(DECLINED), newKey())
    expect([status, body.error, body.message]).toEqual([402, 'CARD_DECLINED', 'Your card was declined.'])
  })
})

describe('R-22: the bank asks its customer', () => {
  test('nothing is held until the customer has answered, and the secret of the question is neither stored nor logged', async () => {
    const { paymentId, intentId, clientSecret } = await asked()
    expect(await stateOf(paymentId)).toBe('requires_action')
    expect(await intentOf(paymentId)).toMatchObject({ id: intentId, status: 'requires_action', capturable: 0 })
    expect(JSON.stringify(await payments.documentOf(paymentId))).not.toContain(clientSecret)
    expect(payments.logs.join('\n')).not.toContain(clientSecret)
  })

  test('the same request asks the same question again, without a second intent', async () => {
    const first = await asked()
    const again = await pay(first.body, first.key)
    expect([again.status, again.body.details]).toEqual([402, { paymentId: first.paymentId, clientSecret: first.clientSecret }])
    expect(await provider.intentsOf(first.paymentId)).toHaveLength(1)
  })

  test('answered well: the same request has the hold, which a booking claims and captures once', async () => {
    const { body, key, paymentId, intentId } = await asked()
    await answer(intentId, true)
    const paid = await pay(body, key)
    expect([paid.status, paid.body.paymentId]).toEqual([200, paymentId])
    const system = { ...SYSTEM, mode: 'live' as const }
    expect((await payments.claim(paymentId, 'bk_live', system)).status).toBe(200)
    const captures = await Promise.all([payments.capture(paymentId, system), payments.capture(paymentId, system)])
    expect(captures.map(({ status }) => status)).toEqual([200, 200])
    expect(await intentOf(paymentId)).toMatchObject({ status: 'succeeded', captured: 27_400, attempts: 1 })
  })

  test('what the browser claims does not count: a request that says the bank agreed when it did not is asked again', async () => {
    const { body, key } = await asked()
    expect((await pay({ ...body, success: true, status: 'requires_capture' }, key)).body.error).toBe('PAYMENT_ACTION_REQUIRED')
  })

  test('answered badly: the same request is declined, and a new one may try another card', async () => {
    const { body, key, paymentId, intentId } = await asked()
    await answer(intentId, false)
    const failed = await pay(body, key)
    expect([failed.status, failed.body]).toMatchObject([
      402,
      { success: false, error: 'CARD_DECLINED', message: 'Your bank could not confirm that it is you.' },
    ])
    expect(await intentOf(paymentId)).toMatchObject({ captured: 0, capturable: 0 })
    expect((await pay(await payment(GOOD), newKey())).status).toBe(200)
  })

  test('left alone: the question is withdrawn, nothing is held, and what the same request then begins is another payment', async () => {
    const { body, key, paymentId } = await asked()
    await vi.waitFor(async () => expect(await stateOf(paymentId)).toBe('abandoned'), { timeout: 20_000, interval: 200 })
    expect(await intentOf(paymentId)).toMatchObject({ status: 'canceled', captured: 0 })
    // Its key is free: what comes now is another payment, with a question of its own.
    const anew = await pay(body, key)
    expect((anew.body.details as { paymentId: string }).paymentId).not.toBe(paymentId)
  })

  test('answered well by a visitor who never came back: the hold is voided', async () => {
    const hurried = await startPaymentFixture({
      STRIPE_LIVE_KEY: 'sk_live_simulator',
      STRIPE_LIVE_URL: provider.url,
      CHALLENGE_SECONDS: '2',
      HOLD_IDLE_SECONDS: '2',
    })
    try {
      const first = await hurried.pay(await payment(ASKS), newKey(), visitor)
      const { paymentId, clientSecret } = first.body.details as { paymentId: string; clientSecret: string }
      await answer(clientSecret.split('_secret_')[0] as string, true)
      await vi.waitFor(async () => expect(await intentOf(paymentId)).toMatchObject({ status: 'canceled', captured: 0 }), {
        timeout: 20_000,
        interval: 200,
      })
    } finally {
      await hurried.stop()
    }
  })

  test('a booking that brought its card along is asked too, and goes on with the same key', async () => {
    const request = {
      key: newKey(),
      charge: { amount: '274.00', currency: 'EUR' },
      offerId: 'off_paris',
      paymentMethodId: await methodOf(ASKS),
    }
    const first = await payments.authorise(request, visitor)
    expect([first.status, first.body.error]).toEqual([402, 'PAYMENT_ACTION_REQUIRED'])
    const { paymentId, clientSecret } = first.body.details as { paymentId: string; clientSecret: string }
    await answer(clientSecret.split('_secret_')[0] as string, true)
    const held = await payments.authorise(request, visitor)
    expect([held.status, held.body]).toMatchObject([200, { id: paymentId, state: 'authorised', cardLast4: '3184' }])
    const plain = await payments.authorise({ ...request, key: newKey(), paymentMethodId: await methodOf(GOOD) }, visitor)
    expect(plain.body).toMatchObject({ state: 'authorised', cardLast4: '4242' })
  })

  test('a hold that the bank still asks about cannot be claimed', async () => {
    const { paymentId } = await asked()
    const claimed = await payments.claim(paymentId, 'bk_early', { ...SYSTEM, mode: 'live' })
    expect([claimed.status, claimed.body.error]).toEqual([409, 'PAYMENT_NOT_USABLE'])
  })
})
