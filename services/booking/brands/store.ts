/** Copies of the brands that bookings were made under, and how new each brand is said to be. */
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { createModel } from '@passerelle/kit/mongo'
import { type Connection, Schema } from 'mongoose'

export type BrandCopy = {
  /** Key of the brand. */
  _id: string
  /** The newest version that an event has told of. */
  changedTo?: number
  settings?: BrandSettings
  readAt?: Date
}

export type BrandCopyStore = ReturnType<typeof brandCopyStore>

export function brandCopyStore(connection: Connection) {
  const copies = createModel<BrandCopy>(connection, 'BrandCopy', {
    collection: 'brandCopies',
    minimize: false,
    fields: { _id: String, changedTo: Number, settings: Schema.Types.Mixed, readAt: Date },
  })
  return {
    find: (key: string) => copies.findOne({ _id: key }).lean<BrandCopy>(),

    async keep(key: string, settings: BrandSettings, readAt: Date): Promise<void> {
      await copies.updateOne({ _id: key }, { $set: { settings, readAt } }, { upsert: true })
    },

    /** Safe to repeat, and in any order. */
    async noteChange(key: string, version: number): Promise<void> {
      await copies.updateOne({ _id: key }, { $max: { changedTo: version } }, { upsert: true })
    },
  }
}
