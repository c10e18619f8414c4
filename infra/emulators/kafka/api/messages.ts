/** Writing and reading messages. */
import { notImplemented } from '../../not-implemented.ts'
import { type Partition, wake } from '../log.ts'
import { ErrorCode } from '../wire/error-code.ts'
import { parseRecordBatch } from '../wire/record-batch.ts'
import type { Broker, Request } from './request.ts'

const TRANSACTIONS_REFUSED = notImplemented('Kafka transactions')

/** Produce 3. With one broker, acks 1 and -1 mean the same: the batch is on disk before the answer. */
export async function produce(broker: Broker, { body, response }: Request): Promise<undefined | 'silent'> {
  const transactionalId = body.nullableString()
  const acks = body.int16()
  body.int32() // The time to wait for replicas, of which there are none.
  let refusal: ErrorCode = acks < -1 || acks > 1 ? ErrorCode.invalidRequiredAcks : ErrorCode.none
  if (transactionalId !== null) {
    broker.report(TRANSACTIONS_REFUSED)
    refusal = ErrorCode.transactionalIdAuthorizationFailed
  }
  // Checksums are taken before the transaction, so that it stays short.
  const topics = body.array((topic) => ({
    name: topic.string(),
    writes: topic.array((write) => {
      const [number, bytes] = [write.int32(), write.bytes()]
      return { number, batch: refusal === ErrorCode.none ? parseRecordBatch(bytes) : { error: refusal } }
    }),
  }))
  const written: Partition[] = []
  const append = (topic: string, number: number, batch: ReturnType<typeof parseRecordBatch>) => {
    const partition = broker.log.partition(topic, number)
    if ('error' in batch) return { number, error: batch.error, baseOffset: -1 }
    if (!partition) return { number, error: ErrorCode.unknownTopicOrPartition, baseOffset: -1 }
    written.push(partition)
    return { number, ...broker.log.append(partition, batch) }
  }
  const results = await broker.file
    .write(() => topics.map(({ name, writes }) => ({ name, partitions: writes.map(({ number, batch }) => append(name, number, batch)) })))
    .catch((error: Error) => {
      broker.report(error.message)
      const failed = { error: ErrorCode.kafkaStorageError, baseOffset: -1 }
      return topics.map(({ name, writes }) => ({ name, partitions: writes.map(({ number }) => ({ number, ...failed })) }))
    })
  for (const partition of written) wake(partition)
  if (acks === 0) return 'silent'
  response.array(results, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, error, baseOffset }) => {
      response.int32(number).int16(error).int64(baseOffset).int64(-1)
    })
  })
  response.int32(0)
}

/** InitProducerId 0. */
export async function initProducerId(broker: Broker, { body, response }: Request): Promise<undefined> {
  if (body.nullableString() !== null) {
    broker.report(TRANSACTIONS_REFUSED)
    response.int32(0).int16(ErrorCode.transactionalIdAuthorizationFailed).int64(-1).int16(-1)
    return
  }
  const producerId = await broker.file.write(() => broker.log.takeProducerId())
  response.int32(0).int16(ErrorCode.none).int64(producerId).int16(0)
}

type Wanted = { topic: string; number: number; offset: number; maxBytes: number }
type Fetched = Wanted & { error: ErrorCode; highWatermark: number; batches: Uint8Array[] }

/** Fetch 4. Without enough to read the answer waits for new messages, or for the time that the reader has set. */
export async function fetch(broker: Broker, { body, response, signal }: Request): Promise<undefined> {
  body.int32() // The replica, always a consumer here.
  const deadline = Date.now() + body.int32()
  const minBytes = body.int32()
  const maxBytes = body.int32()
  body.int8() // The isolation level: without transactions both levels see the same.
  const wanted = body
    .array((topic) => {
      const name = topic.string()
      return topic.array((one): Wanted => ({ topic: name, number: one.int32(), offset: one.int64(), maxBytes: one.int32() }))
    })
    .flat()
  let answer = readAll(broker, wanted, maxBytes)
  while (!isEnough(answer, minBytes) && Date.now() < deadline && !signal.aborted) {
    const partitions = wanted.map(({ topic, number }) => broker.log.partition(topic, number)!)
    await somethingNew(partitions, deadline - Date.now(), signal)
    answer = readAll(broker, wanted, maxBytes)
  }
  response.int32(0).array([...Map.groupBy(answer, ({ topic }) => topic)], ([topic, partitions]) => {
    response.string(topic).array(partitions, ({ number, error, highWatermark, batches }) => {
      response.int32(number).int16(error).int64(highWatermark).int64(highWatermark)
      response.int32(-1) // No aborted transactions.
      response.bytes(...batches)
    })
  })
}

function readAll(broker: Broker, wanted: Wanted[], maxBytes: number): Fetched[] {
  let bytes = 0
  return wanted.map((one) => {
    const partition = broker.log.partition(one.topic, one.number)
    const failed = (error: ErrorCode): Fetched => ({ ...one, error, highWatermark: -1, batches: [] })
    if (!partition) return failed(ErrorCode.unknownTopicOrPartition)
    const { startOffset, nextOffset } = partition
    if (one.offset < startOffset || one.offset > nextOffset) return failed(ErrorCode.offsetOutOfRange)
    // Only the first batch of a whole answer may be larger than the limits.
    const batches = broker.log.read(partition, one.offset, Math.min(one.maxBytes, maxBytes - bytes), bytes === 0)
    for (const batch of batches) bytes += batch.length
    return { ...one, error: ErrorCode.none, highWatermark: nextOffset, batches }
  })
}

function isEnough(answer: Fetched[], minBytes: number): boolean {
  const bytes = answer.flatMap(({ batches }) => batches).reduce((sum, batch) => sum + batch.length, 0)
  return bytes >= minBytes || answer.some(({ error }) => error !== ErrorCode.none)
}

/** Resolves when one of the partitions has changed, after `ms`, or when the reader has gone. */
function somethingNew(partitions: readonly Partition[], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      for (const partition of partitions) partition.watchers.delete(finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    for (const partition of partitions) partition.watchers.add(finish)
  })
}
