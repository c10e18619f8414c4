/** The supplier in memory, as `duffel.ts` of the booking service shows it: an offer is ordered at most once, a cancellation is quoted and confirmed. */

import type { SupplierOrder } from '@passerelle/booking/domain/order'
import type { Supplier } from '@passerelle/booking/duffel'
import type { LedgerOrder, Ledgers } from './ledgers.ts'

export type AirlineTools = {
  ledgers: Ledgers
  now(): number
  behaviourAt(point: string): string | undefined
  /** Called right after an order was made. */
  onOrder(order: LedgerOrder): void
}

/** So high that a card could get it twice. */
export const PENALTY = { amount: '120.00', currency: 'EUR' }
/** An order that was accepted may be found so much later. */
export const LATE_MS = 10_000

export function memoryAirline({ ledgers, now, behaviourAt, onOrder }: AirlineTools): Supplier {
  const { orders } = ledgers
  const shown = ({ id, cancelledAt }: LedgerOrder): SupplierOrder => ({
    id,
    airlineReference: `REF${id.slice(4)}`,
    cancellable: cancelledAt === null,
    cancelled: cancelledAt !== null,
    tickets: [],
  })
  const visible = () => orders.filter(({ foundFrom }) => foundFrom <= now())
  return {
    sold: () => Promise.reject(new Error('no operator rebuilds bookings here')),
    // Its schedules stay as they are.
    changesOf: async () => [],
    acceptChange: async () => undefined,
    quote: async () => null,
    async order({ selected_offers: [offerId = ''], metadata, payments: [payment] }) {
      const how = behaviourAt('airline.order')
      if (orders.some((order) => order.offerId === offerId) || how === 'offer used') return { kind: 'offer-used' }
      if (how === 'refused') return { kind: 'rejected', code: 'BOOKING_REFUSED', reason: 'the name is too long' }
      if (how === 'gone') return { kind: 'rejected', code: 'OFFER_EXPIRED', reason: 'offer_no_longer_available' }
      if (how === 'repriced') return { kind: 'repriced' }
      if (how === 'accepted, never comes') return { kind: 'unknown', reason: 'accepted' }
      const order: LedgerOrder = {
        id: `ord_${orders.length + 1}`,
        bookingId: metadata.booking_id ?? '',
        system: metadata.system ?? '',
        offerId,
        total: { amount: payment?.amount ?? '', currency: payment?.currency ?? '' },
        createdAt: now(),
        foundFrom: now() + (how === 'accepted, comes late' ? LATE_MS : 0),
        cancelledAt: null,
        refund: null,
      }
      orders.push(order)
      onOrder(order)
      if (how === 'accepted, comes late') return { kind: 'unknown', reason: 'accepted' }
      return how === 'unknown error, made' ? { kind: 'unknown', reason: 'http-500' } : { kind: 'ordered', order: shown(order) }
    },
    async find(bookingId, offerId) {
      const found = visible().find((order) => order.bookingId === bookingId && order.offerId === offerId)
      return found ? shown(found) : null
    },
    async madeSince(since, system) {
      const young = visible().filter((order) => order.createdAt >= since.getTime() && order.system === system)
      return young.toReversed().map((order) => ({
        ...shown(order),
        bookingId: order.bookingId,
        createdAt: new Date(order.createdAt),
        total: order.total,
      }))
    },
    async cancel(orderId, accepts) {
      const order = visible().find(({ id }) => id === orderId)
      if (!order) return { kind: 'refused', reason: 'not_found' }
      const answer = (refund: LedgerOrder['refund']) => ({ ...refund, credits: [] }) as never
      if (order.refund) return { kind: 'cancelled', refund: answer(order.refund) }
      const how = behaviourAt('airline.cancel')
      if (how === 'refused') return { kind: 'refused', reason: 'unsupported_action' }
      const { amount, currency } = order.total
      const back = how === 'gives back less' ? '1.00' : (Number(amount) - Number(PENALTY.amount)).toFixed(2)
      const refund = { amount: back, currency, to: how === 'gives credit' ? 'airline_credits' : 'balance' }
      if (accepts && !accepts(answer(refund))) return { kind: 'worse' }
      Object.assign(order, { cancelledAt: now(), refund })
      return { kind: 'cancelled', refund: answer(refund) }
    },
  }
}
