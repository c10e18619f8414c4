/**
 * The only file that sees kafkajs. Producer: acks from all in-sync replicas, idempotent, one request in flight. Consumer: every
 * message is parsed inside the try, deduplicated by an inbox, retried with pauses, then put aside in `<group>.dlq`; while a
 * dependency is away the partition waits and nothing is put aside; a dead consumer ends the process.
 */
import { type EventData, type EventDefinition, type EventEnvelope, eventType, topicOf } from '@passerelle/contracts/event'
import { deadLetterTopic, type Topic } from '@passerelle/contracts/events/topics'
import { type Consumer, type EachBatchPayload, Kafka, type KafkaMessage, logLevel, Partitioners, type Producer } from 'kafkajs'
import type { Connection } from 'mongoose'
import { createInbox, type Inbox } from './inbox.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { isMongoAway } from './mongo.ts'
import { isAway } from './peer.ts'
import { pause } from './resilience.ts'

export type Publisher = { publish(events: readonly (EventEnvelope & { topic: string })[]): Promise<void> }

export type Subscription = { definition: EventDefinition; handle(event: EventEnvelope): Promise<void> }

/** A typed subscription; handlers must be safe to repeat. */
export function on<E extends EventDefinition>(definition: E, handle: (event: EventEnvelope<EventData<E>>) => Promise<void>): Subscription {
  return { definition, handle: handle as Subscription['handle'] }
}

export type ConsumerDefinition = { group: string; subscriptions: readonly Subscription[] }

export type BusOptions = {
  brokers: string
  clientId: string
  /** Goes before the names of topics and groups. */
  namespace: string
  username?: string
  password?: string
  log: Log
  metrics: Metrics
  /** Called when a consumer has died for good: the process should end, so that the platform starts a new one. */
  onFatal(error: unknown): void
}

export type Bus = Publisher & {
  consume(definition: ConsumerDefinition, connection: Connection): Promise<void>
  /** Milliseconds since the stalest consumer last heard from its broker; 0 without consumers. */
  silence(): number
  stop(): Promise<void>
}

const RETRY_PAUSES_MS = [100, 500, 2000, 5000]
const DEPENDENCY_PAUSE_MS = 1000

export function kafkaClient(options: Pick<BusOptions, 'brokers' | 'clientId' | 'username' | 'password' | 'log'>): Kafka {
  const { log } = options
  return new Kafka({
    clientId: options.clientId,
    brokers: options.brokers.split(','),
    connectionTimeout: 3000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 5000, retries: 8 },
    ...(options.username && options.password
      ? { sasl: { mechanism: 'scram-sha-512' as const, username: options.username, password: options.password } }
      : {}),
    logLevel: logLevel.ERROR,
    // A fresh broker answers "coordinator is loading" for a second and kafkajs calls that an error; it retries, so it is a debug line here.
    logCreator: () => (entry) => log.debug({ kafka: entry.namespace, detail: entry.log.message }, 'kafka client'),
  })
}

/** Creates what is missing; a topic that exists is left as it is. */
export async function createTopics(kafka: Kafka, topics: readonly Topic[], replication = 1): Promise<string[]> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !existing.has(topic.name))
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: true,
        topics: missing.map((topic) => ({
          topic: topic.name,
          numPartitions: topic.partitions,
          replicationFactor: replication,
          configEntries: [
            { name: 'retention.ms', value: String(topic.retentionMs) },
            { name: 'cleanup.policy', value: topic.compact ? 'compact' : 'delete' },
            { name: 'min.insync.replicas', value: String(replication > 2 ? 2 : 1) },
          ],
        })),
      })
    }
    return missing.map((topic) => topic.name)
  } finally {
    await admin.disconnect()
  }
}

export async function connectBus(options: BusOptions): Promise<Bus> {
  const kafka = kafkaClient(options)
  const { log, metrics } = options
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: Number.MAX_SAFE_INTEGER },
  })
  const connecting = connectProducer(producer, log)
  const consumers: Consumer[] = []
  const lastHeard = new Map<string, number>()
  let stopping = false

  return {
    async publish(events) {
      await connecting
      const byTopic = Map.groupBy(events, (event) => event.topic)
      await producer.sendBatch({
        acks: -1,
        topicMessages: [...byTopic].map(([topic, list]) => ({
          topic: options.namespace + topic,
          messages: list.map((event) => toMessage(event, options.clientId)),
        })),
      })
    },
    async consume(definition, connection) {
      const consumer = kafka.consumer({
        groupId: options.namespace + definition.group,
        allowAutoTopicCreation: false,
        sessionTimeout: 30_000,
        rebalanceTimeout: 60_000,
        heartbeatInterval: 3000,
        maxBytesPerPartition: 256 * 1024,
        maxWaitTimeInMs: 500,
        retry: { initialRetryTime: 200, maxRetryTime: 5000, retries: 10, restartOnFailure: async () => !stopping },
      })
      consumers.push(consumer)
      const hear = () => lastHeard.set(definition.group, Date.now())
      hear()
      for (const sign of [consumer.events.FETCH, consumer.events.GROUP_JOIN, consumer.events.HEARTBEAT] as const) consumer.on(sign, hear)
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart && !stopping) options.onFatal(payload.error)
      })
      await consumer.connect()
      await consumer.subscribe({
        topics: [...new Set(definition.subscriptions.map((one) => options.namespace + topicOf(one.definition)))],
        fromBeginning: true,
      })
      const inbox = createInbox(connection, definition.group)
      const parked: Parking = {
        publisher: producer,
        group: definition.group,
        topic: options.namespace + deadLetterTopic(definition.group).name,
      }
      await consumer.run({
        autoCommit: true,
        autoCommitThreshold: 1,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 3,
        eachBatch: (batch) => workOff(batch, definition, inbox, parked, log, metrics),
      })
    },
    silence: () => (lastHeard.size === 0 ? 0 : Date.now() - Math.min(...lastHeard.values())),
    async stop() {
      stopping = true
      await Promise.allSettled(consumers.map((consumer) => consumer.disconnect()))
      await Promise.race([producer.disconnect().catch(() => undefined), pause(3000)])
    },
  }
}

/** A service starts and serves while the bus is away; its events wait in the outbox. */
async function connectProducer(producer: Producer, log: Log): Promise<void> {
  for (;;) {
    try {
      return await producer.connect()
    } catch (err) {
      log.warn({ err }, 'the bus is away, trying again')
      await pause(1000)
    }
  }
}

function toMessage(event: EventEnvelope, source: string) {
  return {
    key: event.key,
    value: JSON.stringify(event.data),
    timestamp: String(Date.parse(event.at)),
    headers: {
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: `/services/${source}`,
      ce_type: eventType(event),
      ce_subject: event.key,
      ce_time: event.at,
      ce_partitionkey: event.key,
      ce_sequence: String(event.sequence),
      'content-type': 'application/json',
      ...(event.requestId && { ce_requestid: event.requestId }),
      ...(event.traceparent && { traceparent: event.traceparent }),
    },
  }
}

type Parking = { publisher: Producer; group: string; topic: string }

async function workOff(
  batch: EachBatchPayload,
  definition: ConsumerDefinition,
  inbox: Inbox,
  parking: Parking,
  log: Log,
  metrics: Metrics,
): Promise<void> {
  for (const message of batch.batch.messages) {
    if (!batch.isRunning() || batch.isStale()) return
    const outcome = await handleMessage(batch, message, definition, inbox, log)
    if (outcome.kind === 'later') {
      const resume = batch.pause()
      setTimeout(resume, DEPENDENCY_PAUSE_MS).unref()
      metrics.consumed.inc({ group: definition.group, result: 'waiting' })
      return
    }
    if (outcome.kind === 'dead') await putAside(batch, message, parking, outcome, log)
    metrics.consumed.inc({ group: definition.group, result: outcome.kind })
    batch.resolveOffset(message.offset)
    await batch.commitOffsetsIfNecessary()
    await batch.heartbeat()
  }
}

type Outcome = { kind: 'done' | 'duplicate' | 'ignored' | 'later' } | { kind: 'dead'; reason: string; attempts: number }

async function handleMessage(
  batch: EachBatchPayload,
  message: KafkaMessage,
  definition: ConsumerDefinition,
  inbox: Inbox,
  log: Log,
): Promise<Outcome> {
  const type = header(message, 'ce_type')
  if (!type) return { kind: 'dead', reason: 'no-type', attempts: 0 }
  const subscription = definition.subscriptions.find((one) => eventType(one.definition) === type)
  if (!subscription) return { kind: 'ignored' }
  const event = parseEvent(message, subscription.definition)
  if (typeof event === 'string') return { kind: 'dead', reason: event, attempts: 0 }
  for (let attempt = 0; ; attempt++) {
    try {
      if (await inbox.has(event.id)) return { kind: 'duplicate' }
      await subscription.handle(event)
      await inbox.remember(event.id)
      return { kind: 'done' }
    } catch (err) {
      if (isAway(err) || isMongoAway(err)) return { kind: 'later' }
      log.warn({ err, event: type, id: event.id, attempt }, 'event handler failed')
      const wait = RETRY_PAUSES_MS[attempt]
      if (wait === undefined) return { kind: 'dead', reason: err instanceof Error ? err.name : 'unknown', attempts: attempt + 1 }
      await pause(wait)
      await batch.heartbeat()
    }
  }
}

/** The event, or why it cannot be read. */
function parseEvent(message: KafkaMessage, definition: EventDefinition): EventEnvelope | string {
  try {
    const data = definition.schema.safeParse(JSON.parse(message.value?.toString('utf8') ?? ''))
    if (!data.success) return 'schema'
    const id = header(message, 'ce_id')
    if (!id) return 'no-id'
    const requestId = header(message, 'ce_requestid')
    return {
      id,
      name: definition.name,
      version: definition.version,
      key: message.key?.toString('utf8') ?? '',
      at: header(message, 'ce_time') ?? '',
      sequence: Number(header(message, 'ce_sequence') ?? 0),
      data: data.data,
      ...(requestId && { requestId }),
    }
  } catch {
    return 'not-json'
  }
}

function header(message: KafkaMessage, name: string): string | undefined {
  const value = message.headers?.[name]
  return (Array.isArray(value) ? value[0] : value)?.toString()
}

/** The message as it was, with where it came from and why it is here; never an error's text, which may hold data. */
async function putAside(
  { batch }: EachBatchPayload,
  message: KafkaMessage,
  parking: Parking,
  outcome: { reason: string; attempts: number },
  log: Log,
): Promise<void> {
  log.error({ group: parking.group, topic: batch.topic, partition: batch.partition, offset: message.offset, ...outcome }, 'event put aside')
  await parking.publisher.send({
    topic: parking.topic,
    acks: -1,
    messages: [
      {
        key: message.key,
        value: message.value,
        headers: {
          ...message.headers,
          dlq_topic: batch.topic,
          dlq_partition: String(batch.partition),
          dlq_offset: message.offset,
          dlq_reason: outcome.reason,
          dlq_attempts: String(outcome.attempts),
          dlq_at: new Date().toISOString(),
        },
      },
    ],
  })
}
