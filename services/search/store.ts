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

type CountDocument = SearchCount & { _id: string; removeAt: Date }

export type Store = {
  /** The offer was read with its services and shown. */
  keepOpened(known: KnownOffer, readAt: Date): Promise<void>
  /** The offer was read again for its price, which is about to be shown. */
  keepShown(known: KnownOffer, readAt: Date): Promise<void>
  findOpened(offerId: string): Promise<OpenedOffer | null>
  addCounts(counts: readonly SearchCount[]): Promise<void>
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
              $setOnInsert: { day, mode, key, removeAt: new Date(Date.parse(day) + KEEP_COUNTS_MS) },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      )
    },
  }
}

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
