/** What a visitor who did not hear the answer is told of a checkout attempt. */
import { type ErrorCode, errorCatalogue } from '@passerelle/contracts/error'
import type { BookingAttempt } from '@passerelle/contracts/http/booking'
import type { BookingRecord } from './booking.ts'
import { publicStatus, type SagaState } from './state.ts'

type Outcome = BookingAttempt['outcome']

/** `booking`: the one that the attempt has led to. */
export function attemptOutcome(booking: Pick<BookingRecord, 'state' | 'pendingCancellation'> | null): Outcome {
  if (!booking) return 'none'
  if (hasFailed(booking.state)) return booking.pendingCancellation ? 'cancelled' : 'failed'
  // Whether the flight has landed since is not the attempt's matter.
  const status = publicStatus(booking.state, new Date(0), new Date(0))
  return status === 'completed' ? 'confirmed' : status
}

/** null unless nothing was booked. */
export function failureText({ state, failure }: Pick<BookingRecord, 'state' | 'failure'>): BookingAttempt['failure'] {
  if (!hasFailed(state) || !failure) return null
  return { code: failure.code, message: failure.message ?? errorCatalogue[failure.code as ErrorCode][1] }
}

function hasFailed(state: SagaState): boolean {
  return state === 'FAILED' || state === 'ORDER_FAILED'
}
