/** What a run has reached, read from the stores, ledgers and topics: transitions, ways of recovery, and the states in which a fault met a booking. */
import { allTransitions, type SagaState, sagaStates } from '@passerelle/booking/domain/state'
import type { Moment } from './campaign.ts'
import type { Booking, Evidence } from './evidence.ts'
import { isOpen } from './invariants.ts'

export const transitionMark = (from: string, to: string) => `${from} > ${to}`

/** Written by an administrator's decision only: services/booking/office tries them. */
const BY_OPERATORS = allTransitions.filter(
  ({ from, to }) => from === 'NEEDS_ATTENTION' || to === 'NEEDS_ATTENTION' || (from === to && from === 'ORDER_CANCELLED'),
)
/** The whole table but what administrators decide. */
export const claimable: readonly string[] = allTransitions
  .filter((row) => !BY_OPERATORS.includes(row))
  .map(({ from, to }) => transitionMark(from, to))

/** The states that a booking came into; a history also has the airline's changes. */
const statesOf = ({ history = [] }: Booking) =>
  history.flatMap(({ state, at }) => (sagaStates.includes(state as SagaState) ? [{ state: state as SagaState, at }] : []))

/** The states that a booking was in, each with its beginning. */
const stays = (booking: Booking) =>
  statesOf(booking).map(({ state, at }, i, all) => ({ state, from: Number(at), to: Number(all[i + 1]?.at ?? Number.POSITIVE_INFINITY) }))

/** How often each mark was reached. */
export function reached(evidence: Evidence, moments: readonly Moment[]): Map<string, number> {
  const marks = new Map<string, number>()
  const add = (name: string, times: number) => times > 0 && marks.set(name, (marks.get(name) ?? 0) + times)
  const { bookings, topics, messages, payments, captures, cardCalls, webhooks, journeys } = evidence
  for (const history of bookings.map(statesOf))
    for (const [i, { state }] of history.entries()) if (i > 0) add(transitionMark(history[i - 1]?.state ?? '', state), 1)
  for (const { at, lane } of moments)
    for (const booking of bookings) {
      const state = stays(booking).find(({ from, to }) => from <= at && at < to)?.state
      if (state && isOpen({ state })) add(`${lane} x ${state}`, 1)
    }
  const repeated = (ids: readonly string[]) => ids.length - new Set(ids).size
  add('visitor told "pending"', bookings.filter(({ pendingAnnouncedAt }) => pendingAnnouncedAt).length)
  add('capture repeated', (cardCalls['POST /v1/payment_intents/:id/capture'] ?? 0) - captures.length)
  add('event published again', repeated((topics ?? []).map(({ id }) => id)))
  add('mail handed over again', repeated(messages.map(({ messageId }) => messageId)))
  add('hold without a booking voided', payments.filter(({ state, bookingId }) => state === 'voided' && bookingId === null).length)
  add('webhook received', webhooks.delivered ?? 0)
  for (const { answers, failures, booked } of journeys ?? []) {
    if (booked && failures.some((failure) => failure.startsWith('book'))) add('booking asked for again and found', 1)
    if (answers.some(({ booking }) => booking?.status === 'confirmed' && booking.accountCreated === false))
      add('account was there already', 1)
    if (answers.some(({ error }) => error === 'CARD_DECLINED')) add('card declined', 1)
  }
  return marks
}

/** Milliseconds from the last kill that met a booking at work to the end of that work, one for each that was met. */
export function endsAfterKills(bookings: readonly Booking[], moments: readonly Moment[]): number[] {
  const kills = moments.filter(({ lane }) => lane.startsWith('kill ')).map(({ at }) => at)
  return bookings.flatMap(worked).flatMap(({ from, to }) => {
    const last = Math.max(...kills.filter((at) => from <= at && at < to))
    return Number.isFinite(last) ? [to - last] : []
  })
}

/** The times in which a worker had something to do for the booking, from end to end. */
function worked(booking: Booking): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const { from, to } of stays(booking).filter(isOpen)) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  return spans
}
