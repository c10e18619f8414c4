/** The states of a booking's saga, what the public sees of them, and which steps exist between them. */
import type { BookingStatus } from '@passerelle/contracts/http/booking'

export const sagaStates = [
  'REQUESTED',
  'ORDERING',
  'ORDER_UNKNOWN',
  'ORDERED',
  'CAPTURE_FAILED',
  'ORDER_FAILED',
  'FAILED',
  'CONFIRMED',
  'CANCEL_REQUESTED',
  'ORDER_CANCELLED',
  'REFUNDED',
  'COMPLETED',
  'NEEDS_ATTENTION',
] as const
export type SagaState = (typeof sagaStates)[number]

const steps: Record<SagaState, readonly SagaState[]> = {
  REQUESTED: ['ORDERING', 'ORDER_FAILED', 'FAILED'],
  ORDERING: ['ORDERING', 'ORDERED', 'ORDER_UNKNOWN', 'ORDER_FAILED'],
  ORDER_UNKNOWN: ['ORDERED', 'ORDER_FAILED'],
  ORDERED: ['CONFIRMED', 'CAPTURE_FAILED'],
  CAPTURE_FAILED: ['ORDER_FAILED', 'ORDERED', 'NEEDS_ATTENTION'],
  ORDER_FAILED: ['FAILED', 'NEEDS_ATTENTION'],
  FAILED: [],
  CONFIRMED: ['CANCEL_REQUESTED', 'COMPLETED'],
  CANCEL_REQUESTED: ['ORDER_CANCELLED', 'CONFIRMED', 'NEEDS_ATTENTION'],
  ORDER_CANCELLED: ['REFUNDED'],
  REFUNDED: [],
  COMPLETED: [],
  NEEDS_ATTENTION: ['CONFIRMED', 'FAILED', 'REFUNDED', 'ORDERED', 'ORDER_FAILED'],
}

export function mayBecome(from: SagaState, to: SagaState): boolean {
  return steps[from].includes(to)
}

/** States in which a worker has something to do. */
export const openStates: readonly SagaState[] = [
  'REQUESTED',
  'ORDERING',
  'ORDER_UNKNOWN',
  'ORDERED',
  'CAPTURE_FAILED',
  'ORDER_FAILED',
  'CANCEL_REQUESTED',
]

export function isOpen(state: SagaState): boolean {
  return openStates.includes(state)
}

/** The airline's answer, or the payment, is still open: a visitor who asks is told "pending". */
export function awaitsOutcome(state: SagaState): boolean {
  return isOpen(state) && state !== 'ORDER_FAILED' && state !== 'CANCEL_REQUESTED'
}

/** There is no ticket, or none any more: the same passengers may book the flight again. */
export function isWithoutTicket(state: SagaState): boolean {
  return state === 'ORDER_FAILED' || state === 'FAILED' || state === 'ORDER_CANCELLED' || state === 'REFUNDED'
}

/** A confirmed booking whose last flight has landed reads completed, before the periodic job has written it. */
export function publicStatus(state: SagaState, lastArrival: Date, now: Date): BookingStatus {
  switch (state) {
    case 'CONFIRMED':
      return lastArrival < now ? 'completed' : 'confirmed'
    case 'CANCEL_REQUESTED':
      return 'confirmed'
    case 'COMPLETED':
      return 'completed'
    case 'FAILED':
    case 'ORDER_CANCELLED':
    case 'REFUNDED':
      return 'cancelled'
    default:
      if (!sagaStates.includes(state)) throw new RangeError('not a state of a booking')
      return 'pending'
  }
}
