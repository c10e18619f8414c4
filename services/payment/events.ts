/** What a booking's end means for its payment. Handlers note what is wanted; the worker calls the provider. */
import { bookingCancelled, bookingFailed } from '@passerelle/contracts/events/booking'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import { endBooking, endWithRefund } from './domain/booking-end.ts'
import type { RefusedRefund } from './domain/payment.ts'
import type { Tools } from './tools.ts'

export function paymentConsumer(tools: Tools): ConsumerDefinition {
  const { store, clock, log } = tools
  return {
    group: 'payment',
    subscriptions: [
      on(bookingCancelled, async ({ data }) => {
        const { bookingId, paymentId, refundMinor, currency } = data
        const payment = await store.findById(paymentId)
        if (!payment) {
          if (refundMinor > 0) tellOperator({ paymentId, bookingId, reason: 'no-payment' }, tools)
          return
        }
        let refused = null as RefusedRefund | null
        await store.update(payment.id, (current) => {
          const end = endWithRefund(current, { reason: 'booking-cancelled', bookingId, refundMinor, currency }, clock())
          refused = end.refused
          return end.change
        })
        if (refused) tellOperator({ paymentId, ...refused }, tools)
      }),
      on(bookingFailed, async ({ data }) => {
        const { bookingId, paymentId } = data
        const payment = await store.findById(paymentId)
        if (!payment) return log.warn({ paymentId, bookingId }, 'a failed booking names a payment that does not exist')
        await store.update(payment.id, (current) => {
          // A booking that also failed to claim the hold of another one has nothing to get back.
          const refundMinor = current.bookingId === null ? 0 : current.amountMinor
          return endBooking(current, { reason: 'booking-failed', bookingId, refundMinor, currency: current.currency }, clock())
        })
      }),
    ],
  }
}

/** Money was promised that this payment cannot give: repeating would not help, so the event is done with and a person is told. */
function tellOperator(about: { paymentId: string; bookingId: string; reason: string }, { log, metrics }: Tools): void {
  metrics.paymentOperations.inc({ operation: 'refund', outcome: 'impossible' })
  log.error(about, 'a refund was asked for that cannot be made: an operator must look')
}
