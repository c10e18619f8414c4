import type { CommittedOffset } from '../groups/committed-offsets.ts'
import type { Partition } from '../log/topics.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Broker, Call } from './handler.ts'

const LATEST = -1
const EARLIEST = -2
/** Apache Kafka's `offset.metadata.max.bytes`. */
const MAX_METADATA_BYTES = 4096
const NOT_COMMITTED = -1

/** ListOffsets 1: the first, the next, or the first at a time. */
export function listOffsets(broker: Broker, { request, response }: Call): undefined {
  request.int32() // The replica, always a consumer here.
  const topics = request.array((topic) => ({
    name: topic.string(),
    partitions: topic.array((partition) => ({ number: partition.int32(), timestamp: partition.int64() })),
  }))
  response.array(topics, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, timestamp }) => {
      const partition = broker.topics.partition(name, number)
      if (partition === undefined) {
        response.int32(number).int16(ErrorCode.unknownTopicOrPartition).int64(-1).int64(-1)
        return
      }
      const found = offsetAt(broker, partition, timestamp)
      response.int32(number).int16(ErrorCode.none).int64(found.timestamp).int64(found.offset)
    })
  })
}

function offsetAt(broker: Broker, partition: Partition, timestamp: number): { offset: number; timestamp: number } {
  if (timestamp === LATEST) return { offset: partition.nextOffset, timestamp: -1 }
  if (timestamp === EARLIEST) return { offset: partition.startOffset, timestamp: -1 }
  return broker.log.findByTimestamp(partition, timestamp) ?? { offset: -1, timestamp: -1 }
}

/** OffsetCommit 2 and 3. The offsets are on disk before the answer. */
export async function offsetCommit(broker: Broker, { version, request, response }: Call): Promise<undefined> {
  const groupId = request.string()
  const generation = request.int32()
  const memberId = request.string()
  request.int64() // How long to keep the offsets: as long as the group.
  const topics = request.array((topic) => ({
    name: topic.string(),
    partitions: topic.array((partition) => ({
      number: partition.int32(),
      offset: partition.int64(),
      metadata: partition.nullableString() ?? '',
    })),
  }))
  const checked = topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((commit) => ({ ...commit, error: commitProblem(broker, name, commit.number, commit.metadata) })),
  }))
  const accepted = checked.flatMap(({ name, partitions }) =>
    partitions
      .filter(({ error }) => error === ErrorCode.none)
      .map(({ number, offset, metadata }): CommittedOffset => ({ topic: name, partition: number, offset, metadata })),
  )
  const groupError = await broker.coordinator.commit(groupId, generation, memberId, accepted)
  if (version >= 3) response.int32(0)
  response.array(checked, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, error }) => {
      response.int32(number).int16(groupError === ErrorCode.none ? error : groupError)
    })
  })
}

function commitProblem(broker: Broker, topic: string, partition: number, metadata: string): ErrorCode {
  if (broker.topics.partition(topic, partition) === undefined) return ErrorCode.unknownTopicOrPartition
  return Buffer.byteLength(metadata) > MAX_METADATA_BYTES ? ErrorCode.offsetMetadataTooLarge : ErrorCode.none
}

/** OffsetFetch 1 to 3. Null topics (from 2 on) ask for everything that the group has committed. */
export function offsetFetch(broker: Broker, { version, request, response }: Call): undefined {
  const groupId = request.string()
  const wanted = request.nullableArray((topic) => ({ name: topic.string(), partitions: topic.array((partition) => partition.int32()) }))
  const committed = wanted === null ? broker.offsets.ofGroup(groupId) : []
  const topics = wanted?.map(({ name, partitions }) => ({
    name,
    offsets: partitions.map(
      (partition) => broker.offsets.find(groupId, name, partition) ?? { topic: name, partition, offset: NOT_COMMITTED, metadata: '' },
    ),
  }))
  const byTopic = topics ?? [...Map.groupBy(committed, ({ topic }) => topic)].map(([name, offsets]) => ({ name, offsets }))
  if (version >= 3) response.int32(0)
  response.array(byTopic, ({ name, offsets }) => {
    response.string(name).array(offsets, ({ partition, offset, metadata }) => {
      response.int32(partition).int64(offset).string(metadata).int16(ErrorCode.none)
    })
  })
  if (version >= 2) response.int16(ErrorCode.none)
}
