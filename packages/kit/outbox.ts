/**
 * Events leave with the state change that they tell of: they are pushed into the same document in the same write, and a relay
 * publishes and then pulls them. Whatever crashes in between, the event is published at least once and in the aggregate's order.
 */
import { randomUUID } from 'node:crypto'
import { type EventDefinition, type EventEnvelope, topicOf } from '@passerelle/contracts/event'
import type { Model } from 'mongoose'
import type { z } from 'zod'
import type { Publisher } from './bus.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type RunningWorker, startWorker } from './worker.ts'

/** Fields that an aggregate's mongoose schema spreads in; `outboxIndex` goes with them. */
export const outboxFields = {
  outbox: { type: Array, default: undefined },
  outboxPending: { type: Boolean },
  outboxLeaseUntil: { type: Date },
} as const

export const outboxIndex = [{ outboxPending: 1 }, { partialFilterExpression: { outboxPending: true } }] as const

/** A finished envelope; `sequence` is the aggregate's version after the change. */
export function draft<E extends EventDefinition>(
  definition: E,
  data: z.input<E['schema']>,
  about: { sequence: number; at: Date; requestId?: string | null; traceparent?: string | null },
): EventEnvelope & { topic: string } {
  const parsed = definition.schema.parse(data)
  return {
    id: randomUUID(),
    name: definition.name,
    version: definition.version,
    key: definition.key(parsed),
    at: about.at.toISOString(),
    sequence: about.sequence,
    data: parsed,
    topic: topicOf(definition),
    ...(about.requestId && { requestId: about.requestId }),
    ...(about.traceparent && { traceparent: about.traceparent }),
  }
}

export type OutboxEvent = ReturnType<typeof draft>

/** The part of an update that puts events into the outbox; merge it with the state change. */
export function pushEvents(...events: OutboxEvent[]): { $push: { outbox: { $each: OutboxEvent[] } }; $set: { outboxPending: true } } {
  return { $push: { outbox: { $each: events } }, $set: { outboxPending: true } }
}

type OutboxDocument = { _id: unknown; outbox?: OutboxEvent[]; outboxPending?: boolean; outboxLeaseUntil?: Date }

const LEASE_MS = 10_000
const BATCH = 50

/** Publishes a collection's outboxes, one claimed document at a time per relay, so that two replicas do not interleave one aggregate. */
export function startRelay(collection: Model<never>, publisher: Publisher, log: Log, metrics: Metrics): RunningWorker {
  const model = collection as unknown as Model<OutboxDocument>
  return startWorker(
    {
      name: `outbox:${collection.collection.name}`,
      everyMs: 200,
      async run() {
        const claimed = await claim(model)
        if (claimed.length === 0) {
          metrics.outboxOldest.set(0)
          return false
        }
        const events = claimed.flatMap((document) => document.outbox ?? [])
        const oldest = Math.min(...events.map((event) => Date.parse(event.at)))
        metrics.outboxOldest.set(Math.max(0, (Date.now() - oldest) / 1000))
        await publisher.publish(events)
        for (const document of claimed) await settle(model, document)
        for (const event of events) metrics.outboxPublished.inc({ topic: event.topic })
        return claimed.length === BATCH
      },
    },
    log,
  )
}

async function claim(model: Model<OutboxDocument>): Promise<OutboxDocument[]> {
  const claimed: OutboxDocument[] = []
  while (claimed.length < BATCH) {
    const now = new Date()
    const document = await model
      .findOneAndUpdate(
        {
          outboxPending: true,
          $or: [{ outboxLeaseUntil: { $exists: false } }, { outboxLeaseUntil: null }, { outboxLeaseUntil: { $lt: now } }],
        },
        { $set: { outboxLeaseUntil: new Date(now.getTime() + LEASE_MS) } },
        { returnDocument: 'after', projection: { outbox: 1, outboxPending: 1 } },
      )
      .lean<OutboxDocument>()
    if (!document) break
    claimed.push(document)
  }
  return claimed
}

async function settle(model: Model<OutboxDocument>, document: OutboxDocument): Promise<void> {
  const ids = (document.outbox ?? []).map((event) => event.id)
  await model.updateOne({ _id: document._id }, { $pull: { outbox: { id: { $in: ids } } }, $unset: { outboxLeaseUntil: 1 } })
  await model.updateOne({ _id: document._id, outbox: { $size: 0 } }, { $unset: { outboxPending: 1, outbox: 1 } })
}
