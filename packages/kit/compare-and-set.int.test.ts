/** A change and its events are written together, or not at all. */
import { randomBytes } from 'node:crypto'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection, Model } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent, taken } from './bus.fixture.ts'
import { connectMongo } from './mongo.ts'
import { compareAndSet, createOutboxModel, type OutboxEvent } from './outbox.ts'

type Walk = { _id: string; version: number; step: number; note?: string; outbox?: OutboxEvent[]; outboxPending?: boolean }

let servers: TestServers
let mongo: Connection
let model: Model<Walk>

beforeAll(async () => {
  servers = await testServers()
  mongo = await connectMongo(servers.environment.MONGO_URL as string, `c${randomBytes(5).toString('hex')}`, silent)
  model = createOutboxModel<Walk>(mongo, 'Walk', {
    collection: 'walks',
    fields: { _id: String, version: Number, step: Number, note: String },
  })
})
afterAll(async () => {
  await mongo.dropDatabase()
  await mongo.close()
  await servers.stop()
})

const create = async (id: string) => {
  await model.create({ _id: id, version: 1, step: 0 })
  return { _id: id, version: 1 }
}

test('a change moves the version by one and returns the document', async () => {
  const read = await create('plain')
  expect(await compareAndSet(model, read, { step: 1 })).toEqual({ _id: 'plain', version: 2, step: 1 })
})

test('events are in the outbox after the same write, and each has a version of its own', async () => {
  const read = await create('events')
  const events = [taken('events', 1), taken('events', 2)]
  const written = await compareAndSet(model, read, { step: 2 }, events)
  expect(written).toMatchObject({ version: 3, step: 2, outboxPending: true })
  expect(written?.outbox?.map((event) => event.id)).toEqual(events.map((event) => event.id))
})

test('of two changes on the same version one is written, and the other returns null with nothing of it written', async () => {
  const read = await create('race')
  const written = await Promise.all([1, 2].map((step) => compareAndSet(model, read, { step, note: `by ${step}` }, [taken('race', step)])))
  expect(written.filter((document) => document === null)).toHaveLength(1)
  const winner = written.find((document) => document !== null)
  expect(await model.findById('race').lean()).toEqual(winner)
  expect(winner?.outbox).toHaveLength(1)
})
