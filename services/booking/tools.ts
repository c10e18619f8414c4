/** What the saga works with, and its one way of writing: from a state to a state that may follow it, with what is told of it. */
import type { EventDefinition } from '@passerelle/contracts/event'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { type Caller, systemCaller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { draft } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import type { DocumentSafe } from './documents.ts'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { mayMove, type SagaState } from './domain/state.ts'
import type { Supplier } from './duffel.ts'
import type { Change, Store } from './store.ts'

export type SagaTools = {
  store: Store
  supplier(mode: 'test' | 'live'): Supplier
  search: Peer<typeof searchApi>
  payment: Peer<typeof paymentApi>
  safe: DocumentSafe
  log: Log
  metrics: Metrics
  clock(): Date
  /** Send before this many ms after the decision; declare absent only `settleMs` after that. */
  sendWithinMs: number
  settleMs: number
  /** Where this system is on the internet: written into its orders. */
  system: string
}

/** The written booking, "wait" (try again at nextAt), or null when somebody else has taken over. */
export type StepResult = BookingRecord | 'wait' | null

const RENEW_MS = 10_000

/** As long as this process lives nobody else takes the booking over while `work` goes on, however long the airline takes. */
export async function holding<T>(booking: BookingRecord, { store, clock }: SagaTools, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => void store.renew(booking, clock()).catch(() => undefined), RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}

/** Null when somebody else has written since: then the rest is his. */
export async function move(
  booking: BookingRecord,
  state: SagaState,
  change: Change,
  tools: SagaTools,
  events: (next: number) => ReturnType<typeof draft>[] = () => [],
): Promise<BookingRecord | null> {
  if (!mayMove(booking.state, state)) throw new RangeError(`a booking does not go from ${booking.state} to ${state}`)
  const next = await tools.store.change(booking, { tries: 0, nextAt: tools.clock(), ...change, state }, events(booking.version + 1))
  if (next) {
    tools.metrics.sagaTransitions.inc({ to: state })
    tools.log.info({ bookingId: booking._id, from: booking.state, to: state }, 'booking moved')
  }
  return next
}

/** Nothing is ordered: what is left to do is to give the hold back. */
export function fail(booking: BookingRecord, failure: Failure, tools: SagaTools): Promise<BookingRecord | null> {
  return move(booking, 'ORDER_FAILED', { failure }, tools)
}

/** An event about this booking; `sequence` is its version after the change. */
export function tell<E extends EventDefinition>(booking: BookingRecord, definition: E, data: object, sequence: number, at: Date) {
  const base = { bookingId: booking._id, reference: booking.reference, brand: booking.brand, mode: booking.mode }
  return draft(definition, { ...base, ...data } as never, { sequence, at, requestId: booking.requestId })
}

/** The booking itself as the one who asks other services: no visitor is waiting. */
export function asCaller(booking: BookingRecord): Caller {
  return systemCaller('booking', {
    brand: booking.brand,
    mode: booking.mode,
    markupPercent: booking.markupPercent,
    requestId: booking.requestId,
  })
}
