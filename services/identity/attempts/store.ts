/** Failed sign-ins, requests that are counted, and networks of successful sign-ins: all under hashes, and gone after a while. */
import { createModel } from '@passerelle/kit/mongo'
import type { Connection } from 'mongoose'
import { type Failures, WINDOW_MS } from '../domain/throttle.ts'

type FailureRecord = Failures & { _id: string; expiresAt: Date }
type KnownNetwork = { _id: string; expiresAt: Date }

export function attemptStore(connection: Connection) {
  const failures = createModel<FailureRecord>(connection, 'Failure', {
    collection: 'failures',
    fields: { _id: String, count: Number, since: Date, lastAt: Date, expiresAt: Date },
    indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  const networks = createModel<KnownNetwork>(connection, 'Network', {
    collection: 'networks',
    fields: { _id: String, expiresAt: Date },
    indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  return {
    failuresOf: (key: string) => failures.findOne({ _id: key }).lean<FailureRecord>(),

    /** Answers what was known before, so that of many at once each sees a number of its own. */
    async noteFailure(key: string, now: Date): Promise<Failures | null> {
      return failures
        .findOneAndUpdate(
          { _id: key },
          {
            $inc: { count: 1 },
            $set: { lastAt: now, expiresAt: new Date(now.getTime() + WINDOW_MS) },
            $setOnInsert: { since: now },
          },
          { upsert: true, returnDocument: 'before' },
        )
        .lean<FailureRecord>()
    },

    /** `lastAt`: only when nothing has been added since then. */
    async forgetFailures(key: string, lastAt?: Date): Promise<void> {
      await failures.deleteOne({ _id: key, ...(lastAt && { lastAt }) })
    },

    async knowsNetwork(key: string, now: Date): Promise<boolean> {
      return (await networks.exists({ _id: key, expiresAt: { $gt: now } })) !== null
    },

    async rememberNetwork(key: string, expiresAt: Date): Promise<void> {
      await networks.updateOne({ _id: key }, { $set: { expiresAt } }, { upsert: true })
    },

    /** How many requests there were under this key, this one included; forgotten at `expiresAt`. */
    async countRequest(key: string, now: Date, expiresAt: Date): Promise<number> {
      const { count } = await failures
        .findOneAndUpdate(
          { _id: key },
          { $inc: { count: 1 }, $set: { lastAt: now }, $setOnInsert: { since: now, expiresAt } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<FailureRecord>()
        .orFail()
      return count
    },
  }
}
