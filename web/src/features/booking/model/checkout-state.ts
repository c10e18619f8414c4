/** The checkout as one state machine: what is entered, what is held on the card, and how far the attempt to book has come. */
import type { BookingAttempt, BookingCreated } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import type { SeatChoice } from '@passerelle/contracts/http/search'
import { compareAmounts } from '@passerelle/contracts/rules/money'
import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import type { Payment } from './checkout.ts'
import type { Failure, SeatRefused } from './classify.ts'
import { type PassengerValues, problemOf } from './passenger-form.ts'
import { type SeatedFlight, stillOffered, withoutRefused } from './seats.ts'

export type Phase =
  /** Nothing is under way. */
  | 'editing'
  /** The card is being charged with a hold. */
  | 'authorising'
  /** The bank asks its customer something. */
  | 'action-required'
  /** The hold stands; the offer is checked and booked. */
  | 'booking'
  /** The booking call was not answered: a booking may exist. */
  | 'uncertain'
  | 'done'

/** An amount that is held on the card without a booking yet. */
export type Hold = Payment & { total: Money; cardLast4: string }

/** One press of the pay button and its repetitions, until its outcome is known. */
export type Attempt = { key: string; cardLast4: string; total: Money /** The card was entered for it. */; withCard: boolean }

export type Notice =
  | { kind: 'payment'; title: string; message: string; declined: boolean; cardLast4: string; retryAt: number | null }
  | { kind: 'failed'; message: string }
  | { kind: 'exists'; bookingId: string }
  | { kind: 'seats'; message: string; lost: SeatRefused[] | null }
  | { kind: 'passengers'; message: string; problems: PassengerProblem[] }

export type CheckoutState = {
  phase: Phase
  passengers: PassengerValues[] | null
  seats: readonly SeatChoice[]
  /** A total that the server has told since the offer was read, and the one that was shown before. */
  price: { agreed: Money; before: Money } | null
  hold: Hold | null
  /** Kept while its outcome is unknown, whatever the visitor does meanwhile: the same key never books or holds twice. */
  attempt: Attempt | null
  notice: Notice | null
  result: { bookingId: string; created: BookingCreated | null } | null
}

export type CheckoutEvent =
  | { type: 'passengers-entered'; passengers: PassengerValues[] }
  | { type: 'seats-chosen'; seats: readonly SeatChoice[] }
  /** The map was read again: choices that it no longer offers go. */
  | { type: 'seats-read'; flights: readonly SeatedFlight[] }
  /** The seats as they are, or none, and on to the payment. */
  | { type: 'seats-confirmed' }
  /** `cardLast4` null: the hold serves again. `key`: used unless an attempt is open. */
  | { type: 'pay-pressed'; key: string; total: Money; cardLast4: string | null }
  /** The server knows the key from another card or amount: this is another attempt. */
  | { type: 'key-spent'; key: string }
  | { type: 'action-asked' }
  | { type: 'action-taken' }
  | { type: 'held'; payment: Payment }
  /** The check before the booking said no, or could not tell. */
  | { type: 'check-failed'; message: string }
  | { type: 'booked'; booking: BookingCreated }
  /** `now`: milliseconds since 1970. */
  | { type: 'failed'; failure: Failure; now: number }
  /** What the server says of an attempt whose answer was lost. `final`: nothing will come of it any more. */
  | { type: 'outcome-found'; answer: BookingAttempt; final: boolean }

export const NEW_CHECKOUT: CheckoutState = {
  phase: 'editing',
  passengers: null,
  seats: [],
  price: null,
  hold: null,
  attempt: null,
  notice: null,
  result: null,
}

const NOTHING_BOOKED = 'Nothing was booked and your card was not charged. You can pay again.'

/** A request is on its way: nothing may be pressed. */
export function isBusy({ phase }: Pick<CheckoutState, 'phase'>): boolean {
  return phase === 'authorising' || phase === 'action-required' || phase === 'booking'
}

/** Leaving now would leave a payment behind whose outcome is not known. */
export function isOpen(state: Pick<CheckoutState, 'phase'>): boolean {
  return isBusy(state) || state.phase === 'uncertain'
}

/** The hold that pays for this total without the card being entered again. */
export function usableHold({ hold, phase }: CheckoutState, total: Money): Hold | null {
  if (!hold) return null
  if (phase === 'uncertain' || phase === 'booking') return hold
  return hold.total.currency === total.currency && compareAmounts(hold.total.amount, total.amount) === 0 ? hold : null
}

export function checkoutReducer(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  const { phase, attempt } = state
  switch (event.type) {
    case 'passengers-entered':
      return phase === 'editing'
        ? { ...state, passengers: event.passengers, notice: state.notice?.kind === 'passengers' ? null : state.notice }
        : state
    case 'seats-chosen':
      return phase === 'editing' ? { ...state, seats: event.seats, price: null } : state
    case 'seats-read':
      return phase === 'editing' ? { ...state, seats: stillOffered(state.seats, event.flights), price: null } : state
    case 'seats-confirmed':
      return state.notice?.kind === 'seats' ? { ...state, notice: null } : state
    case 'pay-pressed':
      return pressed(state, event)
    case 'key-spent':
      return phase === 'authorising' && attempt ? { ...state, attempt: { ...attempt, key: event.key } } : state
    case 'action-asked':
      return phase === 'authorising' ? { ...state, phase: 'action-required' } : state
    case 'action-taken':
      return phase === 'action-required' ? { ...state, phase: 'authorising' } : state
    case 'held':
      if (phase !== 'authorising' || !attempt) return state
      return { ...state, phase: 'booking', hold: { ...event.payment, total: attempt.total, cardLast4: attempt.cardLast4 } }
    case 'check-failed':
      if (phase !== 'booking') return state
      // Nothing was sent for the booking. A payment that was never answered stays open.
      return { ...ended(state), attempt: state.hold?.real ? null : attempt, notice: { kind: 'failed', message: event.message } }
    case 'booked':
      return isOpen(state) ? done(state, event.booking.id, event.booking) : state
    case 'failed':
      return isOpen(state) ? failed(state, event.failure, event.now) : state
    case 'outcome-found':
      return phase === 'uncertain' ? found(state, event.answer, event.final) : state
  }
}

function pressed(state: CheckoutState, { key, total, cardLast4 }: Extract<CheckoutEvent, { type: 'pay-pressed' }>): CheckoutState {
  const { phase, hold, attempt } = state
  if (phase === 'uncertain' && hold && attempt)
    return { ...state, phase: 'booking', notice: null, attempt: { ...attempt, withCard: false } }
  if (phase !== 'editing' || !state.passengers) return state
  const open = { key: attempt?.key ?? key, total }
  if (cardLast4 !== null) {
    return { ...state, phase: 'authorising', notice: null, hold: null, attempt: { ...open, cardLast4, withCard: true } }
  }
  const usable = usableHold(state, total)
  if (!usable) return state
  return { ...state, phase: 'booking', notice: null, attempt: { ...open, cardLast4: usable.cardLast4, withCard: false } }
}

/** Back to the form with the attempt over. A hold that only the browser believes in is not kept. */
function ended(state: CheckoutState): CheckoutState {
  return { ...state, phase: 'editing', attempt: null, hold: state.hold?.real ? state.hold : null }
}

function done(state: CheckoutState, bookingId: string, created: BookingCreated | null): CheckoutState {
  return { ...state, phase: 'done', hold: null, attempt: null, notice: null, result: { bookingId, created } }
}

function failed(state: CheckoutState, failure: Failure, now: number): CheckoutState {
  const over = { ...ended(state), hold: null }
  switch (failure.kind) {
    case 'booked':
      return done(state, failure.bookingId, null)
    case 'unknown':
      return { ...state, phase: 'uncertain', notice: { kind: 'failed', message: failure.message } }
    case 'payment': {
      const { title, message, declined, answered, retryAfter } = failure
      const cardLast4 = state.attempt?.cardLast4 ?? ''
      const retryAt = retryAfter === null ? null : now + retryAfter * 1000
      return {
        ...over,
        attempt: answered ? null : state.attempt,
        notice: { kind: 'payment', title, message, declined, cardLast4, retryAt },
      }
    }
    case 'refused':
      return { ...over, notice: { kind: 'failed', message: failure.message } }
    case 'exists':
      return { ...over, notice: { kind: 'exists', bookingId: failure.bookingId } }
    case 'passengers': {
      const problems = failure.issues.flatMap((issue) => problemOf(issue) ?? [])
      // The hold serves again once the form is complete; what it books is then another request.
      return { ...ended(state), notice: { kind: 'passengers', message: failure.message, problems } }
    }
    case 'seats':
      return {
        ...over,
        seats: withoutRefused(state.seats, failure.seats),
        price: null,
        notice: { kind: 'seats', message: failure.message, lost: failure.seats },
      }
    case 'price':
      return { ...over, price: { agreed: failure.charge, before: state.attempt?.total ?? failure.charge } }
    case 'expired':
      return over
  }
}

function found(state: CheckoutState, { outcome, booking, failure }: BookingAttempt, final: boolean): CheckoutState {
  if (booking && (outcome === 'confirmed' || outcome === 'pending')) return done(state, booking.id, null)
  if (outcome === 'none' && !final) return state
  return { ...ended(state), hold: null, notice: { kind: 'failed', message: failure?.message ?? NOTHING_BOOKED } }
}
