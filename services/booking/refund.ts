/** What the payment service tells of refunds: of a cancelled booking, and of money that went back without this system. */
import type { paymentReversed } from '@passerelle/contracts/events/payment'
import { now } from '@passerelle/kit/runtime'
import type { z } from 'zod'
import { caseAfterReversal } from './domain/attention.ts'
import type { BookingRecord, Reversal } from './domain/booking.ts'
import { type SagaContext, transition } from './transition.ts'

/** Safe to repeat. */
export async function recordRefund(bookingId: string, context: SagaContext): Promise<void> {
  for (;;) {
    const booking = await context.store.byId(bookingId)
    if (booking?.state !== 'ORDER_CANCELLED') return
    const refund = booking.refund && { ...booking.refund, refundedAt: now() }
    if (await transition(booking, 'REFUNDED', { refund }, [], context)) return
  }
}

type Told = Pick<z.output<(typeof paymentReversed)['schema']>, 'paymentId' | 'refundedMinor' | 'dispute' | 'disputedMinor'>

/** Totals as they are now. Safe to repeat; the state of the booking stays. */
export async function recordReversal(bookingId: string, told: Told, context: SagaContext): Promise<void> {
  for (;;) {
    const booking = await context.store.byId(bookingId)
    if (booking?.paymentId !== told.paymentId) return
    const reversal = reversalAfter(booking, told, now())
    if (!reversal) return
    context.log.warn({ bookingId, dispute: reversal.dispute }, 'money went back to the cardholder without this system')
    if (await context.store.change(booking, { reversal, ...caseAfterReversal(booking, reversal, now()) })) return
  }
}

/** null when it is known. */
function reversalAfter({ reversal: known }: BookingRecord, told: Told, at: Date): Reversal | null {
  const { refundedMinor, dispute, disputedMinor } = told
  const moreRefunded = refundedMinor > (known?.refundedMinor ?? 0)
  const disputeMoved = dispute !== (known?.dispute ?? null) || disputedMinor !== (known?.disputedMinor ?? 0)
  if (refundedMinor === (known?.refundedMinor ?? 0) && !disputeMoved) return null
  return { refundedMinor, refundedAt: moreRefunded ? at : (known?.refundedAt ?? null), dispute, disputedMinor, at, seen: false }
}
