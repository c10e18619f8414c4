/** Bookings with their outbox. Every change of a booking compares its version. */
import { inAnyCase, isDuplicateKey } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import type { BookingRecord } from './domain/booking.ts'
import type { SagaState } from './domain/state.ts'

export type Change = Partial<Omit<BookingRecord, '_id' | 'version'>>
export type Store = ReturnType<typeof bookingStore>

/** After a kill another worker takes a booking over when its lease ends; two lost renewals are survived. */
const LEASE_MS = 12_000
export const RENEW_MS = 4000

/** Without the documents and every hash that was made of them. The attempt's key stays unique. */
const withoutDocuments = (id: string) => ({
  documents: null,
  documentKey: null,
  requestHash: null,
  passengersKey: null,
  furtherAttempts: [],
  idempotencyKey: `erased:${id}`,
})
/** Without what is personal. What remains are amounts, references and flights. */
const forgotten = ({ _id, people, failure }: BookingRecord) => ({
  ...withoutDocuments(_id),
  userId: null,
  visitorId: null,
  contact: NO_CONTACT,
  people: (people ?? []).map((person) => ({ ...person, ...NO_CONTACT, title: '', gender: '' as never })),
  // A supplier's words may quote a name.
  failure: failure && { code: failure.code },
})
const UNIQUE = { idempotencyKey: 'key', passengersKey: 'passengers', paymentId: 'payment', reference: 'reference' } as const
export type Unsettled = Pick<BookingRecord, 'state' | 'createdAt' | 'openSince'>
type Taken = (typeof UNIQUE)[keyof typeof UNIQUE]
const NO_CONTACT = { email: '', phone: '', firstName: '', lastName: '' }

/** Until when a booking that is claimed at `now` is leased. */
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

export function bookingStore(connection: Connection) {
  const Mixed = Schema.Types.Mixed

  const bookings = createOutboxModel<BookingRecord>(connection, 'Booking', {
    collection: 'bookings',
    minimize: false,
    fields: {
      _id: { type: String, required: true },
      version: { type: Number, required: true },
      state: { type: String, required: true },
      providerId: String,
      reference: String,
      idempotencyKey: String,
      requestHash: String,
      passengersKey: String,
      furtherAttempts: [Mixed],
      paymentId: String,
      cardLast4: String,
      visitorId: String,
      userId: String,
      brand: String,
      markupPercent: Number,
      mode: String,
      requestId: String,
      createdAt: Date,
      answerBy: Date,
      pendingAnnouncedAt: Date,
      contact: Mixed,
      people: [Mixed],
      documents: String,
      documentKey: String,
      offer: Mixed,
      supplier: Mixed,
      seats: [Mixed],
      charge: Mixed,
      supplierCharge: Mixed,
      lastArrival: Date,
      firstDeparture: Date,
      captured: Mixed,
      orderId: String,
      orderCancelledAt: Date,
      airlineReference: String,
      orderCancellable: Boolean,
      attempts: Number,
      sendBefore: Date,
      settleBy: Date,
      open: Boolean,
      openSince: Date,
      nextAt: Date,
      leaseUntil: Date,
      tries: Number,
      pendingCancellation: Boolean,
      cancelNote: String,
      cancelledAt: Date,
      refund: Mixed,
      failure: Mixed,
    },
    indexes: [
      [{ idempotencyKey: 1 }, { unique: true }],
      [{ 'furtherAttempts.key': 1 }],
      // One ticket for the same people on the same offer; without one, now or any more, a booking has no such key.
      [{ passengersKey: 1 }, { unique: true, partialFilterExpression: { passengersKey: { $type: 'string' } } }],
      [{ paymentId: 1 }, { unique: true }],
      [{ reference: 1 }, { unique: true }],
      [{ userId: 1, createdAt: -1 }],
      [{ visitorId: 1 }],
      [{ open: 1, nextAt: 1 }, { partialFilterExpression: { open: true } }],
      [{ state: 1, lastArrival: 1 }],
      [{ createdAt: 1 }],
    ],
  })

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
        await bookings.create(booking)
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

    /** Keeps a lease alive during a long call; the version still decides who may write. */
    async renew(booking: BookingRecord, now: Date): Promise<void> {
      await bookings.updateOne({ _id: booking._id, version: booking.version }, { $set: { leaseUntil: leaseEnd(now) } })
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

    async forgetUser(userId: string): Promise<void> {
      for (let booking = await one({ userId }); booking; booking = await one({ userId }))
        await compareAndSet(bookings, booking, forgotten(booking))
    },

    /** Those that were made with this address as their contact, with and without an account; newest first. */
    ofContact: (email: string) =>
      bookings
        .find({ 'contact.email': inAnyCase(email) })
        .sort({ createdAt: -1 })
        .lean<BookingRecord[]>(),

    /** False when somebody else has written since. */
    forget: async (booking: BookingRecord): Promise<boolean> => (await compareAndSet(bookings, booking, forgotten(booking))) !== null,

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

    /** Of these ids, what the judgement of a supplier's order needs. */
    byIds: (ids: readonly string[]) =>
      bookings.find({ _id: { $in: ids } }, { documents: 0, documentKey: 0, outbox: 0 }).lean<BookingRecord[]>(),

    /** Bookings that a worker has something to do for. */
    unsettled: (limit: number) => bookings.find({ open: true }, { state: 1, createdAt: 1, openSince: 1 }).limit(limit).lean<Unsettled[]>(),

    /** Bookings whose money and ticket could not be brought together, and cancelled ones whose refund waits for a person. */
    needingAttention: () =>
      bookings.countDocuments({
        $or: [
          { state: 'NEEDS_ATTENTION' satisfies SagaState },
          { state: 'ORDER_CANCELLED' satisfies SagaState, 'refund.kind': 'operator', 'refund.refundedAt': null },
        ],
      }),
  }
}
