/** Work on bookings that nobody is waiting for: sagas that stopped half-way, landings, forgotten documents. */
import { now, nowMs } from '@passerelle/kit/runtime'
import { claimAndRun, type WorkerDefinition } from '@passerelle/kit/worker'
import { startPendingCancellation } from './cancel.ts'
import { isOpen, sagaStates } from './domain/state.ts'
import { drive } from './saga.ts'
import { LeasedBooking, LeaseLost, type SagaContext, transition } from './transition.ts'

const DOCUMENTS_KEPT_MS = 30 * 24 * 3_600_000
/** What accounting has to keep bookings for. */
const BOOKINGS_KEPT_YEARS = 7
const CONCURRENT = 8
const LOOK_MS = 500
/** More are not counted: the alert has fired long before. */
const MOST_UNSETTLED = 5000

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
      const dropped = await store.dropBefore(yearsBefore(at, BOOKINGS_KEPT_YEARS))
      if (dropped > 0) context.log.info({ dropped }, 'bookings of more than seven years ago were removed')
      context.metrics.needsAttention.set(await store.needingAttention())
      return landed.length === 200
    },
  }
}

function yearsBefore(at: Date, years: number): Date {
  const before = new Date(at)
  before.setUTCFullYear(before.getUTCFullYear() - years)
  return before
}

/** Reports for how long the oldest booking of each state has waited to be settled. */
export function ageWorker({ store, metrics }: SagaContext): WorkerDefinition {
  return {
    name: 'saga-age',
    everyMs: 10_000,
    async run() {
      const byState = Map.groupBy(await store.unsettled(MOST_UNSETTLED), ({ state }) => state)
      for (const state of sagaStates.filter(isOpen)) {
        const ages = (byState.get(state) ?? []).map(({ openSince, createdAt }) => nowMs() - Number(openSince ?? createdAt))
        metrics.sagaOldest.set({ state }, Math.max(0, ...ages) / 1000)
      }
      return false
    },
  }
}
