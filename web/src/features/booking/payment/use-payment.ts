/** One press of the pay button, from the card to the booking, and what its outcome asks for. */
import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { type CardDetails, digitsOnly } from '@passerelle/contracts/rules/card'
import { useRef } from 'react'
import { api } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { freshKey } from '../fresh-key.ts'
import { type CheckoutOutcome, checkOut } from '../model/checkout.ts'
import { BOOKING_FAILED, type Failure } from '../model/classify.ts'
import { type PassengerValues, toRequest } from '../model/passenger-form.ts'
import type { OfferCheck } from '../model/verification.ts'

/** An amount that is held on the card without a booking yet. */
export type Held = {
  paymentId: string
  total: Money
  /** One for all repetitions of the same booking request. */
  bookingKey: string
  cardLast4: string
  /** A booking may exist for it already: only the same request may be sent again. */
  uncertain: boolean
}

export type PaymentProps = {
  offer: FlightOffer
  total: Money
  passengers: PassengerValues[]
  seats: readonly SeatChoice[]
  held: Held | null
  /** The server itself said that this is test mode. */
  saidTest: boolean
  check: () => Promise<OfferCheck>
  onHeld: (held: Held | null) => void
  onPaying: (paying: boolean) => void
  onBooked: (booking: BookingCreated, cardLast4: string) => void
  /** What the rest of the checkout has to deal with: price, seats, passengers, expiry, a booking that exists. */
  onFailure: (failure: Exclude<Failure, { kind: 'payment' | 'refused' | 'unknown' }>) => void
}

/** What the form itself has to deal with. */
export type FormOutcome = { kind: 'declined' } | { kind: 'failed'; message: string } | { kind: 'elsewhere' }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function usePayment(props: PaymentProps) {
  const { offer, total, passengers, seats, held, saidTest, check, onHeld, onPaying, onBooked, onFailure } = props
  /** Kept while nobody knows whether the attempt reached the server, so that a second press does not hold the amount twice. */
  const attempt = useRef<string | null>(null)
  const running = useRef(false)

  async function press(card: CardDetails | null): Promise<FormOutcome> {
    if (running.current) return { kind: 'elsewhere' }
    running.current = true
    onPaying(true)
    try {
      return await pay(card)
    } finally {
      running.current = false
      onPaying(false)
    }
  }

  async function pay(card: CardDetails | null): Promise<FormOutcome> {
    attempt.current ??= freshKey()
    const key = attempt.current
    const bookingKey = held?.bookingKey ?? freshKey()
    const cardLast4 = card ? digitsOnly(card.number).slice(-4) : (held?.cardLast4 ?? '')
    const outcome = await checkOut(
      {
        pay: card && (() => processCard(card, key)),
        check,
        pause,
        book: (paymentId) =>
          api.createBooking(
            {
              body: {
                offerId: offer.id,
                passengers: toRequest(passengers),
                seats: [...seats],
                paymentDetails: { amount: total.amount, currency: total.currency, paymentId },
              },
            },
            { headers: { 'Idempotency-Key': bookingKey } },
          ),
      },
      { heldPaymentId: held?.paymentId, saidTest, testPaymentId: () => `test_payment_${freshKey()}` },
    )
    const now = outcome.paymentId ? { paymentId: outcome.paymentId, total, bookingKey, cardLast4, uncertain: false } : null
    if (now) attempt.current = null
    return settle(outcome, now, cardLast4)
  }

  function processCard(card: CardDetails, key: string) {
    const cardDetails = { ...card, number: digitsOnly(card.number), holderName: card.holderName.trim() }
    return api.processCard(
      { body: { amount: total.amount, currency: total.currency, cardDetails, offerId: offer.id, seats: [...seats] } },
      { headers: { 'Idempotency-Key': key } },
    )
  }

  function settle(outcome: CheckoutOutcome, now: Held | null, cardLast4: string): FormOutcome {
    if ('booking' in outcome) {
      onHeld(null)
      onBooked(outcome.booking, cardLast4)
      return { kind: 'elsewhere' }
    }
    if ('check' in outcome) return settleCheck(outcome.check, now)
    return settleFailure(outcome.failure, now)
  }

  function settleCheck(found: Exclude<OfferCheck, { state: 'valid' }>, now: Held | null): FormOutcome {
    if (found.state === 'expired') {
      onHeld(null)
      onFailure({ kind: 'expired', gone: found.gone })
      return { kind: 'elsewhere' }
    }
    onHeld(now)
    toast({ title: 'Offer Validation Failed', description: found.message, tone: 'negative' })
    return { kind: 'failed', message: `${found.message} Your card was not charged.` }
  }

  function settleFailure(failure: Failure, now: Held | null): FormOutcome {
    switch (failure.kind) {
      case 'payment':
        if (failure.answered) attempt.current = null
        onHeld(null)
        toast({ title: failure.title, description: failure.message, tone: 'negative' })
        return failure.answered ? { kind: 'declined' } : { kind: 'failed', message: failure.message }
      case 'unknown':
        onHeld(now && { ...now, uncertain: true })
        toast({ ...BOOKING_FAILED, tone: 'negative' })
        return { kind: 'failed', message: failure.message }
      case 'refused':
        onHeld(null)
        toast({ ...BOOKING_FAILED, tone: 'negative' })
        return { kind: 'failed', message: failure.message }
      case 'passengers':
        // The hold serves again once the form is complete; what it books is then another request.
        onHeld(now && { ...now, bookingKey: freshKey() })
        onFailure(failure)
        return { kind: 'elsewhere' }
      default:
        onHeld(null)
        onFailure(failure)
        return { kind: 'elsewhere' }
    }
  }

  /** Another card, another attempt. */
  function changed(): void {
    attempt.current = null
  }

  return { press, changed }
}
