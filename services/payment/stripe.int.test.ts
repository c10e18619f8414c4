import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMetrics } from '@passerelle/kit/metrics'
import { afterEach, describe, expect, test } from 'vitest'
import { type CardProvider, ProviderError, stripeProvider } from './stripe.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; form: URLSearchParams }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A provider that answers everything alike and remembers what it was asked. */
async function providerAnswering(status: number, body: unknown): Promise<{ provider: CardProvider; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, form: new URLSearchParams(text) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { provider: stripeProvider({ key: 'sk_test_any', url, timeoutMs: 500, metrics: createMetrics('payment') }), seen }
}

const intent = (more: object = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  status: 'requires_capture',
  last_payment_error: null,
  latest_charge: null,
  ...more,
})
const failure = async (work: Promise<unknown>) =>
  (await work.then(
    () => undefined,
    (error: unknown) => error,
  )) as ProviderError

describe('what is sent', () => {
  test('an intent holds cards only, is captured later, and carries our id and nothing of the visitor', async () => {
    const { provider, seen } = await providerAnswering(200, intent({ status: 'requires_payment_method' }))
    await provider.create({ id: 'pay_1', amountMinor: 27_400, currency: 'EUR' }, 'pay:pay_1:create')
    expect(Object.fromEntries(seen[0]!.form)).toEqual({
      amount: '27400',
      currency: 'eur',
      capture_method: 'manual',
      'allowed_payment_method_types[0]': 'card',
      'metadata[payment_id]': 'pay_1',
    })
    expect(seen[0]!.headers).toMatchObject({ 'idempotency-key': 'pay:pay_1:create', authorization: 'Bearer sk_test_any' })
    expect(seen[0]!.headers['x-stripe-client-telemetry']).toBeUndefined()
  })

  test('a confirmation names the payment method, and asks for no step in a browser', async () => {
    const { provider, seen } = await providerAnswering(
      200,
      intent({ latest_charge: { payment_method_details: { card: { brand: 'visa', last4: '4242' } } } }),
    )
    const confirmed = await provider.confirm('pi_1', { method: 'pm_card_visa', canAsk: false }, 'key')
    expect([seen[0]!.url, seen[0]!.form.get('payment_method'), seen[0]!.form.get('error_on_requires_action')]).toEqual([
      '/v1/payment_intents/pi_1/confirm',
      'pm_card_visa',
      'true',
    ])
    expect(confirmed).toEqual({
      id: 'pi_1',
      status: 'requires_capture',
      error: null,
      cardSummary: { brand: 'visa', last4: '4242' },
      clientSecret: null,
    })
  })

  test('R-22: where the browser can show a question of the bank it is asked for, and its secret is in the answer only while it waits', async () => {
    const asking = await providerAnswering(200, intent({ status: 'requires_action', client_secret: 'pi_1_secret_x' }))
    const asked = await asking.provider.confirm('pi_1', { method: 'pm_1', canAsk: true }, 'key')
    expect([...asking.seen[0]!.form.entries()]).toEqual([
      ['payment_method', 'pm_1'],
      ['use_stripe_sdk', 'true'],
      ['expand[0]', 'latest_charge'],
    ])
    expect([asked.status, asked.clientSecret]).toEqual(['requires_action', 'pi_1_secret_x'])
    const { provider } = await providerAnswering(200, intent({ client_secret: 'pi_1_secret_x' }))
    expect((await provider.read('pi_1')).clientSecret).toBeNull()
  })

  test('a raw number, where it is allowed, becomes a payment method without a name', async () => {
    const { provider, seen } = await providerAnswering(200, { id: 'pm_9', object: 'payment_method' })
    expect(await provider.createMethod({ number: '4916338506082832', expMonth: 2, expYear: 2049, cvc: '123' })).toBe('pm_9')
    expect([...seen[0]!.form.keys()].sort()).toEqual(['card[cvc]', 'card[exp_month]', 'card[exp_year]', 'card[number]', 'type'])
  })

  test('ids cannot lead to another address', async () => {
    const { provider, seen } = await providerAnswering(200, intent())
    await provider.read('../refunds')
    expect(seen[0]!.url).toMatch(/^\/v1\/payment_intents\/\.\.%2Frefunds/)
  })
})

describe('what an answer means', () => {
  const answers: [what: string, status: number, body: unknown, expected: object][] = [
    [
      'a refusal by the bank',
      402,
      { error: { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', message: 'x' } },
      { kind: 'declined', declineCode: 'lost_card' },
    ],
    [
      'a decline without a decline code',
      402,
      { error: { type: 'card_error', code: 'expired_card', message: 'x' } },
      { kind: 'declined', code: 'expired_card', declineCode: null },
    ],
    [
      'a call in the wrong state',
      400,
      { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'x' } },
      { kind: 'refused', code: 'payment_intent_unexpected_state' },
    ],
    ['an unknown id', 404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } }, { kind: 'refused' }],
    [
      'a raw number that is not allowed',
      402,
      { error: { type: 'invalid_request_error', message: 'Sending credit card numbers directly to the Stripe API is generally unsafe.' } },
      { kind: 'refused', code: 'raw_card_refused' },
    ],
    [
      'a wrong key of ours',
      401,
      { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
      { kind: 'unknown', needsNewKey: false },
    ],
    [
      'too many requests',
      429,
      { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'x' } },
      { kind: 'unknown', needsNewKey: false },
    ],
    ['a key used for something else', 400, { error: { type: 'idempotency_error', message: 'x' } }, { kind: 'unknown', needsNewKey: true }],
    [
      'a key whose request still runs',
      409,
      { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'x' } },
      { kind: 'unknown', needsNewKey: false },
    ],
    ['a failure of the provider', 500, { error: { type: 'api_error', message: 'x' } }, { kind: 'unknown', needsNewKey: true }],
    ['a page of a proxy', 502, '<html>bad gateway</html>', { kind: 'unknown' }],
  ]
  test.each(answers)('%s', async (_what, status, body, expected) => {
    const { provider } = await providerAnswering(status, body)
    const error = await failure(provider.confirm('pi_1', { method: 'pm_card_visa', canAsk: false }, 'key'))
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject(expected)
  })

  test('after five failures in a row it is not asked for a while', async () => {
    const { provider, seen } = await providerAnswering(429, { error: { type: 'invalid_request_error', message: 'x' } })
    for (let i = 0; i < 8; i++) expect((await failure(provider.read('pi_1'))).kind).toBe('unknown')
    expect(seen).toHaveLength(5)
  })

  test('declines and refusals are answers of a healthy provider', async () => {
    const { provider, seen } = await providerAnswering(402, { error: { type: 'card_error', code: 'card_declined', message: 'x' } })
    for (let i = 0; i < 8; i++)
      expect((await failure(provider.confirm('pi_1', { method: 'pm_card_visa', canAsk: false }, `key-${i}`))).kind).toBe('declined')
    expect(seen).toHaveLength(8)
  })
})
