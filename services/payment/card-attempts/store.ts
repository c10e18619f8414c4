/** Attempts to charge a card, by whoever makes them: those under way and those declined, in one document each that expires by itself. */
import { createModel, isDuplicateKey } from '@passerelle/kit/mongo'
import { type Connection, Schema } from 'mongoose'

export type CardAttemptStore = ReturnType<typeof cardAttemptStore>

export type AttemptLimit = {
  /** Declines after which all attempts stop; also the most that may be under way. */
  declines: number
  /** How long a decline counts, and how long the stop lasts. */
  windowMs: number
  stopMs: number
}

/** busy: so many are under way that one more decline could be too many. */
type Reservation = { kind: 'reserved' } | { kind: 'busy' } | { kind: 'stopped'; until: Date }

type Attempt = { id: string; declined: boolean; until: Date }
type Document = { _id: string; attempts?: Attempt[]; stoppedUntil?: Date | null; expireAt: Date }

/** Of a process that was killed: longer than any attempt takes. */
const RESERVED_MS = 90_000

export function cardAttemptStore(connection: Connection) {
  const model = createModel<Document>(connection, 'CardAttempts', {
    collection: 'card_attempts',
    fields: {
      _id: { type: String, required: true },
      attempts: { type: [Schema.Types.Mixed], default: undefined },
      stoppedUntil: Date,
      expireAt: { type: Date, required: true },
    },
    indexes: [[{ expireAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  /** One write that only succeeds while there is room. */
  async function add(subject: string, id: string, { declines, windowMs }: AttemptLimit, now: Date): Promise<boolean> {
    const attempt: Attempt = { id, declined: false, until: later(now, RESERVED_MS) }
    try {
      await model.updateOne(
        {
          _id: subject,
          $or: [{ stoppedUntil: null }, { stoppedUntil: { $lte: now } }],
          [`attempts.${declines - 1}`]: { $exists: false },
        },
        { $push: { attempts: attempt }, $max: { expireAt: later(now, windowMs) } },
        { upsert: true },
      )
      return true
    } catch (error) {
      // The document is there and did not match: no room.
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  async function stop(subject: string, { stopMs }: AttemptLimit, now: Date): Promise<Date> {
    const until = later(now, stopMs)
    await model.updateOne({ _id: subject }, { $set: { stoppedUntil: until, attempts: [] }, $max: { expireAt: until } })
    return until
  }

  return {
    /** Takes a place before the provider is asked, so that attempts at the same time cannot be more than what is left. */
    async reserve(subject: string, id: string, limit: AttemptLimit, now: Date): Promise<Reservation> {
      if (await add(subject, id, limit, now)) return { kind: 'reserved' }
      const document = await model
        .findOneAndUpdate({ _id: subject }, { $pull: { attempts: { until: { $lte: now } } } }, { returnDocument: 'after' })
        .lean<Document>()
      if (document?.stoppedUntil && document.stoppedUntil > now) return { kind: 'stopped', until: document.stoppedUntil }
      // A process that was killed may have noted the last decline and not the stop.
      if (declinesIn(document, now) >= limit.declines) return { kind: 'stopped', until: await stop(subject, limit, now) }
      return (await add(subject, id, limit, now)) ? { kind: 'reserved' } : { kind: 'busy' }
    },

    /** Gives the place back: no decline came of it. */
    async release(subject: string, id: string): Promise<void> {
      await model.updateOne({ _id: subject }, { $pull: { attempts: { id } } })
    },

    /** Keeps the place as a decline; the last one that is allowed stops all further attempts. */
    async decline(subject: string, id: string, limit: AttemptLimit, now: Date): Promise<void> {
      const declined: Attempt = { id: `${id}:declined`, declined: true, until: later(now, limit.windowMs) }
      // Noted before the place is given back: for a moment there is one too many rather than one too few.
      const document = await model
        .findOneAndUpdate(
          { _id: subject },
          { $push: { attempts: declined }, $max: { expireAt: declined.until } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<Document>()
      if (declinesIn(document, now) >= limit.declines) await stop(subject, limit, now)
      else await this.release(subject, id)
    },

    /** Until when these may not try; null when they may. */
    async stoppedUntil(subjects: readonly string[], now: Date): Promise<Date | null> {
      const stopped = await model.find({ _id: { $in: subjects }, stoppedUntil: { $gt: now } }, { stoppedUntil: 1 }).lean<Document[]>()
      return stopped.map((document) => document.stoppedUntil ?? null).reduce(latest, null)
    },
  }
}

function declinesIn(document: Document | null, now: Date): number {
  return (document?.attempts ?? []).filter((attempt) => attempt.declined && attempt.until > now).length
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}

function latest(one: Date | null, other: Date | null): Date | null {
  return one && other ? new Date(Math.max(one.getTime(), other.getTime())) : (one ?? other)
}
