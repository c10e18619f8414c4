/** Every change of a booking's state passes here: the table and the invariants are asked, then booking and events are written together. */
import type { EventDefinition } from '@passerelle/contracts/event'
import { bookingPending } from '@passerelle/contracts/events/booking'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { type Caller, systemCaller } from '@passerelle/kit/auth'
import { invariant } from '@passerelle/kit/invariant'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { createOutboxEvent, type OutboxEvent } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { delay, every, now, nowMs } from '@passerelle/kit/runtime'
import type { DocumentSafe } from './documents.ts'
import { caseAfter } from './domain/attention.ts'
import type { BookingRecord, Failure } from './domain/booking.ts'
import { brokenRules } from './domain/invariants.ts'
import { awaitsOutcome, isOpen, mayHaveTicket, type SagaState } from './domain/state.ts'
import type { Supplier } from './duffel.ts'
import type { Receipts } from './receipts/store.ts'
import { type Change, leaseEnd, RENEW_MS, type Store } from './store.ts'

export type SagaContext = {
  store: Store
  receipts: Receipts
  supplier(mode: 'test' | 'live'): Supplier
  search: Peer<typeof searchApi>
  payment: Peer<typeof paymentApi>
  safe: DocumentSafe
  hash: KeyedHash
  log: Log
  metrics: Metrics
  /** An order is sent this soon after that was decided, or not at all. */
  sendWithinMs: number
  /** The supplier's longest answer: an order that was sent may still appear so much later. */
  orderLongestMs: number
  /** This system's address on the internet: written into its orders. */
  system: string
}

/** The newest are kept; a saga has about ten. */
const MOST_HISTORY = 60

/**
 * Compare-and-set to another state. Returns null when the booking was written by somebody else since it was read.
 * @param by user id of the administrator whose work it is
 * @throws InvariantError before anything is written
 */
export async function transition(
  booking: BookingRecord,
  state: SagaState,
  change: Change,
  events: OutboxEvent[],
  context: SagaContext,
  by?: string,
): Promise<BookingRecord | null> {
  const { store, metrics, log } = context
  const { _id: bookingId, state: from } = booking
  const at = now()
  const open = isOpen(state)
  const opened = open && !isOpen(from) && { openSince: at }
  const due = { tries: 0, nextAt: at, ...(open && { leaseUntil: leaseEnd(at) }), ...opened }
  const moved = { ...due, ...change, state, open, ...(!mayHaveTicket(state) && { passengersKey: null }) }
  const history = [...(booking.history ?? []), { at, state, ...(by && { by }) }].slice(-MOST_HISTORY)
  const whole = { ...moved, history, ...caseAfter(booking, { ...booking, ...moved }, at) }
  for (const rule of brokenRules({ before: booking, after: { ...booking, ...whole }, events, now: at }))
    invariant(false, rule, { bookingId, from, to: state }, context)
  const written = await store.change(booking, whole, events)
  if (!written) return null
  metrics.sagaTransitions.inc({ to: state })
  log.info({ bookingId, from, to: state }, 'booking changed state')
  return written
}

/** An event that leaves with the booking's next write. */
export function createEvent<E extends EventDefinition>(booking: BookingRecord, definition: E, data: object): OutboxEvent {
  const { _id: bookingId, reference, brand, mode, version, requestId } = booking
  const about = { sequence: version + 1, at: now(), requestId }
  return createOutboxEvent(definition, { bookingId, reference, brand, mode, ...data } as never, about)
}

/** done: the booking is in the state that the step has written. retry: it failed and is tried again later. poll: not known yet, ask again soon. */
export type StepResult = 'done' | 'retry' | 'poll'

/** Somebody else has written the booking since: this worker stops. */
export class LeaseLost extends Error {}

/** A booking whose lease this process has: the one way in which the saga calls outside and writes. */
export class LeasedBooking {
  #booking: BookingRecord
  /** Until then nobody else takes the booking over. */
  #heldUntil: Date
  readonly #context: SagaContext

  constructor(booking: BookingRecord, context: SagaContext) {
    this.#booking = booking
    this.#heldUntil = booking.leaseUntil
    this.#context = context
  }

  /** As this process has last written it. */
  get booking(): BookingRecord {
    return this.#booking
  }

  /** Goes on holding the lease, unless it is lost. */
  async renew(): Promise<void> {
    const at = now()
    if (await this.#context.store.renew(this.#booking, at)) this.#heldUntil = leaseEnd(at)
  }

  /** For the last moment before something that cannot be taken back: a process may have stood still. @throws LeaseLost */
  assertHeld(): void {
    if (now() >= this.#heldUntil) throw new LeaseLost()
  }

  /** A call outside. While it lasts a visitor who has waited long enough is told "pending"; the call goes on. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const answer = work()
    const waitMs = this.#msUntilPending()
    if (waitMs === null) return answer
    const ended = new AbortController()
    answer.then(
      () => ended.abort(),
      () => ended.abort(),
    )
    await delay(waitMs, ended.signal)
    if (!ended.signal.aborted) await this.announcePendingWhenDue()
    return answer
  }

  /** Writes booking.pending once, when the visitor's request has ended without an outcome. @throws LeaseLost */
  async announcePendingWhenDue(): Promise<void> {
    const waitMs = this.#msUntilPending()
    if (waitMs === null || waitMs > 0) return
    try {
      await this.write({ pendingAnnouncedAt: now() }, this.pendingEvents())
    } catch (err) {
      if (err instanceof LeaseLost) throw err
      this.#context.log.warn({ err, bookingId: this.#booking._id }, 'the pending booking could not be announced now')
    }
  }

  /** @throws LeaseLost, InvariantError */
  async transition(state: SagaState, change: Change = {}, events: OutboxEvent[] = []): Promise<'done'> {
    this.#accept(await transition(this.#booking, state, change, events, this.#context))
    return 'done'
  }

  /** Compare-and-set of fields other than the state. @throws LeaseLost */
  async write(change: Omit<Change, 'state'>, events: OutboxEvent[] = []): Promise<void> {
    this.#accept(await this.#context.store.change(this.#booking, change, events))
  }

  /** There is no order: what is left to do is to void the authorisation. */
  fail(failure: Failure): Promise<'done'> {
    return this.transition('ORDER_FAILED', { failure })
  }

  /** An event of the next write. */
  event<E extends EventDefinition>(definition: E, data: object): OutboxEvent {
    return createEvent(this.#booking, definition, data)
  }

  /** booking.pending, unless it was announced before. */
  pendingEvents(): OutboxEvent[] {
    const { pendingAnnouncedAt, paymentId } = this.#booking
    return pendingAnnouncedAt ? [] : [this.event(bookingPending, { paymentId })]
  }

  #accept(written: BookingRecord | null): void {
    if (!written) throw new LeaseLost()
    this.#booking = written
    this.#heldUntil = written.leaseUntil
  }

  #msUntilPending(): number | null {
    const { state, pendingAnnouncedAt, answerBy } = this.#booking
    if (pendingAnnouncedAt || !awaitsOutcome(state)) return null
    // Bookings of an earlier release do not have it: their visitors have been told.
    return Math.max(0, Number(answerBy ?? 0) - nowMs())
  }
}

/** As long as this process lives nobody else takes the booking over while `work` goes on, however long the airline takes. */
export async function withLease<T>(booking: BookingRecord, context: SagaContext, work: (leased: LeasedBooking) => Promise<T>): Promise<T> {
  const leased = new LeasedBooking(booking, context)
  const stopRenewing = every(RENEW_MS, () => void leased.renew().catch(() => undefined))
  try {
    return await work(leased)
  } finally {
    stopRenewing()
  }
}

/** The booking itself as the one who asks other services: no visitor is waiting. */
export function asCaller({ brand, mode, markupPercent, requestId }: BookingRecord): Caller {
  return systemCaller('booking', { brand, mode, markupPercent, requestId })
}
