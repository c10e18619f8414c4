/** For tests: what the flows of this service work with, on a real store, with a provider and a clock of the test's own. */

import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { testCaller } from '@passerelle/kit/testing'
import { testServers } from '@passerelle/servers/test/test-servers'
import type { HoldRequest } from './authorisation.ts'
import { paymentStore } from './store.ts'
import type { CardProvider } from './stripe.ts'
import type { Tools } from './tools.ts'

export const held = {
  id: 'pi_1',
  status: 'requires_capture',
  error: null,
  cardSummary: { brand: 'visa', last4: '4242' },
  clientSecret: null,
}

/** Does what it is asked. */
export const workingProvider = {
  create: async () => ({ ...held, status: 'requires_payment_method' }),
  confirm: async () => held,
  read: async () => ({ ...held, status: 'requires_payment_method' }),
} as unknown as CardProvider

export async function openTools() {
  const servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  const [log, metrics] = [createLog('payment', 'silent'), createMetrics('payment')]
  const connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, log)
  const store = paymentStore(connection, { metrics, log })
  await ensureIndexes(connection)
  let time = () => new Date()
  const restoreRuntime = replaceRuntime({ now: () => time().getTime() })
  const tools: Omit<Tools, 'provider'> = {
    store,
    log,
    metrics,
    hash: keyedHash('a key of the tests'),
    cardAttempts: { refuseStopped: async () => undefined, begin: async () => ({ end: async () => undefined }) },
    holdTimes: { holdMs: 900_000, idleMs: 120_000, challengeMs: 600_000 },
    allowRawCards: false,
    answerMs: 20_000,
    waitMs: 300,
  }
  return {
    store,
    metrics,
    connection,
    /** With a clock, that is the time of everything from now on. */
    toolsWith(provider: CardProvider, clock?: () => Date): Tools {
      if (clock) time = clock
      return { ...tools, provider: () => provider }
    },
    async close() {
      restoreRuntime()
      await connection.dropDatabase()
      await connection.close()
      await servers.stop()
    },
  }
}

export const requestFor = (key: string): HoldRequest => ({
  source: 'visitor',
  key,
  fingerprint: 'the same',
  mode: 'test',
  requestId: 'request-1',
  who: testCaller({ visitorId: 'visitor-1' }),
  instrument: { kind: 'method', id: 'pm_card_visa', cardSummary: { brand: 'visa', last4: '4242' } },
  terms: async () => ({ amountMinor: 27_400, currency: 'EUR', offerId: null }),
})
