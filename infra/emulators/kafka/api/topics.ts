/** Which topics there are, and making them. */
import { notImplemented } from '../../not-implemented.ts'
import { ErrorCode } from '../wire/error-code.ts'
import { type Broker, NODE_ID, type Request } from './request.ts'

/** Far above what development needs, and low enough that a slip of the pen does not fill the disk. */
const MAX_PARTITIONS = 10_000
const UNSET = -1

/** The topic settings that are known, and their values. `min.insync.replicas` has no effect on a single broker. */
const CONFIGS: Record<string, RegExp> = {
  'cleanup.policy': /^(delete|compact|delete,compact|compact,delete)$/,
  'max.message.bytes': /^\d{1,9}$/,
  'min.insync.replicas': /^[1-9]\d{0,3}$/,
  'retention.ms': /^(-1|\d{1,15})$/,
}

type NewTopic = { name: string; partitions: number; replication: number; assignments: unknown[]; configs: [string, string | null][] }
type Problem = { error: ErrorCode; message: string }

/** Metadata 4. A topic that does not exist is never made by asking for it, whatever the request allows. */
export function metadata(broker: Broker, { body, response }: Request): undefined {
  const names = body.nullableArray((topic) => topic.string()) ?? broker.log.topics().map(({ name }) => name)
  response.int32(0).array([broker], ({ host, port }) => response.int32(NODE_ID).string(host).int32(port).string(null))
  response.string('emulator').int32(NODE_ID)
  response.array(names, (name) => {
    const topic = broker.log.topic(name)
    const missing = isValidName(name) ? ErrorCode.unknownTopicOrPartition : ErrorCode.invalidTopic
    response.int16(topic ? ErrorCode.none : missing)
    response.string(name).boolean(false)
    response.array([...(topic?.partitions.keys() ?? [])], (number) => {
      response.int16(ErrorCode.none).int32(number).int32(NODE_ID)
      response.array([NODE_ID], (replica) => response.int32(replica)).array([NODE_ID], (inSync) => response.int32(inSync))
    })
  })
}

/** CreateTopics 2. */
export async function createTopics(broker: Broker, { body, response }: Request): Promise<undefined> {
  const wanted = body.array(
    (topic): NewTopic => ({
      name: topic.string(),
      partitions: topic.int32(),
      replication: topic.int16(),
      assignments: topic.array((assignment) => [assignment.int32(), assignment.array((replica) => replica.int32())]),
      configs: topic.array((config) => [config.string(), config.nullableString()]),
    }),
  )
  body.int32() // The time to wait for the controller, which is here.
  const validateOnly = body.boolean()
  const results = await broker.file.write(() =>
    wanted.map((topic) => {
      const problem = problemWith(broker, topic)
      if (!problem && !validateOnly)
        broker.log.create(topic.name, topic.partitions === UNSET ? 1 : topic.partitions, Object.fromEntries(topic.configs) as never)
      return { name: topic.name, problem }
    }),
  )
  response.int32(0).array(results, ({ name, problem }) => {
    response
      .string(name)
      .int16(problem?.error ?? ErrorCode.none)
      .string(problem?.message ?? null)
  })
}

function problemWith(broker: Broker, { name, partitions, replication, assignments, configs }: NewTopic): Problem | undefined {
  if (!isValidName(name)) return { error: ErrorCode.invalidTopic, message: `Topic name is invalid: ${name}` }
  if (broker.log.topic(name)) return { error: ErrorCode.topicAlreadyExists, message: `Topic '${name}' already exists.` }
  if (assignments.length > 0) return { error: ErrorCode.invalidRequest, message: notImplemented('a manual assignment of partitions') }
  if (partitions !== UNSET && (partitions < 1 || partitions > MAX_PARTITIONS))
    return { error: ErrorCode.invalidPartitions, message: `Number of partitions must be between 1 and ${MAX_PARTITIONS}.` }
  if (replication !== UNSET && replication !== 1)
    return { error: ErrorCode.invalidReplicationFactor, message: 'There is one broker, so the replication factor must be 1.' }
  for (const [config, value] of configs) {
    const allowed = Object.hasOwn(CONFIGS, config) ? CONFIGS[config] : undefined
    if (!allowed) return { error: ErrorCode.invalidConfig, message: notImplemented(`the topic config ${config}`) }
    if (value === null || !allowed.test(value))
      return { error: ErrorCode.invalidConfig, message: `Invalid value ${value} for configuration ${config}` }
  }
  return undefined
}

function isValidName(name: string): boolean {
  return /^[a-zA-Z0-9._-]{1,249}$/.test(name) && name !== '.' && name !== '..'
}
