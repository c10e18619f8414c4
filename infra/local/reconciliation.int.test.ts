/** One day of the whole system, compared with the simulators' own books. */
import { randomUUID } from 'node:crypto'
import { reconcileCommand } from '@passerelle/booking/reconciliations/command'
import { executeCommand } from '@passerelle/kit/command'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalSystem, ledger, localSystem, type StripeLedger, testCard, Visitor } from './test-visitor.fixture.ts'

// Of this run alone: real servers keep what earlier runs have booked today.
const NAMESPACE = `reconciled-${randomUUID().slice(0, 8)}-`
let system: LocalSystem
beforeAll(async () => {
  system = await localSystem({ NAMESPACE })
})
afterAll(async () => {
  await system.stop()
})

const today = new Date().toISOString().slice(0, 10)
async function reconcile(): Promise<string[]> {
  const lines: string[] = []
  const environment = { MONGO_URL: system.backbone.MONGO_URL, NAMESPACE }
  await executeCommand(reconcileCommand, { args: ['--day', today], environment, print: (text) => lines.push(...text.split('\n')) })
  return lines
}

test('nothing differs while all is well; a booking that is missing here is found by its ticket and its money', {
  timeout: 120_000,
}, async () => {
  const ines = await new Visitor(system.url).known()
  const search = (days: number) =>
    `origin=CDG&destination=LIS&departureDate=${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}`
  const first = await ines.book(await ines.offer(search(50)), { cardDetails: testCard })
  const refundable = await ines.offer(search(51), (one) => one.conditions.refundable && one.owner.iata_code === 'ZZ')
  const second = await ines.book(refundable, { cardDetails: testCard })
  expect([first.status, second.status]).toEqual([201, 201])
  expect((await ines.post(`/api/bookings/${second.body.id}/cancel`)).status).toBe(200)
  await expect
    .poll(async () => (await ledger<StripeLedger>(system.stripe)).intents.filter(({ refunded }) => refunded > 0).length, {
      timeout: 20_000,
    })
    .toBe(1)
  await expect
    .poll(reconcile, { timeout: 20_000 })
    .toEqual([`${today}, test mode: 2 bookings, 2 orders and 2 payments compared, 0 differences`])

  const mongo = await connectMongo(system.backbone.MONGO_URL, `${NAMESPACE}booking`, createLog('test', 'silent'))
  await mongo.collection('bookings').deleteOne({ _id: first.body.id as never })
  await mongo.close()
  const [head, ...differences] = await reconcile()
  expect(head).toContain('1 bookings, 2 orders and 2 payments compared, 2 differences')
  expect(differences.map((difference) => difference.split('  ')[0])).toEqual(['order-without-booking', 'payment-without-booking'])
})

test('a day that is none is refused', async () => {
  const run = executeCommand(reconcileCommand, {
    args: ['--day', 'yesterday'],
    environment: { MONGO_URL: system.backbone.MONGO_URL, NAMESPACE },
    print: () => undefined,
  })
  await expect(run).rejects.toThrow('"yesterday" is no day: write it as 2026-11-21')
})
