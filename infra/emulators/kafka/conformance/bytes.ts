/** Requests and record batches byte by byte, for what no client would send. */
import { createRequire } from 'node:module'
import { connect, type Socket } from 'node:net'
import { Writer } from '../wire/writer.ts'

const load = createRequire(import.meta.url)
const { RecordBatch } = load('kafkajs/src/protocol/recordBatch/v0/index.js')
const Record = load('kafkajs/src/protocol/recordBatch/record/v0/index.js')

export type BatchSettings = {
  /** Ms since the epoch. */
  timestamp?: number
  producerId?: number
  firstSequence?: number
  transactional?: boolean
}

/** A batch as kafkajs encodes it. */
export async function encodeBatch(values: readonly string[], settings: BatchSettings = {}): Promise<Buffer> {
  const { timestamp = Date.now(), producerId = -1, firstSequence = 0, transactional = false } = settings
  const encoded = await RecordBatch({
    records: values.map((value, offsetDelta) => Record({ value: Buffer.from(value), offsetDelta, timestampDelta: 0 })),
    firstTimestamp: timestamp,
    maxTimestamp: timestamp,
    lastOffsetDelta: values.length - 1,
    producerId,
    producerEpoch: 0,
    firstSequence,
    transactional,
  })
  return encoded.buffer
}

/** One request with its length in front, correlation id 7, client id 'raw'. */
export function frame(key: number, version: number, body: (writer: Writer) => void): Buffer {
  const writer = new Writer().int16(key).int16(version).int32(7).string('raw')
  body(writer)
  return writer.finish()
}

/** Sends bytes and resolves with everything that comes back until the broker closes or `answers` frames are there. */
export async function exchange(port: number, bytes: Buffer, answers: number): Promise<{ socket: Socket; frames: Buffer[] }> {
  const socket = connect(port, '127.0.0.1')
  let held = Buffer.alloc(0)
  const frames: Buffer[] = []
  socket.write(bytes)
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 4 && held.length >= 4 + held.readInt32BE(0)) {
        frames.push(held.subarray(4, 4 + held.readInt32BE(0)))
        held = held.subarray(4 + held.readInt32BE(0))
      }
      if (frames.length >= answers) resolve()
    })
  })
  return { socket, frames }
}
