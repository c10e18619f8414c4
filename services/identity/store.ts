/** Users with their outbox, sessions by the hash of their token, single-use links, and what administrators did. */

import type { AccessRecord } from '@passerelle/contracts/http/account'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { createModel, isDuplicateKey } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import type { Connection, Model } from 'mongoose'
import { attemptStore } from './attempts/store.ts'
import type { SessionRecord } from './domain/session.ts'
import type { UserRecord } from './domain/user.ts'

export type LinkUse = 'set-password' | 'verify-email'
export type LinkRecord = {
  /** SHA-256 of the secret in the link, hex. */
  _id: string
  userId: string
  use: LinkUse
  /** It was sent to the account's address, so whoever uses it can read mail there. */
  mailed: boolean
  expiresAt: Date
}
export type AuditEntry = Omit<AccessRecord, 'id' | 'at'> & { at: Date; requestId: string }

export type Store = ReturnType<typeof identityStore>

export function identityStore(connection: Connection) {
  const users = createOutboxModel<UserRecord>(connection, 'User', {
    collection: 'users',
    fields: {
      _id: String,
      version: Number,
      username: String,
      usernameKey: String,
      email: String,
      emailKey: String,
      emailVerifiedAt: Date,
      firstName: String,
      lastName: String,
      passwordHash: String,
      passwordChangedAt: Date,
      mustChangePassword: Boolean,
      createdAt: Date,
      brand: String,
      acceptedTermsAt: Date,
      isAdmin: Boolean,
      staffOf: [String],
      bookingId: String,
      passwordTold: Boolean,
      linkedBookings: [String],
      waitingBookings: [String],
      erasedAt: Date,
    },
    indexes: [
      [{ usernameKey: 1 }, { unique: true }],
      [{ emailKey: 1 }, { unique: true }],
      [{ bookingId: 1 }, { unique: true, partialFilterExpression: { bookingId: { $type: 'string' } } }],
    ],
  })

  const sessions = createModel<SessionRecord>(connection, 'Session', {
    collection: 'sessions',
    fields: {
      _id: String,
      visitorId: String,
      userId: String,
      isAdmin: Boolean,
      staffOf: [String],
      brand: String,
      createdAt: Date,
      lastSeenAt: Date,
      expiresAt: Date,
      adminProofAt: Date,
      replaced: Boolean,
      device: String,
    },
    indexes: [[{ userId: 1, createdAt: 1 }], [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  const links = createModel<LinkRecord>(connection, 'Link', {
    collection: 'links',
    fields: { _id: String, userId: String, use: String, mailed: Boolean, expiresAt: Date },
    indexes: [[{ userId: 1 }], [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  const audit = createModel<AuditEntry>(connection, 'Audit', {
    collection: 'audit',
    fields: { at: Date, actor: String, action: String, userId: String, brands: { type: [String], default: undefined }, requestId: String },
  })

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

    /** Accounts from before addresses were verified. */
    async migrateUsers(): Promise<void> {
      const waitingBookings: string[] = []
      await users.updateMany(
        { waitingBookings: { $exists: false } },
        { $set: { emailVerifiedAt: null, brand: DEFAULT_BRAND_KEY, waitingBookings } },
      )
    },

    /** Not an account that was deleted. */
    userById: (id: string) => users.findOne({ _id: id, erasedAt: null }).lean<UserRecord>(),
    /** Who administers anything, by name. */
    staff: () =>
      users
        .find({ erasedAt: null, $or: [{ isAdmin: true }, { 'staffOf.0': { $exists: true } }] })
        .sort({ usernameKey: 1 })
        .lean<UserRecord[]>(),
    usersByIds: (ids: readonly string[]) => users.find({ _id: { $in: [...ids] }, erasedAt: null }).lean<UserRecord[]>(),
    userByEmail: (emailKey: string) => users.findOne({ emailKey }).lean<UserRecord>(),
    /** Also an account that was deleted since. */
    userByBooking: (bookingId: string) => users.findOne({ bookingId }).lean<UserRecord>(),
    /** People type either into the sign-in form. An address is its owner's before it is anybody's username. */
    async userByLogin(key: string): Promise<UserRecord | null> {
      const owner = key.includes('@') ? await users.findOne({ emailKey: key }).lean<UserRecord>() : null
      return owner ?? users.findOne({ usernameKey: key }).lean<UserRecord>()
    },

    /** Null when somebody else has written since. */
    change: (
      user: UserRecord,
      change: Partial<Omit<UserRecord, '_id' | 'version'>>,
      events: OutboxEvent[] = [],
    ): Promise<UserRecord | null> => compareAndSet<UserRecord>(users, user, change, events),

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

    /** Another session took its place: this one ends at `until`, however much it is used. */
    async replaceSession(id: string, until: Date): Promise<void> {
      await sessions.updateOne({ _id: id, expiresAt: { $gt: until } }, { $set: { expiresAt: until, replaced: true } })
    },

    async endSession(id: string): Promise<void> {
      await sessions.deleteOne({ _id: id })
    },

    /** The live ones, last used first. */
    sessionsOf: (userId: string, now: Date) =>
      sessions
        .find({ userId, expiresAt: { $gt: now } })
        .sort({ lastSeenAt: -1 })
        .lean<SessionRecord[]>(),

    /** Their ids, so that copies elsewhere can go too. `except`: one that goes on. */
    async endSessionsOf(userId: string, except?: string | null): Promise<string[]> {
      const all = await sessions.find({ userId }, { _id: 1 }).lean<{ _id: string }[]>()
      const ids = all.map((session) => session._id).filter((id) => id !== except)
      if (ids.length > 0) await sessions.deleteMany({ _id: { $in: ids } })
      return ids
    },

    /** Keeps the newest `keep` sessions of a user; the ids of the others, which have ended. */
    async trimSessions(userId: string, keep: number): Promise<string[]> {
      const old = await sessions.find({ userId }, { _id: 1 }).sort({ createdAt: -1 }).skip(keep).lean<{ _id: string }[]>()
      const ids = old.map((session) => session._id)
      if (ids.length > 0) await sessions.deleteMany({ _id: { $in: ids } })
      return ids
    },

    async insertLink(link: LinkRecord): Promise<void> {
      await links.create(link)
    },

    linkOf: (id: string, use: LinkUse, now: Date) => links.findOne({ _id: id, use, expiresAt: { $gt: now } }).lean<LinkRecord>(),

    /** Uses a link up: of several callers at once, one gets it. */
    takeLink: (id: string, use: LinkUse, now: Date) => links.findOneAndDelete({ _id: id, use, expiresAt: { $gt: now } }).lean<LinkRecord>(),

    async dropLink(id: string): Promise<void> {
      await links.deleteOne({ _id: id })
    },

    async dropLinks(userId: string): Promise<void> {
      await links.deleteMany({ userId })
    },

    ...attemptStore(connection),

    async record(entry: AuditEntry): Promise<void> {
      await audit.create(entry)
    },

    /** Newest first; their ids sort by time. */
    audit: ({ before, limit }: { before?: string | undefined; limit: number }) =>
      audit
        .find(before === undefined ? {} : { _id: { $lt: before } })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<(AuditEntry & { _id: unknown })[]>(),
  }
}
