/** Messages of visitors, with an outbox. */
import type { ContactMessage, MessageState } from '@passerelle/contracts/http/messages'
import { compareAndSet, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'

export type MessageRecord = Omit<ContactMessage, 'id' | 'receivedAt'> & {
  /** Sorts by time. */
  _id: string
  version: number
  receivedAt: Date
  /** Lower case. */
  emailKey: string
  state: MessageState
  acknowledged: boolean
  answers: { at: Date; by: string; text: string }[]
  answeredBy: string | null
  answeredAt: Date | null
}

/** `brands`: of these alone; null: of all. */
type MessageQuery = { state?: MessageState | undefined; brands: readonly string[] | null; before?: string | undefined; limit: number }

export type MessageStore = ReturnType<typeof messageStore>

/** As the privacy policy says. */
const KEEP_SECONDS = 2 * 365 * 86_400

export function messageStore(connection: Connection) {
  const Mixed = Schema.Types.Mixed

  const messages = createOutboxModel<MessageRecord>(connection, 'Message', {
    collection: 'messages',
    fields: {
      _id: String,
      version: Number,
      from: String,
      brandKey: String,
      receivedAt: Date,
      name: String,
      email: String,
      emailKey: String,
      phone: String,
      preferredContact: String,
      inquiryType: String,
      destination: String,
      reference: String,
      subject: String,
      message: String,
      state: String,
      acknowledged: Boolean,
      answers: { type: [Mixed] as never },
      answeredBy: String,
      answeredAt: Date,
    },
    indexes: [[{ state: 1, _id: -1 }], [{ emailKey: 1, receivedAt: 1 }], [{ receivedAt: 1 }, { expireAfterSeconds: KEEP_SECONDS }]],
  })

  return {
    outbox: messages as unknown as Model<never>,

    async insert(message: MessageRecord, events: OutboxEvent[]): Promise<void> {
      const outbox = { outbox: events, outboxPending: true }
      await messages.create({ ...message, ...outbox })
    },

    find: (id: string) => messages.findOne({ _id: id }).lean<MessageRecord>(),

    /** Newest first. */
    list: ({ state, brands, before, limit }: MessageQuery) =>
      messages
        .find({
          ...(state !== undefined && { state }),
          ...(brands && { brandKey: { $in: [...brands] } }),
          ...(before !== undefined && { _id: { $lt: before } }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<MessageRecord[]>(),

    count: (state: MessageState, brands: readonly string[] | null) =>
      messages.countDocuments({ state, ...(brands && { brandKey: { $in: [...brands] } }) }),

    countSince: (emailKey: string, since: Date) => messages.countDocuments({ emailKey, receivedAt: { $gt: since } }),

    allOf: (emailKey: string) => messages.find({ emailKey }).sort({ _id: -1 }).limit(1000).lean<MessageRecord[]>(),

    eraseOf: async (emailKey: string): Promise<number> => (await messages.deleteMany({ emailKey })).deletedCount,

    /** Null when another administrator has written since. */
    change: (message: MessageRecord, change: Partial<Omit<MessageRecord, '_id' | 'version'>>) =>
      compareAndSet<MessageRecord>(messages, message, change),
  }
}
