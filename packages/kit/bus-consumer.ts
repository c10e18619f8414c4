/**
 * Consuming: one batch of one partition, message by message. Errors of messages and handlers never reach kafkajs, which would stop the
 * consumer for good on a TypeError. Only its own errors do, such as "the group is rebalancing", which end a batch.
 */
import { AppError } from '@passerelle/contracts/error'
import { type EventDefinition, type EventEnvelope, eventType } from '@passerelle/contracts/event'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import { header, parseEvent } from './bus-message.ts'
import type { Producer } from './bus-producer.ts'
import type { Inbox } from './inbox.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { isMongoUnavailable } from './mongo.ts'
import { isPeerFault } from './peer.ts'
import { delay, every, monotonicMs, now, setTimer } from './runtime.ts'
import { inTrace } from './trace-context.ts'

export type Subscription = { definition: EventDefinition; handle(event: EventEnvelope): Promise<void> }

export type ConsumerDefinition = { group: string; subscriptions: readonly Subscription[] }

export type ConsumerTools = {
  definition: ConsumerDefinition
  inbox: Inbox
  producer: Producer
  deadLetterTopic: string
  retryPausesMs: readonly number[]
  dependencyPauseMs: number
  heartbeatMs: number
  /** How long one message may take before heartbeats stop. */
  handlerMs: number
  stopping: AbortSignal
  log: Log
  metrics: Metrics
}

type Dead = { kind: 'dead'; reason: string; attempts: number }
type Outcome = { kind: 'done' | 'duplicate' | 'ignored' | 'stopped' } | { kind: 'waiting'; cause: unknown } | Dead

/** Handles a batch's messages in order and commits each; returns early when the partition has to wait or the consumer stops. */
export async function processBatch(batch: EachBatchPayload, tools: ConsumerTools): Promise<void> {
  const { group } = tools.definition
  for (const message of batch.batch.messages) {
    if (!batch.isRunning() || batch.isStale()) return
    const heartbeat = startHeartbeat(batch, tools)
    let outcome: Outcome
    try {
      outcome = await handleMessage(batch, message, tools)
      if (outcome.kind === 'dead') outcome = await deadLetter(batch, message, outcome, tools)
    } finally {
      heartbeat.stop()
    }
    if (outcome.kind === 'stopped') return
    tools.metrics.consumed.inc({ group, result: outcome.kind })
    if (outcome.kind === 'waiting') {
      tools.log.warn(
        { err: outcome.cause, group, topic: batch.batch.topic, partition: batch.batch.partition },
        'the partition waits for a dependency',
      )
      setTimer(batch.pause(), tools.dependencyPauseMs).unref()
      return
    }
    batch.resolveOffset(message.offset)
    await batch.commitOffsetsIfNecessary()
    heartbeat.rethrowError()
    await batch.heartbeat()
  }
}

/**
 * kafkajs sends heartbeats only between messages; this sends them during one. An error of the group, such as a rebalance, is kept and
 * rethrown at the end of the message. After `handlerMs` the heartbeats stop, so that the liveness check notices a stuck handler.
 */
function startHeartbeat(batch: EachBatchPayload, { heartbeatMs, handlerMs }: ConsumerTools) {
  const began = monotonicMs()
  let failure: { error: unknown } | undefined
  const stop = every(heartbeatMs, () => {
    if (monotonicMs() - began > handlerMs) return stop()
    batch.heartbeat().catch((error: unknown) => {
      failure = { error }
    })
  })
  return {
    stop,
    rethrowError() {
      if (failure) throw failure.error
    },
  }
}

async function handleMessage(batch: EachBatchPayload, message: KafkaMessage, tools: ConsumerTools): Promise<Outcome> {
  const type = header(message, 'ce_type')
  if (!type) return { kind: 'dead', reason: 'no-type', attempts: 0 }
  const subscription = tools.definition.subscriptions.find((one) => eventType(one.definition) === type)
  if (!subscription) return { kind: 'ignored' }
  const event = parseEvent(message, subscription.definition)
  if (typeof event === 'string') return { kind: 'dead', reason: event, attempts: 0 }
  try {
    if (await tools.inbox.has(event.id)) return { kind: 'duplicate' }
  } catch (cause) {
    return { kind: 'waiting', cause }
  }
  const { topic } = batch.batch
  const attributes = {
    'messaging.system': 'kafka',
    'messaging.operation.name': 'process',
    'messaging.destination.name': topic,
    'messaging.consumer.group.name': tools.definition.group,
  }
  const outcome = await inTrace({ traceparent: event.traceparent, name: `process ${topic}`, kind: 'consumer', attributes }, () =>
    attempt(
      () => subscription.handle(event),
      { type, id: event.id },
      () => batch.isRunning(),
      tools,
    ),
  )
  if (outcome.kind !== 'done') return outcome
  try {
    await tools.inbox.remember(event.id)
    return outcome
  } catch (cause) {
    return { kind: 'waiting', cause }
  }
}

/** Retries with pauses. Errors that are not the message's fault do not count as attempts. */
async function attempt(
  handle: () => Promise<void>,
  about: { type: string; id: string },
  isRunning: () => boolean,
  { retryPausesMs, stopping, log }: ConsumerTools,
): Promise<Outcome> {
  for (let failures = 0; ; ) {
    try {
      await handle()
      return { kind: 'done' }
    } catch (err) {
      if (isTransient(err)) return { kind: 'waiting', cause: err }
      const wait = retryPausesMs[failures]
      failures += 1
      log.warn({ err, event: about.type, id: about.id, attempt: failures }, 'event handler failed')
      if (wait === undefined) return { kind: 'dead', reason: err instanceof Error ? err.name : 'unknown', attempts: failures }
      await delay(wait, stopping)
      if (stopping.aborted || !isRunning()) return { kind: 'stopped' }
    }
  }
}

/** A dependency is unavailable, slow or overloaded; a dependency that fails on this event is not transient. */
function isTransient(error: unknown): boolean {
  if (isPeerFault(error)) return false
  return (error instanceof AppError && [429, 503, 504].includes(error.status)) || isMongoUnavailable(error)
}

/** Sends the message unchanged to the dead-letter topic, with its origin and the reason in headers; no error texts, which may contain data. */
async function deadLetter({ batch }: EachBatchPayload, message: KafkaMessage, dead: Dead, tools: ConsumerTools): Promise<Outcome> {
  const { topic, partition } = batch
  tools.log.error(
    { group: tools.definition.group, topic, partition, offset: message.offset, reason: dead.reason, attempts: dead.attempts },
    'event sent to the dead-letter topic',
  )
  const headers = {
    ...message.headers,
    dlq_topic: topic,
    dlq_partition: String(partition),
    dlq_offset: message.offset,
    dlq_reason: dead.reason,
    dlq_attempts: String(dead.attempts),
    dlq_at: now().toISOString(),
  }
  const send = (value: Buffer | null, more: Record<string, string> = {}) =>
    tools.producer.send([{ topic: tools.deadLetterTopic, messages: [{ key: message.key, value, headers: { ...headers, ...more } }] }])
  try {
    await send(message.value).catch((error) => {
      // A message too large for the topic stays readable at its origin and must not stop the partition.
      if (!isTooLarge(error)) throw error
      return send(null, { dlq_value: 'left at the origin: too large' })
    })
    return dead
  } catch (cause) {
    return { kind: 'waiting', cause }
  }
}

function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { type?: string }).type === 'MESSAGE_TOO_LARGE' || isTooLarge(error.cause)
}
