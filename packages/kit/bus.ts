/**
 * Events between services, over Kafka; only the kit imports kafkajs. Producer: acks from all in-sync replicas, idempotent, one request in
 * flight. Consumer: every message is parsed, deduplicated by an inbox, retried with pauses, then sent to `<group>.dlq`; while a
 * dependency is unavailable the partition waits instead; a dead consumer ends the process.
 */
import { type EventData, type EventDefinition, type EventEnvelope, topicOf } from '@passerelle/contracts/event'
import { deadLetterTopic } from '@passerelle/contracts/events/topics'
import type { Consumer } from 'kafkajs'
import type { Connection } from 'mongoose'
import { type ConsumerDefinition, processBatch, type Subscription } from './bus-consumer.ts'
import { toMessage } from './bus-message.ts'
import { createProducer } from './bus-producer.ts'
import { type ConsumedTopics, startLagReport } from './consumer-lag.ts'
import { createInbox } from './inbox.ts'
import { type KafkaOptions, kafkaClient, startBusProbe } from './kafka.ts'
import type { Metrics } from './metrics.ts'
import { delay, every, monotonicMs } from './runtime.ts'

export type { ConsumerDefinition, Subscription }

/** Rejects when Kafka is unavailable; the events may have been published all the same. */
export type Publisher = { publish(events: readonly (EventEnvelope & { topic: string })[]): Promise<void> }

/** A typed subscription; handlers must be safe to repeat. */
export function on<E extends EventDefinition>(definition: E, handle: (event: EventEnvelope<EventData<E>>) => Promise<void>): Subscription {
  return { definition, handle: handle as Subscription['handle'] }
}

/** Milliseconds. */
export type BusTiming = {
  /** Between the attempts of a handler that fails; there is one attempt more than pauses. */
  retryPausesMs: readonly number[]
  /** Between the attempts while a dependency is unavailable. */
  dependencyPauseMs: number
  heartbeatMs: number
  /** A member without heartbeats for so long is removed from its group. */
  sessionMs: number
  /** A message that takes longer counts as stuck. */
  handlerMs: number
  /** For one publish, so that a stop never waits long while Kafka is unavailable. Shorter than an outbox's lease. */
  publishMs: number
}

const TIMING: BusTiming = {
  retryPausesMs: [100, 500, 2000, 5000],
  dependencyPauseMs: 1000,
  heartbeatMs: 1000,
  sessionMs: 10_000,
  handlerMs: 300_000,
  publishMs: 8000,
}

export type BusOptions = KafkaOptions & {
  /** Prefix of topics and groups. */
  namespace: string
  metrics: Metrics
  /** Called when a consumer has died for good: the process should end, so that a new one is started. */
  onFatal(error: unknown): void
  timing?: Partial<BusTiming>
}

export type Bus = Publisher & {
  /** Resolves when the group has been joined, however long Kafka is unavailable, or when the bus was stopped before. */
  consume(definition: ConsumerDefinition, connection: Connection): Promise<void>
  /** Milliseconds since the last heartbeat of the stalest consumer; 0 without consumers. */
  msSinceHeartbeat(): number
  /** Whether the broker answered when it was last asked, a few seconds ago. */
  isUp(): boolean
  stop(): Promise<void>
}

const STOP_MS = 8000
/** Longer than the session of a killed member, for which a new generation of the group waits. */
const JOIN_MS = 12_000

export async function connectBus(options: BusOptions): Promise<Bus> {
  const kafka = kafkaClient(options)
  const { log, metrics, namespace } = options
  const timing = { ...TIMING, ...options.timing }
  const producer = createProducer(kafka, log, timing.publishMs)
  const probe = startBusProbe(kafka)
  const consumers: { consumer: Consumer; joining: Promise<void> }[] = []
  const consumed: ConsumedTopics[] = []
  const lag = startLagReport(kafka, consumed, probe.isUp, metrics)
  const lastHeartbeats = new Map<string, number>()
  const stopping = new AbortController()
  const stopReporting = every(5000, () => {
    for (const [group, at] of lastHeartbeats) metrics.consumerLastPoll.set({ group }, (monotonicMs() - at) / 1000)
  })

  return {
    async publish(events) {
      const byTopic = Map.groupBy(events, (event) => event.topic)
      await producer.send(
        [...byTopic].map(([topic, list]) => ({
          topic: namespace + topic,
          messages: list.map((event) => toMessage(event, options.clientId)),
        })),
      )
    },
    async consume(definition, connection) {
      const consumer = kafka.consumer({
        groupId: namespace + definition.group,
        allowAutoTopicCreation: false,
        sessionTimeout: timing.sessionMs,
        rebalanceTimeout: Math.max(60_000, timing.sessionMs),
        heartbeatInterval: timing.heartbeatMs,
        maxBytesPerPartition: 256 * 1024,
        maxWaitTimeInMs: 500,
        retry: { initialRetryTime: 200, maxRetryTime: 1000, retries: 10, restartOnFailure: async () => !stopping.signal.aborted },
      })
      const member = { consumer, joining: Promise.resolve() }
      consumers.push(member)
      // Not FETCH: kafkajs emits one even when the connection broke during it.
      const noteHeartbeat = () => lastHeartbeats.set(definition.group, monotonicMs())
      noteHeartbeat()
      for (const name of [consumer.events.GROUP_JOIN, consumer.events.HEARTBEAT] as const) consumer.on(name, noteHeartbeat)
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart && !stopping.signal.aborted) options.onFatal(payload.error)
      })
      const topics = [...new Set(definition.subscriptions.map((one) => namespace + topicOf(one.definition)))]
      consumed.push({ group: namespace + definition.group, label: definition.group, topics })
      while (!stopping.signal.aborted) {
        try {
          await consumer.connect()
          await consumer.subscribe({ topics, fromBeginning: true })
          break
        } catch (err) {
          log.warn({ err, group: definition.group }, 'Kafka is unavailable, the group joins later')
          await delay(1000, stopping.signal)
        }
      }
      if (stopping.signal.aborted) return void (await consumer.disconnect().catch(() => undefined))
      const tools = {
        definition,
        inbox: createInbox(connection, definition.group),
        producer,
        deadLetterTopic: namespace + deadLetterTopic(definition.group).name,
        ...timing,
        stopping: stopping.signal,
        log,
        metrics,
      }
      member.joining = consumer.run({
        autoCommit: true,
        autoCommitThreshold: 1,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 8,
        eachBatch: (batch) => processBatch(batch, tools),
      })
      await member.joining
    },
    msSinceHeartbeat: () => (lastHeartbeats.size === 0 ? 0 : monotonicMs() - Math.min(...lastHeartbeats.values())),
    isUp: probe.isUp,
    async stop() {
      stopping.abort()
      stopReporting()
      await Promise.all([probe.stop(), lag.stop(), ...consumers.map(leave)])
      await producer.stop()
    },
  }
}

/**
 * kafkajs leaves a group only after it has joined it. A consumer that disconnects while it joins would stay a member without heartbeats,
 * and the group would halt until its session expires.
 */
async function leave({ consumer, joining }: { consumer: Consumer; joining: Promise<void> }): Promise<void> {
  await Promise.race([joining.catch(() => undefined), delay(JOIN_MS)])
  await Promise.race([consumer.disconnect().catch(() => undefined), delay(STOP_MS)])
}
