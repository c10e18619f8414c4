/**
 * The booking is its own orchestrator: each step reads the document, does one thing outside, and writes what came of it if nobody
 * else has written since. A crash between any two of these leaves a state from which the next worker goes on.
 */
import type { BookingRecord } from './domain/booking.ts'
import { isOpen } from './domain/state.ts'
import { becomeUnknown, claimPayment, settle } from './ordering.ts'
import { cancel, capture, release, undoOrder } from './settlement.ts'
import { holding, type SagaTools, type StepResult } from './tools.ts'

/** After so many tries a step that must succeed is shown to an operator as well; it goes on trying. */
const ALARM_TRIES = 20

/** Takes the booking as far as it goes now. The caller holds its lease. Answers where it stands then; null when that is for others to say. */
export async function drive(claimed: BookingRecord, tools: SagaTools, signal?: AbortSignal): Promise<BookingRecord | null> {
  let booking: BookingRecord | null = claimed
  while (booking && isOpen(booking.state) && !signal?.aborted) {
    const held: BookingRecord = booking
    let result: StepResult
    try {
      result = await holding(held, tools, () => step(held, tools))
    } catch (err) {
      tools.log.warn({ err, bookingId: held._id, state: held.state, tries: held.tries }, 'step failed, will be tried again')
      result = 'wait'
    }
    if (result === 'wait') {
      await putBack(held, tools)
      return null
    }
    booking = result
  }
  if (booking && isOpen(booking.state)) return tools.store.change(booking, { leaseUntil: new Date(0) })
  return booking
}

async function putBack(booking: BookingRecord, { store, clock, log }: SagaTools): Promise<void> {
  const tries = booking.tries + 1
  if (tries % ALARM_TRIES === 0) log.error({ bookingId: booking._id, state: booking.state, tries }, 'a booking does not get on')
  const wait = Math.min(30_000, 500 * 2 ** Math.min(tries, 6))
  await store.change(booking, { tries, nextAt: new Date(clock().getTime() + wait), leaseUntil: new Date(0) })
}

function step(booking: BookingRecord, tools: SagaTools): Promise<StepResult> {
  switch (booking.state) {
    case 'REQUESTED':
      return claimPayment(booking, tools)
    case 'ORDERING':
      // Whoever finds it like this did not send the order: the one who did may be dead, or its answer lost.
      return becomeUnknown(booking, 'adopted', tools)
    case 'ORDER_UNKNOWN':
      return settle(booking, tools)
    case 'ORDERED':
      return capture(booking, tools)
    case 'CAPTURE_FAILED':
      return undoOrder(booking, tools)
    case 'ORDER_FAILED':
      return release(booking, tools)
    case 'CANCEL_REQUESTED':
      return cancel(booking, tools)
    default:
      return Promise.resolve(null)
  }
}
