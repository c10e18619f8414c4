/** Payments with their outbox. Every change compares the version it was decided on. */
import { AppError } from '@passerelle/contracts/error'
import { invariant } from '@passerelle/kit/invariant'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { isDuplicateKey, type ModelDefinition } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxEvent, createOutboxModel } from '@passerelle/kit/outbox'
import type { Person } from '@passerelle/kit/person-command'
import { now } from '@passerelle/kit/runtime'
import { type Connection, type Model, Schema } from 'mongoose'
import { brokenRules } from './domain/invariants.ts'
import type { Change, Payment, Refund } from './domain/payment.ts'

export type PaymentStore = ReturnType<typeof paymentStore>

type Document = Omit<Payment, 'id' | 'refund'> & { _id: string; refund: (Refund & { spentKeys?: number }) | null } & OldFields

/** Names of an earlier release. */
type OldFields = { tries?: Payment['keyGeneration']; hints?: string[] }

const UPDATE_ROUNDS = 20
const NEVER = new Date(0)

export function paymentStore(connection: Connection, tools: { metrics: Metrics; log: Log }) {
  const model = createOutboxModel<Document>(connection, 'Payment', PAYMENTS)
  const one = async (filter: object) => toPayment(await model.findOne(filter).lean<Document>())

  /** Compare-and-set: null when the payment was written since it was read. @throws InvariantError before anything is written */
  async function transition(before: Payment, { set, event }: Change): Promise<Payment | null> {
    const { id: paymentId, version, state: from, requestId } = before
    const after = { ...before, ...set }
    for (const rule of brokenRules({ before, after, event })) invariant(false, rule, { paymentId, from, to: after.state }, tools)
    const updatedAt = now()
    const events = event ? [createOutboxEvent(event.definition, event.data, { sequence: version + 1, at: updatedAt, requestId })] : []
    const written = await compareAndSet(model, { _id: paymentId, version }, { ...set, updatedAt }, events)
    if (written && after.unclaimedCaptureAt && !before.unclaimedCaptureAt) {
      tools.metrics.paymentOperations.inc({ operation: 'capture', outcome: 'unclaimed' })
      tools.log.error({ paymentId }, 'the card provider captured a hold that no booking has claimed: an operator must look')
    }
    return toPayment(written)
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

    byIds: async (ids: readonly string[]): Promise<Payment[]> =>
      (await model.find({ _id: { $in: ids } }).lean<Document[]>()).flatMap((document) => toPayment(document) ?? []),
    /** Those of an account, and these; read by operators alone, so no index serves the account. */
    ofPerson: async ({ userId, paymentIds }: Pick<Person, 'userId' | 'paymentIds'>): Promise<Payment[]> =>
      (await model.find({ $or: [{ _id: { $in: paymentIds } }, ...(userId ? [{ userId }] : [])] }).lean<Document[]>()).flatMap(
        (document) => toPayment(document) ?? [],
      ),
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
          const written = await transition(payment, decided)
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

const { Mixed } = Schema.Types

const PAYMENTS = {
  collection: 'payments',
  minimize: false,
  fields: {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
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
    handRefunds: { type: [Mixed], default: undefined },
    disputes: { type: [Mixed], default: undefined },
    reversalsRecheckAt: Date,
    unclaimedCaptureAt: Date,
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
  },
  indexes: [
    [{ key: 1 }, { unique: true }],
    [{ intentId: 1 }, { partialFilterExpression: { intentId: { $gt: '' } } }],
    // One payment per booking, whatever a caller asks for.
    [{ bookingId: 1 }, { unique: true, partialFilterExpression: { bookingId: { $gt: '' } } }],
    [{ dueAt: 1 }, { partialFilterExpression: { dueAt: { $gt: NEVER } } }],
  ],
} satisfies ModelDefinition

function toPayment(document: Document | null): Payment | null {
  if (!document) return null
  const { _id: id, tries, hints, refund, ...fields } = document
  return {
    ...absentBefore(document),
    id,
    ...fields,
    refund: refund && { ...refund, keyRotations: refund.keyRotations ?? refund.spentKeys ?? 0 },
  }
}

/** Fields that payments of an earlier release have not, or have under another name. */
function absentBefore({ createdAt, tries, hints }: Document) {
  return {
    visitorId: null,
    userId: null,
    lastSeenAt: createdAt,
    refusedRefunds: [],
    handRefunds: [],
    disputes: [],
    reversalsRecheckAt: null,
    unclaimedCaptureAt: null,
    webhookEvents: hints ?? [],
    keyGeneration: tries ?? { create: 1, confirm: 1, capture: 1, void: 1 },
  }
}
