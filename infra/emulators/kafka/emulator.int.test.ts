/** What is the emulator's own: where it refuses to run, what it refuses to do, and what it does sooner than Apache Kafka. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { numbered, refusalOf } from './conformance/bench.ts'
import { ProtocolClient } from './conformance/protocol-client.ts'
import { frame } from './conformance/raw-connection.ts'
import { type KafkaEmulator, startKafkaEmulator } from './server.ts'

let emulator: KafkaEmulator
const reports: string[] = []
const kafka = () => new Kafka({ brokers: [emulator.brokers], logLevel: logLevel.NOTHING, retry: { retries: 1, initialRetryTime: 20 } })

beforeAll(async () => {
  emulator = await startKafkaEmulator({ report: (line) => reports.push(line) })
  const admin = kafka().admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 't' }, { topic: 'short', configEntries: [{ name: 'retention.ms', value: '1500' }] }] })
  await admin.disconnect()
})
afterEach(() => {
  vi.unstubAllEnvs()
  reports.length = 0
})
afterAll(() => emulator.stop())

test('it does not run in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await expect(startKafkaEmulator()).rejects.toThrow('NODE_ENV=production')
})

test('a second one on the same log, or on the same port, is refused', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafka-emulator-'))
  const first = await startKafkaEmulator({ dataDir })
  await expect(startKafkaEmulator({ dataDir })).rejects.toThrow('is another one running there?')
  await expect(startKafkaEmulator({ port: first.port })).rejects.toThrow('EADDRINUSE')
  await first.stop()
  const second = await startKafkaEmulator({ dataDir })
  await second.stop()
  await rm(dataDir, { recursive: true })
})

test('stopping does not wait for those who wait for messages, and stopping twice is the same', async () => {
  const own = await startKafkaEmulator()
  const client = await ProtocolClient.connect(own.brokers)
  await client.metadata('none').catch(() => {})
  const waiting = client.join('group')
  const lost = refusalOf(waiting)
  await Promise.all([own.stop(), own.stop()])
  expect(await lost).toContain('Connection')
  await client.disconnect().catch(() => {})
})

test('transactions are refused with a reason', async () => {
  const producer = kafka().producer({
    transactionalId: 'tx',
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  expect(await refusalOf(producer.transaction())).toBe('TRANSACTIONAL_ID_AUTHORIZATION_FAILED')
  expect(reports.join()).toContain('transactions are not supported')
  await producer.disconnect()
})

test('a member whose connection is lost before it knows its id holds no partition', async () => {
  const lost = connect(emulator.port, '127.0.0.1')
  lost.write(
    frame(11, 2, (writer) =>
      writer
        .string('ghosts')
        .int32(30_000)
        .int32(60_000)
        .string('')
        .string('consumer')
        .array(['any'], (name) => writer.string(name).bytes(Buffer.alloc(0))),
    ),
  )
  const client = await ProtocolClient.connect(emulator.brokers)
  const joining = client.join('ghosts')
  lost.destroy()
  const { members } = await joining
  expect(members).toHaveLength(1)
  await client.disconnect()
})

test('messages older than retention.ms go by themselves', async () => {
  const admin = kafka().admin()
  await admin.connect()
  const client = await ProtocolClient.connect(emulator.brokers)
  await client.produce('short', numbered(3))
  await client.produce('t', numbered(1))
  await expect.poll(async () => (await admin.fetchTopicOffsets('short'))[0], { timeout: 20_000 }).toMatchObject({ low: '3', high: '3' })
  expect((await admin.fetchTopicOffsets('t'))[0]!.low).toBe('0')
  expect(await client.produce('short', numbered(1))).toBe(3)
  await client.disconnect()
  await admin.disconnect()
})
