/** For tests of the saga: the airline as a ledger of the orders that were really made. */
import { now, nowMs } from '@passerelle/kit/runtime'
import { next, type openConditions } from './conditions.fixture.ts'
import type { SupplierRefund } from './domain/cancellation.ts'
import type { SupplierChange } from './domain/schedule.ts'
import type { Supplier } from './duffel.ts'

export type LedgerOrder = { id: string; bookingId: string; offerId: string; cancelled: boolean; foundFrom: Date }

const REFUND: SupplierRefund = { amount: '182.50', currency: 'EUR', to: 'balance', credits: [] }

export function openAirline(conditions: ReturnType<typeof openConditions>) {
  const orders: LedgerOrder[] = []
  const changes = new Map<string, SupplierChange[]>()
  let made = 0
  const newOrderId = () => `ord_${++made}`
  const shown = ({ id, cancelled }: LedgerOrder) => ({
    id,
    airlineReference: 'ABC123',
    cancellable: true,
    cancelled,
    tickets: [{ number: '0472100000001', passengers: ['pas_a'] }],
  })
  const airline: Supplier = {
    async order(request) {
      const bookingId = request.metadata.booking_id ?? ''
      const how = next(conditions.of(bookingId).order)
      if (how === 'refused') return { kind: 'rejected', code: 'BOOKING_REFUSED', reason: 'the name is too long' }
      if (how === 'seat-taken') return { kind: 'rejected', code: 'SEAT_UNAVAILABLE', reason: 'ancillary_service_not_available' }
      if (how === 'gone') return { kind: 'rejected', code: 'OFFER_EXPIRED', reason: 'offer_no_longer_available' }
      if (how === 'offer-used' || how === 'repriced') return { kind: how }
      if (how === 'never') return { kind: 'unknown', reason: 'accepted' }
      const foundFrom = new Date(nowMs() + (how === 'late' ? 60_000 : 0))
      const order = { id: newOrderId(), bookingId, offerId: request.selected_offers[0] ?? '', cancelled: false, foundFrom }
      orders.push(order)
      return how === 'made' ? { kind: 'ordered', order: shown(order) } : { kind: 'unknown', reason: 'no answer' }
    },
    async find(bookingId, offerId) {
      const found = orders.find((order) => order.bookingId === bookingId && order.offerId === offerId && order.foundFrom <= now())
      return found ? shown(found) : null
    },
    // Of the last few bookings only: each of hundreds would be looked up again and again.
    madeSince: async () =>
      orders.slice(-10).map((order) => ({
        ...shown(order),
        bookingId: order.bookingId,
        createdAt: now(),
        total: { amount: '0', currency: 'EUR' },
      })),
    sold: () => Promise.reject(new Error('this airline keeps no whole orders')),
    changesOf: async (orderId) => changes.get(orderId) ?? [],
    async acceptChange(orderId, changeId) {
      const all = changes.get(orderId) ?? []
      if (!all.some(({ id }) => id === changeId)) throw new Error('no such change')
      changes.set(
        orderId,
        all.map((one) => (one.id === changeId ? { ...one, action: 'accepted', canAccept: false, canCancel: false } : one)),
      )
    },
    async quote(orderId) {
      const order = orders.find(({ id }) => id === orderId)
      if (!order || order.cancelled) return null
      const how = conditions.of(order.bookingId).cancel[0]
      if (how === 'away') throw new Error('socket hang up')
      return how === 'refused' ? null : { ...REFUND, ...conditions.of(order.bookingId).refund }
    },
    async cancel(orderId, accepts) {
      const order = orders.find(({ id }) => id === orderId)
      if (!order) return { kind: 'refused', reason: 'not_found' }
      const refund = { ...REFUND, ...conditions.of(order.bookingId).refund }
      if (order.cancelled) return { kind: 'cancelled', refund }
      const how = next(conditions.of(order.bookingId).cancel)
      if (how === 'away') throw new Error('socket hang up')
      if (how === 'refused') return { kind: 'refused', reason: 'order_not_cancellable' }
      const quoted = how === 'worse' ? { ...refund, amount: '1.00' } : refund
      if (accepts && !accepts(quoted)) return { kind: 'worse' }
      order.cancelled = true
      return { kind: 'cancelled', refund: quoted }
    },
  }
  return { airline, orders, changes, newOrderId }
}
