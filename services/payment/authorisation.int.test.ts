/** Whose turn it is with a payment when a request about it has ended badly. */
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { type TestServers, testServers } from '@passerelle/local/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hold } from './authorisation.ts'
import { type PaymentStore, paymentStore } from './store.ts'
import type { CardProvider } from './stripe.ts'
import type { Tools } from './tools.ts'

let servers: TestServers
let connection: Connection
let store: PaymentStore
beforeAll(async () => {
  servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, createLog('payment', 'silent'))
  store = paymentStore(connection)
  await ensureIndexes(connection)
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await servers.stop()
})

const held = { id: 'pi_1', status: 'requires_capture', error: null, face: { brand: 'visa', last4: '4242' } }
const obliging = {
  create: async () => ({ ...held, status: 'requires_payment_method' }),
  confirm: async () => held,
  read: async () => ({ ...held, status: 'requires_payment_method' }),
} as unknown as CardProvider

const toolsWith = (provider: CardProvider): Tools => ({
  store,
  provider: () => provider,
  log: createLog('payment', 'silent'),
  metrics: createMetrics('payment'),
  clock: () => new Date(),
  holdMs: 900_000,
  allowRawCards: false,
  answerMs: 20_000,
  waitMs: 300,
})

const request = (key: string) => ({
  source: 'visitor' as const,
  key,
  fingerprint: 'the same',
  mode: 'test' as const,
  requestId: 'request-1',
  instrument: { kind: 'method' as const, id: 'pm_card_visa', face: { brand: 'visa', last4: '4242' } },
  terms: async () => ({ amountMinor: 27_400, currency: 'EUR', offerId: null }),
})

test('a request that broke off by a fault of our own gives its turn back: the same key pays at once', async () => {
  const broken = toolsWith({ ...obliging, confirm: () => Promise.reject(new TypeError('a fault')) })
  await expect(hold(request('k1'), broken)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
  const { payment, replayed } = await hold(request('k1'), toolsWith(obliging))
  expect([payment.state, replayed]).toEqual(['authorised', false])
})

test('C6: a request that is still at work keeps its turn', async () => {
  const answer = Promise.withResolvers<typeof held>()
  const first = hold(request('k2'), toolsWith({ ...obliging, confirm: () => answer.promise }))
  await expect.poll(async () => (await store.byKey('k2'))?.intentId).toBe('pi_1')
  await expect(hold(request('k2'), toolsWith(obliging))).rejects.toMatchObject({ code: 'PAYMENT_IN_PROGRESS' })
  answer.resolve(held)
  expect((await first).payment.state).toBe('authorised')
})

test('a request that ends when another has taken its place does not give that one’s turn away', async () => {
  const answer = Promise.withResolvers<never>()
  let now = new Date()
  const slow = { ...toolsWith({ ...obliging, confirm: () => answer.promise }), clock: () => now }
  const first = hold(request('k3'), slow)
  await expect.poll(async () => (await store.byKey('k3'))?.intentId).toBe('pi_1')
  now = new Date(now.getTime() + 60_000)
  const second = Promise.withResolvers<typeof held>()
  const next = hold(request('k3'), { ...toolsWith({ ...obliging, confirm: () => second.promise }), clock: () => now })
  await expect.poll(async () => (await store.byKey('k3'))?.tries.confirm).toBe(2)
  answer.reject(new TypeError('cut off'))
  await expect(first).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
  expect((await store.byKey('k3'))?.attemptUntil).not.toBeNull()
  second.resolve(held)
  expect((await next).payment.state).toBe('authorised')
})
