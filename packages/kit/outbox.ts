/**
 * Transactional outbox: events are pushed into the document in the same write as the state change, and a relay publishes and then
 * removes them. Whatever crashes in between, an event is published at least once and in the aggregate's order.
 */
import { type EventDefinition, type EventEnvelope, topicOf } from '@passerelle/contracts/event'
import type { Connection, Model } from 'mongoose'
import type { z } from 'zod'
import type { Publisher } from './bus.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createModel, type ModelDefinition } from './mongo.ts'
import { now, nowMs, randomId } from './runtime.ts'
import { currentTraceparent } from './trace-context.ts'
import { type RunningWorker, startWorker } from './worker.ts'

const OUTBOX_FIELDS = {
  outbox: { type: Array, default: undefined },
  outboxPending: { type: Boolean },
  outboxLease: { type: String },
  outboxLeaseUntil: { type: Date },
} as const

const OUTBOX_INDEX = [{ outboxPending: 1 }, { partialFilterExpression: { outboxPending: true } }] as const

/** The model of an aggregate whose events leave by its outbox. */
export function createOutboxModel<D>(connection: Connection, name: string, { fields, indexes = [], ...rest }: ModelDefinition): Model<D> {
  return createModel(connection, name, { ...rest, fields: { ...fields, ...OUTBOX_FIELDS }, indexes: [...indexes, OUTBOX_INDEX] })
}

/** The envelope of an event; `sequence` is the aggregate's version after the change. */
export function createOutboxEvent<E extends EventDefinition>(
  definition: E,
  data: z.input<E['schema']>,
  about: { sequence: number; at: Date; requestId?: string | null },
): EventEnvelope & { topic: string } {
  const parsed = definition.schema.parse(data)
  const traceparent = currentTraceparent()
  return {
    id: randomId(),
    name: definition.name,
    version: definition.version,
    key: definition.key(parsed),
    at: about.at.toISOString(),
    sequence: about.sequence,
    data: parsed,
    topic: topicOf(definition),
    ...(about.requestId && { requestId: about.requestId }),
    ...(traceparent && { traceparent }),
  }
}

export type OutboxEvent = ReturnType<typeof createOutboxEvent>

/** The part of an update that adds events to the outbox; merge it with the state change. */
export function pushEvents(...events: OutboxEvent[]): { $push: { outbox: { $each: OutboxEvent[] } }; $set: { outboxPending: true } } {
  return { $push: { outbox: { $each: events } }, $set: { outboxPending: true } }
}

type Versioned = { _id: unknown; version: number }

/**
 * Compare-and-set: writes the change and its events together and returns the document, or null when its version has moved since it
 * was read. The version moves by one, or by one for each event, so that every event has a sequence number of its own.
 */
export async function compareAndSet<D extends Versioned>(
  model: Model<D>,
  { _id, version }: Pick<D, '_id' | 'version'>,
  change: Partial<Omit<D, '_id' | 'version'>>,
  events: readonly OutboxEvent[] = [],
): Promise<D | null> {
  const { $push, $set } = events.length > 0 ? pushEvents(...events) : {}
  const update = { $set: { ...change, ...$set }, $inc: { version: Math.max(1, events.length) }, ...($push && { $push }) }
  const documents = model as unknown as Model<Versioned>
  return (await documents.findOneAndUpdate({ _id, version }, update as object, { returnDocument: 'after' }).lean()) as D | null
}

type OutboxDocument = { _id: unknown; outbox?: OutboxEvent[] }

export type RelayOptions = {
  /** After so long another relay takes over the documents of one that died. Longer than a publish may take. */
  leaseMs?: number
  everyMs?: number
}

const LEASE_MS = 10_000
const BATCH = 50
/** Events of one publish: a batch of messages has to stay well below the broker's largest, 1 MiB. */
const CHUNK = 200

/**
 * Publishes a collection's outboxes five times a second, all waiting events together, so that load hardly adds writes. Replicas claim
 * documents by lease to avoid double work; order does not depend on it, because a document's events are published oldest first.
 */
export function startRelay(
  collection: Model<never>,
  publisher: Publisher,
  log: Log,
  metrics: Metrics,
  { leaseMs = LEASE_MS, everyMs = 200 }: RelayOptions = {},
): RunningWorker {
  const model = collection as unknown as Model<OutboxDocument>
  const name = collection.collection.name
  return startWorker(
    {
      name: `outbox:${name}`,
      everyMs,
      async run() {
        const { lease, documents } = await claim(model, leaseMs)
        const events = documents.flatMap((document) => document.outbox ?? [])
        reportOldest(metrics, name, events)
        if (documents.length === 0) return false
        try {
          for (let i = 0; i < events.length; i += CHUNK) await publisher.publish(events.slice(i, i + CHUNK))
        } catch (error) {
          await release(model, lease, documents)
          throw error
        }
        await removePublished(model, documents)
        for (const event of events) metrics.outboxPublished.inc({ topic: event.topic })
        return documents.length === BATCH
      },
    },
    log,
  )
}

/** One read, one write and one read, however many documents. */
async function claim(model: Model<OutboxDocument>, leaseMs: number): Promise<{ lease: string; documents: OutboxDocument[] }> {
  const lease = randomId()
  const at = now()
  const free = { outboxPending: true, $or: [{ outboxLeaseUntil: null }, { outboxLeaseUntil: { $lt: at } }] }
  const found = await model.find(free, { _id: 1 }).limit(BATCH).lean<OutboxDocument[]>()
  if (found.length === 0) return { lease, documents: [] }
  const ids = found.map((document) => document._id)
  await model.updateMany(
    { _id: { $in: ids }, ...free },
    { $set: { outboxLease: lease, outboxLeaseUntil: new Date(at.getTime() + leaseMs) } },
  )
  const documents = await model.find({ _id: { $in: ids }, outboxLease: lease }, { outbox: 1 }).lean<OutboxDocument[]>()
  return { lease, documents }
}

/** Removes what was published; newer events stay and keep the document pending. */
async function removePublished(model: Model<OutboxDocument>, documents: OutboxDocument[]): Promise<void> {
  await model.bulkWrite(
    documents.flatMap(({ _id, outbox = [] }) => [
      {
        updateOne: {
          filter: { _id },
          update: { $pull: { outbox: { id: { $in: outbox.map((event) => event.id) } } }, $unset: { outboxLease: 1, outboxLeaseUntil: 1 } },
        },
      },
      { updateOne: { filter: { _id, 'outbox.0': { $exists: false } }, update: { $unset: { outboxPending: 1, outbox: 1 } } } },
    ]),
  )
}

/** So that the next attempt need not wait for the end of the lease. */
async function release(model: Model<OutboxDocument>, lease: string, documents: OutboxDocument[]): Promise<void> {
  await model
    .updateMany(
      { _id: { $in: documents.map((document) => document._id) }, outboxLease: lease },
      { $unset: { outboxLease: 1, outboxLeaseUntil: 1 } },
    )
    .catch(() => undefined)
}

const oldest = new WeakMap<Metrics, Map<string, number>>()

/** Reports the age of the oldest waiting event over all collections of a process. */
function reportOldest(metrics: Metrics, collection: string, events: OutboxEvent[]): void {
  const ages = oldest.get(metrics) ?? new Map<string, number>()
  oldest.set(metrics, ages)
  ages.set(collection, Math.max(0, ...events.map((event) => nowMs() - Date.parse(event.at))) / 1000)
  metrics.outboxOldest.set(Math.max(...ages.values()))
}
