/** For tests: the payment service on its servers, with the card provider's simulator and a search service beside it. */
import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '@passerelle/contracts/error'
import type { PaymentRecord } from '@passerelle/contracts/http/payment'
import type { Caller } from '@passerelle/kit/auth'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { type RunningService, start } from '@passerelle/kit/service'
import { createTestKeys, type TestKeys } from '@passerelle/kit/testing'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { ledgerOf } from '@passerelle/simulators/stripe/ledger'
import { startStripeSimulator } from '@passerelle/simulators/stripe/server'
import { type SearchFixture, startSearchFixture } from './search.fixture.ts'
import { payment } from './service.ts'

export type Answer<Body> = { status: number; headers: Headers; body: Body }
export type CardAnswer = {
  success?: boolean
  paymentId?: string
  error?: ErrorCode
  message?: string
  requestId?: string
  details?: unknown
}
export type Refusal = { error?: ErrorCode; message?: string; details?: unknown; issues?: { path: string; message: string }[] }
export type Ledger = ReturnType<typeof ledgerOf>

export const WEBHOOK_SECRET = 'whsec_test_of_payments'
export const HASH_KEY = Buffer.alloc(32, 7).toString('base64')
export const GOOD_CARD = '4242424242424242'

export const card = (number = GOOD_CARD) => ({ number, expiryMonth: '12', expiryYear: '49', cvv: '123', holderName: 'Ada Example' })
export const newKey = () => `key-${randomUUID()}`

/** What a booking that goes on by itself says about who is asking: nothing. */
export const SYSTEM: Partial<Caller> = { actor: 'booking', visitorId: null, userId: null, sessionId: null, ip: null }

export type PaymentFixture = Awaited<ReturnType<typeof startPaymentFixture>>

export async function startPaymentFixture(environment: Record<string, string> = {}) {
  const [servers, keys, simulator] = await Promise.all([testServers(), createTestKeys(), startStripeSimulator({ seed: 'payment' })])
  const search = await startSearchFixture(keys.tokens)
  const logs: string[] = []
  const log = createLog('payment', 'debug', { write: (line) => void logs.push(line) })
  const settings = {
    ...servers.environment,
    ...keys.environment('payment'),
    SEARCH_URL: search.url,
    STRIPE_TEST_KEY: 'sk_test_simulator',
    STRIPE_TEST_URL: simulator.url,
    STRIPE_TEST_WEBHOOK_SECRET: WEBHOOK_SECRET,
    HASH_KEY,
    // All visitors of the tests share an address; the limit on declined cards has tests of its own.
    CARD_DECLINES_PER_VISITOR: '1000',
    CARD_DECLINES_PER_NETWORK: '1000',
    ...environment,
  }
  const begin = (): Promise<RunningService> => start(payment, settings, { log })
  let service = await begin()
  return {
    ...callsTo(() => service.url, keys),
    callsAt: (url: string) => callsTo(() => url, keys),
    adminUrl: () => service.adminUrl,
    simulator: controlOf(simulator.url),
    search: search as SearchFixture,
    servers,
    /** What is stored of a payment. */
    async documentOf(id: string) {
      const { MONGO_URL, NAMESPACE } = servers.environment
      const connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, log)
      try {
        return await connection.collection<{ _id: string; refusedRefunds?: unknown[]; visitorId?: string }>('payments').findOne({ _id: id })
      } finally {
        await connection.close()
      }
    },
    settings,
    logs,
    log,
    pauseService: () => service.stop(),
    async resumeService() {
      service = await begin()
    },
    async stop() {
      await service.stop()
      await Promise.all([simulator.stop(), search.close(), servers.stop()])
    },
  }
}

export function callsTo(url: () => string, keys: TestKeys) {
  async function call<Body>(
    method: string,
    path: string,
    body?: unknown,
    more: { caller?: Partial<Caller>; headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(url() + path, {
      method,
      headers: {
        ...(await keys.headers('payment', {
          actor: path.startsWith('/internal/') ? 'booking' : 'gateway',
          sessionId: 'session-of-the-test',
          visitorId: 'visitor-of-the-test',
          ...more.caller,
        })),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(body !== undefined && { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body } satisfies Answer<Body>
  }
  return {
    call,
    pay: (body: unknown, key: string | null = newKey(), caller: Partial<Caller> = {}) =>
      call<CardAnswer & Refusal>('POST', '/api/payments/process-card', body, {
        caller,
        headers: key === null ? {} : { 'idempotency-key': key },
      }),
    authorise: (body: unknown, caller: Partial<Caller> = {}) =>
      call<PaymentRecord & Refusal>('POST', '/internal/payments', body, { caller }),
    read: (id: string, caller: Partial<Caller> = SYSTEM) =>
      call<PaymentRecord & Refusal>('GET', `/internal/payments/${id}`, undefined, { caller }),
    claim: (id: string, bookingId: string, caller: Partial<Caller> = SYSTEM) =>
      call<PaymentRecord & Refusal>('POST', `/internal/payments/${id}/claim`, { bookingId }, { caller }),
    capture: (id: string, caller: Partial<Caller> = SYSTEM) =>
      call<PaymentRecord & Refusal>('POST', `/internal/payments/${id}/capture`, undefined, { caller }),
    release: (id: string, caller: Partial<Caller> = SYSTEM) =>
      call<PaymentRecord & Refusal>('POST', `/internal/payments/${id}/release`, undefined, { caller }),
    webhook: (payload: string | Uint8Array, signature: string | null, headers: Record<string, string> = {}) =>
      call<{ received?: boolean } & Refusal>('POST', '/api/payments/webhook/test', Buffer.from(payload), {
        headers: { ...(signature !== null && { 'stripe-signature': signature }), ...headers },
      }),
  }
}

export function controlOf(url: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/_sim/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.json() as Promise<unknown>
  }
  const ledger = () => call('GET', 'ledger') as Promise<Ledger>
  return {
    url,
    ledger,
    /** The intents made for one payment. */
    async intentsOf(paymentId: string | undefined) {
      return (await ledger()).intents.filter((intent) => intent.metadata.payment_id === paymentId)
    },
    fault: (fault: unknown) => call('POST', 'faults', fault),
    clearFaults: () => call('DELETE', 'faults'),
    advance: (advanceSeconds: number) => call('POST', 'clock', { advanceSeconds }),
    bringAbout: (body: unknown) => call('POST', 'cases', body),
  }
}

export type HeardEvent = { type: string; key: string; sequence: number; value: string; data: Record<string, unknown> }

/** Everything that was ever said on a topic, kept up to date. */
export async function listenTo(servers: TestServers, topic: string, log = createLog('listener', 'silent')) {
  const { KAFKA_BROKERS, NAMESPACE } = servers.environment
  const consumer = kafkaClient({ brokers: KAFKA_BROKERS, clientId: 'listener', log }).consumer({ groupId: `listener-${randomUUID()}` })
  const heard: HeardEvent[] = []
  await consumer.connect()
  await consumer.subscribe({ topics: [NAMESPACE + topic], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => {
      const value = message.value?.toString() ?? ''
      heard.push({
        type: String(message.headers?.ce_type),
        key: String(message.key),
        sequence: Number(message.headers?.ce_sequence),
        value,
        data: JSON.parse(value),
      })
    },
  })
  return {
    heard,
    of: (paymentId: string | undefined) => heard.filter((event) => event.key === paymentId).sort((a, b) => a.sequence - b.sequence),
    stop: () => consumer.disconnect(),
  }
}
