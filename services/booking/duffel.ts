/** Orders and their cancellation at the supplier. An order is sent at most once; an answer that does not say whether it exists is "unknown". */
import type { Money } from '@passerelle/contracts/http/common'
import { createDuffel, DuffelError, duffelCodes, duffelStatus } from '@passerelle/kit/duffel'
import { countSupplierCall, type Metrics } from '@passerelle/kit/metrics'
import { DeadlineError, withDeadline } from '@passerelle/kit/resilience'
import type { SupplierRefund } from './domain/cancellation.ts'
import { judgeRefusal, type OrderOutcome, type OrderRequest, type SupplierOrder } from './domain/order.ts'
import type { SoldOrder } from './domain/rebuilt.ts'
import type { SupplierChange } from './domain/schedule.ts'
import { toSupplierChange } from './duffel-changes.ts'
import { toSoldOrder } from './duffel-orders.ts'

export type Supplier = {
  order(request: OrderRequest): Promise<OrderOutcome>
  /** The order made for this booking from this supplier offer, if there is one. */
  find(bookingId: string, supplierOfferId: string): Promise<SupplierOrder | null>
  /** Orders that this system made since then, newest first, with the booking they were made for. */
  madeSince(since: Date, system: string): Promise<MadeOrder[]>
  /** All that is known there of an order. @throws UnreadableOrder */
  sold(orderId: string): Promise<SoldOrder>
  /** Quotes and confirms; a second time it answers what the first did. A quote that `accepts` refuses is not confirmed. */
  cancel(orderId: string, accepts: ((quoted: SupplierRefund) => boolean) | null): Promise<CancelOutcome>
  /** What cancelling would give back now; nothing is cancelled. null: the airline does not cancel it. */
  quote(orderId: string): Promise<SupplierRefund | null>
  /** Changes of the order's schedule by its airline. */
  changesOf(orderId: string): Promise<SupplierChange[]>
  /** A second time it answers what the first did. @throws when it is not accepted */
  acceptChange(orderId: string, changeId: string): Promise<void>
}

/** `total` is what the supplier asks for it. */
export type MadeOrder = SupplierOrder & { bookingId: string | null; createdAt: Date; total: Money }

/** `refund` is what the supplier says of it, unchecked. */
type CancelOutcome = { kind: 'cancelled'; refund: SupplierRefund } | { kind: 'refused'; reason: string } | { kind: 'worse' }

/** Milliseconds that an order or its cancellation may take, and any other call. */
export type Deadlines = { orderMs: number; readMs: number }

type RawOrder = {
  id: string
  booking_reference?: string | null
  available_actions?: string[]
  cancelled_at?: string | null
  created_at: string
  offer_id?: string
  total_amount?: string
  total_currency?: string
  metadata?: Record<string, string> | null
  documents?: { type?: string; unique_identifier?: string; passenger_ids?: string[] }[] | null
}

const ID = /^[a-z]{3}_[A-Za-z0-9_]+$/

export function duffelSupplier(token: string, url: string | undefined, metrics: Metrics, { orderMs, readMs }: Deadlines): Supplier {
  const duffel = createDuffel(token, url)
  const call = <T>(operation: string, ms: number, ask: () => Promise<T>): Promise<T> =>
    countSupplierCall(metrics, { peer: 'duffel', operation, outcomeOf }, () => withDeadline(`duffel ${operation}`, ms, ask()))
  const list = async (query: Record<string, string | number>): Promise<{ data: RawOrder[]; after: string | null }> => {
    const answer = await call('orders.list', readMs, () => duffel.orders.list(query as never))
    return { data: answer.data as unknown as RawOrder[], after: answer.meta?.after ?? null }
  }

  return {
    changesOf,
    async acceptChange(orderId, changeId) {
      try {
        await call('airline-changes.accept', orderMs, () => duffel.airlineInitiatedChanges.accept(checked(changeId)))
      } catch (error) {
        if (!(error instanceof DuffelError) || duffelStatus(error) >= 500) throw error
        const change = (await changesOf(orderId)).find(({ id }) => id === changeId)
        if (change?.action !== 'accepted') throw error
      }
    },
    async order(request) {
      try {
        const answer = await call('orders.create', orderMs, () => duffel.orders.create({ type: 'instant', ...request } as never))
        if ((answer as { status?: number }).status === 202) return { kind: 'unknown', reason: 'accepted' }
        const raw = answer.data as unknown as RawOrder | undefined
        return raw?.id ? { kind: 'ordered', order: toOrder(raw) } : { kind: 'unknown', reason: 'no-order-in-answer' }
      } catch (error) {
        return judgeFailure(error)
      }
    },
    async find(bookingId, supplierOfferId) {
      const { data } = await list({ offer_id: checked(supplierOfferId), limit: 50 })
      const match = data.find((order) => order.metadata?.booking_id === bookingId)
      return match ? toOrder(match) : null
    },
    async madeSince(since, system) {
      const found: MadeOrder[] = []
      let after: string | null = null
      do {
        const page: { data: RawOrder[]; after: string | null } = await list({ limit: 200, ...(after && { after }) })
        const young = page.data.filter((order) => new Date(order.created_at) >= since)
        const ours = young.filter((order) => order.metadata?.system === system)
        found.push(...ours.map(toMadeOrder))
        after = young.length === page.data.length ? page.after : null
      } while (after)
      return found
    },
    async quote(orderId) {
      try {
        const id = checked(orderId)
        return toRefund((await call('cancellations.create', readMs, () => duffel.orderCancellations.create({ order_id: id }))).data)
      } catch (error) {
        if (!(error instanceof DuffelError) || duffelStatus(error) >= 500 || duffelStatus(error) === 429) throw error
        return null
      }
    },
    sold: async (orderId) => toSoldOrder((await call('orders.get', readMs, () => duffel.orders.get(checked(orderId)))).data),
    async cancel(orderId, accepts) {
      const id = checked(orderId)
      try {
        const quote = (await call('cancellations.create', readMs, () => duffel.orderCancellations.create({ order_id: id }))).data
        if (accepts && !accepts(toRefund(quote))) return { kind: 'worse' }
        const done = (await call('cancellations.confirm', orderMs, () => duffel.orderCancellations.confirm(quote.id))).data
        return { kind: 'cancelled', refund: toRefund(done) }
      } catch (error) {
        if (!(error instanceof DuffelError)) throw error
        const codes = duffelCodes(error)
        if (codes.includes('already_cancelled')) return { kind: 'cancelled', refund: await confirmedRefund(id) }
        if (duffelStatus(error) >= 500 || duffelStatus(error) === 429 || codes.includes('order_cancellation_stale')) throw error
        return { kind: 'refused', reason: codes[0] ?? `http-${duffelStatus(error)}` }
      }
    },
  }

  async function changesOf(orderId: string): Promise<SupplierChange[]> {
    const all = (await call('airline-changes.list', readMs, () => duffel.airlineInitiatedChanges.list(checked(orderId)))).data
    return (all as unknown[]).map(toSupplierChange)
  }

  async function confirmedRefund(orderId: string): Promise<SupplierRefund> {
    const all = (await call('cancellations.list', readMs, () => duffel.orderCancellations.list({ order_id: orderId } as never))).data
    return toRefund(all.find((one) => one.confirmed_at))
  }
}

/** Read field by field: whatever the answer looks like, the order is cancelled. */
function toRefund(answer: unknown): SupplierRefund {
  const {
    refund_amount: amount,
    refund_currency: currency,
    refund_to: to,
    airline_credits: credits,
  } = (answer ?? {}) as Record<string, unknown>
  return { amount, currency, to, credits }
}

function checked(id: string): string {
  if (!ID.test(id)) throw new RangeError('not a supplier id')
  return id
}

function toOrder(raw: RawOrder): SupplierOrder {
  return {
    id: raw.id,
    airlineReference: raw.booking_reference ?? null,
    cancellable: raw.available_actions?.includes('cancel') ?? false,
    cancelled: Boolean(raw.cancelled_at),
    tickets: readTickets(raw.documents),
  }
}

/** Vouchers and receipts of fees are no tickets. */
function readTickets(documents: RawOrder['documents']): SupplierOrder['tickets'] {
  return (documents ?? []).flatMap(({ type, unique_identifier: number, passenger_ids: passengers }) =>
    type === 'electronic_ticket' && number ? [{ number, passengers: passengers ?? [] }] : [],
  )
}

function toMadeOrder(raw: RawOrder): MadeOrder {
  return {
    ...toOrder(raw),
    bookingId: raw.metadata?.booking_id ?? null,
    createdAt: new Date(raw.created_at),
    total: { amount: raw.total_amount ?? '0', currency: raw.total_currency ?? '' },
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof DuffelError) return `http_${duffelStatus(error)}`
  return error instanceof DeadlineError ? 'timeout' : 'transport'
}

/** A refused connection never reached the supplier; whatever else went wrong on the way may have. */
function judgeFailure(error: unknown): OrderOutcome {
  if (error instanceof DuffelError) {
    const message = error.errors?.[0]?.message
    return judgeRefusal({ status: duffelStatus(error), codes: duffelCodes(error), ...(message && { message }) })
  }
  if ((error as { code?: string }).code === 'ECONNREFUSED') return { kind: 'rejected', code: 'BOOKING_FAILED', reason: 'ECONNREFUSED' }
  return { kind: 'unknown', reason: error instanceof Error ? error.name : 'transport' }
}
