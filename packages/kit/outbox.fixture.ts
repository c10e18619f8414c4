/** A collection with an outbox for tests, and the events that were published of it. */
import { type Model, Schema } from 'mongoose'
import { taken, type World } from './bus.fixture.ts'
import { header } from './bus-message.ts'
import { ensureIndexes } from './mongo.ts'
import { outboxFields, outboxIndex, pushEvents } from './outbox.ts'

export type Walk = { _id: string; step: number; outbox?: { id: string }[]; outboxPending?: boolean; outboxLeaseUntil?: Date }

export async function walksOf(world: World, name = 'Walk') {
  const schema = new Schema({ _id: String, step: Number, ...outboxFields }, { versionKey: false })
  schema.index(...outboxIndex)
  const model = world.mongo.model(name, schema) as unknown as Model<Walk>
  await ensureIndexes(world.mongo)
  return {
    model,
    /** The state change and its event in one write. */
    async walk(id: string, step: number): Promise<string> {
      const event = taken(id, step)
      const { $push, $set } = pushEvents(event)
      await model.updateOne({ _id: id }, { $set: { ...$set, step }, $push }, { upsert: true })
      return event.id
    },
    raw: (id: string) => model.collection.findOne({ _id: id } as never) as Promise<Walk | null>,
    pending: () => model.countDocuments({ outboxPending: true }),
  }
}

export type Published = { id: string | undefined; step: number }

/** Ids and steps of the published events by booking, in the order of the topic. */
export async function publishedIn(world: World): Promise<Map<string, Published[]>> {
  const published = new Map<string, Published[]>()
  for (const message of await world.messagesIn(world.events)) {
    const key = message.key?.toString() ?? ''
    published.set(key, [...(published.get(key) ?? []), { id: header(message, 'ce_id'), step: Number(header(message, 'ce_sequence')) }])
  }
  return published
}
