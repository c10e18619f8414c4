/** Work on bookings that nobody is waiting for: sagas that stopped half-way, landings, forgotten documents, orphaned orders. */
import { bookingCompleted } from '@passerelle/contracts/events/booking'
import { draft } from '@passerelle/kit/outbox'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import { drive } from './saga.ts'
import { fulfilWish } from './settlement.ts'
import type { SagaTools } from './tools.ts'

const DOCUMENTS_KEPT_MS = 30 * 24 * 3_600_000
const CONCURRENT = 8

export function sagaWorker(tools: SagaTools): WorkerDefinition {
  return {
    name: 'saga',
    everyMs: 500,
    async run(signal) {
      const claims = []
      while (claims.length < CONCURRENT) {
        const claimed = await tools.store.claimDue(tools.clock())
        if (!claimed) break
        claims.push(claimed)
      }
      await Promise.all(claims.map((claimed) => drive(claimed, tools, signal)))
      return claims.length === CONCURRENT
    },
  }
}

export function tidyWorker(tools: SagaTools): WorkerDefinition {
  const { store, clock } = tools
  return {
    name: 'tidy',
    everyMs: 60_000,
    async run() {
      const now = clock()
      for (const booking of await store.wishes(50)) await fulfilWish(booking, tools)
      const landed = await store.landed(now, 200)
      for (const booking of landed) {
        const data = { bookingId: booking._id, reference: booking.reference, brand: booking.brand, mode: booking.mode }
        await store.change(booking, { state: 'COMPLETED' }, [draft(bookingCompleted, data, { sequence: booking.version + 1, at: now })])
      }
      await store.destroyDocuments(new Date(now.getTime() - DOCUMENTS_KEPT_MS))
      tools.metrics.needsAttention.set(await store.needingAttention())
      return landed.length === 200
    },
  }
}

async function cancelOrphan(order: { id: string; bookingId: string }, mode: 'test' | 'live', { supplier, log }: SagaTools): Promise<void> {
  const about = { orderId: order.id, bookingId: order.bookingId }
  try {
    const outcome = await supplier(mode).cancel(order.id, null)
    if (outcome.kind === 'cancelled') log.error(about, 'an order without a living booking was cancelled')
    else log.error({ ...about, outcome }, 'an order without a living booking cannot be cancelled: an operator must look')
  } catch (err) {
    log.error({ ...about, err }, 'an order without a living booking could not be cancelled, will be tried again')
  }
}

/** The last net: a live order whose booking failed or was never stored is cancelled at the supplier and told to an operator. */
export function orphanWorker(tools: SagaTools, modes: readonly ('test' | 'live')[]): WorkerDefinition {
  return {
    name: 'orphan-orders',
    everyMs: 60_000,
    async run() {
      for (const mode of modes) {
        for (const order of await tools.supplier(mode).recent(24, tools.system)) {
          if (order.cancelled || !order.bookingId) continue
          const booking = await tools.store.byId(order.bookingId)
          // An order of a booking that is still open, or that lives, is no orphan.
          if (booking && booking.state !== 'FAILED') continue
          await cancelOrphan({ ...order, bookingId: order.bookingId }, mode, tools)
        }
      }
      return false
    },
  }
}
