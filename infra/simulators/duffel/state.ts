/** Offer requests, what became of single offers, orders, cancellations and sold seats, as documents of the simulator. */
import { type Documents, openDocuments } from '../documents.ts'
import type { AirlineChange, Cancellation, OfferChanges, OfferRequest, Order } from './records.ts'

export type State = ReturnType<typeof openState>

export const openState = (dataFile: string | undefined) => {
  const documents: Documents = openDocuments(dataFile)
  const { insert, replace, find, list, remove } = documents
  return {
    documents,
    addOfferRequest: (row: OfferRequest) => insert('offer_request', row.nonce, row, { due: row.expiresAt }),
    offerRequestByNonce: (nonce: string) => find<OfferRequest>('offer_request', nonce),
    updateOfferRequest: (row: OfferRequest) => replace('offer_request', row.nonce, row),
    dropOfferRequestsBefore: (expiredAt: number) => {
      for (const { nonce } of list<OfferRequest>('offer_request', { dueUntil: expiredAt })) {
        remove('offer_changes', { parent: nonce })
        remove('offer_request', { id: nonce })
      }
    },
    changesOf: (offerId: string): OfferChanges => find<OfferChanges>('offer_changes', offerId) ?? {},
    changeOffer: (offerId: string, nonce: string, changes: OfferChanges) => {
      if (find('offer_changes', offerId)) replace('offer_changes', offerId, changes)
      else insert('offer_changes', offerId, changes, { parent: nonce })
    },

    addOrder: (order: Order) => insert('order', order.id, order, { parent: order.offerId, due: order.visibleAt }),
    updateOrder: (order: Order) => replace('order', order.id, order),
    orderById: (id: string) => find<Order>('order', id),
    orders: (query: Parameters<typeof list>[1] = {}) => list<Order>('order', query),

    addCancellation: (row: Cancellation) => insert('cancellation', row.id, row, { parent: row.orderId }),
    updateCancellation: (row: Cancellation) => replace('cancellation', row.id, row),
    cancellationById: (id: string) => find<Cancellation>('cancellation', id),
    cancellations: (orderId?: string) => list<Cancellation>('cancellation', orderId === undefined ? {} : { parent: orderId }),

    addAirlineChange: (row: AirlineChange) => insert('airline_change', row.id, row, { parent: row.orderId }),
    updateAirlineChange: (row: AirlineChange) => replace('airline_change', row.id, row),
    airlineChangeById: (id: string) => find<AirlineChange>('airline_change', id),
    airlineChanges: (orderId: string) => list<AirlineChange>('airline_change', { parent: orderId }),

    soldOn: (flight: string): Set<string> => new Set(list<string>('seat', { parent: flight })),
    /** Sold by us or by somebody else, outside the simulator. */
    sellSeat: (flight: string, designator: string) => {
      const id = `${flight}/${designator}`
      if (!find('seat', id)) insert('seat', id, designator, { parent: flight })
    },
    releaseSeat: (flight: string, designator: string) => remove('seat', { id: `${flight}/${designator}` }),

    count: (name: string) => {
      const number = find<number>('count', name)
      if (number === undefined) insert('count', name, 1)
      else replace('count', name, number + 1)
    },
    counted: (name: string): number => find<number>('count', name) ?? 0,
  }
}
