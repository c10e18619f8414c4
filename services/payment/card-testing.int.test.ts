/** Whoever tries one card after the other is stopped, and nobody else. */
import { connectMongo } from '@passerelle/kit/mongo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
beforeAll(async () => {
  // As it is unless somebody says otherwise.
  payments = await startPaymentFixture({ CARD_DECLINES_PER_VISITOR: '', CARD_DECLINES_PER_NETWORK: '', CARD_STOP_SECONDS: '' })
})
afterAll(() => payments.stop())

const offer = { amount: '274.00', currency: 'EUR', offerId: 'off_paris' }
const good = { ...offer, cardDetails: card() }
const bad = { ...offer, cardDetails: card('4000000000000002') }
const charge = { amount: '274.00', currency: 'EUR' }

let visitors = 0
const visitor = (ip: string) => ({ visitorId: `v_${++visitors}`, sessionId: `s_${visitors}`, ip })
const attempts = async () => (await payments.simulator.ledger()).intents.reduce((sum, intent) => sum + intent.attempts, 0)
const requests = async () =>
  Object.entries((await payments.simulator.ledger()).counts.requests).reduce(
    (sum, [call, count]) => sum + (call.startsWith('POST') ? count : 0),
    0,
  )

describe('card testing', () => {
  test('the fourth card of a visitor who was declined three times is stopped for half an hour, and nothing reaches the provider', async () => {
    const eve = visitor('198.51.100.1')
    for (let i = 0; i < 3; i++) expect((await payments.pay(bad, newKey(), eve)).status).toBe(402)
    const before = await requests()
    for (const body of [bad, good]) {
      const { status, body: answer, headers } = await payments.pay(body, newKey(), eve)
      expect([status, answer.error]).toEqual([429, 'CARD_ATTEMPTS_STOPPED'])
      expect(answer.message).toBe('Too many declined cards. Please try again in 30 minutes, or contact us.')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1700)
    }
    const direct = await payments.authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card() }, eve)
    expect([direct.status, direct.body.error, Number(direct.headers.get('retry-after')) > 1700]).toEqual([
      429,
      'CARD_ATTEMPTS_STOPPED',
      true,
    ])
    expect(await requests()).toBe(before)
  })

  test('a card that comes along with a booking counts like any other', async () => {
    const eve = visitor('198.51.100.2')
    const direct = () => payments.authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card('4000000000000002') }, eve)
    for (let i = 0; i < 3; i++) expect((await direct()).status).toBe(402)
    expect((await direct()).status).toBe(429)
    expect((await payments.pay(good, newKey(), eve)).status).toBe(429)
  })

  test('500 declines from 50 sessions of one network, many at once: at most 20 reach the provider, and nobody else is stopped', async () => {
    const network = '2001:db8:7:7'
    const sessions = Array.from({ length: 50 }, (_, i) => visitor(`${network}::${(i + 1).toString(16)}`))
    const before = await attempts()
    const answers = (
      await Promise.all(
        sessions.map(async (session) => {
          const found: number[] = []
          for (let i = 0; i < 5; i++)
            for (const { status } of await Promise.all([payments.pay(bad, newKey(), session), payments.pay(bad, newKey(), session)]))
              found.push(status)
          return found
        }),
      )
    ).flat()
    expect(answers).toHaveLength(500)
    expect((await attempts()) - before).toBeGreaterThan(0)
    expect((await attempts()) - before).toBeLessThanOrEqual(20)
    expect(new Set(answers)).toEqual(new Set([402, 429]))
    const newcomer = await payments.pay(good, newKey(), visitor(`${network}:ffff::1`))
    expect([newcomer.status, newcomer.body.error]).toEqual([429, 'CARD_ATTEMPTS_STOPPED'])
    // The same offer and others are sold on: to the network next door, and over IPv4.
    for (const ip of ['2001:db8:7:8::1', '198.51.100.77', '::ffff:198.51.100.78'])
      expect((await payments.pay(good, newKey(), visitor(ip))).status).toBe(200)
  })

  test('an address that is written as IPv6 is the same network', async () => {
    for (let i = 0; i < 15; i++) expect((await payments.pay(bad, newKey(), visitor('198.51.100.3'))).status).toBe(402)
    expect((await payments.pay(good, newKey(), visitor('::ffff:198.51.100.3'))).status).toBe(429)
    expect((await payments.pay(good, newKey(), visitor('198.51.100.4'))).status).toBe(200)
  })

  test('good cards are not counted, however many a network pays with at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => payments.pay(good, newKey(), visitor('198.51.100.5'))))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
    expect((await payments.pay(bad, newKey(), visitor('198.51.100.5'))).status).toBe(402)
  })

  test('what is no attempt is not counted: an invalid card, the answer to an old key, a card that is not taken', async () => {
    const ines = visitor('198.51.100.6')
    const key = newKey()
    for (let i = 0; i < 5; i++) {
      expect((await payments.pay({ ...offer, cardDetails: { ...card(), cvv: '1' } }, newKey(), ines)).status).toBe(400)
      expect((await payments.pay({ ...offer, cardDetails: card('4916338506082832') }, newKey(), ines)).status).toBe(422)
      expect((await payments.pay(bad, key, ines)).status).toBe(402)
    }
    expect((await payments.pay(good, newKey(), ines)).status).toBe(200)
  })

  test('an attempt whose outcome is not known is no decline', async () => {
    const ines = visitor('198.51.100.7')
    for (let i = 0; i < 4; i++) {
      await payments.simulator.fault({ match: { method: 'POST', path: '/v1/payment_intents' }, effect: 'reset', times: 2 })
      expect((await payments.pay(bad, newKey(), ines)).status).toBe(503)
      await payments.simulator.clearFaults()
    }
    expect((await payments.pay(good, newKey(), ines)).status).toBe(200)
  })

  test('no address and no visitor is stored in a form that could be found by guessing', async () => {
    const { MONGO_URL, NAMESPACE } = payments.servers.environment
    const connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, payments.log)
    const stored = JSON.stringify(await connection.collection('card_attempts').find().toArray())
    const indexes = await connection.collection('card_attempts').indexes()
    await connection.close()
    expect(stored).toContain('network:')
    for (const guess of ['198.51.100', '2001:db8', 'v_1"', 's_1"']) expect(stored).not.toContain(guess)
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }))
  })
})
