/** What the bus does while its broker or the store is away, killed or not there yet. The outages need servers of the test's own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KafkaEmulator, startKafkaEmulator } from '@passerelle/emulators/kafka/server'
import { type MongoEmulator, startMongoEmulator } from '@passerelle/emulators/mongo/server'
import { freePort } from '@passerelle/servers/ports'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld, type StepEvent, steps, stepTaken, taken, until, type World } from './bus.fixture.ts'
import { on } from './bus.ts'

let folder: string
let mongo: MongoEmulator
let kafka: KafkaEmulator | undefined
let world: World

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bus-outages-'))
  mongo = await startMongoEmulator({ port: await freePort(), dataDir: join(folder, 'mongo') })
})
afterEach(async () => {
  await world.stop()
  await kafka?.stop()
  kafka = undefined
  await mongo.stop()
  rmSync(folder, { recursive: true })
})

/** Each comes back on its own port, which nobody else may take meanwhile. */
const broker = async (port?: number) => startKafkaEmulator({ port: port ?? (await freePort()), dataDir: join(folder, 'kafka') })

test('when the broker is down at the start, publishing rejects, and the group joins once it is up', async () => {
  const port = await freePort()
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: `127.0.0.1:${port}` }, { brokerIsAway: true })
  const seen: StepEvent[] = []
  const member = await world.begin([on(stepTaken, async (event) => void seen.push(event))])
  await expect(member.bus.publish([taken('b1', 1)])).rejects.toThrow('connecting to Kafka')
  await until(() => member.bus.msSinceHeartbeat()).toBeGreaterThan(3000)
  kafka = await broker(port)
  await world.makeTopics()
  await member.joined
  await until(() =>
    member.bus.publish([taken('b1', 2)]).then(
      () => 'published',
      () => 'refused',
    ),
  ).toBe('published')
  await until(() => steps(seen)).toContain(2)
  await until(() => member.bus.msSinceHeartbeat()).toBeLessThan(1000)
  expect(member.fatal).toEqual([])
}, 60_000)

test('a stop while the broker is down ends a consumer that has not joined', async () => {
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: `127.0.0.1:${await freePort()}` }, { brokerIsAway: true })
  const member = await world.begin([on(stepTaken, async () => undefined)])
  await member.stop()
  // Resolved because it was stopped, not because it has joined.
  await member.joined
  expect(member.fatal).toEqual([])
}, 20_000)

test('the group joins when its missing topics have been created', async () => {
  kafka = await broker()
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: kafka.brokers }, { brokerIsAway: true })
  const seen: StepEvent[] = []
  const member = await world.begin([on(stepTaken, async (event) => void seen.push(event))])
  await expect(member.bus.publish([taken('b1', 1)])).rejects.toThrow()
  await world.makeTopics()
  await member.joined
  await until(() =>
    member.bus.publish([taken('b1', 2)]).then(
      () => 'published',
      () => 'refused',
    ),
  ).toBe('published')
  await until(() => steps(seen)).toContain(2)
  expect(member.fatal).toEqual([])
}, 60_000)

test('publishers and the group reconnect to a restarted broker, and nothing acknowledged is lost', async () => {
  kafka = await broker()
  const { brokers, port } = kafka
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: brokers })
  const seen: StepEvent[] = []
  const member = await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const { bus } = await world.publisher()
  // As a relay does: the same event again until the bus has it, and only then the next one.
  const told: number[] = []
  let event = taken('b1', 1)
  const tell = () =>
    bus.publish([event]).then(
      () => {
        told.push(event.sequence)
        event = taken('b1', event.sequence + 1)
        return 'published'
      },
      () => 'refused',
    )
  for (let i = 0; i < 20; i++) expect(await tell()).toBe('published')
  await until(() => seen.length).toBe(20)

  for (let round = 0; round < 2; round++) {
    await kafka.stop()
    expect(await tell()).toBe('refused')
    await until(() => member.bus.msSinceHeartbeat()).toBeGreaterThan(4000)
    kafka = await broker(port)
    await until(tell).toBe('published')
    expect(await tell()).toBe('published')
    await until(() => steps(seen)).toEqual(told)
    await until(() => member.bus.msSinceHeartbeat()).toBeLessThan(1000)
  }
  expect(told).toHaveLength(24)
  expect(member.fatal).toEqual([])
}, 90_000)

test('a stop ends while the broker is down, and so does a consume that has not joined', async () => {
  kafka = await broker()
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: kafka.brokers })
  const joined = await world.member([on(stepTaken, async () => undefined)])
  await kafka.stop()
  const waiting = await world.begin([on(stepTaken, async () => undefined)])
  const publishing = joined.bus.publish([taken('b1', 1)]).then(
    () => 'published',
    () => 'refused',
  )
  await joined.stop()
  await waiting.stop()
  await waiting.joined
  expect(await publishing).toBe('refused')
  await expect(joined.bus.publish([taken('b1', 2)])).rejects.toThrow()
}, 60_000)

test('while the database is unavailable events wait, none becomes a dead letter, and each is handled once afterwards', async () => {
  kafka = await broker()
  world = await openWorld({ MONGO_URL: mongo.url, KAFKA_BROKERS: kafka.brokers })
  const effects = world.mongo.collection<{ _id: string; step: number }>('effects')
  const member = await world.member([
    on(stepTaken, async ({ id, data }) => {
      await effects.updateOne({ _id: id }, { $set: { step: data.step } }, { upsert: true })
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await until(() => member.count('done')).toBe(1)
  const { port } = mongo
  await mongo.stop()
  await bus.publish([taken('b1', 2), taken('b1', 3)])
  await until(() => member.count('waiting')).toBeGreaterThan(0)
  mongo = await startMongoEmulator({ port, dataDir: join(folder, 'mongo') })
  await until(async () =>
    (
      await effects
        .find()
        .toArray()
        .catch(() => [])
    )
      .map(({ step }) => step)
      .sort(),
  ).toEqual([1, 2, 3])
  await until(() => member.count('done')).toBe(3)
  expect(await world.messagesIn(world.deadLetters)).toEqual([])
  expect(member.fatal).toEqual([])
}, 60_000)
