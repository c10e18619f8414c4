import { wake } from '../log/topics.ts'
import { ErrorCode } from '../wire/error-code.ts'
import { parseRecordBatch } from '../wire/record-batch.ts'
import { type Broker, type Call, TRANSACTIONS_REFUSED } from './handler.ts'

type Write = { number: number; bytes: Buffer }

/** Produce 3. With one broker, acks 1 and -1 mean the same: the batch is on disk before the answer. */
export async function produce(broker: Broker, { request, response }: Call): Promise<undefined | 'silent'> {
  const transactionalId = request.nullableString()
  const acks = request.int16()
  request.int32() // The time to wait for replicas, of which there are none.
  const topics = request.array((topic) => ({
    name: topic.string(),
    writes: topic.array((partition): Write => ({ number: partition.int32(), bytes: partition.bytes() })),
  }))
  if (transactionalId !== null) broker.report(TRANSACTIONS_REFUSED)
  const refusal = requestProblem(transactionalId, acks)
  // Checksums are taken before the transaction, so that it stays short.
  const parsed = topics.map(({ name, writes }) => ({
    name,
    writes: writes.map(({ number, bytes }) => ({
      number,
      batch: refusal === ErrorCode.none ? parseRecordBatch(bytes) : { error: refusal },
    })),
  }))
  const results = await broker.database
    .write(() =>
      parsed.map(({ name, writes }) => ({
        name,
        partitions: writes.map(({ number, batch }) => {
          const partition = broker.topics.partition(name, number)
          if ('error' in batch) return { number, partition, error: batch.error, baseOffset: -1, size: 0 }
          if (partition === undefined) return { number, partition, error: ErrorCode.unknownTopicOrPartition, baseOffset: -1, size: 0 }
          return { number, partition, ...broker.log.append(partition, batch), size: batch.bytes.length }
        }),
      })),
    )
    .catch((error: Error) => {
      broker.report(`could not write to the log: ${error.message}`)
      return storageFailure(topics)
    })
  for (const { partitions } of results) {
    for (const { partition, error, size } of partitions) if (partition && error === ErrorCode.none) wake([partition], size)
  }
  if (acks === 0) return 'silent'
  response.array(results, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, error, baseOffset }) => {
      response.int32(number).int16(error).int64(baseOffset).int64(-1)
    })
  })
  response.int32(0)
}

function requestProblem(transactionalId: string | null, acks: number): ErrorCode {
  if (transactionalId !== null) return ErrorCode.transactionalIdAuthorizationFailed
  return acks < -1 || acks > 1 ? ErrorCode.invalidRequiredAcks : ErrorCode.none
}

function storageFailure(topics: { name: string; writes: Write[] }[]) {
  return topics.map(({ name, writes }) => ({
    name,
    partitions: writes.map(({ number }) => ({ number, partition: undefined, error: ErrorCode.kafkaStorageError, baseOffset: -1, size: 0 })),
  }))
}
