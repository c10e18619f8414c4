/** Bookings with their outbox. Every change of a booking compares its version. */
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import type { Person } from '@passerelle/kit/person-command'
import type { Connection, Model } from 'mongoose'
import type { DocumentSafe } from './documents.ts'
import { earlierCase } from './domain/attention.ts'
import { type BookingRecord, emailsOf } from './domain/booking.ts'
import type { SagaState } from './domain/state.ts'
import { forgotten, withoutDocuments, withoutPassenger } from './forgotten.ts'
import { NEEDS_SOMEBODY, officeReads } from './office/store.ts'
import { BOOKINGS } from './schema.ts'

export type Change = Partial<Omit<BookingRecord, '_id' | 'version'>>
export type Store = ReturnType<typeof bookingStore>

/** After a kill another worker takes a booking over when its lease ends; two lost renewals are survived. */
const LEASE_MS = 12_000
export const RENEW_MS = 4000

const UNIQUE = { idempotencyKey: 'key', passengersKey: 'passengers', paymentId: 'payment', reference: 'reference' } as const
export type Unsettled = Pick<BookingRecord, 'state' | 'createdAt' | 'openSince'>
type Taken = (typeof UNIQUE)[keyof typeof UNIQUE]

/** Until when a booking that is claimed at `now` is leased. */
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

export function bookingStore(connection: Connection) {
  const bookings = createOutboxModel<BookingRecord>(connection, 'Booking', BOOKINGS)

  const one = (filter: object) => bookings.findOne(filter).lean<BookingRecord>()
  const lease = (filter: object, now: Date) =>
    bookings
      .findOneAndUpdate(
        { ...filter, open: true, leaseUntil: { $lte: now } },
        { $set: { leaseUntil: leaseEnd(now) }, $inc: { version: 1 } },
        { returnDocument: 'after', sort: { nextAt: 1 } },
      )
      .lean<BookingRecord>()

  return {
    outbox: bookings as unknown as Model<never>,

    /** "key", "passengers" or "payment" when another booking has the attempt's key, the passengers or the payment; "reference" asks for another one. */
    async insert(booking: BookingRecord): Promise<'inserted' | Taken> {
      try {
        await bookings.create({ ...booking, emails: emailsOf(booking) })
        return 'inserted'
      } catch (error) {
        for (const [field, taken] of Object.entries(UNIQUE)) if (isDuplicateKey(error, field)) return taken
        throw error
      }
    },

    byId: (id: string) => one({ _id: id }),
    /** The booking that an attempt with one of these keys has led to, or was answered with. */
    byKey: (...keys: string[]) => one({ $or: [{ idempotencyKey: { $in: keys } }, { 'furtherAttempts.key': { $in: keys } }] }),
    byPassengers: (passengersKey: string) => one({ passengersKey }),
    byPayment: (paymentId: string) => one({ paymentId }),
    byReference: (reference: string) => one({ reference }),

    /** The same attempt gets the same answer from now on. Safe to repeat. */
    async addAttempt(id: string, attempt: BookingRecord['furtherAttempts'][number]): Promise<void> {
      await bookings.updateOne(
        { _id: id, idempotencyKey: { $ne: attempt.key }, 'furtherAttempts.key': { $ne: attempt.key } },
        { $push: { furtherAttempts: attempt } },
      )
    },

    /** The account's bookings, newest first, and those that this visitor made since `madeSince` and that have no account yet. */
    ofUser: (userId: string, visitorId: string | null, madeSince: Date) =>
      bookings
        .find({
          $or: [
            { userId, state: { $ne: 'FAILED' } },
            { userId, pendingCancellation: true },
            ...(visitorId ? [{ visitorId, userId: null, createdAt: { $gt: madeSince } }] : []),
          ],
        })
        .sort({ createdAt: -1 })
        .limit(200)
        .lean<BookingRecord[]>(),

    /** Takes the lease of one booking that is open and free; null when it is not. */
    claim: (id: string, now: Date) => lease({ _id: id }, now),

    /** The next booking that is due, with its lease. */
    claimDue: (now: Date) => lease({ nextAt: { $lte: now } }, now),

    /** Keeps a lease alive during a long call; the version still decides who may write. False when the lease is lost. */
    async renew(booking: BookingRecord, now: Date): Promise<boolean> {
      const { matchedCount } = await bookings.updateOne(
        { _id: booking._id, version: booking.version },
        { $set: { leaseUntil: leaseEnd(now) } },
      )
      return matchedCount === 1
    },

    /** Compare-and-set: null when the booking was written since it was read. Events leave with the change. */
    change: (booking: BookingRecord, change: Change, events: OutboxEvent[] = []) => compareAndSet(bookings, booking, change, events),

    /** Asked for while the outcome is open. No version: whoever is at work reads it with its next write. False when it is open no more. */
    async requestCancellation(id: string): Promise<boolean> {
      const { matchedCount } = await bookings.updateOne({ _id: id, open: true }, { $set: { pendingCancellation: true } })
      return matchedCount === 1
    },

    withPendingCancellation: (limit: number) =>
      bookings
        .find({ state: 'CONFIRMED' satisfies SagaState, pendingCancellation: true })
        .limit(limit)
        .lean<BookingRecord[]>(),

    /** Links a booking to an account, and with it the visitor's others that have no account and the same contact; the first account stays. */
    async attachUser(id: string, userId: string): Promise<boolean> {
      const booking = await bookings
        .findOneAndUpdate({ _id: id, $or: [{ userId: null }, { userId }] }, { $set: { userId } }, { returnDocument: 'after' })
        .lean<BookingRecord>()
      if (!booking) return false
      const { visitorId, contact } = booking
      if (!visitorId || !contact.email) return true
      const others = await bookings.find({ visitorId, userId: null }, { contact: 1 }).lean<Pick<BookingRecord, '_id' | 'contact'>[]>()
      const sameContact = others.filter((other) => other.contact?.email.toLowerCase() === contact.email.toLowerCase())
      if (sameContact.length > 0)
        await bookings.updateMany({ _id: { $in: sameContact.map(({ _id }) => _id) }, userId: null }, { $set: { userId } })
      return true
    },

    referencesOf: async (userId: string): Promise<string[]> =>
      (await bookings.find({ userId }, { reference: 1 }).lean<Pick<BookingRecord, 'reference'>[]>()).map(({ reference }) => reference),

    async forgetUser(userId: string): Promise<void> {
      for (let booking = await one({ userId }); booking; booking = await one({ userId }))
        await compareAndSet(bookings, booking, forgotten(booking))
    },

    /** Those of the account, and those that name the address for the contact or a passenger; newest first. */
    ofPerson: ({ email, userId }: Person) =>
      bookings
        .find({ $or: [{ emails: email.toLowerCase() }, ...(userId ? [{ userId }] : [])] })
        .sort({ createdAt: -1 })
        .lean<BookingRecord[]>(),

    /** False when somebody else has written since. */
    forget: async (booking: BookingRecord): Promise<boolean> => (await compareAndSet(bookings, booking, forgotten(booking))) !== null,

    /** The same for one passenger of somebody else's booking. */
    forgetPassenger: async (booking: BookingRecord, email: string, safe: DocumentSafe | null): Promise<boolean> =>
      (await compareAndSet(bookings, booking, withoutPassenger(booking, email, safe))) !== null,

    landed: (now: Date, limit: number) =>
      bookings
        .find({ state: 'CONFIRMED' satisfies SagaState, lastArrival: { $lt: now } })
        .limit(limit)
        .lean<BookingRecord[]>(),

    /** Destroys the documents of bookings whose last flight landed before `before`. */
    async destroyDocuments(before: Date): Promise<void> {
      const landed = { lastArrival: { $lt: before }, documentKey: { $ne: null } }
      for await (const { _id } of bookings.find(landed, { _id: 1 }).lean<{ _id: string }[]>().cursor())
        await bookings.updateOne({ _id }, { $set: withoutDocuments(_id) })
    },

    /** Bookings made in a span of time, without their documents. */
    madeBetween: (from: Date, to: Date, mode: BookingRecord['mode']) =>
      bookings.find({ createdAt: { $gte: from, $lt: to }, mode }, { documents: 0, documentKey: 0, outbox: 0 }).lean<BookingRecord[]>(),

    /** Removes bookings at rest whose last flight landed before `before`; how many there were. */
    async dropBefore(before: Date): Promise<number> {
      const done = await bookings.deleteMany({
        lastArrival: { $lt: before },
        open: false,
        attentionSince: null,
        outboxPending: { $ne: true },
      })
      return done.deletedCount
    },

    /** Of these ids, what the judgement of a supplier's order needs. */
    byIds: (ids: readonly string[]) =>
      bookings.find({ _id: { $in: ids } }, { documents: 0, documentKey: 0, outbox: 0 }).lean<BookingRecord[]>(),

    /** Bookings that a worker has something to do for. */
    unsettled: (limit: number) => bookings.find({ open: true }, { state: 1, createdAt: 1, openSince: 1 }).limit(limit).lean<Unsettled[]>(),

    ...officeReads(bookings),

    /** The supplier has told of something about this order. Without a change of version: whoever is at work on the booking goes on. */
    async noteNotice(orderId: string, mode: BookingRecord['mode'], at: Date): Promise<void> {
      await bookings.updateOne({ orderId, mode }, { $set: { noticeAt: at } })
    },

    /** The booking at rest whose order waits longest to be read; nobody else gets it before `until`. */
    claimNoticed: (now: Date, until: Date) =>
      bookings
        .findOneAndUpdate(
          { noticeAt: { $lte: now, $gt: new Date(0) }, open: false },
          { $set: { noticeAt: until } },
          { sort: { noticeAt: 1 }, returnDocument: 'after' },
        )
        .lean<BookingRecord>(),

    /** Its order was read. A notice that has come meanwhile stays. */
    async settleNotice({ _id, noticeAt }: BookingRecord): Promise<void> {
      await bookings.updateOne({ _id, noticeAt }, { $set: { noticeAt: null } })
    },

    /** Cases whose staff has not been written to. */
    untold: (limit: number) =>
      bookings
        .find({ ...NEEDS_SOMEBODY, 'attention.told': false }, { attention: 1, version: 1 })
        .limit(limit)
        .lean<Pick<BookingRecord, '_id' | 'version' | 'attention'>[]>(),

    /** Without a change of version: whoever is at work on the booking goes on. */
    async setTold(id: string, since: Date): Promise<void> {
      await bookings.updateOne({ _id: id, 'attention.since': since }, { $set: { 'attention.told': true } })
    },

    /** Bookings of before their cases and the addresses to find them by were kept. Safe to repeat. */
    async addCases(): Promise<void> {
      for await (const booking of bookings
        .find({ emails: { $exists: false } })
        .lean<BookingRecord[]>()
        .cursor()) {
        const attention = earlierCase(booking as BookingRecord)
        const emails = emailsOf(booking as BookingRecord)
        const { _id, version } = booking as BookingRecord
        await bookings.updateOne({ _id, version }, { $set: { emails, attention, attentionSince: attention?.since ?? null } })
      }
    },
  }
}
