/** A collection with an outbox for tests, and the events that were published of it. */
import { taken, type World } from './bus.fixture.ts'
import { header } from './bus-message.ts'
import { ensureIndexes } from './mongo.ts'
import { createOutboxModel, pushEvents } from './outbox.ts'

export type Walk = { _id: string; step: number; outbox?: { id: string }[]; outboxPending?: boolean; outboxLeaseUntil?: Date }

export async function walksOf(world: World, name = 'Walk') {
  const model = createOutboxModel<Walk>(world.mongo, name, { collection: `${name.toLowerCase()}s`, fields: { _id: String, step: Number } })
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
