/** What came of each day that was reconciled, and the days that somebody asks for. */
import { createModel } from '@passerelle/kit/mongo'
import type { Connection } from 'mongoose'
import type { Difference } from '../domain/reconciliation.ts'

type Mode = 'test' | 'live'
export type Reconciliation = {
  /** E.g. "live 2026-11-21": one for each mode and day. */
  _id: string
  mode: Mode
  /** YYYY-MM-DD, in UTC. */
  day: string
  askedAt: Date
  /** Null until it was compared since it was asked for. */
  doneAt: Date | null
  /** Not before, since the last attempt failed. */
  retryAt: Date | null
  /** The day was over when it was compared, and its last bookings had come to rest. */
  isWhole: boolean
  compared: { bookings: number; orders: number; payments: number } | null
  differences: Difference[]
  /** Bookings that the day has lost are to be made again before it is compared; `lines` null: not done yet. */
  rebuild?: { apply: boolean; lines: RebuildLine[] | null } | null
}

/** What became of one order or payment without a booking. */
export type RebuildLine = {
  outcome: 'rebuilt' | 'would-be-rebuilt' | 'refused'
  bookingId: string | null
  reference: string | null
  orderId: string | null
  intentId: string | null
  /** In words: why it was refused. */
  found: string
}
export type ReconciliationStore = ReturnType<typeof reconciliationStore>

export function reconciliationStore(connection: Connection) {
  const model = createModel<Reconciliation>(connection, 'Reconciliation', {
    collection: 'reconciliations',
    fields: {
      _id: { type: String, required: true },
      mode: { type: String, required: true },
      day: { type: String, required: true },
      askedAt: Date,
      doneAt: Date,
      retryAt: Date,
      isWhole: Boolean,
      compared: Object,
      differences: [Object],
      rebuild: Object,
    },
    indexes: [[{ mode: 1, day: -1 }]],
  })
  const idOf = (mode: Mode, day: string) => `${mode} ${day}`

  return {
    of: (mode: Mode, day: string) => model.findOne({ _id: idOf(mode, day) }).lean<Reconciliation>(),
    /** The last day that was compared as a whole. It keeps its result while somebody asks for it again. */
    lastWhole: (mode: Mode) => model.findOne({ mode, isWhole: true }).sort({ day: -1 }).lean<Reconciliation>(),
    /** Days that wait to be compared. */
    due: (at: Date) =>
      model
        .find({ doneAt: null, $or: [{ retryAt: null }, { retryAt: { $lte: at } }] })
        .limit(20)
        .lean<Reconciliation[]>(),
    /** Asks for a day, again or for the first time. `rebuild`: its lost bookings are looked for first, and made again with `apply`. */
    async ask(mode: Mode, day: string, askedAt: Date, rebuild: { apply: boolean } | null = null): Promise<void> {
      const asked = { mode, day, askedAt, doneAt: null, retryAt: null, rebuild: rebuild && { ...rebuild, lines: null } }
      await model.updateOne({ _id: idOf(mode, day) }, { $set: asked }, { upsert: true })
    },
    async done(
      { mode, day }: Reconciliation,
      result: Pick<Reconciliation, 'doneAt' | 'isWhole' | 'compared' | 'differences'>,
    ): Promise<void> {
      await model.updateOne({ _id: idOf(mode, day) }, { $set: result })
    },
    async noteRebuilt({ mode, day }: Reconciliation, lines: RebuildLine[]): Promise<void> {
      await model.updateOne({ _id: idOf(mode, day) }, { $set: { 'rebuild.lines': lines } })
    },
    async postpone({ mode, day }: Reconciliation, retryAt: Date): Promise<void> {
      await model.updateOne({ _id: idOf(mode, day) }, { $set: { retryAt } })
    },
  }
}
