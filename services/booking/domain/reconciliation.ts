/**
 * One day compared: bookings, the supplier's orders, and the card provider's payments. Every line of the result is something that a
 * person has to look at; on a healthy system there is none.
 */
import type { Money } from '@passerelle/contracts/http/common'
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { compareAmounts } from '@passerelle/contracts/rules/money'
import type { BookingRecord } from './booking.ts'
import { isOpen } from './state.ts'

export type ReconciledBooking = Pick<
  BookingRecord,
  | '_id'
  | 'reference'
  | 'state'
  | 'createdAt'
  | 'orderId'
  | 'paymentId'
  | 'charge'
  | 'supplierCharge'
  | 'refund'
  | 'cancelledAt'
  | 'reversal'
>
export type ReconciledOrder = { id: string; bookingId: string | null; cancelled: boolean; createdAt: Date; total: Money }

/** Where order, ticket and money of the three disagree. */
export type DifferenceKind =
  | 'order-without-booking'
  | 'order-of-failed-booking'
  | 'order-not-cancelled'
  | 'second-order'
  | 'order-costs-more'
  | 'order-missing'
  | 'order-cancelled-by-airline'
  | 'not-captured'
  | 'captured-another-amount'
  | 'refund-unexpected'
  | 'refund-missing'
  | 'refund-of-another-amount'
  | 'charged-without-ticket'
  | 'payment-without-booking'
  | 'payment-unknown'
  | 'payment-recorded-otherwise'
  | 'undecided-too-long'

export type Difference = {
  kind: DifferenceKind
  bookingId: string | null
  reference: string | null
  orderId: string | null
  intentId: string | null
  /** In words, e.g. "EUR 12000 captured, EUR 12300 charged". Amounts in minor units; nothing personal. */
  found: string
}

type Day = {
  from: Date
  to: Date
  now: Date
  /** Of the day and a little around it, so that what belongs together is found across midnight. */
  bookings: readonly ReconciledBooking[]
  orders: readonly ReconciledOrder[]
  payments: readonly LedgerEntry[]
}

/** A refund or an open outcome is given this long before it counts. */
const PATIENCE_MS = 3_600_000
const TICKETED = new Set<BookingRecord['state']>(['CONFIRMED', 'COMPLETED'])
const RETURNED = new Set<BookingRecord['state']>(['ORDER_CANCELLED', 'REFUNDED'])

export function differencesOf(day: Day): Difference[] {
  const bookings = new Map(day.bookings.map((booking) => [booking._id, booking]))
  const payments = new Map(day.payments.flatMap((payment) => (payment.paymentId ? [[payment.paymentId, payment] as const] : [])))
  const orders = Map.groupBy(day.orders, ({ bookingId }) => bookingId)
  const ofDay = (at: Date) => at >= day.from && at < day.to
  return [
    ...day.orders.filter(({ createdAt }) => ofDay(createdAt)).flatMap((order) => ofOrder(order, bookings.get(order.bookingId ?? ''))),
    ...day.bookings
      .filter(({ createdAt }) => ofDay(createdAt))
      .flatMap((booking) => ofBooking(booking, orders.get(booking._id) ?? [], payments.get(booking.paymentId), day.now)),
    ...day.payments.filter(({ createdAt }) => ofDay(new Date(createdAt))).flatMap((payment) => ofPayment(payment, bookings)),
  ]
}

function ofOrder(order: ReconciledOrder, booking: ReconciledBooking | undefined): Difference[] {
  const difference = (kind: DifferenceKind, found: string) => [line(kind, found, { booking, orderId: order.id })]
  const { amount, currency } = order.total
  if (booking && currency === booking.supplierCharge.currency && compareAmounts(amount, booking.supplierCharge.amount) > 0)
    return difference('order-costs-more', `${currency} ${amount} ordered, ${booking.supplierCharge.amount} quoted`)
  if (order.cancelled) return []
  if (!booking) return difference('order-without-booking', `a live order of booking ${order.bookingId ?? 'none'}, which is not here`)
  if (booking.state === 'FAILED') return difference('order-of-failed-booking', 'a live order')
  if (RETURNED.has(booking.state)) return difference('order-not-cancelled', 'a live order of a cancelled booking')
  if (booking.orderId !== null && booking.orderId !== order.id) return difference('second-order', `beside ${booking.orderId}`)
  return []
}

function ofBooking(
  booking: ReconciledBooking,
  orders: readonly ReconciledOrder[],
  payment: LedgerEntry | undefined,
  now: Date,
): Difference[] {
  const { state, charge, orderId, reversal } = booking
  const about = { booking, orderId, intentId: payment?.intentId ?? null }
  const is = (kind: DifferenceKind, found: string) => [line(kind, found, about)]
  const captured = payment?.capturedMinor ?? 0
  const refunded = payment?.refundedMinor ?? 0
  const byHand = reversal?.refundedMinor ?? 0
  const lost = reversal?.dispute === 'lost' ? reversal.disputedMinor : 0
  const money = (minor: number) => `${charge.currency} ${minor}`
  const since = (at: Date | null) => now.getTime() - Number(at ?? booking.createdAt)

  if (isOpen(state) || state === 'NEEDS_ATTENTION')
    return since(null) > PATIENCE_MS ? is('undecided-too-long', `in ${state} since ${booking.createdAt.toISOString()}`) : []
  if (TICKETED.has(state)) {
    const own = orders.find(({ id }) => id === orderId)
    return [
      ...(own ? [] : is('order-missing', `the supplier lists no order ${orderId}`)),
      ...(own?.cancelled ? is('order-cancelled-by-airline', 'the order is cancelled, the booking is not') : []),
      ...(captured === 0 ? is('not-captured', `${money(charge.minor)} charged`) : []),
      ...(captured !== 0 && (captured !== charge.minor || payment?.currency !== charge.currency)
        ? is('captured-another-amount', `${payment?.currency} ${captured} captured, ${money(charge.minor)} charged`)
        : []),
      ...(refunded > byHand ? is('refund-unexpected', `${money(refunded - byHand)} refunded, the booking stands`) : []),
    ]
  }
  if (RETURNED.has(state)) {
    const due = Math.min(charge.minor, (booking.refund?.kind === 'card' ? booking.refund.minor : 0) + byHand)
    // While the bank decides a dispute the provider refunds nothing.
    if (refunded === due || (refunded < due && reversal?.dispute === 'open') || (lost > 0 && refunded + lost >= due)) return []
    if (refunded < due && refunded === byHand)
      return since(booking.cancelledAt) > PATIENCE_MS ? is('refund-missing', `${money(due)} due`) : []
    return is('refund-of-another-amount', `${money(refunded)} refunded, ${money(due)} due`)
  }
  return captured > refunded + lost ? is('charged-without-ticket', `${money(captured - refunded - lost)} kept`) : []
}

function ofPayment(payment: LedgerEntry, bookings: ReadonlyMap<string, ReconciledBooking>): Difference[] {
  const { intentId, capturedMinor, refundedMinor, recorded, currency, bookingId } = payment
  const booking = bookings.get(bookingId ?? '')
  const is = (kind: DifferenceKind, found: string) => [line(kind, found, { booking, intentId })]
  if (!recorded) return capturedMinor > refundedMinor ? is('payment-unknown', `${currency} ${capturedMinor - refundedMinor} kept`) : []
  if (recorded.capturedMinor !== capturedMinor || recorded.refundedMinor !== refundedMinor)
    return is(
      'payment-recorded-otherwise',
      `${currency} ${capturedMinor} captured and ${refundedMinor} refunded at the provider, ${recorded.capturedMinor} and ${recorded.refundedMinor} recorded`,
    )
  if (!booking && capturedMinor > refundedMinor)
    return is('payment-without-booking', `${currency} ${capturedMinor - refundedMinor} kept, of booking ${bookingId ?? 'none'}`)
  return []
}

type About = { booking?: ReconciledBooking | undefined; orderId?: string | null; intentId?: string | null }

function line(kind: DifferenceKind, found: string, { booking, orderId = null, intentId = null }: About): Difference {
  return { kind, bookingId: booking?._id ?? null, reference: booking?.reference ?? null, orderId, intentId, found }
}
