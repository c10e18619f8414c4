/** What is the emulator's own: what it refuses, and that it goes on whatever a client sends. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendDamaged } from '../damage.fixture.ts'
import { IDEMPOTENT, numbered, refusalOf } from './conformance/bench.ts'
import { encodeBatch, exchange, frame } from './conformance/bytes.ts'
import { ProtocolClient } from './conformance/protocol-client.ts'
import { type KafkaEmulator, startKafkaEmulator } from './server.ts'
import { ErrorCode } from './wire/error-code.ts'
import { parseRecordBatch } from './wire/record-batch.ts'
import type { Writer } from './wire/writer.ts'

let emulator: KafkaEmulator
let kafka: Kafka
let admin: Admin
let client: ProtocolClient
const reports: string[] = []

beforeAll(async () => {
  emulator = await startKafkaEmulator({ report: (line) => reports.push(line) })
  kafka = new Kafka({ brokers: [emulator.brokers], logLevel: logLevel.NOTHING, retry: { retries: 1, initialRetryTime: 20 } })
  admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 't' }, { topic: 'short', configEntries: [{ name: 'retention.ms', value: '1500' }] }] })
  client = await ProtocolClient.connect(emulator.brokers)
})
afterEach(() => {
  reports.length = 0
})
afterAll(async () => {
  await client.disconnect()
  await admin.disconnect()
  await emulator.stop()
})

/** What a request says of partition 0 of the topic `t`. */
function ofTopic(writer: Writer, rest: (writer: Writer) => void): Writer {
  return writer.array(['t'], (name) => writer.string(name).array([0], (number) => rest(writer.int32(number))))
}

const joinRequest = frame(11, 2, (writer) => {
  writer.string('ghosts').int32(30_000).int32(60_000).string('').string('consumer')
  writer.array(['any'], (name) => writer.string(name).bytes(Buffer.alloc(0)))
})
const produceRequest = (bytes: Buffer) =>
  frame(0, 3, (writer) => ofTopic(writer.string(null).int16(-1).int32(100), () => writer.bytes(bytes)))
const offsetsRequest = (timestamp: number) => frame(2, 1, (writer) => ofTopic(writer.int32(-1), () => writer.int64(timestamp)))

describe('requests', () => {
  test('that come together, or in single bytes, are answered in their order', async () => {
    const requests = [1, 2, 3, 4, 5, 6].map((number) => {
      const bytes = number % 2 ? frame(3, 4, (writer) => writer.int32(-1).int8(0)) : frame(22, 0, (writer) => writer.string(null).int32(1))
      bytes.writeInt32BE(number, 8)
      return bytes
    })
    const { socket, frames } = await exchange(emulator.port, Buffer.concat(requests), 6)
    expect(frames.map((answer) => answer.readInt32BE(0))).toEqual([1, 2, 3, 4, 5, 6])
    const answered = once(socket, 'data')
    for (const byte of frame(18, 0, () => {})) await new Promise<void>((resolve) => socket.write(Buffer.of(byte), () => resolve()))
    expect((await answered)[0].readInt32BE(4)).toBe(7)
    socket.destroy()
  })

  test('for the versions, in one that is too new, are answered with the supported ones', async () => {
    const request = frame(18, 4, () => {})
    const { socket, frames } = await exchange(emulator.port, request, 1)
    expect(frames[0]!.readInt16BE(4)).toBe(ErrorCode.unsupportedVersion)
    expect(frames[0]!.readInt32BE(6)).toBe(15)
    socket.destroy()
  })

  test.each<[string, Buffer, string]>([
    ['a web request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), 'malformed request'],
    ['a negative length', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), 'malformed request'],
    ['a request without body', frame(0, 3, () => {}), 'malformed request'],
    ['an array that cannot fit', frame(3, 4, (writer) => writer.int32(2_000_000_000)), 'malformed request'],
    ['a string that ends too early', frame(10, 1, (writer) => writer.int16(500).int8(1)), 'malformed request'],
    ['a null where none may be', frame(10, 1, (writer) => writer.string(null).int8(0)), 'malformed request'],
    ['an unknown request', frame(77, 0, () => {}), 'not implemented here: request 77 in version 0'],
    ['a request that the product does not send', frame(20, 1, () => {}), 'not implemented here: request 20 in version 1'],
    ['a version that is too new', frame(3, 12, () => {}), 'not implemented here: Metadata in version 12'],
    ['offsets by time', offsetsRequest(1_800_000_000_000), 'not implemented here: offsets by time'],
  ])('%s ends its connection and nothing else', async (_what, bytes, report) => {
    const { socket } = await exchange(emulator.port, bytes, Number.POSITIVE_INFINITY)
    expect(socket.destroyed).toBe(true)
    expect(reports).toEqual([expect.stringContaining(report)])
    expect(await client.metadata('t')).toHaveLength(1)
  })

  test('that are damaged, two thousand of them, do not bring it down', async () => {
    const samples = [
      produceRequest(Buffer.alloc(80, 2)),
      offsetsRequest(-1),
      joinRequest,
      frame(1, 4, (writer) => ofTopic(writer.int32(-1).int32(0).int32(1).int32(1_000).int8(0), () => writer.int64(0).int32(100))),
      frame(8, 3, (writer) => ofTopic(writer.string('fuzz').int32(-1).string('').int64(-1), () => writer.int64(5).string('m'))),
      frame(19, 2, (writer) => {
        writer.array(['fuzz'], (name) => writer.string(name).int32(1).int16(1).int32(0).int32(0))
        writer.int32(1).boolean(true)
      }),
    ]
    await sendDamaged(emulator.port, samples, 4)
    expect(await client.metadata('t')).toHaveLength(1)
  })

  test('with transactions, and for configs that the product does not set, are refused', async () => {
    const producer = kafka.producer({ transactionalId: 'tx', ...IDEMPOTENT, createPartitioner: Partitioners.DefaultPartitioner })
    await producer.connect()
    expect(await refusalOf(producer.transaction())).toBe('TRANSACTIONAL_ID_AUTHORIZATION_FAILED')
    expect(reports.join()).toContain('not implemented here: Kafka transactions')
    await producer.disconnect()
    const configured = { topic: 'big', configEntries: [{ name: 'retention.bytes', value: '1' }] }
    expect(await refusalOf(admin.createTopics({ topics: [configured] }))).toBe('INVALID_CONFIG')
  })
})

test('a batch that is damaged, cut, missing, of an older format or of a transaction is refused', async () => {
  const sound = await encodeBatch(['a', 'b'])
  const changed = (position: number, value: number) => Buffer.from(sound).fill(value, position, position + 1)
  const errorOf = (bytes: Buffer) => (parseRecordBatch(bytes) as { error?: ErrorCode }).error
  expect(errorOf(sound)).toBeUndefined()
  expect(errorOf(changed(sound.length - 1, sound.at(-1)! ^ 1))).toBe(ErrorCode.corruptMessage)
  expect(errorOf(sound.subarray(0, sound.length - 1))).toBe(ErrorCode.corruptMessage)
  expect(errorOf(sound.subarray(0, 50))).toBe(ErrorCode.corruptMessage)
  expect(errorOf(changed(16, 1))).toBe(ErrorCode.unsupportedForMessageFormat)
  expect(errorOf(Buffer.alloc(0))).toBe(ErrorCode.invalidRecord)
  expect(errorOf(Buffer.concat([sound, sound]))).toBe(ErrorCode.invalidRecord)
  expect(errorOf(await encodeBatch(['a'], { transactional: true }))).toBe(ErrorCode.transactionalIdAuthorizationFailed)
})

test('a member whose connection is lost before it knows its id holds no partition', async () => {
  const lost = connect(emulator.port, '127.0.0.1')
  lost.write(joinRequest)
  const joining = client.join('ghosts')
  lost.destroy()
  expect((await joining).members).toHaveLength(1)
})

test('messages older than retention.ms go by themselves', async () => {
  await client.produce('short', numbered(3))
  await expect.poll(async () => (await admin.fetchTopicOffsets('short'))[0], { timeout: 20_000 }).toMatchObject({ low: '3', high: '3' })
  expect(await client.produce('short', numbered(1))).toBe(3)
})
