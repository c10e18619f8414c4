/** Work on bookings that nobody is waiting for: sagas that stopped half-way, landings, forgotten documents. */
import { bookingCompleted } from '@passerelle/contracts/events/booking'
import { delay } from '@passerelle/kit/runtime'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import { startPendingCancellation } from './capture-and-cancel.ts'
import type { BookingRecord } from './domain/booking.ts'
import { drive } from './saga.ts'
import { createEvent, HeldBooking, LeaseLost, type SagaContext } from './saga-context.ts'

const DOCUMENTS_KEPT_MS = 30 * 24 * 3_600_000
const CONCURRENT = 8
const LOOK_MS = 500

/** Eight bookings at a time; a slow one keeps no other waiting. */
export function sagaWorker(context: SagaContext): WorkerDefinition {
  return {
    name: 'saga',
    everyMs: LOOK_MS,
    async run(signal) {
      const running = new Set<Promise<unknown>>()
      do {
        while (running.size < CONCURRENT && !signal.aborted) {
          const claimed = await context.store.claimDue(context.clock())
          if (!claimed) break
          const driven: Promise<unknown> = drive(claimed, context, signal)
            .catch((err) => context.log.warn({ err, bookingId: claimed._id }, 'a booking could not be worked on'))
            .finally(() => running.delete(driven))
          running.add(driven)
        }
        const look = new AbortController()
        await Promise.race([...running, delay(LOOK_MS, look.signal)])
        look.abort()
      } while (running.size > 0)
      return false
    },
  }
}

export function tidyWorker(context: SagaContext): WorkerDefinition {
  const { store, clock } = context
  return {
    name: 'tidy',
    everyMs: 60_000,
    async run() {
      const now = clock()
      for (const booking of await store.withPendingCancellation(50)) await applyPendingCancellation(booking, context)
      const landed = await store.landed(now, 200)
      for (const booking of landed) await store.change(booking, { state: 'COMPLETED' }, [createEvent(booking, bookingCompleted, {}, now)])
      await store.destroyDocuments(new Date(now.getTime() - DOCUMENTS_KEPT_MS))
      context.metrics.needsAttention.set(await store.needingAttention())
      return landed.length === 200
    },
  }
}

async function applyPendingCancellation(booking: BookingRecord, context: SagaContext): Promise<void> {
  try {
    await startPendingCancellation(new HeldBooking(booking, context), context)
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}
