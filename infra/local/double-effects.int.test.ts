/** The campaign `make double-submits` with small numbers: whatever is pressed however often, at whichever gateway, happens once. */
import { PATIENT_CACHE } from '@passerelle/servers/test/test-servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anotherGateway } from './another-gateway.fixture.ts'
import {
  booked,
  cancelled,
  cancelRound,
  differences,
  type Round,
  type Shop,
  settled,
  statusOf,
  submitRound,
  ways,
} from './double-effects.fixture.ts'
import { type LocalSystem, localSystem } from './test-visitor.fixture.ts'

const CLICKS = 10
const CALLS = 20

let system: LocalSystem
let stopSecond: () => Promise<void>
let shop: Shop
const rounds: Round[] = []
beforeAll(async () => {
  const namespace = `t${Math.random().toString(36).slice(2, 8)}-`
  const given = { NAMESPACE: namespace, RATE_LIMIT_FACTOR: '1000', ACCOUNT_WITHIN_MS: '20000', LOG_LEVEL: 'silent', ...PATIENT_CACHE }
  system = await localSystem({ NAMESPACE: namespace })
  const second = await anotherGateway(system, given)
  stopSecond = second.stop
  const { duffel, stripe, mailbox, backbone } = system
  shop = { gateways: [system.url, second.url], duffel, stripe, mailbox, mongoUrl: backbone.MONGO_URL, namespace }
})
afterAll(async () => {
  await stopSecond()
  await system.stop()
})

describe('R-26, ABOOK-14: a booking that is submitted again and again at two gateways', () => {
  test.each(ways.map((way, index) => ({ way, index })))('with $way: all are told the same', async ({ way, index }) => {
    const round = await submitRound(shop, index, CLICKS)
    expect(round.way).toBe(way)
    expect(round.answers).toHaveLength(1)
    rounds.push(round)
  })

  test('is one order, one capture, one confirmation, one account and one welcome, and no hold is left', async () => {
    expect(rounds).toHaveLength(ways.length)
    expect(differences(await settled(shop, rounds, booked, 20), booked)).toEqual([])
  })
})

test('ABOOK-22: a booking that is cancelled by twenty calls at once is one cancellation, one refund and one mail', async () => {
  for (const round of rounds) expect(await cancelRound(shop, round, CALLS)).toHaveLength(1)
  expect(differences(await settled(shop, rounds, cancelled, 20), cancelled)).toEqual([])
  for (const round of rounds) expect(await statusOf(round)).toBe('cancelled')
})
