/** What the saga works with, and a booking while this process holds its lease: the one way to call outside and to write. */
import type { EventDefinition } from '@passerelle/contracts/event'
import { bookingPending } from '@passerelle/contracts/events/booking'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { type Caller, systemCaller } from '@passerelle/kit/auth'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { createOutboxEvent, type OutboxEvent } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { delay } from '@passerelle/kit/runtime'
import type { DocumentSafe } from './documents.ts'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { awaitsOutcome, isOpen, mayBecome, type SagaState } from './domain/state.ts'
import type { Supplier } from './duffel.ts'
import { type Change, leaseEnd, RENEW_MS, type Store } from './store.ts'

export type SagaContext = {
  store: Store
  supplier(mode: 'test' | 'live'): Supplier
  search: Peer<typeof searchApi>
  payment: Peer<typeof paymentApi>
  safe: DocumentSafe
  hash: KeyedHash
  log: Log
  metrics: Metrics
  clock(): Date
  /** An order is sent this soon after that was decided, or not at all. */
  sendWithinMs: number
  /** The supplier's longest answer: an order that was sent may still appear so much later. */
  orderLongestMs: number
  /** Where this system is on the internet: written into its orders. */
  system: string
}

/** done: the booking stands where the step has written it. retry: it failed and is tried again later. poll: not known yet, ask again soon. */
export type StepResult = 'done' | 'retry' | 'poll'

/** Somebody else has written the booking since: the rest is theirs. */
export class LeaseLost extends Error {}

export class HeldBooking {
  #booking: BookingRecord
  readonly #context: SagaContext

  constructor(booking: BookingRecord, context: SagaContext) {
    this.#booking = booking
    this.#context = context
  }

  /** As this process has last written it. */
  get booking(): BookingRecord {
    return this.#booking
  }

  /** Extends the lease; the version still decides who may write. */
  async renew(): Promise<void> {
    await this.#context.store.renew(this.#booking, this.#context.clock())
  }

  /** A call outside. While it lasts a visitor who has waited long enough is told "pending"; the call goes on. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const answer = work()
    const waitMs = this.#msUntilPending()
    if (waitMs === null) return answer
    const settled = new AbortController()
    const first = await Promise.race([
      answer.then(
        () => 'settled',
        () => 'settled',
      ),
      delay(waitMs, settled.signal).then(() => 'waited'),
    ])
    settled.abort()
    if (first === 'waited') await this.announcePendingWhenDue()
    return answer
  }

  /** Writes booking.pending once, when the visitor's request has ended without an outcome. @throws LeaseLost */
  async announcePendingWhenDue(): Promise<void> {
    const { clock, log } = this.#context
    const waitMs = this.#msUntilPending()
    if (waitMs === null || waitMs > 0) return
    try {
      await this.write({ pendingAnnouncedAt: clock() }, this.pendingEvents())
    } catch (err) {
      if (err instanceof LeaseLost) throw err
      log.warn({ err, bookingId: this.#booking._id }, 'the pending booking could not be announced now')
    }
  }

  /** @throws LeaseLost */
  async transition(state: SagaState, change: Change = {}, events: OutboxEvent[] = []): Promise<void> {
    const { clock, metrics, log } = this.#context
    const { _id: bookingId, state: from } = this.#booking
    if (!mayBecome(from, state)) throw new RangeError(`a booking does not go from ${from} to ${state}`)
    const now = clock()
    await this.write({ tries: 0, nextAt: now, ...(isOpen(state) && { leaseUntil: leaseEnd(now) }), ...change, state }, events)
    metrics.sagaTransitions.inc({ to: state })
    log.info({ bookingId, from, to: state }, 'booking changed state')
  }

  /** Compare-and-set with the events that tell of it. @throws LeaseLost */
  async write(change: Change, events: OutboxEvent[] = []): Promise<void> {
    const written = await this.#context.store.change(this.#booking, change, events)
    if (!written) throw new LeaseLost()
    this.#booking = written
  }

  /** Nothing is ordered: what is left to do is to void the authorisation. */
  fail(failure: Failure): Promise<void> {
    return this.transition('ORDER_FAILED', { failure })
  }

  /** An event of the next write. */
  event<E extends EventDefinition>(definition: E, data: object): OutboxEvent {
    return createEvent(this.#booking, definition, data, this.#context.clock())
  }

  /** booking.pending, unless it was told before. */
  pendingEvents(): OutboxEvent[] {
    const { pendingAnnouncedAt, paymentId } = this.#booking
    return pendingAnnouncedAt ? [] : [this.event(bookingPending, { paymentId })]
  }

  #msUntilPending(): number | null {
    const { state, pendingAnnouncedAt, answerBy } = this.#booking
    if (pendingAnnouncedAt || !awaitsOutcome(state)) return null
    // Bookings of an earlier release do not have it: their visitors have been told.
    return Math.max(0, Number(answerBy ?? 0) - this.#context.clock().getTime())
  }
}

/** As long as this process lives nobody else takes the booking over while `work` goes on, however long the airline takes. */
export async function withLease<T>(booking: BookingRecord, context: SagaContext, work: (held: HeldBooking) => Promise<T>): Promise<T> {
  const held = new HeldBooking(booking, context)
  const renewal = setInterval(() => void held.renew().catch(() => undefined), RENEW_MS)
  try {
    return await work(held)
  } finally {
    clearInterval(renewal)
  }
}

/** An event about a booking that is told with its next write. */
export function createEvent<E extends EventDefinition>(booking: BookingRecord, definition: E, data: object, at: Date): OutboxEvent {
  const base = { bookingId: booking._id, reference: booking.reference, brand: booking.brand, mode: booking.mode }
  return createOutboxEvent(definition, { ...base, ...data } as never, { sequence: booking.version + 1, at, requestId: booking.requestId })
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
