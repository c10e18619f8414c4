/** Which days are compared, and when. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSagaWorld, type SagaWorld } from '../saga.fixture.ts'
import { reconciliationWorker } from './reconcile.ts'
import { type ReconciliationStore, reconciliationStore } from './store.ts'

/** The world's clock begins at 10:05 UTC on this day, 2026-11-21. */
const [TODAY, YESTERDAY] = ['2026-11-21', '2026-11-20']
const HOUR = 3600

let world: SagaWorld
let store: ReconciliationStore
let asked: string[]
let supplierFails: boolean

beforeAll(async () => {
  world = await openSagaWorld()
  store = reconciliationStore(world.mongo)
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  asked = []
  supplierFails = false
})

async function run(): Promise<void> {
  const supplier = {
    async madeSince(from: Date) {
      asked.push(new Date(from.getTime() + HOUR * 1000).toISOString().slice(0, 10))
      if (supplierFails) throw new Error('unavailable')
      return []
    },
  }
  const payment = { ledger: async () => ({ entries: [], after: null }) }
  const context = { ...world.worker().context, supplier: () => supplier, payment: () => payment } as never
  await reconciliationWorker(context, ['test'], { acquire: async () => true }, store, async () => []).run(new AbortController().signal)
}

test('a supplier that cannot be read is asked again after five minutes, and at once by an operator', async () => {
  supplierFails = true
  await run()
  await run()
  expect(asked).toEqual([YESTERDAY])
  world.advance(301)
  await run()
  expect(asked).toEqual([YESTERDAY, YESTERDAY])
  supplierFails = false
  await store.ask('test', YESTERDAY, world.clock())
  await run()
  expect(await store.lastWhole('test')).toMatchObject({ day: YESTERDAY, isWhole: true, differences: [] })
  await run()
  expect(asked.length).toBe(3)
})

test('a day that was compared before its end is compared again when it is over, and is not the last whole day until then', async () => {
  await store.ask('test', TODAY, world.clock())
  await run()
  expect(asked).toEqual([TODAY])
  expect((await store.lastWhole('test'))?.day).toBe(YESTERDAY)
  world.advance(17 * HOUR)
  await run()
  expect(asked).toEqual([TODAY, TODAY])
  expect((await store.lastWhole('test'))?.day).toBe(TODAY)
})
