/** Runs what the state machine of the checkout asks for: the calls of a payment, and the look for an answer that got lost. */

import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, api } from '../../lib/api-client.ts'
import { forgetAttempt, isFinal, noteBooking, noteOver, noteSent, showOnScreen } from '../../lib/open-attempts.ts'
import { attemptQuery } from './attempts/attempt-query.ts'
import { freshKey } from './fresh-key.ts'
import { instrumentOf, last4Of, type PaysWith, throughQuestion } from './model/bank-question.ts'
import { type CheckoutOutcome, checkOut } from './model/checkout.ts'
import { type CheckoutEvent, type CheckoutState, checkoutReducer, NEW_CHECKOUT } from './model/checkout-state.ts'
import type { Failure } from './model/classify.ts'
import { toRequest } from './model/passenger-form.ts'
import type { OfferCheck } from './model/verification.ts'

type Options = {
  offer: FlightOffer
  /** The server itself said that this is test mode. */
  saidTest: boolean
  /** Toasts, and steps to go to; the state says the rest. */
  onFailure: (failure: Failure) => void
  onCheckFailed: (check: Exclude<OfferCheck, { state: 'valid' }>) => void
}

export type Checkout = {
  state: CheckoutState
  dispatch: (event: CheckoutEvent) => CheckoutState
  /** `pays` null: with the hold that stands, or the same request once more. Ends when the outcome is in the state. */
  pay: (pays: PaysWith | null, total: Money, check: () => Promise<OfferCheck>) => Promise<void>
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function useCheckout(options: Options): Checkout {
  const { offer, saidTest, onFailure, onCheckFailed } = options
  const latest = useRef(NEW_CHECKOUT)
  const [state, show] = useState(NEW_CHECKOUT)
  const shown = useRef(true)
  const opened = useGuestSession()

  const dispatch = useCallback((event: CheckoutEvent) => {
    latest.current = checkoutReducer(latest.current, event)
    show(latest.current)
    return latest.current
  }, [])

  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  const key = state.attempt?.key ?? null
  const showAttempt = useShownAttempt(key)

  // An answer that got lost is looked for until the server can say how it ended.
  const lost = useQuery({ ...attemptQuery(key ?? ''), enabled: key !== null && state.phase === 'uncertain' })
  const { data } = lost
  useEffect(() => {
    if (!data || key === null) return
    const after = dispatch({ type: 'outcome-found', answer: data.answer, final: isFinal(key, data.askedAt) })
    if (after.phase === 'editing') forgetAttempt(key)
    else if (after.result) noteBooking(key, after.result.bookingId)
  }, [data, key, dispatch])

  async function pay(pays: PaysWith | null, total: Money, check: () => Promise<OfferCheck>): Promise<void> {
    const before = latest.current
    const begun = dispatch({
      type: 'pay-pressed',
      key: freshKey(),
      total,
      cardLast4: pays && last4Of(pays),
    })
    if (begun === before || !begun.attempt) return
    const { passengers, seats, hold } = begun
    sent()
    await opened()
    const outcome = await checkOut(
      {
        pay: () => processCard(pays, total, seats),
        onHeld: (payment) => dispatch({ type: 'held', payment }),
        check,
        pause,
        book: (paymentId) => {
          const body = {
            offerId: offer.id,
            passengers: toRequest(passengers ?? []),
            seats: [...seats],
            paymentDetails: { amount: total.amount, currency: total.currency, paymentId },
          }
          return api.createBooking({ body }, { headers: { 'Idempotency-Key': sent() } })
        },
      },
      { held: hold, saidTest, testPaymentId: () => `test_payment_${freshKey()}` },
    )
    settle(outcome)
  }

  /** The key of the open attempt, noted as sent now. */
  function sent(): string {
    const open = latest.current.attempt?.key ?? ''
    if (shown.current) showAttempt(open)
    noteSent(open)
    return open
  }

  async function processCard(pays: PaysWith | null, total: Money, seats: readonly SeatChoice[]) {
    if (!pays) throw new TypeError('There is no card to charge')
    const body = { amount: total.amount, currency: total.currency, ...instrumentOf(pays), offerId: offer.id, seats: [...seats] }
    const question = { asked: () => dispatch({ type: 'action-asked' }), answered: () => dispatch({ type: 'action-taken' }) }
    const send = () => api.processCard({ body }, { headers: { 'Idempotency-Key': sent() } })
    const call = () => throughQuestion(pays, send, question)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error
      forgetAttempt(latest.current.attempt?.key ?? '')
      dispatch({ type: 'key-spent', key: freshKey() })
      return await call()
    }
  }

  function settle(outcome: CheckoutOutcome): void {
    const open = latest.current.attempt?.key ?? ''
    if ('booking' in outcome) {
      noteBooking(open, outcome.booking.id)
      dispatch({ type: 'booked', booking: outcome.booking })
      return
    }
    const after = dispatch(eventOf(outcome))
    if (after.result) noteBooking(open, after.result.bookingId)
    else if (after.attempt === null) (shown.current ? forgetAttempt : noteOver)(open)
    if (!shown.current) return
    if ('check' in outcome) onCheckFailed(outcome.check)
    else onFailure(outcome.failure)
  }

  return { state, dispatch, pay }
}

/** While this page shows the attempt, no notice tells of it. Gives what says so before the attempt is in the state. */
function useShownAttempt(key: string | null): (key: string) => void {
  const shown = useRef<{ key: string; release: () => void } | null>(null)
  const show = useCallback((next: string | null) => {
    if (shown.current?.key === next) return
    shown.current?.release()
    shown.current = next === null ? null : { key: next, release: showOnScreen(next) }
  }, [])
  useEffect(() => show(key), [key, show])
  useEffect(() => () => show(null), [show])
  return show
}

function eventOf(outcome: Exclude<CheckoutOutcome, { booking: unknown }>): CheckoutEvent {
  if ('failure' in outcome) return { type: 'failed', failure: outcome.failure, now: Date.now() }
  const { check } = outcome
  if (check.state === 'expired') return { type: 'failed', failure: { kind: 'expired', gone: check.gone }, now: Date.now() }
  return { type: 'check-failed', message: `${check.message} Your card was not charged.` }
}

/** So that holds and attempts belong to this visitor from the start. Whoever has a session keeps it; without one a payment still works. */
function useGuestSession(): () => Promise<unknown> {
  const opening = useRef<Promise<unknown>>(undefined)
  const open = useCallback(() => {
    opening.current ??= api.guestSession().catch(() => undefined)
    return opening.current
  }, [])
  useEffect(() => void open(), [open])
  return open
}
