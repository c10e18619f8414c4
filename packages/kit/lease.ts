/** A lease for work that one replica does for all, as a document in the service's own database. */
import type { Connection } from 'mongoose'
import { isDuplicateKey } from './mongo.ts'
import { now, randomId } from './runtime.ts'

type LeaseDocument = { _id: string; holder: string; until: Date }

export type Lease = {
  /** True while this process holds the lease; calling again extends it. A holder that stops calling loses it after `ms`. */
  acquire(): Promise<boolean>
}

export function createLease(connection: Connection, name: string, ms: number): Lease {
  const holder = randomId()
  return {
    async acquire() {
      const at = now()
      try {
        await connection
          .collection<LeaseDocument>('leases')
          .updateOne(
            { _id: name, $or: [{ holder }, { until: { $lte: at } }] },
            { $set: { holder, until: new Date(at.getTime() + ms) } },
            { upsert: true },
          )
        return true
      } catch (error) {
        // The document exists and another replica holds it.
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
  }
}
