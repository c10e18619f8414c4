/**
 * Events between services, over Kafka; only kit sees kafkajs. Producer: acks from all in-sync replicas, idempotent, one request in
 * flight. Consumer: every message is parsed inside the try, deduplicated by an inbox, retried with pauses, then put aside in
 * `<group>.dlq`; while a dependency is away the partition waits and nothing is put aside; a dead consumer ends the process.
 */
import { type EventData, type EventDefinition, type EventEnvelope, topicOf } from '@passerelle/contracts/event'
import { deadLetterTopic } from '@passerelle/contracts/events/topics'
import type { Consumer } from 'kafkajs'
import type { Connection } from 'mongoose'
import { type ConsumerDefinition, processBatch, type Subscription } from './bus-consumer.ts'
import { toMessage } from './bus-message.ts'
import { createProducer } from './bus-producer.ts'
import { createInbox } from './inbox.ts'
import { type KafkaOptions, kafkaClient, startBusProbe } from './kafka.ts'
import type { Metrics } from './metrics.ts'
import { delay, every, monotonicMs } from './runtime.ts'

export type { ConsumerDefinition, Subscription }

/** Rejects when the bus is away; the events may have been published all the same. */
export type Publisher = { publish(events: readonly (EventEnvelope & { topic: string })[]): Promise<void> }

/** A typed subscription; handlers must be safe to repeat. */
export function on<E extends EventDefinition>(definition: E, handle: (event: EventEnvelope<EventData<E>>) => Promise<void>): Subscription {
  return { definition, handle: handle as Subscription['handle'] }
}

/** Milliseconds. */
export type BusTiming = {
  /** Between the attempts of a handler that failed; one attempt more than pauses. */
  retryPausesMs: readonly number[]
  /** Between the attempts while a dependency is away. */
  dependencyPauseMs: number
  heartbeatMs: number
  /** A member that was not heard of for so long is put out of its group. */
  sessionMs: number
  /** A message that takes longer counts as stuck. */
  handlerMs: number
  /** For one publish, so that a stop never waits long for a bus that is away. Shorter than an outbox's lease. */
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
  /** Goes before the names of topics and groups. */
  namespace: string
  metrics: Metrics
  /** Called when a consumer has died for good: the process should end, so that the platform starts a new one. */
  onFatal(error: unknown): void
  timing?: Partial<BusTiming>
}

export type Bus = Publisher & {
  /** Resolves when the group has been joined, which waits for a bus that is away, or when the bus was stopped before. */
  consume(definition: ConsumerDefinition, connection: Connection): Promise<void>
  /** Milliseconds since the stalest consumer last heard from its broker; 0 without consumers. */
  msSinceHeartbeat(): number
  /** Whether the broker answered when it was last asked, a few seconds ago. */
  isUp(): boolean
  stop(): Promise<void>
}

const STOP_MS = 8000
/** Longer than the session of a member that was killed, for which a group that forms anew waits. */
const JOIN_MS = 12_000

export async function connectBus(options: BusOptions): Promise<Bus> {
  const kafka = kafkaClient(options)
  const { log, metrics, namespace } = options
  const timing = { ...TIMING, ...options.timing }
  const producer = createProducer(kafka, log, timing.publishMs)
  const probe = startBusProbe(kafka)
  const consumers: { consumer: Consumer; joining: Promise<void> }[] = []
  const lastHeard = new Map<string, number>()
  const stopping = new AbortController()
  const stopReporting = every(5000, () => {
    for (const [group, at] of lastHeard) metrics.consumerLastPoll.set({ group }, (monotonicMs() - at) / 1000)
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
      // Not FETCH: kafkajs tells of one even when the connection broke during it.
      const hear = () => lastHeard.set(definition.group, monotonicMs())
      hear()
      for (const sign of [consumer.events.GROUP_JOIN, consumer.events.HEARTBEAT] as const) consumer.on(sign, hear)
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart && !stopping.signal.aborted) options.onFatal(payload.error)
      })
      const topics = [...new Set(definition.subscriptions.map((one) => namespace + topicOf(one.definition)))]
      while (!stopping.signal.aborted) {
        try {
          await consumer.connect()
          await consumer.subscribe({ topics, fromBeginning: true })
          break
        } catch (err) {
          log.warn({ err, group: definition.group }, 'the bus is away, the group joins later')
          await delay(1000, stopping.signal)
        }
      }
      if (stopping.signal.aborted) return void (await consumer.disconnect().catch(() => undefined))
      const tools = {
        definition,
        inbox: createInbox(connection, definition.group),
        producer,
        deadLetters: namespace + deadLetterTopic(definition.group).name,
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
    msSinceHeartbeat: () => (lastHeard.size === 0 ? 0 : monotonicMs() - Math.min(...lastHeard.values())),
    isUp: probe.isUp,
    async stop() {
      stopping.abort()
      stopReporting()
      await Promise.all([probe.stop(), ...consumers.map(leave)])
      await producer.stop()
    },
  }
}

/**
 * kafkajs leaves a group only when it has joined it. Who goes while it joins would stay a member that nobody hears of, and the group
 * would come to a halt for a session each time.
 */
async function leave({ consumer, joining }: { consumer: Consumer; joining: Promise<void> }): Promise<void> {
  await Promise.race([joining.catch(() => undefined), delay(JOIN_MS)])
  await Promise.race([consumer.disconnect().catch(() => undefined), delay(STOP_MS)])
}
