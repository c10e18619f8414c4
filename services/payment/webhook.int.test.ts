import { gzipSync } from 'node:zlib'
import { signature } from '@passerelle/simulators/webhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture, WEBHOOK_SECRET } from './payment.fixture.ts'

let payments: PaymentFixture
beforeAll(async () => {
  payments = await startPaymentFixture()
})
afterAll(() => payments.stop())

const charge = { amount: '274.00', currency: 'EUR' }
const intentOf = async (id: string) => (await payments.simulator.intentsOf(id))[0]!
const becomes = (id: string, state: object) => vi.waitFor(async () => expect((await payments.read(id)).body).toMatchObject(state), 10_000)
async function claimed(): Promise<{ id: string }> {
  const { body } = await payments.authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card() })
  await payments.claim(body.id, `bk_${body.id}`)
  return body
}

describe('the provider’s webhook', () => {
  const eventFor = (intentId: string, id = `evt_${Date.now()}`, type = 'payment_intent.canceled') =>
    JSON.stringify({ id, object: 'event', type, data: { object: { id: intentId, object: 'payment_intent', status: 'succeeded' } } })

  test('C25: an event makes the payment be read again; what the event itself claims counts for nothing', async () => {
    const { id } = await claimed()
    const intent = await intentOf(id)
    await payments.simulator.bringAbout({ case: 'expire-hold', paymentIntent: intent.id })
    const payload = eventFor(intent.id)
    const answers = [await payments.webhook(payload, signature(payload, WEBHOOK_SECRET))]
    answers.push(await payments.webhook(payload, signature(payload, WEBHOOK_SECRET)))
    expect(answers.map(({ status, body }) => [status, body.received])).toEqual([
      [200, true],
      [200, true],
    ])
    await becomes(id, { state: 'expired' })
  })

  test('C25: a forged, changed or old event is refused', async () => {
    const payload = eventFor('pi_any')
    const old = Math.floor(Date.now() / 1000) - 600
    for (const header of [
      signature(payload, 'whsec_other'),
      signature(`${payload} `, WEBHOOK_SECRET),
      signature(payload, WEBHOOK_SECRET, old),
      'x',
    ])
      expect((await payments.webhook(payload, header)).status).toBe(400)
  })

  test('an event about something unknown is accepted and forgotten', async () => {
    const payload = eventFor('pi_unknown')
    expect((await payments.webhook(payload, signature(payload, WEBHOOK_SECRET))).body).toEqual({ received: true })
  })

  const send = (payload: string | Uint8Array, headers: Record<string, string> = {}) =>
    payments.webhook(payload, signature(Buffer.from(payload).toString(), WEBHOOK_SECRET), headers)

  test.each([
    'null',
    '0',
    '"text"',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"payment_intent.canceled"}',
    '{"id":"evt_1","type":"payment_intent.canceled","data":null}',
    '{"id":"evt_1","type":"payment_intent.canceled","data":{"object":null}}',
    '{"id":"evt_1","type":"payment_intent.canceled","data":{"object":"pi_1"}}',
    '{"id":{"$ne":null},"type":["x"],"data":{"object":{}}}',
    'no json',
    '{"id":',
    ' ',
    '\u0000',
  ])('a correctly signed body that is no event is refused: %j', async (payload) => {
    const { status, body } = await send(payload)
    expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.message).toBeTypeOf('string')
  })

  test.each([
    { id: { $gt: '' }, object: 'payment_intent', metadata: 7 },
    { id: 'pi_1', object: 'payment_intent', metadata: { payment_id: { $ne: 1 } } },
    { object: 'charge', payment_intent: ['pi_1'], metadata: null },
    {},
  ])('fields of an event that are not what they should be lead nowhere: %j', async (object) => {
    const { status, body } = await send(JSON.stringify({ id: 'evt_1', type: 'charge.updated', data: { object } }))
    expect([status, body]).toEqual([200, { received: true }])
  })

  test('junk in body and headers is answered with our own JSON, never with a failure', async () => {
    const event = eventFor('pi_any')
    const signed = signature(event, WEBHOOK_SECRET)
    const answers = [
      await payments.webhook('', signature('', WEBHOOK_SECRET)),
      await payments.webhook(event, null),
      await payments.webhook(event, ''),
      await payments.webhook(event, 't=x,v1='),
      await payments.webhook(event, `${signed},v1=${'f'.repeat(5000)},t=,=,,`),
      await payments.webhook(event, 't=99999999999999999999,v1=zz'),
      await payments.webhook(Buffer.from([0xff, 0xfe, 0x00]), signed),
      await payments.webhook(gzipSync(event), signed, { 'content-encoding': 'br' }),
      await payments.webhook('not gzip', signed, { 'content-encoding': 'gzip' }),
      await payments.webhook(event, signed, { 'content-encoding': 'nonsense' }),
      await payments.webhook('x'.repeat(300_000), signed),
      await payments.call<{ error?: string }>('POST', '/api/payments/webhook/nonsense', Buffer.from(event)),
      await payments.call<{ error?: string }>('POST', '/api/payments/webhook/test'),
      await payments.call<{ error?: string }>('GET', '/api/payments/webhook/test'),
    ]
    expect(answers.map(({ status, body }) => [status >= 400 && status < 500, typeof body.error])).toEqual(
      answers.map(() => [true, 'string']),
    )
    const compressed = await payments.webhook(gzipSync(event), signed, {
      'content-encoding': 'gzip',
      'content-type': 'text/html; charset=x',
    })
    expect([compressed.status, compressed.body]).toEqual([200, { received: true }])
  })
})
