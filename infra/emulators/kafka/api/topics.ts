import { topicConfigProblem } from '../log/topic-config.ts'
import { wake } from '../log/topics.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Reader } from '../wire/reader.ts'
import { type Broker, type Call, NODE_ID } from './handler.ts'

const DEFAULT_PARTITIONS = 1
/** Far above what development needs, and low enough that a slip of the pen does not fill the disk. */
const MAX_PARTITIONS = 10_000
const UNSET = -1

type Assignment = { partition: number; replicas: number[] }
type NewTopic = {
  name: string
  partitions: number
  replicationFactor: number
  assignments: Assignment[]
  configs: { name: string; value: string | null }[]
}
type Problem = { error: ErrorCode; message: string }

/** Metadata 1 to 4. A topic that does not exist is never made by asking for it, whatever the request allows. */
export function metadata(broker: Broker, { version, request, response }: Call): undefined {
  const wanted = request.nullableArray((topic) => topic.string())
  const topics =
    wanted?.map((name) => ({ name, found: broker.topics.find(name) })) ?? broker.topics.all().map((found) => ({ name: found.name, found }))
  if (version >= 3) response.int32(0)
  response.array([broker], ({ host, port }) => response.int32(NODE_ID).string(host).int32(port).string(null))
  if (version >= 2) response.string(broker.clusterId)
  response.int32(NODE_ID)
  response.array(topics, ({ name, found }) => {
    const missing = isValidName(name) ? ErrorCode.unknownTopicOrPartition : ErrorCode.invalidTopic
    response
      .int16(found ? ErrorCode.none : missing)
      .string(name)
      .boolean(false)
    response.array(found?.partitions ?? [], ({ number }) => {
      response.int16(ErrorCode.none).int32(number).int32(NODE_ID)
      response.array([NODE_ID], (replica) => response.int32(replica)).array([NODE_ID], (inSync) => response.int32(inSync))
    })
  })
}

/** CreateTopics 2. */
export async function createTopics(broker: Broker, { request, response }: Call): Promise<undefined> {
  const wanted = request.array(
    (topic): NewTopic => ({
      name: topic.string(),
      partitions: topic.int32(),
      replicationFactor: topic.int16(),
      assignments: topic.array((assignment) => ({
        partition: assignment.int32(),
        replicas: assignment.array((replica) => replica.int32()),
      })),
      configs: topic.array((config) => ({ name: config.string(), value: config.nullableString() })),
    }),
  )
  request.int32() // The time to wait for the controller, which is here.
  const validateOnly = request.boolean()
  const twice = new Set(wanted.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) !== index))
  const results = await broker.database.write(() =>
    wanted.map((topic): Problem | undefined => {
      if (twice.has(topic.name)) return { error: ErrorCode.invalidRequest, message: 'Duplicate topic name.' }
      const problem = creationProblem(broker, topic)
      if (problem !== undefined || validateOnly) return problem
      const configs = Object.fromEntries(topic.configs.map(({ name, value }) => [name, value!]))
      broker.topics.create(topic.name, partitionCount(topic), configs)
      return undefined
    }),
  )
  response.int32(0).array([...wanted.keys()], (index) => {
    response
      .string(wanted[index]!.name)
      .int16(results[index]?.error ?? ErrorCode.none)
      .string(results[index]?.message ?? null)
  })
}

/** DeleteTopics 1. */
export async function deleteTopics(broker: Broker, { request, response }: Call): Promise<undefined> {
  const names = request.array((topic) => topic.string())
  const deleted = await broker.database.write(() =>
    names.map((name) => {
      const topic = broker.topics.find(name)
      if (topic !== undefined) broker.topics.delete(topic)
      return topic
    }),
  )
  for (const topic of deleted) wake(topic?.partitions ?? [])
  response.int32(0).array([...names.keys()], (index) => {
    response.string(names[index]!).int16(deleted[index] ? ErrorCode.none : ErrorCode.unknownTopicOrPartition)
  })
}

/** CreatePartitions 0. */
export async function createPartitions(broker: Broker, { request, response }: Call): Promise<undefined> {
  const wanted = request.array((topic) => ({
    name: topic.string(),
    total: topic.int32(),
    assignments: topic.nullableArray((assignment) => assignment.array((replica) => replica.int32())),
  }))
  request.int32() // The time to wait for the controller, which is here.
  const validateOnly = request.boolean()
  const results = await broker.database.write(() =>
    wanted.map(({ name, total, assignments }): Problem | undefined => {
      const topic = broker.topics.find(name)
      if (topic === undefined)
        return { error: ErrorCode.unknownTopicOrPartition, message: 'This server does not host this topic-partition.' }
      const current = topic.partitions.length
      if (total <= current || total > MAX_PARTITIONS) {
        return {
          error: ErrorCode.invalidPartitions,
          message: `The topic ${name} currently has ${current} partition(s); ${total} is not more, or too many.`,
        }
      }
      if (assignments !== null && (assignments.length !== total - current || !assignments.every(isHere))) {
        return { error: ErrorCode.invalidReplicaAssignment, message: `Every new partition needs one replica, on broker ${NODE_ID}.` }
      }
      if (!validateOnly) broker.topics.addPartitions(topic, total)
      return undefined
    }),
  )
  response.int32(0).array([...wanted.keys()], (index) => {
    response
      .string(wanted[index]!.name)
      .int16(results[index]?.error ?? ErrorCode.none)
      .string(results[index]?.message ?? null)
  })
}

/** DeleteRecords 0. Offset -1 means: everything there is. */
export async function deleteRecords(broker: Broker, { request, response }: Call): Promise<undefined> {
  const topics = request.array((topic) => ({ name: topic.string(), partitions: topic.array(readCut) }))
  const results = await broker.database.write(() =>
    topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((cut) => ({ number: cut.number, ...dropRecords(broker, name, cut) })),
    })),
  )
  response.int32(0).array(results, ({ name, partitions }) => {
    response.string(name).array(partitions, ({ number, startOffset, error }) => response.int32(number).int64(startOffset).int16(error))
  })
}

function readCut(partition: Reader): { number: number; before: number } {
  return { number: partition.int32(), before: partition.int64() }
}

function dropRecords(
  broker: Broker,
  topic: string,
  { number, before }: { number: number; before: number },
): { startOffset: number; error: ErrorCode } {
  const partition = broker.topics.partition(topic, number)
  if (partition === undefined) return { startOffset: -1, error: ErrorCode.unknownTopicOrPartition }
  const offset = before === UNSET ? partition.nextOffset : before
  if (offset < 0 || offset > partition.nextOffset) return { startOffset: -1, error: ErrorCode.offsetOutOfRange }
  if (offset > partition.startOffset) broker.log.dropBefore(partition, offset)
  return { startOffset: partition.startOffset, error: ErrorCode.none }
}

function creationProblem(broker: Broker, topic: NewTopic): Problem | undefined {
  const { name, partitions, replicationFactor, assignments, configs } = topic
  if (!isValidName(name)) return { error: ErrorCode.invalidTopic, message: `Topic name is invalid: ${name}` }
  if (broker.topics.find(name) !== undefined) return { error: ErrorCode.topicAlreadyExists, message: `Topic '${name}' already exists.` }
  // Kafka's metrics cannot tell a dot from an underscore, so it refuses two names that differ only there.
  const twin = broker.topics.all().find((other) => other.name.replaceAll('.', '_') === name.replaceAll('.', '_'))
  if (twin !== undefined) return { error: ErrorCode.invalidTopic, message: `Topic '${name}' collides with existing topic: ${twin.name}` }
  if (assignments.length > 0) {
    if (partitions !== UNSET || replicationFactor !== UNSET) {
      return { error: ErrorCode.invalidRequest, message: 'With a manual assignment the partitions and replication factor must be -1.' }
    }
    const isWhole = assignments.every(({ partition, replicas }, index) => partition === index && isHere(replicas))
    if (!isWhole)
      return { error: ErrorCode.invalidReplicaAssignment, message: `Partitions must count up from 0 and be on broker ${NODE_ID}.` }
  } else if (partitions !== UNSET && (partitions < 1 || partitions > MAX_PARTITIONS)) {
    return { error: ErrorCode.invalidPartitions, message: `Number of partitions must be between 1 and ${MAX_PARTITIONS}.` }
  } else if (replicationFactor !== UNSET && replicationFactor !== 1) {
    return { error: ErrorCode.invalidReplicationFactor, message: 'There is one broker, so the replication factor must be 1.' }
  }
  const configProblem = topicConfigProblem(configs)
  return configProblem === undefined ? undefined : { error: ErrorCode.invalidConfig, message: configProblem }
}

function partitionCount({ partitions, assignments }: NewTopic): number {
  if (assignments.length > 0) return assignments.length
  return partitions === UNSET ? DEFAULT_PARTITIONS : partitions
}

function isValidName(name: string): boolean {
  return /^[a-zA-Z0-9._-]{1,249}$/.test(name) && name !== '.' && name !== '..'
}

function isHere(replicas: number[]): boolean {
  return replicas.length === 1 && replicas[0] === NODE_ID
}
