import { createLog } from '@passerelle/kit/log'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { normaliseOffer } from './domain/normalise.ts'
import { supplierOffer } from './domain/supplier.fixture.ts'
import { createSearchCounts } from './search-counts.ts'
import { createStore, type Store } from './store.ts'

let servers: TestServers
let connection: Connection
let store: Store
beforeAll(async () => {
  servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  connection = await connectMongo(MONGO_URL, `${NAMESPACE}search`, createLog('search', 'silent'))
  store = createStore(connection)
  await ensureIndexes(connection)
})
afterAll(async () => {
  await connection?.dropDatabase()
  await connection?.close()
  await servers?.stop()
})

const known = (id: string, total_amount = '222.50') => normaliseOffer(supplierOffer({ id: `off_${id}`, total_amount }), 'test')
const at = new Date('2027-01-05T10:01:00Z')

it('an opened offer is found again as it was read', async () => {
  await store.keepOpened(known('a'), at)
  expect(await store.findOpened('oft_a')).toEqual({
    known: known('a'),
    shown: { total_amount: '222.50', total_currency: 'EUR' },
    readAt: at,
  })
  expect(await store.findOpened('oft_b')).toBeNull()
})

it('a later price is remembered as shown, and the offer stays as it was opened', async () => {
  await store.keepOpened(known('c'), at)
  await store.keepShown(known('c', '232.50'), new Date())
  const opened = await store.findOpened('oft_c')
  expect([opened?.known.offer.total_amount, opened?.shown.total_amount, opened?.readAt]).toEqual(['222.50', '232.50', at])
})

it('a price that is shown before the offer was opened keeps the offer too', async () => {
  await store.keepShown(known('d'), at)
  expect((await store.findOpened('oft_d'))?.known).toEqual(known('d'))
})

it('opened offers and counts go by themselves', async () => {
  for (const name of ['offers', 'searches']) {
    const indexes = await connection.collection(name).indexes()
    expect(indexes.find(({ key }) => 'removeAt' in key)).toMatchObject({ expireAfterSeconds: 0 })
  }
})

it('searches are counted per day, mode and criteria, by visitors and at the supplier', async () => {
  onTestFinished(replaceRuntime({ now: () => Date.parse('2027-01-05T23:59:00Z') }))
  const counts = createSearchCounts(store)
  counts.visitor('test', 'CDG:LIS')
  counts.supplier('test', 'CDG:LIS')
  await counts.flush()
  counts.visitor('test', 'CDG:LIS')
  counts.visitor('live', 'CDG:LIS')
  await counts.flush()
  await counts.flush()
  const rows = await connection.collection('searches').find().sort({ _id: 1 }).toArray()
  expect(rows).toMatchObject([
    { _id: '2027-01-05:live:CDG:LIS', day: '2027-01-05', mode: 'live', visitors: 1, suppliers: 0 },
    { _id: '2027-01-05:test:CDG:LIS', day: '2027-01-05', mode: 'test', visitors: 2, suppliers: 1 },
  ])
})

it('counts that could not be written are written the next time', async () => {
  const written: number[] = []
  let away = true
  const counts = createSearchCounts({
    async addCounts(rows) {
      if (away) throw new Error('away')
      written.push(...rows.map(({ visitors }) => visitors))
    },
    addOrder: async () => undefined,
  })
  counts.visitor('test', 'x')
  await expect(counts.flush()).rejects.toThrow('away')
  counts.visitor('test', 'x')
  away = false
  await counts.flush()
  expect(written).toEqual([2])
})

it('what the supplier was asked for and what was ordered is summed by mode, from a day on', async () => {
  let now = Date.parse('2027-02-01T12:00:00Z')
  onTestFinished(replaceRuntime({ now: () => now }))
  const counts = createSearchCounts(store)
  for (const key of ['CDG:LIS', 'CDG:FCO', 'CDG:LIS']) counts.supplier('live', key)
  counts.visitor('live', 'CDG:LIS', 7)
  counts.supplier('test', 'CDG:LIS')
  await counts.order('live')
  await counts.flush()
  now = Date.parse('2027-02-03T12:00:00Z')
  counts.supplier('live', 'CDG:LIS')
  await counts.order('live')
  await counts.flush()
  expect(await store.totals('live', '2027-02-01')).toEqual({ searches: 4, orders: 2 })
  expect(await store.totals('live', '2027-02-02')).toEqual({ searches: 1, orders: 1 })
  expect(await store.totals('test', '2027-02-01')).toEqual({ searches: 1, orders: 0 })
  expect(await store.totals('live', '2027-02-04')).toEqual({ searches: 0, orders: 0 })
})
