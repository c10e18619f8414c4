/**
 * The receiving half of the bus: one batch of one partition, message by message. Nothing that a message holds or a handler throws
 * leaves this file as an exception: kafkajs would stop the consumer for good on a TypeError. Only its own errors do, such as
 * "the group is rebalancing", with which it ends a batch.
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

export type Subscription = { definition: EventDefinition; handle(event: EventEnvelope): Promise<void> }

export type ConsumerDefinition = { group: string; subscriptions: readonly Subscription[] }

export type ConsumerTools = {
  definition: ConsumerDefinition
  inbox: Inbox
  producer: Producer
  /** Topic for what cannot be handled. */
  deadLetters: string
  retryPausesMs: readonly number[]
  dependencyPauseMs: number
  heartbeatMs: number
  /** How long one message may take before the group is no longer told that this member lives. */
  handlerMs: number
  stopping: AbortSignal
  log: Log
  metrics: Metrics
}

type Dead = { kind: 'dead'; reason: string; attempts: number }
type Outcome = { kind: 'done' | 'duplicate' | 'ignored' | 'stopped' } | { kind: 'waiting'; cause: unknown } | Dead

/** Handles a batch's messages in order and commits each; returns early when the partition has to wait or the member leaves. */
export async function processBatch(batch: EachBatchPayload, tools: ConsumerTools): Promise<void> {
  const { group } = tools.definition
  for (const message of batch.batch.messages) {
    if (!batch.isRunning() || batch.isStale()) return
    const heart = beat(batch, tools)
    let outcome: Outcome
    try {
      outcome = await handleMessage(batch, message, tools)
      if (outcome.kind === 'dead') outcome = await deadLetter(batch, message, outcome, tools)
    } finally {
      heart.stop()
    }
    if (outcome.kind === 'stopped') return
    tools.metrics.consumed.inc({ group, result: outcome.kind })
    if (outcome.kind === 'waiting') {
      tools.log.warn({ err: outcome.cause, group, topic: batch.batch.topic, partition: batch.batch.partition }, 'the partition waits')
      setTimer(batch.pause(), tools.dependencyPauseMs).unref()
      return
    }
    batch.resolveOffset(message.offset)
    await batch.commitOffsetsIfNecessary()
    heart.rethrowHeartbeatError()
    await batch.heartbeat()
  }
}

/**
 * kafkajs tells the group of a member only between messages; this does it during one. What the group answers is kept for the end of
 * the message: a rebalance waits for it. A handler that never ends is given up after `handlerMs`, so that the liveness check notices.
 */
function beat(batch: EachBatchPayload, { heartbeatMs, handlerMs }: ConsumerTools) {
  const began = monotonicMs()
  let heard: { error: unknown } | undefined
  const stop = every(heartbeatMs, () => {
    if (monotonicMs() - began > handlerMs) return stop()
    batch.heartbeat().catch((error: unknown) => {
      heard = { error }
    })
  })
  return {
    stop,
    rethrowHeartbeatError() {
      if (heard) throw heard.error
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
  const outcome = await attempt(
    () => subscription.handle(event),
    { type, id: event.id },
    () => batch.isRunning(),
    tools,
  )
  if (outcome.kind !== 'done') return outcome
  try {
    await tools.inbox.remember(event.id)
    return outcome
  } catch (cause) {
    return { kind: 'waiting', cause }
  }
}

/** Tries with pauses. What is no fault of the message is not counted against it. */
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
      if (isPassing(err)) return { kind: 'waiting', cause: err }
      const wait = retryPausesMs[failures]
      failures += 1
      log.warn({ err, event: about.type, id: about.id, attempt: failures }, 'event handler failed')
      if (wait === undefined) return { kind: 'dead', reason: err instanceof Error ? err.name : 'unknown', attempts: failures }
      await delay(wait, stopping)
      if (stopping.aborted || !isRunning()) return { kind: 'stopped' }
    }
  }
}

/** A dependency is away, slow or overloaded, which says nothing about the event; one that fails on it does. */
function isPassing(error: unknown): boolean {
  if (isPeerFault(error)) return false
  return (error instanceof AppError && [429, 503, 504].includes(error.status)) || isMongoUnavailable(error)
}

/** The message as it was, with where it came from and why it is here; never an error's text, which may hold data. */
async function deadLetter({ batch }: EachBatchPayload, message: KafkaMessage, dead: Dead, tools: ConsumerTools): Promise<Outcome> {
  const { topic, partition } = batch
  tools.log.error(
    { group: tools.definition.group, topic, partition, offset: message.offset, reason: dead.reason, attempts: dead.attempts },
    'event put aside',
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
    tools.producer.send([{ topic: tools.deadLetters, messages: [{ key: message.key, value, headers: { ...headers, ...more } }] }])
  try {
    await send(message.value).catch((error) => {
      // What the topic cannot hold stays readable at its origin, and must not stop the partition.
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
