/** Brands with their versions, the system's settings, and the record of who switched what. */
import type { Brand } from '@passerelle/contracts/http/brand'
import type { Mode } from '@passerelle/contracts/http/common'
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { type OutboxEvent, outboxFields, outboxIndex, pushEvents } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'

export type BrandRecord = { _id: string; version: number; brand: Brand; markupPercent: number | null; active: boolean }
export type SystemRecord = { _id: 'system'; version: number; mode: Mode }
type Subscriber = { _id: string; email: string; brand: string; at: Date }
type AuditEntry = { at: Date; actor: string; action: string; from: string; to: string; requestId: string }

export type Store = ReturnType<typeof brandStore>

export function brandStore(connection: Connection) {
  const Mixed = Schema.Types.Mixed
  const brandSchema = new Schema<BrandRecord>(
    { _id: String, version: Number, brand: Mixed, markupPercent: Number, active: Boolean, ...outboxFields },
    { versionKey: false, collection: 'brands', minimize: false },
  )
  brandSchema.index(...outboxIndex)
  const brands = connection.model('Brand', brandSchema) as unknown as Model<BrandRecord>

  const systemSchema = new Schema<SystemRecord>(
    { _id: String, version: Number, mode: String, ...outboxFields },
    { versionKey: false, collection: 'settings' },
  )
  systemSchema.index(...outboxIndex)
  const settings = connection.model('Setting', systemSchema) as unknown as Model<SystemRecord>

  const auditSchema = new Schema<AuditEntry>(
    { at: Date, actor: String, action: String, from: String, to: String, requestId: String },
    { versionKey: false, collection: 'audit' },
  )
  auditSchema.index({ at: -1 })
  const audit = connection.model('Audit', auditSchema) as unknown as Model<AuditEntry>

  const subscriberSchema = new Schema<Subscriber>(
    { _id: String, email: String, brand: String, at: Date },
    { versionKey: false, collection: 'subscribers' },
  )
  const subscribers = connection.model('Subscriber', subscriberSchema) as unknown as Model<Subscriber>

  return {
    outboxes: [brands, settings] as unknown as Model<never>[],

    /** Adds what is not there yet; what an administrator has changed stays. */
    async seed(list: readonly Brand[]): Promise<void> {
      for (const brand of list) {
        await brands
          .updateOne({ _id: brand.domain }, { $setOnInsert: { version: 1, brand, markupPercent: null, active: true } }, { upsert: true })
          .catch((error) => {
            if (!isDuplicateKey(error)) throw error
          })
      }
      await settings.updateOne({ _id: 'system' }, { $setOnInsert: { version: 1, mode: 'test' } }, { upsert: true }).catch((error) => {
        if (!isDuplicateKey(error)) throw error
      })
    },

    find: (key: string) => brands.findOne({ _id: key, active: true }).lean<BrandRecord>(),

    async system(): Promise<SystemRecord> {
      return (await settings.findOne({ _id: 'system' }).lean<SystemRecord>()) ?? { _id: 'system', version: 0, mode: 'test' }
    },

    /** Compare-and-set of the mode; false when another administrator was quicker. */
    async switchMode(system: SystemRecord, mode: Mode, events: OutboxEvent[]): Promise<boolean> {
      const push = pushEvents(...events)
      const { matchedCount } = await settings.updateOne(
        { _id: 'system', version: system.version },
        { $set: { ...push.$set, mode }, $inc: { version: 1 }, $push: push.$push },
      )
      return matchedCount === 1
    },

    /** One entry per brand and address. */
    async subscribe(email: string, brand: string, at: Date): Promise<void> {
      const _id = `${brand}:${email.toLowerCase()}`
      await subscribers.updateOne({ _id }, { $setOnInsert: { email, brand, at } }, { upsert: true }).catch((error) => {
        if (!isDuplicateKey(error)) throw error
      })
    },

    async record(entry: AuditEntry): Promise<void> {
      await audit.create(entry)
    },
  }
}
