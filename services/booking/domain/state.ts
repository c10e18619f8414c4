/** The states of a booking: what each means to the public and to the workers, and which transitions exist between them. */
import type { BookingStatus } from '@passerelle/contracts/http/booking-contact'

/**
 * open: a worker has something to do. awaitsOutcome: the airline's answer, or the payment, is still open. mayHaveTicket: there is a
 * ticket or may yet be one, so the same passengers cannot book the flight again.
 */
const states = {
  REQUESTED: { status: 'pending', open: true, awaitsOutcome: true, mayHaveTicket: true },
  ORDERING: { status: 'pending', open: true, awaitsOutcome: true, mayHaveTicket: true },
  ORDER_UNKNOWN: { status: 'pending', open: true, awaitsOutcome: true, mayHaveTicket: true },
  ORDERED: { status: 'pending', open: true, awaitsOutcome: true, mayHaveTicket: true },
  CAPTURE_FAILED: { status: 'pending', open: true, awaitsOutcome: true, mayHaveTicket: true },
  ORDER_FAILED: { status: 'pending', open: true, awaitsOutcome: false, mayHaveTicket: false },
  FAILED: { status: 'cancelled', open: false, awaitsOutcome: false, mayHaveTicket: false },
  CONFIRMED: { status: 'confirmed', open: false, awaitsOutcome: false, mayHaveTicket: true },
  CANCEL_REQUESTED: { status: 'confirmed', open: true, awaitsOutcome: false, mayHaveTicket: true },
  ORDER_CANCELLED: { status: 'cancelled', open: false, awaitsOutcome: false, mayHaveTicket: false },
  REFUNDED: { status: 'cancelled', open: false, awaitsOutcome: false, mayHaveTicket: false },
  COMPLETED: { status: 'completed', open: false, awaitsOutcome: false, mayHaveTicket: true },
  NEEDS_ATTENTION: { status: 'pending', open: false, awaitsOutcome: false, mayHaveTicket: true },
} as const satisfies Record<string, { status: BookingStatus; open: boolean; awaitsOutcome: boolean; mayHaveTicket: boolean }>

export type SagaState = keyof typeof states
export const sagaStates = Object.keys(states) as SagaState[]

type OutcomeEvent = 'booking.confirmed' | 'booking.failed' | 'booking.cancelled'

/** From each state to those that may follow it, with the event that has to leave in the same write; null: none has to. */
const transitions: Record<SagaState, Partial<Record<SagaState, OutcomeEvent | null>>> = {
  REQUESTED: { ORDERING: null, ORDER_FAILED: null, FAILED: 'booking.failed' },
  ORDERING: { ORDERING: null, ORDERED: null, ORDER_UNKNOWN: null, ORDER_FAILED: null },
  ORDER_UNKNOWN: { ORDERED: null, ORDER_FAILED: null },
  ORDERED: { CONFIRMED: 'booking.confirmed', CAPTURE_FAILED: null },
  CAPTURE_FAILED: { ORDER_FAILED: null, ORDERED: null, NEEDS_ATTENTION: null },
  ORDER_FAILED: { FAILED: 'booking.failed', NEEDS_ATTENTION: null },
  FAILED: {},
  CONFIRMED: { CANCEL_REQUESTED: null, COMPLETED: null },
  CANCEL_REQUESTED: { ORDER_CANCELLED: 'booking.cancelled', CONFIRMED: null, NEEDS_ATTENTION: null },
  // To itself: an administrator has decided on a refund that was left open.
  ORDER_CANCELLED: { REFUNDED: null, ORDER_CANCELLED: 'booking.cancelled' },
  REFUNDED: {},
  COMPLETED: {},
  NEEDS_ATTENTION: {
    CONFIRMED: null,
    FAILED: 'booking.failed',
    REFUNDED: null,
    ORDERED: null,
    ORDER_FAILED: null,
    CAPTURE_FAILED: null,
    CANCEL_REQUESTED: null,
    ORDER_CANCELLED: 'booking.cancelled',
  },
}

/** The whole table, row by row. */
export const allTransitions = sagaStates.flatMap((from) =>
  (Object.entries(transitions[from]) as [SagaState, OutcomeEvent | null][]).map(([to, event]) => ({ from, to, event })),
)

export const mayBecome = (from: SagaState, to: SagaState): boolean => transitions[from][to] !== undefined

/** The event without which this transition is not complete. */
export const eventOf = (from: SagaState, to: SagaState): OutcomeEvent | null => transitions[from][to] ?? null

export const isOpen = (state: SagaState): boolean => states[state].open

/** As the public reads it, but for a landing that is not written yet. */
export const statusOf = (state: SagaState): BookingStatus => states[state].status

/** A visitor who asks is told "pending". */
export const awaitsOutcome = (state: SagaState): boolean => states[state].awaitsOutcome

export const mayHaveTicket = (state: SagaState): boolean => states[state].mayHaveTicket

/** A confirmed booking whose last flight has landed reads completed, before the periodic job has written it. */
export function publicStatus(state: SagaState, lastArrival: Date, now: Date): BookingStatus {
  if (!sagaStates.includes(state)) throw new RangeError('not a state of a booking')
  return state === 'CONFIRMED' && lastArrival < now ? 'completed' : states[state].status
}
