/** What the emulator keeps when it is stopped, and when it is killed in the middle of its work. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ConfigResourceTypes, Kafka, logLevel, Partitioners } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONSUMER_TIMES, numbered } from './conformance/bench.ts'
import { ProtocolClient } from './conformance/protocol-client.ts'
import { startKafkaEmulator } from './server.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
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

describe('a restart', () => {
  test('keeps messages, topics with their configs, committed offsets and the cluster', async () => {
    const before = await emulator()
    const admin = await opened(kafka(before.brokers).admin())
    await admin.createTopics({
      topics: [{ topic: 'kept', numPartitions: 3, configEntries: [{ name: 'retention.ms', value: '7200000' }] }, { topic: 'gone' }],
    })
    const producer = await opened(kafka(before.brokers).producer({ createPartitioner: Partitioners.DefaultPartitioner }))
    await producer.send({ topic: 'kept', messages: numbered(30).map((message) => ({ ...message, key: message.value })) })
    const client = await protocolClient(before.brokers)
    await client.commit('group', -1, '', [{ topic: 'kept', partitions: [{ partition: 0, offset: '2', metadata: 'note' }] }])
    await admin.deleteTopics({ topics: ['gone'] })
    const { clusterId } = await admin.describeCluster()
    const offsets = await admin.fetchTopicOffsets('kept')
    await before.stop()

    const after = await emulator()
    const again = await opened(kafka(after.brokers).admin())
    expect(await again.listTopics()).toEqual(['kept'])
    expect(await again.fetchTopicOffsets('kept')).toEqual(expect.arrayContaining(offsets))
    expect((await again.describeCluster()).clusterId).toBe(clusterId)
    expect(await (await protocolClient(after.brokers)).committed('group', 'kept')).toMatchObject({ offset: '2', metadata: 'note' })
    const { resources } = await again.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: 'kept', configNames: ['retention.ms'] }],
    })
    expect(resources[0]!.configEntries[0]!.configValue).toBe('7200000')
  })

  test('keeps what is known of the producers: a batch sent again is not stored again, and ids are not given twice', async () => {
    const before = await emulator()
    await (await opened(kafka(before.brokers).admin())).createTopics({ topics: [{ topic: 't' }] })
    const first = await protocolClient(before.brokers)
    const id = await first.producerId()
    for (const sequence of [0, 2, 4]) expect(await first.produce('t', numbered(2, sequence), { id, sequence })).toBe(sequence)
    await before.stop()

    const after = await emulator()
    const second = await protocolClient(after.brokers)
    expect(await second.produce('t', numbered(2, 2), { id, sequence: 2 })).toBe(2)
    expect(await second.produce('t', numbered(2, 4), { id, sequence: 4 })).toBe(4)
    expect(await second.produce('t', numbered(2, 6), { id, sequence: 6 })).toBe(6)
    expect((await second.fetch('t', { offset: 0 })).values).toEqual(numbered(8).map(({ value }) => value))
    expect(await second.producerId()).not.toBe(id)
  })

  test('keeps deleted records deleted, and their offsets used up', async () => {
    const before = await emulator()
    const admin = await opened(kafka(before.brokers).admin())
    await admin.createTopics({ topics: [{ topic: 't' }] })
    await (await protocolClient(before.brokers)).produce('t', numbered(5))
    await admin.fetchTopicOffsets('t')
    await admin.deleteTopicRecords({ topic: 't', partitions: [{ partition: 0, offset: '-1' }] })
    await before.stop()

    const after = await emulator()
    const client = await protocolClient(after.brokers)
    expect(await client.produce('t', numbered(1))).toBe(5)
    expect(await (await opened(kafka(after.brokers).admin())).fetchTopicOffsets('t')).toMatchObject([{ low: '5', high: '6' }])
  })

  test('lets the members of a group come back and go on where they were', async () => {
    const before = await emulator()
    const { port } = before
    await (await opened(kafka(before.brokers).admin())).createTopics({ topics: [{ topic: 't', numPartitions: 2 }] })
    const producer = await opened(kafka(before.brokers).producer({ createPartitioner: Partitioners.DefaultPartitioner }))
    const consumer = await opened(kafka(before.brokers).consumer({ groupId: 'g', ...CONSUMER_TIMES }))
    const received: string[] = []
    const until = async (value: string) => expect.poll(() => received, { timeout: 20_000 }).toContain(value)
    await consumer.subscribe({ topic: 't', fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message }) => void received.push(String(message.value)) })
    await producer.send({ topic: 't', messages: [{ value: 'before' }] })
    await until('before')
    await before.stop()
    closers.push((await startKafkaEmulator({ dataDir, port })).stop)
    await producer.send({ topic: 't', messages: [{ value: 'after' }] })
    await until('after')
  })
})

/** The broker as a process on one port, which can be killed and started again. */
class Victim {
  port = 0
  private child: ChildProcess | undefined

  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, String(this.port), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.child = child
    const [line] = await once(createInterface(child.stdout), 'line')
    this.port = Number(/127\.0\.0\.1:(\d+)/.exec(String(line))![1])
  }

  async kill(): Promise<void> {
    const child = this.child!
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

test(`${KILLS} times SIGKILL under load: nothing acknowledged is lost, nothing is stored twice, no commit goes back`, {
  timeout: 90_000,
}, async () => {
  const broker = new Victim()
  closers.push(() => broker.kill())
  await broker.start()
  const brokers = `127.0.0.1:${broker.port}`
  const admin = await opened(kafka(brokers).admin())
  await admin.createTopics({ topics: [{ topic: 'load', numPartitions: 3 }] })

  const acknowledged: string[] = []
  const committed = { offset: 0 }
  const latencies: number[] = []
  let running = true
  const produce = async (who: number) => {
    const producer = await opened(
      kafka(brokers).producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner: Partitioners.DefaultPartitioner }),
    )
    for (let n = 0; running; n++) {
      const started = performance.now()
      await producer.send({ topic: 'load', messages: [{ key: `k${n % 20}`, value: `${who}:${n}` }] })
      latencies.push(performance.now() - started)
      acknowledged.push(`${who}:${n}`)
    }
  }
  const commit = async () => {
    for (let client = await protocolClient(brokers); running; ) {
      const offset = committed.offset + 1
      const isDone = await client
        .commit('progress', -1, '', [{ topic: 'load', partitions: [{ partition: 0, offset: String(offset) }] }])
        .then(
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
    await broker.kill()
    const commitBefore = committed.offset
    await broker.start()
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
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(2)
  console.log(
    `${KILLS} kills: ${acknowledged.length} acknowledged, ${stored.size} stored, ${lost.length} lost, ${twice} stored twice, ` +
      `${delivered.length - new Set(delivered).size} delivered twice, ${committed.offset} commits; send median ${at(0.5)} ms, p99 ${at(0.99)} ms (with ${PRODUCERS} producers)`,
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
  await new Promise<void>((resolve) =>
    consumer.run({
      eachMessage: async ({ message }) => {
        const value = String(message.value)
        counts.set(value, (counts.get(value) ?? 0) + 1)
        if (++seen === total) resolve()
      },
    }),
  )
  return counts
}
