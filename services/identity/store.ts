/** Users with their outbox, sessions by the hash of their token, single-use links, and failed sign-ins. */
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { type OutboxEvent, outboxFields, outboxIndex } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import type { SessionRecord } from './domain/session.ts'
import { type Failures, WINDOW_MS } from './domain/throttle.ts'
import type { UserRecord } from './domain/user.ts'

type LinkRecord = { _id: string; userId: string; expiresAt: Date }
type FailureRecord = Failures & { _id: string; expiresAt: Date }

export type Store = ReturnType<typeof identityStore>

export function identityStore(connection: Connection) {
  const userSchema = new Schema<UserRecord>(
    {
      _id: String,
      version: Number,
      username: String,
      usernameKey: String,
      email: String,
      emailKey: String,
      firstName: String,
      lastName: String,
      passwordHash: String,
      passwordChangedAt: Date,
      mustChangePassword: Boolean,
      createdAt: Date,
      acceptedTermsAt: Date,
      isAdmin: Boolean,
      bookingId: String,
      passwordTold: Boolean,
      linkedBookings: [String],
      ...outboxFields,
    },
    { versionKey: false, collection: 'users' },
  )
  userSchema.index({ usernameKey: 1 }, { unique: true })
  userSchema.index({ emailKey: 1 }, { unique: true })
  userSchema.index({ bookingId: 1 }, { unique: true, partialFilterExpression: { bookingId: { $type: 'string' } } })
  userSchema.index(...outboxIndex)
  const users = connection.model('User', userSchema) as unknown as Model<UserRecord>

  const sessionSchema = new Schema<SessionRecord>(
    {
      _id: String,
      userId: String,
      isAdmin: Boolean,
      brand: String,
      createdAt: Date,
      lastSeenAt: Date,
      expiresAt: Date,
      adminProofAt: Date,
    },
    { versionKey: false, collection: 'sessions' },
  )
  sessionSchema.index({ userId: 1, createdAt: 1 })
  sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  const sessions = connection.model('Session', sessionSchema) as unknown as Model<SessionRecord>

  const linkSchema = new Schema<LinkRecord>({ _id: String, userId: String, expiresAt: Date }, { versionKey: false, collection: 'links' })
  linkSchema.index({ userId: 1 })
  linkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  const links = connection.model('Link', linkSchema) as unknown as Model<LinkRecord>

  const failureSchema = new Schema<FailureRecord>(
    { _id: String, count: Number, lastAt: Date, expiresAt: Date },
    { versionKey: false, collection: 'failures' },
  )
  failureSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  const failures = connection.model('Failure', failureSchema) as unknown as Model<FailureRecord>

  return {
    outbox: users as unknown as Model<never>,

    /** Which unique field was taken, or null when the account was made. */
    async insertUser(user: UserRecord, events: OutboxEvent[]): Promise<'username' | 'email' | 'booking' | null> {
      try {
        await users.create({ ...user, ...(events.length > 0 && { outbox: events, outboxPending: true }) })
        return null
      } catch (error) {
        if (isDuplicateKey(error, 'usernameKey')) return 'username'
        if (isDuplicateKey(error, 'emailKey')) return 'email'
        if (isDuplicateKey(error, 'bookingId')) return 'booking'
        throw error
      }
    },

    userById: (id: string) => users.findOne({ _id: id }).lean<UserRecord>(),
    userByEmail: (emailKey: string) => users.findOne({ emailKey }).lean<UserRecord>(),
    userByBooking: (bookingId: string) => users.findOne({ bookingId }).lean<UserRecord>(),
    /** People type either into the sign-in form. An address is its owner's before it is anybody's username. */
    async userByLogin(key: string): Promise<UserRecord | null> {
      const owner = key.includes('@') ? await users.findOne({ emailKey: key }).lean<UserRecord>() : null
      return owner ?? users.findOne({ usernameKey: key }).lean<UserRecord>()
    },

    /** Compare-and-set; null when somebody else has written since. */
    async change(
      user: UserRecord,
      change: Partial<Omit<UserRecord, '_id' | 'version'>>,
      events: OutboxEvent[] = [],
    ): Promise<UserRecord | null> {
      return users
        .findOneAndUpdate(
          { _id: user._id, version: user.version },
          {
            $set: { ...change, ...(events.length > 0 && { outboxPending: true }) },
            $inc: { version: 1 },
            ...(events.length > 0 && { $push: { outbox: { $each: events } } }),
          },
          { returnDocument: 'after' },
        )
        .lean<UserRecord>()
    },

    async openSession(session: SessionRecord): Promise<void> {
      await sessions.create(session)
    },

    /** Only a session that still lives: the sweep of expired ones comes later than their end. */
    liveSession: (id: string, now: Date) => sessions.findOne({ _id: id, expiresAt: { $gt: now } }).lean<SessionRecord>(),

    async touch(id: string, lastSeenAt: Date, expiresAt: Date): Promise<void> {
      await sessions.updateOne({ _id: id }, { $set: { lastSeenAt, expiresAt } })
    },

    async proveAdmin(id: string, at: Date): Promise<void> {
      await sessions.updateOne({ _id: id }, { $set: { adminProofAt: at } })
    },

    async endSession(id: string): Promise<void> {
      await sessions.deleteOne({ _id: id })
    },

    /** Their ids, so that copies elsewhere can go too. */
    async endSessionsOf(userId: string): Promise<string[]> {
      const ended = await sessions.find({ userId }, { _id: 1 }).lean<{ _id: string }[]>()
      await sessions.deleteMany({ userId })
      return ended.map((session) => session._id)
    },

    /** Keeps the newest `keep` sessions of a user. */
    async trimSessions(userId: string, keep: number): Promise<void> {
      const old = await sessions.find({ userId }, { _id: 1 }).sort({ createdAt: -1 }).skip(keep).lean<{ _id: string }[]>()
      if (old.length > 0) await sessions.deleteMany({ _id: { $in: old.map((session) => session._id) } })
    },

    async insertLink(link: LinkRecord): Promise<void> {
      await links.create(link)
    },

    /** Uses a link up: one caller gets it, once. */
    async takeLink(id: string, now: Date): Promise<string | null> {
      const link = await links.findOneAndDelete({ _id: id, expiresAt: { $gt: now } }).lean<LinkRecord>()
      return link?.userId ?? null
    },

    async dropLinks(userId: string): Promise<void> {
      await links.deleteMany({ userId })
    },

    failuresOf: (key: string) => failures.findOne({ _id: key }).lean<FailureRecord>(),

    /** Answers what was known before, so that of many at once each sees a number of its own. */
    async noteFailure(key: string, now: Date): Promise<Failures | null> {
      return failures
        .findOneAndUpdate(
          { _id: key },
          { $inc: { count: 1 }, $set: { lastAt: now, expiresAt: new Date(now.getTime() + WINDOW_MS) } },
          { upsert: true, returnDocument: 'before' },
        )
        .lean<FailureRecord>()
    },

    async forgetFailures(key: string): Promise<void> {
      await failures.deleteOne({ _id: key })
    },
  }
}
