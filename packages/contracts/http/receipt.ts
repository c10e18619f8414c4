/** The receipt of a booking that was paid; the booking itself says the total, what was refunded, and the card's last four digits. */
import { z } from 'zod'
import { Amount } from './common.ts'

export const Receipt = z.object({
  /** Of this brand alone, one after the other without gaps: "000042". In test mode, where nobody is charged, a series apart: "TEST-000042". */
  number: z.string(),
  /** When the money was taken; of bookings of before receipts had numbers, when they were made. */
  paidAt: z.string(),
  /** null once the contact is erased. */
  paidBy: z.string().nullable(),
  /** The brand that sold it, as it is now; empty where it does not say. */
  seller: z.object({ name: z.string(), address: z.string(), email: z.string(), phone: z.string() }),
  /** Parts of what was charged, in its currency: base and tax, or flights where those are not known, and seats. */
  lines: z.array(z.object({ item: z.enum(['base', 'tax', 'flights', 'seats']), amount: Amount })),
})
export type Receipt = z.infer<typeof Receipt>
