/** Links that prove a From address: the secret is in the mail, and only its hash is kept. */
import { hashToken } from '@passerelle/kit/auth'
import { createModel } from '@passerelle/kit/mongo'
import { randomToken } from '@passerelle/kit/runtime'
import type { Connection } from 'mongoose'

type LinkRecord = { _id: string; brandKey: string; address: string; sentAt: Date; expiresAt: Date }

export type SenderLinks = ReturnType<typeof senderLinks>

const DAY_MS = 86_400_000

export function senderLinks(connection: Connection) {
  const links = createModel<LinkRecord>(connection, 'SenderLink', {
    collection: 'senderLinks',
    fields: { _id: String, brandKey: String, address: String, sentAt: Date, expiresAt: Date },
    indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }], [{ brandKey: 1, sentAt: -1 }]],
  })
  return {
    /** @returns the secret, which works once and for a day */
    async make(brandKey: string, address: string, at: Date): Promise<string> {
      const secret = randomToken('', 32)
      await links.create({ _id: hashToken(secret), brandKey, address, sentAt: at, expiresAt: new Date(at.getTime() + DAY_MS) })
      return secret
    },

    /** What it proves, once; null: it is none, or not any more. */
    use: (secret: string, at: Date) => links.findOneAndDelete({ _id: hashToken(secret), expiresAt: { $gt: at } }).lean<LinkRecord>(),

    /** The newest that still works. */
    newest: (brandKey: string, address: string, at: Date) =>
      links
        .findOne({ brandKey, address, expiresAt: { $gt: at } })
        .sort({ sentAt: -1 })
        .lean<LinkRecord>(),

    /** Those to an address that is proved, or is not the brand's any more. */
    async drop(brandKey: string): Promise<void> {
      await links.deleteMany({ brandKey })
    },
  }
}
