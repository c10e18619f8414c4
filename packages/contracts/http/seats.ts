/** Seat maps, and the seats that were chosen on them. */
import { z } from 'zod'
import { Amount, CurrencyCode, Money } from './common.ts'

export const SeatElement = z.object({
  type: z.enum(['seat', 'other']),
  /** What an `other` element is: exit_row, lavatory, galley, empty... */
  kind: z.string().nullable(),
  designator: z.string().nullable(),
  name: z.string().nullable(),
  /** For at least one passenger. */
  available: z.boolean(),
  /** One entry per passenger who can have it. `price` is what the customer pays. */
  available_services: z.array(
    z.object({ id: z.string(), passenger_id: z.string(), total_amount: Amount, total_currency: CurrencyCode, price: Money }),
  ),
  disclosures: z.array(z.string()),
})
export type SeatElement = z.infer<typeof SeatElement>

export const SeatMapSegment = z.object({
  segment_id: z.string(),
  cabins: z.array(
    z.object({
      cabin_class: z.string(),
      /** 0 main deck, 1 upper deck. */
      deck_configuration: z.int(),
      wings: z.object({ first_row_index: z.int(), last_row_index: z.int() }).nullable(),
      rows: z.array(z.object({ number: z.int().nullable(), sections: z.array(z.object({ elements: z.array(SeatElement) })) })),
    }),
  ),
})
export type SeatMapSegment = z.infer<typeof SeatMapSegment>

/** One map per slice, holding the cabin plan of each of its flights that has one. `cabins` is the first flight's, as older clients read it. */
export const SeatMap = z.object({
  slice_id: z.string(),
  segments: z.array(SeatMapSegment),
  cabins: SeatMapSegment.shape.cabins,
})
export type SeatMap = z.infer<typeof SeatMap>

export const SeatChoice = z.object({
  passengerId: z.string().min(1),
  /** Seat designator, e.g. 12A. */
  seatId: z.string().min(1).max(6),
  segmentId: z.string().min(1),
  cabinClass: z.string().optional(),
  price: Money.optional(),
})
export type SeatChoice = z.infer<typeof SeatChoice>
