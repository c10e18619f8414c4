import type { Partition } from '../log/topics.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Broker, Call } from './handler.ts'

type Wanted = { number: number; offset: number; maxBytes: number }
type Fetched = { number: number; error: ErrorCode; highWatermark: number; batches: Buffer[] }
type Answer = { topics: { name: string; partitions: Fetched[] }[]; bytes: number; hasError: boolean }

/** Fetch 4. Without enough to read the answer waits for new messages, or for the time that the reader has set. */
export async function fetch(broker: Broker, { request, response, signal }: Call): Promise<undefined> {
  request.int32() // The replica, always a consumer here.
  const maxWaitMs = request.int32()
  const minBytes = request.int32()
  const maxBytes = request.int32()
  request.int8() // The isolation level: without transactions both levels see the same.
  const topics = request.array((topic) => ({
    name: topic.string(),
    partitions: topic.array((partition): Wanted => ({ number: partition.int32(), offset: partition.int64(), maxBytes: partition.int32() })),
  }))
  const read = () => readAll(broker, topics, maxBytes)
  let answer = read()
  if (answer.bytes < minBytes && !answer.hasError && maxWaitMs > 0) {
    const partitions = topics.flatMap(({ name, partitions: wanted }) => wanted.map(({ number }) => broker.topics.partition(name, number)!))
    await moreBytes(partitions, minBytes - answer.bytes, maxWaitMs, signal)
    answer = read()
  }
  response.int32(0).array(answer.topics, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, error, highWatermark, batches }) => {
      response.int32(number).int16(error).int64(highWatermark).int64(highWatermark)
      response.int32(-1) // No aborted transactions.
      response.blocks(batches)
    })
  })
}

function readAll(broker: Broker, topics: readonly { name: string; partitions: Wanted[] }[], maxBytes: number): Answer {
  const answer: Answer = { topics: [], bytes: 0, hasError: false }
  for (const { name, partitions } of topics) {
    const fetched = partitions.map((wanted): Fetched => {
      const partition = broker.topics.partition(name, wanted.number)
      const error = offsetProblem(partition, wanted.offset)
      if (partition === undefined || error !== ErrorCode.none) {
        answer.hasError = true
        return { number: wanted.number, error, highWatermark: -1, batches: [] }
      }
      // Only the first batch of a whole answer may be larger than the limits.
      const limit = Math.min(wanted.maxBytes, maxBytes - answer.bytes)
      const batches = broker.log.read(partition, wanted.offset, limit, answer.bytes === 0)
      for (const batch of batches) answer.bytes += batch.length
      return { number: wanted.number, error, highWatermark: partition.nextOffset, batches }
    })
    answer.topics.push({ name, partitions: fetched })
  }
  return answer
}

function offsetProblem(partition: Partition | undefined, offset: number): ErrorCode {
  if (partition === undefined) return ErrorCode.unknownTopicOrPartition
  return offset < partition.startOffset || offset > partition.nextOffset ? ErrorCode.offsetOutOfRange : ErrorCode.none
}

/** Resolves when `missing` bytes have been added to the partitions, after `maxWaitMs`, or when the reader has gone. */
function moreBytes(partitions: readonly Partition[], missing: number, maxWaitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let left = missing
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      for (const partition of partitions) partition.watchers.delete(onBytes)
      resolve()
    }
    const onBytes = (bytes: number) => {
      left -= bytes
      if (left <= 0) finish()
    }
    const timer = setTimeout(finish, maxWaitMs)
    signal.addEventListener('abort', finish, { once: true })
    for (const partition of partitions) partition.watchers.add(onBytes)
  })
}
