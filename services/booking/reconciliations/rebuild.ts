/**
 * Makes bookings again that a restored copy of the database has not: of one day, each from an order at the supplier and its captured payment,
 * never from one of the two alone. The saga takes them from there, as it does with a booking whose worker has died.
 */
import { AppError } from '@passerelle/contracts/error'
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { providerBookingId } from '@passerelle/contracts/rules/booking-reference'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import type { Audit } from '@passerelle/kit/audit'
import { type Caller, systemCaller } from '@passerelle/kit/auth'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { now, randomBytes, randomId } from '@passerelle/kit/runtime'
import type { QueuedMail } from '../domain/mail.ts'
import { paymentFor, rebuiltBooking, type SoldOrder, whyNotRebuilt } from '../domain/rebuilt.ts'
import { UnreadableOrder } from '../duffel-orders.ts'
import { drive } from '../saga.ts'
import { leaseEnd } from '../store.ts'
import type { SagaContext } from '../transition.ts'
import type { Day } from './reconcile.ts'
import type { RebuildLine } from './store.ts'

type Tools = { context: SagaContext; audit: Pick<Audit, 'record'>; mails: Pick<MailQueue<QueuedMail>, 'noteSent'> }

/** Safe to repeat: what is here is left alone. Oldest first, so that receipts get their numbers in the order of the sales. */
export function rebuilder({ context, audit, mails }: Tools): (day: Day, apply: boolean) => Promise<RebuildLine[]> {
  return async (day, apply) => {
    const lines: RebuildLine[] = []
    for (const { id } of await lostOrders(day, context)) lines.push(await judge(id, day, apply))
    return [...lines, ...(await paidWithoutOrder(day, lines, context))]
  }

  async function judge(orderId: string, day: Day, apply: boolean): Promise<RebuildLine> {
    let order: SoldOrder
    try {
      order = await context.supplier(day.mode).sold(orderId)
    } catch (error) {
      if (error instanceof UnreadableOrder) return lineOf('refused', { orderId }, `the supplier's order cannot be read: ${error.message}`)
      throw error
    }
    const payment = paymentFor(order, day.payments)
    const reason = whyNotRebuilt(order, payment)
    const about = { orderId, bookingId: order.named.bookingId, reference: order.named.reference, intentId: payment?.intentId ?? null }
    if (reason !== null || !payment) return lineOf('refused', about, reason ?? '')
    if (!apply) return lineOf('would-be-rebuilt', about, amountOf(payment))
    return rebuildOne(order, payment, day.mode, about)
  }

  /** The payment first: a booking that is here has one that can be captured, and refunded when it is cancelled. */
  async function rebuildOne(order: SoldOrder, entry: LedgerEntry, mode: Day['mode'], about: Partial<RebuildLine>): Promise<RebuildLine> {
    const brand = order.named.brand ?? DEFAULT_BRAND_KEY
    const caller = { ...systemCaller('booking', { brand, mode, requestId: `rebuild-${randomId()}` }), userId: 'operator' }
    const id = order.named.paymentId ?? entry.paymentId ?? ''
    const bookingId = order.named.bookingId ?? ''
    try {
      const body = { intentId: entry.intentId, bookingId }
      const { cardLast4, amountMinor, currency } = await context.payment(systemOf(caller)).rebuild({ params: { id }, body })
      const payment = { id, minor: amountMinor, currency, cardLast4 }
      const at = now()
      const providerId = providerBookingId(randomBytes(20))
      const seal = context.safe.seal
      const booking = rebuiltBooking(order, {
        ...{ payment, mode, brand, providerId, requestId: caller.requestId, now: at, leaseUntil: leaseEnd(at), seal },
      })
      await mails.noteSent('confirmed', booking._id)
      await audit.record({ action: 'booking-rebuilt', subject: booking.reference, brandKey: brand, to: amountOf(entry) }, caller)
      const inserted = await context.store.insert(booking)
      if (inserted !== 'inserted') return lineOf('refused', about, `another booking has its ${inserted}`)
      await context.receipts.issue(booking, booking.createdAt)
      await drive(booking, context)
      return lineOf('rebuilt', about, amountOf(entry))
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return lineOf('refused', about, `the payment: ${error.code}`)
      throw error
    }
  }
}

const systemOf = (caller: Caller): Caller => ({ ...caller, userId: null })
const amountOf = ({ currency, capturedMinor }: LedgerEntry) => `${currency} ${capturedMinor} captured`

function lineOf(outcome: RebuildLine['outcome'], about: Partial<RebuildLine>, found: string): RebuildLine {
  return { bookingId: null, reference: null, orderId: null, intentId: null, ...about, outcome, found }
}

const isOf = ({ from, to }: Day, at: Date) => at >= from && at < to

/** Live orders of the day for which no booking is here. */
async function lostOrders(day: Day, { store }: SagaContext): Promise<Day['orders']> {
  const live = day.orders.filter(({ createdAt, cancelled }) => isOf(day, createdAt) && !cancelled)
  const here = new Set((await store.byIds(live.flatMap(({ bookingId }) => bookingId ?? []))).map(({ _id }) => _id))
  return live
    .filter(({ bookingId }) => !here.has(bookingId ?? ''))
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
}

/** Captured payments of the day whose booking is not here and that no lost order names: money without a ticket is for a person. */
async function paidWithoutOrder(day: Day, lines: readonly RebuildLine[], { store }: SagaContext): Promise<RebuildLine[]> {
  const named = new Set(lines.map(({ intentId }) => intentId))
  const kept = day.payments.filter(
    ({ intentId, createdAt, capturedMinor, refundedMinor }) =>
      isOf(day, new Date(createdAt)) && capturedMinor > refundedMinor && !named.has(intentId),
  )
  const here = new Set((await store.byIds(kept.flatMap(({ bookingId }) => bookingId ?? []))).map(({ _id }) => _id))
  return kept
    .filter(({ bookingId }) => bookingId === null || !here.has(bookingId))
    .map(({ intentId, bookingId }) => lineOf('refused', { intentId, bookingId }, 'paid, and no lost order names it'))
}
