/** What was found of each brand's records, and when to look again. */
import type { AnsweredCertificate, DnsRecord } from '@passerelle/contracts/http/brand-host'
import { createModel, isDuplicateKey } from '@passerelle/kit/mongo'
import { nowMs, randomBytes } from '@passerelle/kit/runtime'
import { type Connection, Schema } from 'mongoose'

export type HostRecord = {
  /** The brand's key. */
  _id: string
  /** Stands in the record that proves the host. */
  token: string
  records: DnsRecord[]
  /** As each host's was last seen. Documents of the release before have none. */
  certificates?: KeptCertificate[]
  lookedAt: Date | null
  nextAt: Date
}
export type KeptCertificate = AnsweredCertificate & { host: string }

/** Nobody can have set a record before the token was there. */
const FIRST_LOOK_MS = 600_000

export type HostStore = ReturnType<typeof hostStore>

export function hostStore(connection: Connection) {
  const hosts = createModel<HostRecord>(connection, 'Host', {
    collection: 'hosts',
    fields: { _id: String, token: String, records: [Schema.Types.Mixed], certificates: [Schema.Types.Mixed], lookedAt: Date, nextAt: Date },
    indexes: [[{ nextAt: 1 }]],
  })
  const find = (key: string) => hosts.findOne({ _id: key }).lean<HostRecord>()

  return {
    find,

    /** With its token, which is made when it is first asked for and never changes. */
    async ofBrand(key: string): Promise<HostRecord> {
      const known = await find(key)
      if (known) return known
      const made = {
        _id: key,
        token: randomBytes(12).toString('hex'),
        records: [],
        certificates: [],
        lookedAt: null,
        nextAt: new Date(nowMs() + FIRST_LOOK_MS),
      }
      try {
        await hosts.create(made)
        return made
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        return (await find(key)) ?? made
      }
    },

    /** Unless somebody who looked later was quicker. */
    async keep(key: string, found: Omit<HostRecord, '_id' | 'token'>): Promise<void> {
      await hosts.updateOne({ _id: key, $or: [{ lookedAt: null }, { lookedAt: { $lte: found.lookedAt } }] }, { $set: found })
    },

    /** The next that is due, which nobody else gets before `until`; null: none is. */
    claim: (at: Date, until: Date) =>
      hosts.findOneAndUpdate({ nextAt: { $lte: at } }, { $set: { nextAt: until } }, { sort: { nextAt: 1 } }).lean<HostRecord>(),
  }
}
