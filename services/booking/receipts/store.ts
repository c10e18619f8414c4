/**
 * Numbers of receipts: 1, 2, 3 and so on for each brand, test and live mode apart, without gaps and without repetitions.
 *
 * There is no counter that could run ahead of what it counts: the stored receipt is the number. One insert gives out the number that
 * follows the highest one stored, and two unique keys decide it: the booking (`_id`), so that a booking has one number however often it
 * is asked for, and the number within its series, so that of two bookings at once one gets it and the other tries the next. A process
 * that dies before the insert has taken nothing; one that dies after it finds the same number again, because the capture that called it
 * is repeated. Receipts are never deleted.
 */
import { createModel, isDuplicateKey } from '@passerelle/kit/mongo'
import type { Connection } from 'mongoose'
import type { BookingRecord } from '../domain/booking.ts'

export type ReceiptRecord = {
  /** The booking's id. */
  _id: string
  /** Brand and mode: "aurora.example/live". */
  series: string
  number: number
  paidAt: Date
}

export type Receipts = ReturnType<typeof receiptStore>

export function receiptStore(connection: Connection) {
  const receipts = createModel<ReceiptRecord>(connection, 'Receipt', {
    collection: 'receipts',
    fields: {
      _id: { type: String, required: true },
      series: { type: String, required: true },
      number: { type: Number, required: true },
      paidAt: { type: Date, required: true },
    },
    indexes: [[{ series: 1, number: 1 }, { unique: true }]],
  })

  const of = (_id: string) => receipts.findOne({ _id }).lean<ReceiptRecord>()

  return {
    /** By the booking's id; null: nothing was captured for it. */
    of,

    /** The receipt of a booking whose payment was captured; the same one whenever it is asked for, in parallel too. `paidAt` is of the first call. */
    async issue({ _id, brand, mode }: Pick<BookingRecord, '_id' | 'brand' | 'mode'>, paidAt: Date): Promise<ReceiptRecord> {
      const series = `${brand}/${mode}`
      for (;;) {
        const issued = await of(_id)
        if (issued) return issued
        // Read from a majority: a number that could still be rolled back is never counted on.
        const last = await receipts.findOne({ series }).sort({ number: -1 }).lean<ReceiptRecord>()
        const receipt = { _id, series, number: (last?.number ?? 0) + 1, paidAt }
        try {
          await receipts.create(receipt)
          return receipt
        } catch (error) {
          if (!isDuplicateKey(error)) throw error
        }
      }
    },
  }
}
