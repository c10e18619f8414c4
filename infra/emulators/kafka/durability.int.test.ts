/** What the emulator keeps when it is stopped, and when it is killed in the middle of its work. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawnServer } from '../server-process.fixture.ts'
import { CONSUMER_TIMES, IDEMPOTENT, numbered } from './conformance/bench.ts'
import { ProtocolClient } from './conformance/protocol-client.ts'
import { startKafkaEmulator } from './server.ts'

const KILLS = 3
const PRODUCERS = 6
/** Messages acknowledged before the next kill: enough for the readers to catch up in between. */
const BETWEEN_KILLS = 1_500

let dataDir: string
let closers: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kafka-emulator-'))
})
afterEach(async () => {
  for (const close of closers.reverse()) await close()
  closers = []
  await rm(dataDir, { recursive: true })
})

function kafka(brokers: string): Kafka {
  // Patient enough to outlive a restart: a client that gives up would only lose its own messages.
  return new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, retry: { initialRetryTime: 50, maxRetryTime: 200, retries: 200 } })
}

async function opened<T extends { connect(): Promise<void>; disconnect(): Promise<void> }>(client: T): Promise<T> {
  await client.connect()
  closers.push(() => client.disconnect())
  return client
}

async function protocolClient(brokers: string): Promise<ProtocolClient> {
  const client = await ProtocolClient.connect(brokers)
  closers.push(() => client.disconnect())
  return client
}

async function emulator() {
  const started = await startKafkaEmulator({ dataDir })
  closers.push(started.stop)
  return started
}

test('a restart keeps messages, commits and what is known of the producers', async () => {
  const before = await emulator()
  await (await opened(kafka(before.brokers).admin())).createTopics({ topics: [{ topic: 't' }] })
  const first = await protocolClient(before.brokers)
  const id = await first.producerId()
  for (const sequence of [0, 2, 4]) expect(await first.produce('t', numbered(2, sequence), { id, sequence })).toBe(sequence)
  await first.commit('group', -1, '', 't', 2, 'note')
  await before.stop()

  const after = await emulator()
  expect(await (await opened(kafka(after.brokers).admin())).listTopics()).toEqual(['t'])
  const second = await protocolClient(after.brokers)
  // Sent again, a batch is not stored again; the next one is; and ids are not given twice.
  for (const sequence of [2, 4, 6]) expect(await second.produce('t', numbered(2, sequence), { id, sequence })).toBe(sequence)
  expect((await second.fetch('t', { offset: 0 })).values).toEqual(numbered(8).map(({ value }) => value))
  expect(await second.producerId()).not.toBe(id)
  expect(await second.committed('group', 't')).toMatchObject({ offset: '2', metadata: 'note' })
})

test(`${KILLS} times SIGKILL under load: nothing acknowledged is lost, nothing is stored twice, no commit goes back`, {
  timeout: 90_000,
}, async () => {
  let broker = await spawnServer('kafka', 0, dataDir)
  closers.push(() => broker.kill('SIGKILL'))
  const brokers = `127.0.0.1:${broker.port}`
  const admin = await opened(kafka(brokers).admin())
  await admin.createTopics({ topics: [{ topic: 'load', numPartitions: 3 }] })

  const acknowledged: string[] = []
  const committed = { offset: 0 }
  let running = true
  const produce = async (who: number) => {
    const producer = await opened(kafka(brokers).producer({ ...IDEMPOTENT, createPartitioner: Partitioners.DefaultPartitioner }))
    for (let n = 0; running; n++) {
      await producer.send({ topic: 'load', messages: [{ key: `k${n % 20}`, value: `${who}:${n}` }] })
      acknowledged.push(`${who}:${n}`)
    }
  }
  const commit = async () => {
    for (let client = await protocolClient(brokers); running; ) {
      const offset = committed.offset + 1
      const isDone = await client.commit('progress', -1, '', 'load', offset).then(
        () => true,
        () => false,
      )
      if (isDone) committed.offset = offset
      // A connection that broke stays broken; while the broker is down there is none to be had.
      else client = await reconnected(brokers)
    }
  }
  const delivered: string[] = []
  const consumer = await opened(kafka(brokers).consumer({ groupId: 'readers', ...CONSUMER_TIMES, maxWaitTimeInMs: 100 }))
  await consumer.subscribe({ topic: 'load', fromBeginning: true })
  await consumer.run({ eachMessage: async ({ message }) => void delivered.push(String(message.value)) })
  const workers = [...Array.from({ length: PRODUCERS }, (_, who) => produce(who)), commit()]

  for (let kill = 0; kill < KILLS; kill++) {
    const target = acknowledged.length + BETWEEN_KILLS
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(target)
    await broker.kill('SIGKILL')
    const commitBefore = committed.offset
    broker = await spawnServer('kafka', broker.port, dataDir)
    const client = await reconnected(brokers)
    expect(Number((await client.committed('progress', 'load')).offset)).toBeGreaterThanOrEqual(commitBefore)
  }
  const target = acknowledged.length + BETWEEN_KILLS
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(target)
  running = false
  await Promise.all(workers)
  await expect.poll(() => new Set(delivered).size, { timeout: 20_000 }).toBeGreaterThanOrEqual(new Set(acknowledged).size)

  const stored = await readStored(brokers, 'load')
  const lost = acknowledged.filter((value) => !stored.has(value))
  const twice = [...stored.values()].filter((count) => count > 1).length
  console.log(
    `${KILLS} kills: ${acknowledged.length} acknowledged, ${stored.size} stored, ${lost.length} lost, ${twice} stored twice, ` +
      `${delivered.length - new Set(delivered).size} delivered twice, ${committed.offset} commits`,
  )
  expect(lost).toEqual([])
  expect(twice).toBe(0)
})

async function reconnected(brokers: string): Promise<ProtocolClient> {
  for (;;) {
    const client = await protocolClient(brokers).catch(() => undefined)
    if (client !== undefined) return client
    await sleep(20)
  }
}

/** How often each value is in the topic. */
async function readStored(brokers: string, topic: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const admin = await opened(kafka(brokers).admin())
  const total = (await admin.fetchTopicOffsets(topic)).reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const consumer = await opened(kafka(brokers).consumer({ groupId: 'audit', ...CONSUMER_TIMES }))
  await consumer.subscribe({ topic, fromBeginning: true })
  let seen = 0
  const count = (value: string) => {
    counts.set(value, (counts.get(value) ?? 0) + 1)
    seen++
  }
  await consumer.run({ eachMessage: async ({ message }) => count(String(message.value)) })
  await expect.poll(() => seen, { timeout: 20_000 }).toBe(total)
  return counts
}
