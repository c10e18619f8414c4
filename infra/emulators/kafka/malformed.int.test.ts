/** Whatever a client sends, the emulator answers what it can, ends the connection where it cannot, and goes on. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { encodeBatch } from './conformance/batch-encoder.ts'
import { ProtocolClient } from './conformance/protocol-client.ts'
import { exchange, frame } from './conformance/raw-connection.ts'
import { type KafkaEmulator, startKafkaEmulator } from './server.ts'
import { ErrorCode } from './wire/error-code.ts'
import { Reader } from './wire/reader.ts'
import type { Writer } from './wire/writer.ts'

let emulator: KafkaEmulator
const reports: string[] = []

beforeAll(async () => {
  emulator = await startKafkaEmulator({ report: (line) => reports.push(line) })
  const admin = new Kafka({ brokers: [emulator.brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 't' }] })
  await admin.disconnect()
})
afterEach(() => {
  reports.length = 0
})
afterAll(() => emulator.stop())

async function untilClosed(bytes: Buffer): Promise<Buffer[]> {
  const { socket, frames } = await exchange(emulator.port, bytes, Number.POSITIVE_INFINITY)
  expect(socket.destroyed).toBe(true)
  return frames
}

async function answersStill(): Promise<void> {
  const client = await ProtocolClient.connect(emulator.brokers)
  expect(await client.metadata('t')).toHaveLength(1)
  await client.disconnect()
}

test('requests sent together are answered in their order', async () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  const requests = numbers.map((number) => {
    const bytes = frame(number % 2 === 0 ? 22 : 3, number % 2 === 0 ? 0 : 1, (writer) =>
      number % 2 === 0 ? writer.string(null).int32(1) : writer.int32(-1),
    )
    bytes.writeInt32BE(number, 8)
    return bytes
  })
  const { socket, frames } = await exchange(emulator.port, Buffer.concat(requests), numbers.length)
  expect(frames.map((answer) => answer.readInt32BE(0))).toEqual(numbers)
  socket.destroy()
})

test('a request cut into single bytes is understood', async () => {
  const socket = connect(emulator.port, '127.0.0.1')
  socket.setNoDelay(true)
  const answered = once(socket, 'data')
  for (const byte of frame(18, 0, () => {})) await new Promise<void>((resolve) => socket.write(Buffer.from([byte]), () => resolve()))
  const [answer] = await answered
  expect(answer.readInt32BE(4)).toBe(7)
  socket.destroy()
})

test('a client that asks for versions in a newer way is told what there is', async () => {
  const { socket, frames } = await exchange(
    emulator.port,
    frame(18, 4, () => {}),
    1,
  )
  const answer = new Reader(frames[0]!)
  answer.int32()
  expect(answer.int16()).toBe(ErrorCode.unsupportedVersion)
  const keys = answer.array((api) => [api.int16(), api.int16(), api.int16()][0])
  expect(keys).toEqual(expect.arrayContaining([0, 1, 18, 22]))
  socket.destroy()
})

test.each<[string, Buffer]>([
  ['a web request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['a negative length', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
  ['a length of two gigabytes', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
  ['a request without body', frame(0, 3, () => {})],
  ['an unknown request', frame(77, 0, () => {})],
  ['a version that is too new', frame(3, 12, () => {})],
  ['an array that cannot fit', frame(3, 1, (writer) => writer.int32(2_000_000_000))],
  ['a string that ends too early', frame(10, 1, (writer) => writer.int16(500).int8(1))],
  ['a null where none may be', frame(10, 1, (writer) => writer.string(null).int8(0))],
])('%s ends its connection and nothing else', async (_what, bytes) => {
  await untilClosed(bytes)
  expect(reports).toHaveLength(1)
  await answersStill()
})

test('two thousand damaged requests do not bring it down', async () => {
  // The same damage in every run: a plain linear congruential generator.
  let seed = 12_345
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  const group = (writer: Writer) =>
    writer
      .string('fuzz')
      .int32(6_000)
      .int32(6_000)
      .string('')
      .string('consumer')
      .array(['a'], (name) => writer.string(name).bytes(Buffer.from('m')))
  const topics = (writer: Writer) =>
    writer.array(['t'], (name) => writer.string(name).array([0], (number) => writer.int32(number).int64(0).int32(100)))
  const samples = [
    frame(0, 3, (writer) =>
      writer
        .string(null)
        .int16(-1)
        .int32(100)
        .array(['t'], (name) => writer.string(name).array([0], (number) => writer.int32(number).bytes(Buffer.alloc(80, 2)))),
    ),
    frame(1, 4, (writer) => topics(writer.int32(-1).int32(0).int32(1).int32(1_000).int8(0))),
    frame(2, 1, (writer) =>
      writer.int32(-1).array(['t'], (name) => writer.string(name).array([0], (number) => writer.int32(number).int64(5))),
    ),
    frame(8, 3, (writer) =>
      writer
        .string('fuzz')
        .int32(-1)
        .string('')
        .int64(-1)
        .array(['t'], (name) => writer.string(name).array([0], (number) => writer.int32(number).int64(5).string('m'))),
    ),
    frame(11, 2, group),
    frame(19, 2, (writer) =>
      writer
        .array(['fuzz'], (name) =>
          writer
            .string(name)
            .int32(1)
            .int16(1)
            .int32(0)
            .array(['retention.ms'], (config) => writer.string(config).string('1')),
        )
        .int32(1)
        .boolean(true),
    ),
    frame(32, 1, (writer) => writer.array(['t'], (name) => writer.int8(2).string(name).int32(-1)).boolean(true)),
  ]
  for (let round = 0; round < 100; round++) {
    const sockets = Array.from({ length: 20 }, () => {
      const bytes = Buffer.from(samples[random(samples.length)]!)
      for (let damage = random(4); damage >= 0; damage--) bytes[4 + random(bytes.length - 4)] = random(256)
      const socket = connect(emulator.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      socket.end(bytes)
      return once(socket, 'close')
    })
    await Promise.all(sockets)
  }
  await answersStill()
})

test('a batch that is damaged, cut, missing or of an older format is refused', async () => {
  const errorOf = async (bytes: Buffer) => {
    const produce = frame(0, 3, (writer) =>
      writer
        .string(null)
        .int16(-1)
        .int32(100)
        .array(['t'], (name) => writer.string(name).array([0], (number) => writer.int32(number).bytes(bytes))),
    )
    const { socket, frames } = await exchange(emulator.port, produce, 1)
    socket.destroy()
    const answer = new Reader(frames[0]!)
    answer.skip(4 + 4 + 2 + 't'.length + 4 + 4)
    return answer.int16()
  }
  const sound = await encodeBatch(['a', 'b'])
  const changed = (position: number, value: number) => {
    const bytes = Buffer.from(sound)
    bytes[position] = value
    return bytes
  }
  expect(await errorOf(Buffer.from(sound))).toBe(ErrorCode.none)
  expect(await errorOf(changed(sound.length - 1, sound.at(-1)! ^ 1))).toBe(ErrorCode.corruptMessage)
  expect(await errorOf(sound.subarray(0, sound.length - 1))).toBe(ErrorCode.corruptMessage)
  expect(await errorOf(sound.subarray(0, 50))).toBe(ErrorCode.corruptMessage)
  expect(await errorOf(changed(16, 1))).toBe(ErrorCode.unsupportedForMessageFormat)
  expect(await errorOf(Buffer.alloc(0))).toBe(ErrorCode.invalidRecord)
  expect(await errorOf(Buffer.concat([sound, sound]))).toBe(ErrorCode.invalidRecord)
  expect(await errorOf(await encodeBatch(['a'], { transactional: true }))).toBe(ErrorCode.transactionalIdAuthorizationFailed)
})
