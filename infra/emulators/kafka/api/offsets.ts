/** Where a partition begins and ends, and how far groups have read. */
import { notImplemented } from '../../not-implemented.ts'
import type { CommittedOffset } from '../groups/coordinator.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Broker, Request } from './request.ts'

const LATEST = -1
const EARLIEST = -2

/** ListOffsets 1: the first offset and the next one. */
export function listOffsets(broker: Broker, { body, response }: Request): undefined {
  body.int32() // The replica, always a consumer here.
  const topics = body.array((topic) => ({
    name: topic.string(),
    partitions: topic.array((partition) => ({ number: partition.int32(), timestamp: partition.int64() })),
  }))
  response.array(topics, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, timestamp }) => {
      if (timestamp !== LATEST && timestamp !== EARLIEST) throw new Error(notImplemented('offsets by time'))
      const partition = broker.log.partition(name, number)
      const offset = (timestamp === LATEST ? partition?.nextOffset : partition?.startOffset) ?? -1
      const error = partition ? ErrorCode.none : ErrorCode.unknownTopicOrPartition
      response.int32(number).int16(error).int64(-1).int64(offset)
    })
  })
}

/** OffsetCommit 3. The offsets are on disk before the answer. */
export async function offsetCommit(broker: Broker, { body, response }: Request): Promise<undefined> {
  const groupId = body.string()
  const generation = body.int32()
  const memberId = body.string()
  body.int64() // How long to keep the offsets: as long as the group.
  const offsets = body
    .array((topic) => {
      const name = topic.string()
      return topic.array(
        (one): CommittedOffset => ({
          topic: name,
          partition: one.int32(),
          offset: one.int64(),
          metadata: one.nullableString() ?? '',
        }),
      )
    })
    .flat()
  const isKnown = ({ topic, partition }: CommittedOffset) => broker.log.partition(topic, partition) !== undefined
  const groupError = await broker.coordinator.commit(groupId, generation, memberId, offsets.filter(isKnown))
  response.int32(0).array([...Map.groupBy(offsets, ({ topic }) => topic)], ([topic, partitions]) => {
    response.string(topic).array(partitions, (offset) => {
      const error = isKnown(offset) ? groupError : ErrorCode.unknownTopicOrPartition
      response.int32(offset.partition).int16(error)
    })
  })
}

/** OffsetFetch 3. */
export function offsetFetch(broker: Broker, { body, response }: Request): undefined {
  const groupId = body.string()
  const topics = body.nullableArray((topic) => ({ name: topic.string(), partitions: topic.array((partition) => partition.int32()) }))
  if (topics === null) throw new Error(notImplemented('all offsets of a group at once'))
  response.int32(0).array(topics, ({ name, partitions }) => {
    response.string(name).array(partitions, (partition) => {
      const { offset, metadata } = broker.coordinator.committed(groupId, name, partition)
      response.int32(partition).int64(offset).string(metadata).int16(ErrorCode.none)
    })
  })
  response.int16(ErrorCode.none)
}
