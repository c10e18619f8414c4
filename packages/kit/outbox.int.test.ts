/** Events leave with the state change, at least once and in the aggregate's order, whatever happens to relays and broker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafkaEmulator } from '@passerelle/emulators/kafka/server'
import { freePort } from '@passerelle/servers/ports'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Model } from 'mongoose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openWorld, type StepEvent, silent, stepTaken, taken, until, upTo, type World } from './bus.fixture.ts'
import { on, type Publisher } from './bus.ts'
import { createMetrics } from './metrics.ts'
import { type Published, publishedIn, type Walk, walksOf } from './outbox.fixture.ts'
import { pushEvents, type RelayOptions, startRelay } from './outbox.ts'
import { delay } from './runtime.ts'
import type { RunningWorker } from './worker.ts'

let servers: TestServers
let world: World
let relays: RunningWorker[] = []

beforeAll(async () => {
  servers = await testServers()
})
afterAll(() => servers.stop())
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  relays = []
  await world.stop()
})

function relay(model: Model<Walk>, publisher: Publisher, options: RelayOptions = { everyMs: 20 }, metrics = createMetrics('test')) {
  const running = startRelay(model as unknown as Model<never>, publisher, silent, metrics, options)
  relays.push(running)
  return running
}

const onTheBus = async (id: string) => (await publishedIn(world)).get(id) ?? []

/** Steps without their repetitions. */
const firsts = (told: Published[]) => [...new Set(told.map(({ step }) => step))]

test('an event is written with the state change, published, and removed from the document', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, raw } = await walksOf(world)
  const seen: StepEvent[] = []
  await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const { bus, metrics } = await world.publisher()
  const id = await walk('b1', 1)
  expect((await raw('b1'))?.outbox?.map((event) => event.id)).toEqual([id])
  relay(model, bus, { everyMs: 20 }, metrics)
  await until(() => raw('b1')).toEqual({ _id: 'b1', step: 1 })
  await until(() => seen.map((event) => event.id)).toEqual([id])
  expect((await metrics.outboxPublished.get()).values.map(({ value }) => value)).toEqual([1])
})

test('an event added while its document is being published stays, and is published next', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, raw } = await walksOf(world)
  const { bus } = await world.publisher()
  const first = await walk('b1', 1)
  let second = ''
  relay(model, {
    async publish(events) {
      await bus.publish(events)
      if (second === '') second = await walk('b1', 2)
    },
  })
  await until(() => raw('b1')).toEqual({ _id: 'b1', step: 2 })
  expect(await onTheBus('b1')).toEqual([
    { id: first, step: 1 },
    { id: second, step: 2 },
  ])
})

test('more documents than one claim and more events than one message batch all go out, in order', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, pending } = await walksOf(world)
  const { bus } = await world.publisher()
  for (const n of upTo(120)) await walk(`b${n}`, 1)
  const many = upTo(450).map((step) => taken('long', step))
  await model.updateOne({ _id: 'long' }, pushEvents(...many), { upsert: true })
  const sizes: number[] = []
  relay(model, {
    publish(events) {
      sizes.push(events.length)
      return bus.publish(events)
    },
  })
  await until(pending).toBe(0)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(200)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(570)
  expect((await onTheBus('long')).map(({ step }) => step)).toEqual(upTo(450))
  expect(await world.messagesIn(world.events)).toHaveLength(570)
})

test('EVT-05: two relays at once publish every event at least once and in the order of its booking', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, pending } = await walksOf(world)
  const [one, other] = [await world.publisher(), await world.publisher()]
  // A lease shorter than a publish may take: the relays get in each other's way as often as they can.
  relay(model, one.bus, { everyMs: 5, leaseMs: 10 })
  relay(model, other.bus, { everyMs: 5, leaseMs: 10 })
  const bookings = upTo(12).map((n) => `b${n}`)
  await Promise.all(
    bookings.map(async (id) => {
      for (const step of upTo(20)) await walk(id, step)
    }),
  )
  await until(pending).toBe(0)
  const told = await publishedIn(world)
  for (const id of bookings) expect(firsts(told.get(id) ?? []), id).toEqual(upTo(20))
})

test('with leases longer than a publish two relays publish nothing twice', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, pending } = await walksOf(world)
  const [one, other] = [await world.publisher(), await world.publisher()]
  relay(model, one.bus)
  relay(model, other.bus)
  const bookings = upTo(12).map((n) => `b${n}`)
  await Promise.all(
    bookings.map(async (id) => {
      for (const step of upTo(10)) await walk(id, step)
    }),
  )
  await until(pending).toBe(0)
  for (const id of bookings)
    expect(
      (await onTheBus(id)).map(({ step }) => step),
      id,
    ).toEqual(upTo(10))
})

test('when a relay is killed between publishing and removing an event, another one publishes it again with the same id', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, raw } = await walksOf(world)
  const { bus } = await world.publisher()
  const first = await walk('b1', 1)
  let wake!: () => void
  const killed = new Promise<void>((resolve) => {
    wake = resolve
  })
  let published = 0
  relay(
    model,
    {
      async publish(events) {
        await bus.publish(events)
        published += 1
        await killed
      },
    },
    { everyMs: 20, leaseMs: 300 },
  )
  await until(() => published).toBe(1)
  const second = await walk('b1', 2)
  relay(model, bus, { everyMs: 20, leaseMs: 300 })
  await until(() => raw('b1')).toEqual({ _id: 'b1', step: 2 })
  expect(await onTheBus('b1')).toEqual([
    { id: first, step: 1 },
    { id: first, step: 1 },
    { id: second, step: 2 },
  ])
  // Not killed after all, but very late: what it notes now takes nothing away from anybody.
  await relays[1]?.stop()
  const third = await walk('b1', 3)
  wake()
  await until(() => raw('b1')).toEqual({ _id: 'b1', step: 3 })
  expect((await onTheBus('b1')).at(-1)).toEqual({ id: third, step: 3 })
})

test('a relay whose publish was rejected retries soon, not when its lease ends', async () => {
  world = await openWorld(servers.environment)
  const { model, walk, raw } = await walksOf(world)
  const { bus } = await world.publisher()
  await walk('b1', 1)
  let refusals = 3
  relay(
    model,
    {
      async publish(events) {
        if (refusals-- > 0) throw new Error('away')
        await bus.publish(events)
      },
    },
    { everyMs: 20, leaseMs: 3_600_000 },
  )
  await until(() => raw('b1')).toEqual({ _id: 'b1', step: 1 })
  expect(firsts(await onTheBus('b1'))).toEqual([1])
})

test('the metric is the age of the oldest waiting event of all collections', async () => {
  world = await openWorld(servers.environment)
  const full = await walksOf(world)
  const empty = await walksOf(world, 'Other')
  const metrics = createMetrics('test')
  const { bus } = await world.publisher()
  await full.walk('b1', 1)
  await delay(300)
  let away = true
  const flaky: Publisher = { publish: async (events) => (away ? Promise.reject(new Error('away')) : bus.publish(events)) }
  relay(empty.model, flaky, { everyMs: 20 }, metrics)
  relay(full.model, flaky, { everyMs: 20 }, metrics)
  const oldest = async () => (await metrics.outboxOldest.get()).values[0]?.value
  await until(oldest).toBeGreaterThan(0.3)
  for (let i = 0; i < 20; i++) {
    expect(await oldest()).toBeGreaterThan(0.3)
    await delay(10)
  }
  away = false
  await until(oldest).toBe(0)
})

test('EVT-06: with the broker down the state changes go on, and their events are sent in order when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'))
  let kafka = await startKafkaEmulator({ port: await freePort(), dataDir: folder })
  try {
    world = await openWorld({ MONGO_URL: servers.environment.MONGO_URL, KAFKA_BROKERS: kafka.brokers })
    const { model, walk, pending } = await walksOf(world)
    const seen: StepEvent[] = []
    await world.member([on(stepTaken, async (event) => void seen.push(event))])
    const { bus } = await world.publisher()
    relay(model, bus)
    const bookings = upTo(20).map((n) => `b${n}`)
    for (const id of bookings) await walk(id, 1)
    await until(pending).toBe(0)
    await kafka.stop()
    for (const step of [2, 3, 4]) for (const id of bookings) await walk(id, step)
    await delay(4000)
    expect(await pending()).toBe(20)
    kafka = await startKafkaEmulator({ port: kafka.port, dataDir: folder })
    await until(pending).toBe(0)
    const told = await publishedIn(world)
    for (const id of bookings) expect(firsts(told.get(id) ?? []), id).toEqual([1, 2, 3, 4])
    await until(() => seen.length).toBe(80)
    for (const id of bookings) expect(seen.filter(({ key }) => key === id).map(({ data }) => data.step)).toEqual([1, 2, 3, 4])
  } finally {
    for (const one of relays) await one.stop()
    await kafka.stop()
    rmSync(folder, { recursive: true })
  }
}, 60_000)
