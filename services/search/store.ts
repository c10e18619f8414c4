/** What this service keeps: the offers that somebody opened, for a while, and how often was searched and asked. */
import type { Mode } from '@passerelle/contracts/http/common'
import { createModel } from '@passerelle/kit/mongo'
import { type Connection, Schema } from 'mongoose'
import type { BareOffer, KnownOffer } from './domain/known-offer.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** An order that was paid for may have to be shopped for again some hours after its offer has expired. */
const KEEP_OFFER_MS = 6 * HOUR
const KEEP_COUNTS_MS = 400 * DAY

export type Shown = Pick<BareOffer, 'total_amount' | 'total_currency'>

/** An offer as it was last read; `shown` is the price that visitors saw last. */
export type OpenedOffer = { known: KnownOffer; shown: Shown; readAt: Date }

type OfferDocument = OpenedOffer & { _id: string; mode: Mode; supplierOfferId: string; expiresAt: Date; removeAt: Date }

/** One search's counts of one day. */
export type SearchCount = { day: string; mode: Mode; key: string; visitors: number; suppliers: number }

/** What the supplier was asked for and what was ordered of it. */
export type Totals = { searches: number; orders: number }

/** All of one day and mode. */
type DayDocument = Totals & { _id: string; day: string; mode: Mode; removeAt: Date }

type CountDocument = SearchCount & { _id: string; removeAt: Date }

export type Store = {
  /** The offer was read with its services and shown. */
  keepOpened(known: KnownOffer, readAt: Date): Promise<void>
  /** The offer was read again for its price, which is about to be shown. */
  keepShown(known: KnownOffer, readAt: Date): Promise<void>
  findOpened(offerId: string): Promise<OpenedOffer | null>
  addCounts(counts: readonly SearchCount[]): Promise<void>
  addOrder(mode: Mode, day: string): Promise<void>
  /** From that day on. */
  totals(mode: Mode, since: string): Promise<Totals>
}

export function createStore(connection: Connection): Store {
  const offers = createModel<OfferDocument>(connection, 'Offer', {
    collection: 'offers',
    minimize: false,
    fields: {
      _id: { type: String, required: true },
      mode: { type: String, required: true },
      supplierOfferId: { type: String, required: true },
      known: { type: Schema.Types.Mixed, required: true },
      shown: { type: Schema.Types.Mixed, required: true },
      readAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
      removeAt: { type: Date, required: true },
    },
    indexes: [[{ removeAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  const searches = createModel<CountDocument>(connection, 'Search', {
    collection: 'searches',
    fields: {
      _id: { type: String, required: true },
      day: { type: String, required: true },
      mode: { type: String, required: true },
      key: { type: String, required: true },
      visitors: { type: Number, required: true },
      suppliers: { type: Number, required: true },
      removeAt: { type: Date, required: true },
    },
    indexes: [[{ day: 1 }], [{ removeAt: 1 }, { expireAfterSeconds: 0 }]],
  })

  const days = createModel<DayDocument>(connection, 'Day', {
    collection: 'days',
    fields: {
      _id: { type: String, required: true },
      day: { type: String, required: true },
      mode: { type: String, required: true },
      searches: { type: Number, required: true },
      orders: { type: Number, required: true },
      removeAt: { type: Date, required: true },
    },
    indexes: [[{ mode: 1, day: 1 }], [{ removeAt: 1 }, { expireAfterSeconds: 0 }]],
  })
  const addToDay = async (mode: Mode, day: string, added: Totals) => {
    if (added.searches + added.orders === 0) return
    await days.updateOne({ _id: `${day}:${mode}` }, { $inc: added, $setOnInsert: { day, mode, removeAt: removeAt(day) } }, { upsert: true })
  }

  return {
    async keepOpened(known, readAt) {
      const { _id, ...fields } = documentOf(known, readAt)
      await offers.updateOne({ _id }, { $set: fields }, { upsert: true })
    },
    async keepShown(known, readAt) {
      const { _id, shown, ...fields } = documentOf(known, readAt)
      await offers.updateOne({ _id }, { $set: { shown }, $setOnInsert: fields }, { upsert: true })
    },
    async findOpened(offerId) {
      const document = await offers.findById(offerId).lean<OfferDocument>()
      return document && { known: document.known, shown: document.shown, readAt: document.readAt }
    },
    async addCounts(counts) {
      if (counts.length === 0) return
      await searches.bulkWrite(
        counts.map(({ day, mode, key, visitors, suppliers }) => ({
          updateOne: {
            filter: { _id: `${day}:${mode}:${key}` },
            update: {
              $inc: { visitors, suppliers },
              $setOnInsert: { day, mode, key, removeAt: removeAt(day) },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      )
      const asked = new Map<string, { day: string; mode: Mode; searches: number }>()
      for (const { day, mode, suppliers } of counts) {
        const { searches } = asked.get(`${day}:${mode}`) ?? { searches: 0 }
        asked.set(`${day}:${mode}`, { day, mode, searches: searches + suppliers })
      }
      for (const { day, mode, searches } of asked.values()) await addToDay(mode, day, { searches, orders: 0 })
    },
    addOrder: (mode, day) => addToDay(mode, day, { searches: 0, orders: 1 }),
    async totals(mode, since) {
      const found = await days.find({ mode, day: { $gte: since } }).lean<DayDocument[]>()
      return {
        searches: found.reduce((sum, { searches }) => sum + searches, 0),
        orders: found.reduce((sum, { orders }) => sum + orders, 0),
      }
    },
  }
}

const removeAt = (day: string) => new Date(Date.parse(day) + KEEP_COUNTS_MS)

function documentOf(known: KnownOffer, readAt: Date): OfferDocument {
  const { offer, supplier, mode } = known
  const { total_amount, total_currency } = offer
  const expiresAt = new Date(offer.expires_at)
  return {
    _id: offer.id,
    mode,
    supplierOfferId: supplier.offerId,
    known,
    shown: { total_amount, total_currency },
    readAt,
    expiresAt,
    removeAt: new Date(expiresAt.getTime() + KEEP_OFFER_MS),
  }
}
