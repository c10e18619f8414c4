/** POST /api/payments/process-card: the visitor that a hold belongs to, and the answer as the payment service gave it. */
import { hashToken } from '@passerelle/kit/auth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CARD_PAYMENT, everybodyIs, openWorld, TOKEN, type World } from '../gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const GUEST = `guest-${TOKEN}`
const held = { success: true, paymentId: 'pay_1', message: 'Payment authorised' }
const card = {
  ...CARD_PAYMENT,
  cardDetails: { number: '4242424242424242', expiryMonth: '12', expiryYear: '49', cvv: '123', holderName: 'Zoë' },
}
const pay = (headers: Record<string, string> = {}, json: object = card) =>
  world.ask('/api/payments/process-card', { method: 'POST', json, headers })
const opened = () => world.stubs.identity.received.filter(({ method }) => method === 'POST')

beforeEach(() => {
  const { payment, identity } = world.stubs
  payment.received = []
  identity.received = []
  payment.handlers['POST /api/payments/process-card'] = (_, response) => response.json(held)
  identity.handlers['POST /internal/sessions'] = (_, response) =>
    response.json({
      token: GUEST,
      maxAgeSeconds: 600,
      session: {
        sessionId: hashToken(GUEST),
        visitorId: 'vis_guest',
        userId: null,
        isAdmin: false,
        adminProofAt: null,
        expiresAt: '2026-12-21T10:00:00.000Z',
      },
    })
})

test('APAY-03: a guest gets a session first, and the authorisation is made as that visitor', async () => {
  const answer = await pay({ 'idempotency-key': 'key-1' })
  expect(answer).toMatchObject({ status: 200, body: held, headers: { 'cache-control': 'no-store' } })
  expect(answer.cookies).toEqual([`sid=${GUEST}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`])
  const [request] = world.stubs.payment.received
  expect(request).toMatchObject({
    headers: { 'idempotency-key': 'key-1' },
    caller: { userId: null, sessionId: hashToken(GUEST), visitorId: 'vis_guest' },
  })
  expect(JSON.parse(request?.body ?? '')).toEqual(card)
})

test('a visitor with a session keeps it', async () => {
  everybodyIs(world.stubs.identity, { userId: 'usr_7' })
  expect(await pay({ cookie: `sid=${TOKEN}own` })).toMatchObject({ status: 200, cookies: [] })
  expect(world.stubs.payment.received[0]?.caller).toMatchObject({ userId: 'usr_7', visitorId: 'vis_of_the_test' })
  expect(opened()).toEqual([])
})

test('EVT-09: with identity unavailable a guest pays all the same', async () => {
  world.stubs.identity.handlers['POST /internal/sessions'] = (_, response) => response.socket?.destroy()
  expect(await pay()).toMatchObject({ status: 200, body: held, cookies: [] })
  expect(world.stubs.payment.received[0]?.caller).toMatchObject({ sessionId: null, visitorId: null })
})

test('a body that cannot be a payment opens no session and reaches no service', async () => {
  for (const json of [{}, { amount: -1, currency: 'EUR' }, { ...card, currency: 'euros' }])
    expect(await pay({}, json)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' }, cookies: [] })
  expect([...opened(), ...world.stubs.payment.received]).toEqual([])
})

test('APAY-04: a decline keeps both its `success` and its code', async () => {
  const declined = { success: false, error: 'CARD_DECLINED', message: 'Your card was declined.', requestId: 'r' }
  world.stubs.payment.handlers['POST /api/payments/process-card'] = (_, response) => response.status(402).json(declined)
  expect(await pay()).toMatchObject({ status: 402, body: declined })
})

test('a repeat is marked, and one that is still under way says when to ask again', async () => {
  world.stubs.payment.handlers['POST /api/payments/process-card'] = (_, response) => response.set('idempotent-replayed', 'true').json(held)
  expect((await pay()).headers['idempotent-replayed']).toBe('true')
  world.stubs.payment.handlers['POST /api/payments/process-card'] = (_, response) =>
    response.status(409).set('retry-after', '1').json({ error: 'PAYMENT_IN_PROGRESS', message: 'x', requestId: 'r' })
  expect(await pay()).toMatchObject({ status: 409, headers: { 'retry-after': '1' }, body: { error: 'PAYMENT_IN_PROGRESS' } })
})

test('a payment service that is unavailable, or answers with a page: 503 JSON', async () => {
  world.stubs.payment.handlers['POST /api/payments/process-card'] = (_, response) =>
    response.status(500).type('html').send('<h1>secret</h1>')
  const page = await pay()
  expect(page).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE' } })
  expect(page.text).not.toContain('secret')
  await world.stubs.payment.stop()
  try {
    expect(await pay()).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE', requestId: expect.any(String) } })
  } finally {
    await world.stubs.payment.start()
  }
})
