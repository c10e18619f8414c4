/** The four steps, each an entry of the browser's history. */
import { FROM_FLIGHT, isFrom } from '../../../lib/router.ts'

export type Step = 'passengers' | 'seats' | 'payment' | 'confirmation'
export const STEPS: readonly Step[] = ['passengers', 'seats', 'payment', 'confirmation']

/** Names in the stepper. */
export const STEP_NAMES = ['Passenger Details', 'Seat Selection', 'Payment', 'Confirmation']
/** Headings of the screens. */
export const STEP_TITLES: Record<Step, string> = {
  passengers: 'Passenger Information',
  seats: 'Seat Selection',
  payment: 'Payment',
  confirmation: 'Booking Confirmed',
}

/** Kept in the history entry, so it survives a reload. */
export type Place = {
  step: Step
  /** Entries of this checkout before this one. */
  depth: number
  bookingId: string | null
  /** The page of the flight is the entry before the first step. */
  fromFlight: boolean
}

/** The history state of an entry that shows this booking. */
export function confirmationOf(bookingId: string): Place {
  return { step: 'confirmation', depth: 0, bookingId, fromFlight: false }
}

/** The place an entry stands for; anything unreadable is the first step. */
export function readPlace(state: unknown): Place {
  const { step, depth, bookingId, fromFlight } = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>
  const known = STEPS.find((one) => one === step) ?? 'passengers'
  const id = typeof bookingId === 'string' && bookingId ? bookingId : null
  return {
    step: known === 'confirmation' && !id ? 'passengers' : known,
    depth: typeof depth === 'number' && Number.isInteger(depth) && depth > 0 ? depth : 0,
    bookingId: id,
    fromFlight: fromFlight === true || isFrom(FROM_FLIGHT, state),
  }
}

/** What is shown for an entry: later steps need the passengers, which a reload has forgotten. */
export function reachable(wanted: Step, has: { passengers: boolean }): Step {
  return wanted === 'confirmation' || has.passengers ? wanted : 'passengers'
}
