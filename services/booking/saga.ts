/**
 * The booking is its own orchestrator: each step reads the document, does one thing outside, and writes the result if nobody else has
 * written since. A crash between any two of these leaves a state from which the next worker goes on. The phases are order.ts,
 * capture.ts, cancel.ts and refund.ts; all of them write through transition.ts.
 */
import { InvariantError } from '@passerelle/kit/invariant'
import { nowMs } from '@passerelle/kit/runtime'
import { cancelOrder, cancelUnpaidOrder, startPendingCancellation } from './cancel.ts'
import { capture, voidAuthorisation } from './capture.ts'
import { CANCEL_TRIES } from './domain/attention.ts'
import type { BookingRecord } from './domain/booking.ts'
import { isOpen, type SagaState } from './domain/state.ts'
import { claimPayment, recordUnknown, resolveOrder } from './order.ts'
import { type LeasedBooking, LeaseLost, type SagaContext, type StepResult, withLease } from './transition.ts'

const isCancelling = (state: SagaState) => state === 'CANCEL_REQUESTED' || state === 'CAPTURE_FAILED'

/** After so many tries a step that must succeed is shown to an operator as well; it goes on trying. */
const ALARM_TRIES = 20
/** A traveller waits for the outcome: it is asked for often, and for two minutes a failed step is tried again every few seconds. */
const POLL_MS = 1500
const RETRY_SOON_MS = 5000
const SOON_TRIES = 24
const RETRY_LATER_MS = 30_000

type Step = (leased: LeasedBooking, context: SagaContext) => Promise<StepResult>

const steps: Partial<Record<SagaState, Step>> = {
  REQUESTED: claimPayment,
  // Whoever finds it like this did not send the order: the worker that did may be dead, or its answer lost.
  ORDERING: (leased, context) => recordUnknown(leased, 'its worker ended', context),
  ORDER_UNKNOWN: resolveOrder,
  ORDERED: capture,
  CAPTURE_FAILED: cancelUnpaidOrder,
  ORDER_FAILED: voidAuthorisation,
  CONFIRMED: startPendingCancellation,
  CANCEL_REQUESTED: cancelOrder,
}

const hasStep = ({ state, pendingCancellation }: BookingRecord) => isOpen(state) || (state === 'CONFIRMED' && pendingCancellation)

/**
 * Takes the booking as far as it goes now. The caller holds its lease. Returns it as it is then; null when somebody else writes it, or
 * when it is tried again later.
 * @throws InvariantError
 */
export function drive(claimed: BookingRecord, context: SagaContext, signal?: AbortSignal): Promise<BookingRecord | null> {
  return withLease(claimed, context, async (leased) => {
    try {
      while (hasStep(leased.booking) && !signal?.aborted) {
        await leased.announcePendingWhenDue()
        const result = await runStep(leased, context)
        if (result !== 'done') {
          await scheduleRetry(leased, result, context)
          return null
        }
      }
      if (isOpen(leased.booking.state)) await leased.write({ leaseUntil: new Date(0) })
      return leased.booking
    } catch (error) {
      if (error instanceof LeaseLost) return null
      throw error
    }
  })
}

/** One step. Whatever fails on the way is tried again; after a broken invariant nothing is written. */
async function runStep(leased: LeasedBooking, context: SagaContext): Promise<StepResult> {
  const { _id: bookingId, state, tries } = leased.booking
  try {
    const step = steps[state]
    if (!step) throw new RangeError(`there is no step for ${state}`)
    return await step(leased, context)
  } catch (err) {
    if (err instanceof LeaseLost || err instanceof InvariantError) throw err
    context.log.warn({ err, bookingId, state, tries }, 'step failed, will be tried again')
    return 'retry'
  }
}

async function scheduleRetry(leased: LeasedBooking, result: 'retry' | 'poll', { log }: SagaContext): Promise<void> {
  const { _id: bookingId, state } = leased.booking
  const tries = leased.booking.tries + (result === 'retry' ? 1 : 0)
  if (result === 'retry' && tries % ALARM_TRIES === 0) log.error({ bookingId, state, tries }, 'a booking makes no progress')
  if (result === 'retry' && tries >= CANCEL_TRIES && isCancelling(state)) {
    log.error({ bookingId, state, tries }, 'the airline does not answer a cancellation: an operator must look')
    return void (await leased.transition('NEEDS_ATTENTION', { tries }))
  }
  const wait = result === 'poll' ? POLL_MS : tries > SOON_TRIES ? RETRY_LATER_MS : Math.min(RETRY_SOON_MS, 500 * 2 ** Math.min(tries, 6))
  await leased.write({ tries, nextAt: new Date(nowMs() + wait), leaseUntil: new Date(0) })
}
