/** What a booking's end means for its payment. Handlers note what is wanted; the worker calls the provider. */
import { bookingCancelled, bookingFailed } from '@passerelle/contracts/events/booking'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import { type BookingEnd, endBooking } from './domain/transitions.ts'
import type { Tools } from './tools.ts'

export function paymentConsumer(tools: Tools): ConsumerDefinition {
  return {
    group: 'payment',
    subscriptions: [
      on(bookingCancelled, async ({ data }) => {
        const { bookingId, paymentId, refundMinor, currency } = data
        const payment = await tools.store.byId(paymentId)
        // Put aside for an operator: money was promised that this payment cannot give.
        if (refundMinor > 0 && (payment.bookingId !== bookingId || payment.currency !== currency || refundMinor > payment.amountMinor))
          throw new Error('the refund does not suit the payment')
        await note(paymentId, { reason: 'booking-cancelled', bookingId, refundMinor }, tools)
      }),
      on(bookingFailed, async ({ data }) => {
        const payment = await tools.store.findById(data.paymentId)
        if (!payment) return tools.log.warn({ paymentId: data.paymentId }, 'a failed booking names a payment that does not exist')
        const { bookingId } = data
        // A booking that also failed to claim the hold of another one has nothing to give back.
        await note(
          payment.id,
          { reason: 'booking-failed', bookingId, refundMinor: payment.bookingId === null ? 0 : payment.amountMinor },
          tools,
        )
      }),
    ],
  }
}

async function note(paymentId: string, end: BookingEnd, tools: Tools): Promise<void> {
  const now = tools.clock()
  await tools.store.update(paymentId, (payment) => endBooking(payment, end, now))
}
