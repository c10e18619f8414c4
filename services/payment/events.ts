/** The consumer of this service: what the end of a booking means for its payment. Handlers only write; the worker calls the provider. */
import { bookingCancelled, bookingFailed } from '@passerelle/contracts/events/booking'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import { now } from '@passerelle/kit/runtime'
import { endBooking, endWithRefund } from './domain/booking-end.ts'
import type { RefusedRefund } from './domain/payment.ts'
import type { Tools } from './tools.ts'

export function paymentConsumer(tools: Tools): ConsumerDefinition {
  const { store, log } = tools
  return {
    group: 'payment',
    subscriptions: [
      on(bookingCancelled, async ({ data }) => {
        const { bookingId, paymentId, refundMinor, currency } = data
        const payment = await store.findById(paymentId)
        if (!payment) {
          if (refundMinor > 0) alertOperator({ paymentId, bookingId, reason: 'no-payment' }, tools)
          return
        }
        let refused = null as RefusedRefund | null
        await store.update(payment.id, (current) => {
          const end = endWithRefund(current, { reason: 'booking-cancelled', bookingId, refundMinor, currency }, now())
          refused = end.refused
          return end.change
        })
        if (refused) alertOperator({ paymentId, ...refused }, tools)
      }),
      on(bookingFailed, async ({ data }) => {
        const { bookingId, paymentId } = data
        const payment = await store.findById(paymentId)
        if (!payment) return log.warn({ paymentId, bookingId }, 'a failed booking names a payment that does not exist')
        await store.update(payment.id, (current) => {
          // Of a hold that the booking had not claimed there is nothing to refund.
          const refundMinor = current.bookingId === null ? 0 : current.amountMinor
          return endBooking(current, { reason: 'booking-failed', bookingId, refundMinor, currency: current.currency }, now())
        })
      }),
    ],
  }
}

/** A refund was promised that this payment cannot give: repeating would not help, so the event is acknowledged and an operator alerted. */
function alertOperator(about: { paymentId: string; bookingId: string; reason: string }, { log, metrics }: Tools): void {
  metrics.paymentOperations.inc({ operation: 'refund', outcome: 'impossible' })
  log.error(about, 'a refund was asked for that cannot be made: an operator must look')
}
