/** Work on bookings that nobody is waiting for: sagas that stopped half-way, landings, forgotten documents. */
import { now } from '@passerelle/kit/runtime'
import { claimAndRun, type WorkerDefinition } from '@passerelle/kit/worker'
import { startPendingCancellation } from './cancel.ts'
import { drive } from './saga.ts'
import { LeasedBooking, LeaseLost, type SagaContext, transition } from './transition.ts'

const DOCUMENTS_KEPT_MS = 30 * 24 * 3_600_000
const CONCURRENT = 8
const LOOK_MS = 500

export function sagaWorker(context: SagaContext): WorkerDefinition {
  return claimAndRun({
    name: 'saga',
    everyMs: LOOK_MS,
    concurrency: CONCURRENT,
    claim: () => context.store.claimDue(now()),
    work: (booking, signal) => drive(booking, context, signal),
    log: context.log,
  })
}

export function tidyWorker(context: SagaContext): WorkerDefinition {
  const { store } = context
  return {
    name: 'tidy',
    everyMs: 60_000,
    async run() {
      const at = now()
      for (const booking of await store.withPendingCancellation(50))
        await startPendingCancellation(new LeasedBooking(booking, context)).catch((error) => {
          if (!(error instanceof LeaseLost)) throw error
        })
      const landed = await store.landed(at, 200)
      for (const booking of landed) await transition(booking, 'COMPLETED', {}, [], context)
      await store.destroyDocuments(new Date(at.getTime() - DOCUMENTS_KEPT_MS))
      context.metrics.needsAttention.set(await store.needingAttention())
      return landed.length === 200
    },
  }
}
