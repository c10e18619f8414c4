/** The payment service has refunded a cancelled booking. */
import { now } from '@passerelle/kit/runtime'
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
