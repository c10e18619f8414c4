import type { BookingRecord } from './booking.ts'
import type { SupplierOrder } from './order.ts'
import { isOpen } from './state.ts'

/**
 * What a live order at the supplier is to us. fine: the order of a booking that is closed and has it. undecided: its booking is still at
 * work on it. failed: its booking says that there is none. unknown: no booking of ours stands for it.
 */
export type OrderJudgement = 'fine' | 'undecided' | 'failed' | 'unknown'

export function judgeOrder(
  order: Pick<SupplierOrder, 'id'>,
  booking: Pick<BookingRecord, 'state' | 'orderId'> | undefined,
): OrderJudgement {
  if (!booking) return 'unknown'
  if (booking.state === 'FAILED') return 'failed'
  if (isOpen(booking.state) || booking.state === 'NEEDS_ATTENTION') return 'undecided'
  return booking.orderId === order.id ? 'fine' : 'unknown'
}
