/** Record batches as kafkajs encodes them, for tests that speak to the broker below the client. */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
const { RecordBatch } = load('kafkajs/src/protocol/recordBatch/v0/index.js')
const Record = load('kafkajs/src/protocol/recordBatch/record/v0/index.js')

export type BatchSettings = {
  /** Of the first message, ms since the epoch; each of the others is a second later. */
  timestamp?: number
  producerId?: number
  firstSequence?: number
  transactional?: boolean
}

export async function encodeBatch(values: readonly string[], settings: BatchSettings = {}): Promise<Buffer> {
  const { timestamp = Date.now(), producerId = -1, firstSequence = 0, transactional = false } = settings
  const lastOffsetDelta = values.length - 1
  const encoded = await RecordBatch({
    records: values.map((value, offsetDelta) => Record({ value: Buffer.from(value), offsetDelta, timestampDelta: offsetDelta * 1_000 })),
    firstTimestamp: timestamp,
    maxTimestamp: timestamp + lastOffsetDelta * 1_000,
    lastOffsetDelta,
    producerId,
    producerEpoch: 0,
    firstSequence,
    transactional,
  })
  return encoded.buffer
}
