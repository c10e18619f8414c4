/** Finding bookings for administrators: which are in a tab of the list, how many, and page after page. */
import { type OfficeCounts, OfficeState } from '@passerelle/contracts/http/back-office'
import type { ModelDefinition } from '@passerelle/kit/mongo'
import type { Model } from 'mongoose'
import type { BookingRecord } from '../domain/booking.ts'
import { type SagaState, sagaStates, statusOf } from '../domain/state.ts'

/** Waits for a person. */
export const NEEDS_SOMEBODY = { attentionSince: { $gt: new Date(0) } }

export const OFFICE_INDEXES = [
  [{ mode: 1, createdAt: -1, _id: -1 }],
  [{ mode: 1, brand: 1, createdAt: -1, _id: -1 }],
  [{ mode: 1, state: 1, createdAt: -1, _id: -1 }],
  [{ attentionSince: 1, _id: 1 }, { partialFilterExpression: NEEDS_SOMEBODY }],
  [{ emails: 1, createdAt: -1 }],
] satisfies ModelDefinition['indexes']

export type OfficeQuery = {
  mode: 'test' | 'live'
  /** Of these brands alone; null: of all. */
  brands: readonly string[] | null
  state?: OfficeState | undefined
  /** A reference, or an e-mail address. */
  q?: string | undefined
  since?: string | undefined
  /** Id of the last booking of the page before. */
  before?: string | undefined
  limit: number
}

const pending = sagaStates.filter((state) => statusOf(state) === 'pending' && state !== 'NEEDS_ATTENTION')

function inState(state: OfficeState, now: Date): object {
  const is = (value: SagaState) => ({ state: value })
  switch (state) {
    case 'attention':
      return NEEDS_SOMEBODY
    case 'pending':
      return { state: { $in: pending } }
    case 'confirmed':
      return { $or: [{ ...is('CONFIRMED'), lastArrival: { $gte: now } }, is('CANCEL_REQUESTED')] }
    case 'completed':
      return { $or: [is('COMPLETED'), { ...is('CONFIRMED'), lastArrival: { $lt: now } }] }
    case 'cancelled':
      return { $or: [is('REFUNDED'), { ...is('ORDER_CANCELLED'), attentionSince: null }] }
    case 'failed':
      return is('FAILED')
  }
}

/** The tab that a booking is in: as `inState` finds it. */
export function officeState({ state, attentionSince, lastArrival }: BookingRecord, now: Date): OfficeState {
  if (attentionSince) return 'attention'
  if (state === 'FAILED') return 'failed'
  if (state === 'CONFIRMED' && lastArrival < now) return 'completed'
  return statusOf(state)
}

function found({ mode, brands, q, since }: Omit<OfficeQuery, 'limit'>): object {
  const searched = q?.includes('@') ? { emails: q.toLowerCase() } : { reference: q?.toUpperCase() }
  return {
    mode,
    ...(brands && { brand: { $in: [...brands] } }),
    ...(since && { createdAt: { $gte: new Date(since) } }),
    ...(q && searched),
  }
}

export function officeReads(bookings: Model<BookingRecord>) {
  /** Beyond the last booking of the page before; nothing when that is gone. */
  const beyond = async (before: string, waiting: boolean): Promise<object> => {
    const last = await bookings.findOne({ _id: before }, { createdAt: 1, attentionSince: 1 }).lean<BookingRecord>()
    if (!last) return { _id: '' }
    if (!waiting) return { $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: before } }] }
    const since = last.attentionSince ?? new Date(0)
    return { $or: [{ attentionSince: { $gt: since } }, { attentionSince: since, _id: { $gt: before } }] }
  }

  return {
    /** Newest first; those that need somebody by how long they have waited. One more than `limit` when there are more. */
    async officeList(query: OfficeQuery, now: Date): Promise<BookingRecord[]> {
      const waiting = query.state === 'attention'
      const parts = [found(query), ...(query.state ? [inState(query.state, now)] : [])]
      if (query.before) parts.push(await beyond(query.before, waiting))
      return bookings
        .find({ $and: parts }, { documents: 0, documentKey: 0, outbox: 0 })
        .sort(waiting ? { attentionSince: 1, _id: 1 } : { createdAt: -1, _id: -1 })
        .limit(query.limit + 1)
        .lean<BookingRecord[]>()
    },

    /** All of the list, one after the other, newest first. */
    async *officeRows(query: Omit<OfficeQuery, 'limit'>, now: Date): AsyncGenerator<BookingRecord> {
      const parts = [found(query), ...(query.state ? [inState(query.state, now)] : [])]
      yield* bookings
        .find({ $and: parts }, { documents: 0, documentKey: 0, outbox: 0 })
        .sort({ createdAt: -1, _id: -1 })
        .lean<BookingRecord[]>()
        .cursor({ batchSize: 200 })
    },

    async officeCounts(query: Omit<OfficeQuery, 'limit'>, now: Date): Promise<OfficeCounts> {
      const count = async (state: OfficeState) =>
        [state, await bookings.countDocuments({ $and: [found(query), inState(state, now)] })] as const
      return Object.fromEntries(await Promise.all(OfficeState.options.map(count))) as OfficeCounts
    },

    needingAttention: () => bookings.countDocuments(NEEDS_SOMEBODY),
  }
}
