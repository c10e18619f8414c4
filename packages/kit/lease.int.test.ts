/** One turn for all replicas of a service. */
import { randomBytes } from 'node:crypto'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLease } from './lease.ts'
import { createLog } from './log.ts'
import { connectMongo } from './mongo.ts'
import { replaceRuntime } from './runtime.ts'

let servers: TestServers
let mongo: Connection
let now = Date.parse('2026-11-21T10:00:00Z')
const restoreRuntime = replaceRuntime({ now: () => now })

beforeAll(async () => {
  servers = await testServers()
  mongo = await connectMongo(servers.environment.MONGO_URL, `l${randomBytes(5).toString('hex')}`, createLog('test', 'silent'))
})
afterAll(async () => {
  restoreRuntime()
  await mongo.dropDatabase()
  await mongo.close()
  await servers.stop()
})

test('of several replicas one gets the lease, extends it by acquiring again, and loses it when it stops', async () => {
  const replicas = Array.from({ length: 5 }, () => createLease(mongo, 'sweep', 1000))
  const first = await Promise.all(replicas.map((replica) => replica.acquire()))
  expect(first.filter(Boolean)).toHaveLength(1)
  const holder = replicas[first.indexOf(true)]
  const other = replicas[first.indexOf(false)]
  now += 900
  expect(await holder?.acquire()).toBe(true)
  now += 900
  expect(await other?.acquire()).toBe(false)
  now += 200
  expect(await other?.acquire()).toBe(true)
  expect(await holder?.acquire()).toBe(false)
})

test('leases of different names are independent', async () => {
  expect(await createLease(mongo, 'one', 1000).acquire()).toBe(true)
  expect(await createLease(mongo, 'two', 1000).acquire()).toBe(true)
})
