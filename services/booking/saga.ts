/**
 * The booking is its own orchestrator: each step reads the document, does one thing outside, and writes what came of it if nobody
 * else has written since. A crash between any two of these leaves a state from which the next worker goes on.
 */
import { cancel, capture, undoOrder, voidAuthorisation } from './capture-and-cancel.ts'
import type { BookingRecord } from './domain/booking.ts'
import { isOpen } from './domain/state.ts'
import { becomeUnknown, claimPayment, settle } from './ordering.ts'
import { type HeldBooking, LeaseLost, type SagaContext, type StepResult, withLease } from './saga-context.ts'

/** After so many tries a step that must succeed is shown to an operator as well; it goes on trying. */
const ALARM_TRIES = 20
/** A traveller waits for the outcome: it is asked for often, and for two minutes a failed step is tried again every few seconds. */
const POLL_MS = 1500
const RETRY_SOON_MS = 5000
const SOON_TRIES = 24
const RETRY_LATER_MS = 30_000

/** Takes the booking as far as it goes now. The caller holds its lease. Answers where it stands then; null when that is for others to say. */
export function drive(claimed: BookingRecord, context: SagaContext, signal?: AbortSignal): Promise<BookingRecord | null> {
  return withLease(claimed, context, async (held) => {
    try {
      while (isOpen(held.booking.state) && !signal?.aborted) {
        await held.announcePendingWhenDue()
        const result = await attempt(held, context)
        if (result !== 'done') {
          await putBack(held, result, context)
          return null
        }
      }
      if (isOpen(held.booking.state)) await held.write({ leaseUntil: new Date(0) })
      return held.booking
    } catch (error) {
      if (error instanceof LeaseLost) return null
      throw error
    }
  })
}

/** One step. Whatever fails on the way is tried again. */
async function attempt(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  try {
    return await step(held, context)
  } catch (err) {
    if (err instanceof LeaseLost) throw err
    const { _id: bookingId, state, tries } = held.booking
    context.log.warn({ err, bookingId, state, tries }, 'step failed, will be tried again')
    return 'retry'
  }
}

async function putBack(held: HeldBooking, result: 'retry' | 'poll', { clock, log }: SagaContext): Promise<void> {
  const { _id: bookingId, state } = held.booking
  const tries = held.booking.tries + (result === 'retry' ? 1 : 0)
  if (result === 'retry' && tries % ALARM_TRIES === 0) log.error({ bookingId, state, tries }, 'a booking makes no progress')
  const wait = result === 'poll' ? POLL_MS : tries > SOON_TRIES ? RETRY_LATER_MS : Math.min(RETRY_SOON_MS, 500 * 2 ** Math.min(tries, 6))
  await held.write({ tries, nextAt: new Date(clock().getTime() + wait), leaseUntil: new Date(0) })
}

function step(held: HeldBooking, context: SagaContext): Promise<StepResult> {
  switch (held.booking.state) {
    case 'REQUESTED':
      return claimPayment(held, context)
    case 'ORDERING':
      // Whoever finds it like this did not send the order: the one who did may be dead, or its answer lost.
      return becomeUnknown(held, 'adopted', context)
    case 'ORDER_UNKNOWN':
      return settle(held, context)
    case 'ORDERED':
      return capture(held, context)
    case 'CAPTURE_FAILED':
      return undoOrder(held, context)
    case 'ORDER_FAILED':
      return voidAuthorisation(held, context)
    case 'CANCEL_REQUESTED':
      return cancel(held, context)
    default:
      throw new RangeError(`there is no step for ${held.booking.state}`)
  }
}
