/** Brands with their versions, and the system's settings. */
import type { Brand } from '@passerelle/contracts/http/brand'
import type { Mode } from '@passerelle/contracts/http/common'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import { type BrandRecord, type Change, publishedRecord, type Seed } from './domain/brand-record.ts'

export type ServedBrand = Pick<BrandRecord, '_id' | 'version' | 'brand' | 'markupPercent' | 'sender'>
type SystemRecord = { _id: 'system'; version: number; mode: Mode }

export type Store = ReturnType<typeof brandStore>

/** Nobody else has written meanwhile, or has: a duplicate is what was wanted. */
const ignoreDuplicate = (error: unknown) => {
  if (!isDuplicateKey(error)) throw error
}

export function brandStore(connection: Connection) {
  const Mixed = Schema.Types.Mixed

  const brands = createOutboxModel<BrandRecord>(connection, 'Brand', {
    collection: 'brands',
    minimize: false,
    fields: {
      _id: String,
      version: Number,
      brand: Mixed,
      markupPercent: Number,
      markupChanged: Mixed,
      sender: Mixed,
      active: Boolean,
      published: Number,
      draft: Mixed,
      versions: { type: [Mixed], default: undefined } as never,
    },
  })

  const settings = createOutboxModel<SystemRecord>(connection, 'Setting', {
    collection: 'settings',
    fields: { _id: String, version: Number, mode: String },
  })

  return {
    outboxes: [brands, settings] as unknown as Model<never>[],

    /** Adds what is not there yet; what an administrator has changed stays. */
    async seed(list: readonly Seed[], at: Date): Promise<void> {
      for (const { brand, sender } of list) {
        const { _id, sender: _, ...fields } = publishedRecord(brand.domain, brand, at)
        await brands.updateOne({ _id }, { $setOnInsert: { ...fields, ...(sender && { sender }) } }, { upsert: true }).catch(ignoreDuplicate)
        // Also where the brand is from before brands had senders.
        if (sender) await brands.updateOne({ _id, sender: { $exists: false } }, { $set: { sender }, $inc: { version: 1 } })
      }
      await settings.updateOne({ _id: 'system' }, { $setOnInsert: { version: 1, mode: 'test' } }, { upsert: true }).catch(ignoreDuplicate)
      await this.addVersions(at)
    },

    /** Brands from before there were versions get their first one. */
    async addVersions(at: Date): Promise<void> {
      for (const { _id, brand } of await brands.find({ published: { $exists: false } }).lean<BrandRecord[]>()) {
        const { published, draft, versions, markupChanged } = publishedRecord(_id, brand as Brand, at)
        await brands.updateOne({ _id, published: { $exists: false } }, { $set: { published, draft, versions, markupChanged } })
      }
    },

    /** What visitors of this host see. */
    find: (key: string) =>
      brands.findOne({ _id: key, active: true }, { version: 1, brand: 1, markupPercent: 1, sender: 1 }).lean<ServedBrand>(),

    record: (key: string) => brands.findOne({ _id: key }).lean<BrandRecord>(),

    /** The default brand first, the others by their keys. */
    async allRecords(): Promise<BrandRecord[]> {
      const all = await brands.find({}).sort({ _id: 1 }).lean<BrandRecord[]>()
      const isDefault = ({ _id }: BrandRecord) => _id === DEFAULT_BRAND_KEY
      return [...all.filter(isDefault), ...all.filter((record) => !isDefault(record))]
    },

    /** False: there is one with this key. */
    async insert(record: BrandRecord): Promise<boolean> {
      try {
        await brands.create(record)
        return true
      } catch (error) {
        ignoreDuplicate(error)
        return false
      }
    },

    /** Null when somebody else has written since. */
    change: (record: Pick<BrandRecord, '_id' | 'version'>, change: Change, events: OutboxEvent[] = []): Promise<BrandRecord | null> =>
      compareAndSet<BrandRecord>(brands, record, change, events),

    async system(): Promise<SystemRecord> {
      return (await settings.findOne({ _id: 'system' }).lean<SystemRecord>()) ?? { _id: 'system', version: 0, mode: 'test' }
    },

    /** False when another administrator was quicker. */
    switchMode: async (system: SystemRecord, mode: Mode): Promise<boolean> =>
      (await compareAndSet<SystemRecord>(settings, system, { mode })) !== null,
  }
}
