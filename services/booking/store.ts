/** Bookings with their outbox. Every change of a booking compares its version. */
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { type OutboxEvent, outboxFields, outboxIndex } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import type { BookingRecord } from './domain/booking.ts'
import { openStates, type SagaState } from './domain/state.ts'

export type Change = Partial<Omit<BookingRecord, '_id' | 'version'>>

export type Store = ReturnType<typeof bookingStore>

const LEASE_MS = 30_000

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
      paymentId: String,
      ownerSession: String,
      userId: String,
      brand: String,
      markupPercent: Number,
      mode: String,
      requestId: String,
      createdAt: Date,
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
      cancelWish: Boolean,
      cancelNote: String,
      cancelledAt: Date,
      refund: Mixed,
      failure: Mixed,
      ...outboxFields,
    },
    { versionKey: false, minimize: false, collection: 'bookings' },
  )
  schema.index({ idempotencyKey: 1 }, { unique: true })
  schema.index({ paymentId: 1 }, { unique: true })
  schema.index({ reference: 1 }, { unique: true })
  schema.index({ userId: 1, createdAt: -1 })
  schema.index({ open: 1, nextAt: 1 }, { partialFilterExpression: { open: true } })
  schema.index({ state: 1, lastArrival: 1 })
  schema.index(...outboxIndex)
  const bookings = connection.model('Booking', schema) as unknown as Model<BookingRecord>

  const one = (filter: object) => bookings.findOne(filter).lean<BookingRecord>()

  return {
    outbox: bookings as unknown as Model<never>,

    /** "key" or "payment" when another booking already holds the idempotency key or the payment; "reference" asks for another one. */
    async insert(booking: BookingRecord): Promise<'inserted' | 'key' | 'payment' | 'reference'> {
      try {
        await bookings.create(booking)
        return 'inserted'
      } catch (error) {
        if (isDuplicateKey(error, 'idempotencyKey')) return 'key'
        if (isDuplicateKey(error, 'paymentId')) return 'payment'
        if (isDuplicateKey(error, 'reference')) return 'reference'
        throw error
      }
    },

    byId: (id: string) => one({ _id: id }),
    byKey: (idempotencyKey: string) => one({ idempotencyKey }),
    byPayment: (paymentId: string) => one({ paymentId }),
    byReference: (reference: string) => one({ reference }),

    async ofUser(userId: string): Promise<BookingRecord[]> {
      return bookings
        .find({ userId, $or: [{ state: { $ne: 'FAILED' } }, { cancelWish: true }] })
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
      return bookings
        .findOneAndUpdate(
          { _id: booking._id, version: booking.version },
          {
            $set: { ...change, ...open, ...(events.length > 0 && { outboxPending: true }) },
            $inc: { version: 1 },
            ...(events.length > 0 && { $push: { outbox: { $each: events } } }),
          },
          { returnDocument: 'after' },
        )
        .lean<BookingRecord>()
    },

    /** A cancel clicked while the outcome is open. No version: whoever is at work reads it with its next write. False when it is open no more. */
    async wish(id: string): Promise<boolean> {
      const { matchedCount } = await bookings.updateOne({ _id: id, open: true }, { $set: { cancelWish: true } })
      return matchedCount === 1
    },

    wishes: (limit: number) =>
      bookings
        .find({ state: 'CONFIRMED' satisfies SagaState, cancelWish: true })
        .limit(limit)
        .lean<BookingRecord[]>(),

    /** Links a booking to an account; the first account stays. */
    async attachUser(id: string, userId: string): Promise<boolean> {
      const { matchedCount } = await bookings.updateOne({ _id: id, $or: [{ userId: null }, { userId }] }, { $set: { userId } })
      return matchedCount === 1
    },

    async forgetUser(userId: string): Promise<void> {
      await bookings.updateMany(
        { userId },
        {
          $set: {
            userId: null,
            contact: { email: '', phone: '', firstName: '', lastName: '' },
            'people.$[].email': '',
            'people.$[].phone': '',
          },
          $unset: { documents: 1, documentKey: 1 },
        },
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
        { $set: { documents: null, documentKey: null } },
      )
      return modifiedCount
    },

    needingAttention: () => bookings.countDocuments({ state: 'NEEDS_ATTENTION' satisfies SagaState }),
  }
}
