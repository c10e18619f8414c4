/** Payments with their outbox. Every change compares the version it was decided on. */
import { AppError } from '@passerelle/contracts/error'
import { isDuplicateKey } from '@passerelle/kit/mongo'
import { createOutboxEvent, outboxFields, outboxIndex } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import type { Change, Payment, PaymentEvent } from './domain/payment.ts'

export type PaymentStore = ReturnType<typeof paymentStore>

type Document = Omit<Payment, 'id'> & { _id: string }

const UPDATE_ROUNDS = 20
const NEVER = new Date(0)

export function paymentStore(connection: Connection) {
  const model = connection.model('Payment', schema()) as unknown as Model<Document>
  const one = async (filter: object): Promise<Payment | null> => toPayment(await model.findOne(filter).lean<Document>())

  /** Compare-and-set: null when somebody else has written since. The event goes out with the change. */
  async function change(payment: Payment, { set, event }: Change): Promise<Payment | null> {
    const now = new Date()
    const version = payment.version + 1
    const eventCount = payment.eventCount + (event ? 1 : 0)
    const entry = event && entryOf(event, { sequence: eventCount, at: now, requestId: payment.requestId })
    const document = await model
      .findOneAndUpdate(
        { _id: payment.id, version: payment.version },
        {
          $set: { ...set, version, eventCount, updatedAt: now, ...(entry && { outboxPending: true }) },
          ...(entry && { $push: { outbox: { $each: [entry] } } }),
        },
        { returnDocument: 'after' },
      )
      .lean<Document>()
    return toPayment(document)
  }

  return {
    outbox: model as unknown as Model<never>,

    /** False when the key is taken. */
    async insert({ id, ...payment }: Payment): Promise<boolean> {
      try {
        await model.create({ _id: id, ...payment })
        return true
      } catch (error) {
        if (isDuplicateKey(error, 'key')) return false
        throw error
      }
    },

    byKey: (key: string) => one({ key }),
    byIntent: (intentId: string) => one({ intentId }),
    findById: (id: string) => one({ _id: id }),

    /** @throws PAYMENT_UNKNOWN */
    async byId(id: string): Promise<Payment> {
      const payment = await one({ _id: id })
      if (!payment) throw new AppError('PAYMENT_UNKNOWN')
      return payment
    },

    /**
     * Decides on the payment as it is and writes if nobody has written since, else decides again. `decide` answers null to leave it.
     * One that was read a moment ago may be given instead of its id: it is read again only when it has changed, or is to be left.
     * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE when its booking already has another payment, and what `decide` throws
     */
    async update(subject: string | Payment, decide: (payment: Payment) => Change | null): Promise<Payment> {
      const id = typeof subject === 'string' ? subject : subject.id
      let known = typeof subject === 'string' ? null : subject
      for (let round = 0; round < UPDATE_ROUNDS; round++) {
        const payment = known ?? (await this.byId(id))
        const decided = decide(payment)
        if (!decided && !known) return payment
        known = null
        if (!decided) continue
        try {
          const written = await change(payment, decided)
          if (written) return written
        } catch (error) {
          if (isDuplicateKey(error, 'bookingId')) throw new AppError('PAYMENT_NOT_USABLE', { cause: error })
          throw error
        }
      }
      throw new AppError('UPSTREAM_UNAVAILABLE', { message: 'Too many changes at once. Please try again.', retryAfter: 1 })
    },

    /** The next payment that somebody should look at; nobody else gets it for `leaseMs`. */
    async claimDue(now: Date, leaseMs: number): Promise<Payment | null> {
      const document = await model
        .findOneAndUpdate(
          { dueAt: { $lte: now, $gt: NEVER } },
          { $set: { dueAt: new Date(now.getTime() + leaseMs) }, $inc: { version: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean<Document>()
      return toPayment(document)
    },
  }
}

function schema(): Schema {
  const Mixed = Schema.Types.Mixed
  const fields = new Schema(
    {
      _id: { type: String, required: true },
      version: { type: Number, required: true },
      eventCount: { type: Number, required: true },
      state: { type: String, required: true },
      source: { type: String, required: true },
      key: { type: String, required: true },
      fingerprint: { type: String, required: true },
      amountMinor: { type: Number, required: true },
      currency: { type: String, required: true },
      mode: { type: String, required: true },
      offerId: String,
      visitorId: String,
      userId: String,
      lastSeenAt: Date,
      bookingId: String,
      requestId: String,
      intentId: String,
      cardBrand: String,
      cardLast4: String,
      declineReason: String,
      refundedMinor: { type: Number, required: true },
      release: Mixed,
      refund: Mixed,
      refusedRefunds: { type: [Mixed], default: undefined },
      recheckAt: Date,
      closed: Boolean,
      attemptBy: String,
      attemptUntil: Date,
      dueAt: Date,
      failures: Number,
      keyGeneration: Mixed,
      webhookEvents: [String],
      createdAt: Date,
      updatedAt: Date,
      ...outboxFields,
    },
    { versionKey: false, minimize: false, collection: 'payments' },
  )
  fields.index({ key: 1 }, { unique: true })
  fields.index({ intentId: 1 }, { partialFilterExpression: { intentId: { $gt: '' } } })
  // One payment per booking, whatever a caller asks for.
  fields.index({ bookingId: 1 }, { unique: true, partialFilterExpression: { bookingId: { $gt: '' } } })
  fields.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $gt: NEVER } } })
  fields.index(...outboxIndex)
  return fields
}

function toPayment(document: Document | null): Payment | null {
  if (!document) return null
  const { _id: id, ...fields } = document
  return { ...absentBefore(document), id, ...fields }
}

/** Fields that payments of an earlier version have not. */
function absentBefore({ createdAt }: Document) {
  return {
    visitorId: null,
    userId: null,
    lastSeenAt: createdAt,
    refusedRefunds: [],
    webhookEvents: [],
    keyGeneration: { create: 1, confirm: 1, capture: 1, void: 1 },
  }
}

function entryOf({ definition, data }: PaymentEvent, about: { sequence: number; at: Date; requestId: string }) {
  return createOutboxEvent(definition, data as never, about)
}
