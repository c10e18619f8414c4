/** Bookings with their outbox. Every change of a booking compares its version. */
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { type OutboxEvent, outboxFields, outboxIndex } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import type { BookingRecord } from './domain/booking.ts'
import { isWithoutTicket, openStates, type SagaState } from './domain/state.ts'

export type Change = Partial<Omit<BookingRecord, '_id' | 'version'>>

export type Store = ReturnType<typeof bookingStore>

/** After a kill another worker takes a booking over when its lease ends; two lost renewals are survived. */
const LEASE_MS = 12_000
export const RENEW_MS = 4000

/** The documents, and every hash that was made of them. The attempt's key stays unique. */
const WITHOUT_DOCUMENTS = {
  documents: null,
  documentKey: null,
  requestHash: null,
  partyKey: null,
  furtherAttempts: [],
  idempotencyKey: { $concat: ['erased:', '$_id'] },
}

/** Until when whoever works on a booking from `now` on has it for himself. */
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

export function bookingStore(connection: Connection) {
  const Mixed = Schema.Types.Mixed
  const schema = new Schema<BookingRecord>(
    {
      _id: { type: String, required: true },
      version: { type: Number, required: true },
      state: { type: String, required: true },
      providerId: String,
      reference: String,
      idempotencyKey: String,
      requestHash: String,
      partyKey: String,
      furtherAttempts: [Mixed],
      paymentId: String,
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
      orderId: String,
      airlineReference: String,
      orderCancellable: Boolean,
      attempts: Number,
      sendBefore: Date,
      settleBy: Date,
      open: Boolean,
      nextAt: Date,
      leaseUntil: Date,
      tries: Number,
      pendingCancellation: Boolean,
      cancelNote: String,
      cancelledAt: Date,
      refund: Mixed,
      failure: Mixed,
      ...outboxFields,
    },
    { versionKey: false, minimize: false, collection: 'bookings' },
  )
  schema.index({ idempotencyKey: 1 }, { unique: true })
  schema.index({ 'furtherAttempts.key': 1 })
  // One ticket for the same people on the same offer; without one, now or any more, a booking has no party key.
  schema.index({ partyKey: 1 }, { unique: true, partialFilterExpression: { partyKey: { $type: 'string' } } })
  schema.index({ paymentId: 1 }, { unique: true })
  schema.index({ reference: 1 }, { unique: true })
  schema.index({ userId: 1, createdAt: -1 })
  schema.index({ visitorId: 1 })
  schema.index({ open: 1, nextAt: 1 }, { partialFilterExpression: { open: true } })
  schema.index({ state: 1, lastArrival: 1 })
  schema.index(...outboxIndex)
  const bookings = connection.model('Booking', schema) as unknown as Model<BookingRecord>

  const one = (filter: object) => bookings.findOne(filter).lean<BookingRecord>()

  return {
    outbox: bookings as unknown as Model<never>,

    /** "key", "party" or "payment" when another booking has the attempt's key, the passengers or the payment; "reference" asks for another one. */
    async insert(booking: BookingRecord): Promise<'inserted' | 'key' | 'party' | 'payment' | 'reference'> {
      try {
        await bookings.create(booking)
        return 'inserted'
      } catch (error) {
        if (isDuplicateKey(error, 'idempotencyKey')) return 'key'
        if (isDuplicateKey(error, 'partyKey')) return 'party'
        if (isDuplicateKey(error, 'paymentId')) return 'payment'
        if (isDuplicateKey(error, 'reference')) return 'reference'
        throw error
      }
    },

    byId: (id: string) => one({ _id: id }),
    /** The booking that an attempt with one of these keys has led to, or was answered with. */
    byKey: (...keys: string[]) => one({ $or: [{ idempotencyKey: { $in: keys } }, { 'furtherAttempts.key': { $in: keys } }] }),
    byParty: (partyKey: string) => one({ partyKey }),
    byPayment: (paymentId: string) => one({ paymentId }),
    byReference: (reference: string) => one({ reference }),

    /** The same attempt gets the same answer from now on. Safe to repeat. */
    async addAttempt(id: string, attempt: BookingRecord['furtherAttempts'][number]): Promise<void> {
      await bookings.updateOne(
        { _id: id, idempotencyKey: { $ne: attempt.key }, 'furtherAttempts.key': { $ne: attempt.key } },
        { $push: { furtherAttempts: attempt } },
      )
    },

    async ofUser(userId: string): Promise<BookingRecord[]> {
      return bookings
        .find({ userId, $or: [{ state: { $ne: 'FAILED' } }, { pendingCancellation: true }] })
        .sort({ createdAt: -1 })
        .limit(200)
        .lean<BookingRecord[]>()
    },

    /** Takes the lease of one booking that is open and free; null when it is not. */
    async claim(id: string, now: Date): Promise<BookingRecord | null> {
      return bookings
        .findOneAndUpdate(
          { _id: id, open: true, leaseUntil: { $lte: now } },
          { $set: { leaseUntil: leaseEnd(now) }, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<BookingRecord>()
    },

    /** The next booking that is due, with its lease. */
    async claimDue(now: Date): Promise<BookingRecord | null> {
      return bookings
        .findOneAndUpdate(
          { open: true, nextAt: { $lte: now }, leaseUntil: { $lte: now } },
          { $set: { leaseUntil: leaseEnd(now) }, $inc: { version: 1 } },
          { returnDocument: 'after', sort: { nextAt: 1 } },
        )
        .lean<BookingRecord>()
    },

    /** Keeps a lease alive during a long call; the version still decides who may write. */
    async renew(booking: BookingRecord, now: Date): Promise<void> {
      await bookings.updateOne({ _id: booking._id, version: booking.version }, { $set: { leaseUntil: leaseEnd(now) } })
    },

    /** Compare-and-set: null when somebody else has written since. Events go out with the change. */
    async change(booking: BookingRecord, change: Change, events: OutboxEvent[] = []): Promise<BookingRecord | null> {
      const open = change.state ? { open: openStates.includes(change.state) } : {}
      const party = change.state && isWithoutTicket(change.state) ? { partyKey: null } : {}
      return bookings
        .findOneAndUpdate(
          { _id: booking._id, version: booking.version },
          {
            $set: { ...change, ...open, ...party, ...(events.length > 0 && { outboxPending: true }) },
            $inc: { version: 1 },
            ...(events.length > 0 && { $push: { outbox: { $each: events } } }),
          },
          { returnDocument: 'after' },
        )
        .lean<BookingRecord>()
    },

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

    /** What remains are amounts, references and flights. */
    async forgetUser(userId: string): Promise<void> {
      await bookings.updateMany(
        { userId },
        [
          {
            $set: {
              ...WITHOUT_DOCUMENTS,
              userId: null,
              visitorId: null,
              contact: { email: '', phone: '', firstName: '', lastName: '' },
              people: {
                $map: {
                  input: '$people',
                  in: { $mergeObjects: ['$$this', { title: '', gender: '', firstName: '', lastName: '', email: '', phone: '' }] },
                },
              },
              // A supplier's words may quote a name.
              failure: { $cond: ['$failure', { code: '$failure.code' }, null] },
            },
          },
        ],
        { updatePipeline: true },
      )
    },

    async markRefunded(id: string, at: Date): Promise<void> {
      await bookings.updateOne(
        { _id: id, state: 'ORDER_CANCELLED' satisfies SagaState },
        { $set: { state: 'REFUNDED' satisfies SagaState, 'refund.refundedAt': at }, $inc: { version: 1 } },
      )
    },

    async landed(now: Date, limit: number): Promise<BookingRecord[]> {
      return bookings
        .find({ state: 'CONFIRMED' satisfies SagaState, lastArrival: { $lt: now } })
        .limit(limit)
        .lean<BookingRecord[]>()
    },

    /** Destroys the documents of bookings whose last flight landed before `before`. */
    async destroyDocuments(before: Date): Promise<number> {
      const { modifiedCount } = await bookings.updateMany(
        { lastArrival: { $lt: before }, documentKey: { $ne: null } },
        [{ $set: WITHOUT_DOCUMENTS }],
        { updatePipeline: true },
      )
      return modifiedCount
    },

    /** Of these ids, what the judgement of a supplier's order needs. */
    async byIds(ids: readonly string[]): Promise<BookingRecord[]> {
      return bookings.find({ _id: { $in: ids } }, { documents: 0, documentKey: 0, outbox: 0 }).lean<BookingRecord[]>()
    },

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
