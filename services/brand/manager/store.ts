/** Logos, named by the hash of their bytes, and previews, by the hash of their token. */
import { createModel, isDuplicateKey } from '@passerelle/kit/mongo'
import type { Connection } from 'mongoose'

type LogoRecord = {
  /** `<brand key>/<file>`. */
  _id: string
  brandKey: string
  type: string
  bytes: Buffer
  at: Date
}
type PreviewRecord = {
  _id: string
  brandKey: string
  /** Of a version; null: the draft. */
  number: number | null
  expiresAt: Date
}

export type ManagerStore = ReturnType<typeof managerStore>

export function managerStore(connection: Connection) {
  const logos = createModel<LogoRecord>(connection, 'Logo', {
    collection: 'logos',
    fields: { _id: String, brandKey: String, type: String, bytes: Buffer, at: Date },
    indexes: [[{ brandKey: 1, at: 1 }]],
  })

  const previews = createModel<PreviewRecord>(connection, 'Preview', {
    collection: 'previews',
    fields: { _id: String, brandKey: String, number: Number, expiresAt: Date },
    indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  return {
    /** Safe to repeat: the same bytes have the same name. */
    async addLogo(logo: LogoRecord): Promise<void> {
      await logos.create(logo).catch((error) => {
        if (!isDuplicateKey(error)) throw error
      })
    },

    /** Names of a brand's logos, oldest first. */
    logosOf: (brandKey: string) => logos.find({ brandKey }, { _id: 1 }).sort({ at: 1 }).lean<{ _id: string }[]>(),

    async dropLogos(ids: readonly string[]): Promise<void> {
      await logos.deleteMany({ _id: { $in: [...ids] } })
    },

    logo: (id: string) => logos.findOne({ _id: id }),

    async addPreview(preview: PreviewRecord): Promise<void> {
      await previews.create(preview)
    },

    preview: (id: string, now: Date) => previews.findOne({ _id: id, expiresAt: { $gt: now } }).lean<PreviewRecord>(),
  }
}
