/** What cancelling gives back, asked of the airline before its traveller decides, where the fare does not say. */
import { now } from '@passerelle/kit/runtime'
import { type BookingRecord, refundByFare } from './domain/booking.ts'
import { judgeRefund } from './domain/cancellation.ts'
import { openChange } from './domain/schedule.ts'
import type { SagaContext } from './transition.ts'

/** The booking with the quote, which a cancellation then keeps; as it is where there is nothing to ask, and where the airline does not say. */
export async function quoteCancellation(booking: BookingRecord, context: SagaContext): Promise<BookingRecord> {
  const { orderId, mode, state, charge } = booking
  const { allowed, refundMinor } = refundByFare(booking, now())
  if (!orderId || state !== 'CONFIRMED' || !allowed || refundMinor !== null) return booking
  const told = await context
    .supplier(mode)
    .quote(orderId)
    .catch((error: unknown) => {
      context.log.warn({ bookingId: booking._id, err: error }, 'the airline did not say what a cancellation gives back')
      return null
    })
  const due = told && judgeRefund(told, charge)
  // Credit, and what an operator has to arrange, is no amount on a card.
  const minor = due && (due.kind === 'card' || due.kind === 'none') ? due.minor : null
  if (minor === null && !booking.quote) return booking
  const quote = minor === null ? null : { changeId: openChange(booking)?.id ?? null, minor, at: now() }
  return (await context.store.change(booking, { quote })) ?? (await context.store.byId(booking._id)) ?? booking
}
