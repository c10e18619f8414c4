/** Brands for mails in two replicas of the service: one copy, which the bus makes outdated. */
import { randomBytes } from 'node:crypto'
import { brandChanged } from '@passerelle/contracts/events/brand'
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { testCaller } from '@passerelle/kit/testing'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookingConsumer } from '../events.ts'
import { type BrandOf, brandCopies } from './brand-copies.ts'
import { type BrandCopyStore, brandCopyStore } from './store.ts'

const log = createLog('booking', 'silent')
const caller = testCaller()

let servers: TestServers
/** A connection of each replica. */
let connections: Connection[]
let replicas: { copies: BrandCopyStore; brandOf: BrandOf }[]
let clock: number
let restoreRuntime: () => void
let key: string
let served: BrandSettings | null
let asked: number

beforeAll(async () => {
  restoreRuntime = replaceRuntime({ now: () => clock })
  servers = await testServers()
  const database = `b${randomBytes(5).toString('hex')}`
  connections = await Promise.all([1, 2].map(() => connectMongo(servers.environment.MONGO_URL, database, log)))
  replicas = connections.map((connection) => {
    const copies = brandCopyStore(connection)
    return { copies, brandOf: brandCopies({ brands: brands as never, copies, log }) }
  })
})
afterAll(async () => {
  restoreRuntime()
  await connections[0]?.dropDatabase()
  await Promise.all(connections.map((connection) => connection.close()))
  await servers.stop()
})
beforeEach(() => {
  clock = Date.parse('2026-11-22T10:00:00Z')
  key = `${randomBytes(5).toString('hex')}.org`
  asked = 0
})

const brands = () => ({
  async brandSettings() {
    asked++
    if (!served) throw new Error('the brand service is away')
    return served
  },
})
const shownBy = (replica: number) => async () => (await replicas[replica]?.brandOf(key, caller))?.brand.name
const [shownHere, shownThere] = [shownBy(0), shownBy(1)]

/** The event reaches one of the replicas. */
async function tell(version: number): Promise<void> {
  const { subscriptions } = bookingConsumer({} as never, replicas[0]?.copies as BrandCopyStore, {} as never)
  const changed = subscriptions.find(({ definition }) => definition === brandChanged)
  await changed?.handle({ data: { brandKey: key, version } } as never)
}
const named = (name: string, version: number, of = key): BrandSettings => ({
  key: of,
  version,
  markupPercent: 0,
  brand: { ...defaultBrand, name, domain: of },
})
const seconds = (count: number) => {
  clock += count * 1000
}

test('R-72, BRAND-20: a published brand is in the next mail of every replica as soon as the event reaches one', async () => {
  served = named('Before', 1)
  expect([await shownHere(), await shownThere()]).toEqual(['Before', 'Before'])
  expect(asked).toBe(1)
  served = named('After', 2)
  expect(await shownThere()).toBe('Before')
  await tell(2)
  expect([await shownThere(), await shownHere()]).toEqual(['After', 'After'])
  expect(asked).toBe(2)
})

test('a sender that was proved is in the next mail as soon as the event reaches one replica', async () => {
  served = { ...named('Atlas', 1), sender: { name: 'Atlas', address: null, replyTo: null } }
  const address = async () => (await replicas[1]?.brandOf(key, caller))?.sender?.address
  expect(await address()).toBeNull()
  served = { ...named('Atlas', 2), sender: { name: 'Atlas', address: 'trips@atlas.example', replyTo: null } }
  expect(await address()).toBeNull()
  await tell(2)
  expect(await address()).toBe('trips@atlas.example')
})

test('R-72: a change whose event is lost is in the mails after a minute', async () => {
  served = named('Before', 1)
  await shownHere()
  served = named('After', 2)
  seconds(59)
  expect(await shownHere()).toBe('Before')
  seconds(1)
  expect(await shownHere()).toBe('After')
})

test('an event that comes late, twice or before the first mail changes nothing that is newer', async () => {
  await tell(2)
  served = named('Second', 2)
  expect(await shownHere()).toBe('Second')
  await tell(1)
  await tell(2)
  expect(await shownHere()).toBe('Second')
  expect(asked).toBe(1)
})

test('a copy that was read while the brand was being published is not kept', async () => {
  served = named('Before', 1)
  await tell(2)
  expect(await shownHere()).toBe('Before')
  served = named('After', 2)
  expect(await shownHere()).toBe('After')
})

test('while the brand service is away mails leave with the copy; without one they wait', async () => {
  served = null
  await expect(shownHere()).rejects.toThrow('away')
  served = named('Before', 1)
  await shownHere()
  served = null
  await tell(2)
  seconds(600)
  expect(await shownHere()).toBe('Before')
})

test('a brand that is not served any more has the default brand in its mails, as it is now', async () => {
  served = named('Default', 7, 'default')
  expect(await shownHere()).toBe('Default')
  served = named('New default', 8, 'default')
  expect(await shownHere()).toBe('New default')
})
