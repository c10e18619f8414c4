import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import type { CardDetails } from '@passerelle/contracts/rules/card'
import { digitsOnly } from '@passerelle/contracts/rules/card'
import { compareAmounts } from '@passerelle/contracts/rules/money'
import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../lib/api-client.ts'
import { refreshUser } from '../../lib/session.ts'
import { useSystemMode } from '../../lib/system-mode.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { type CheckoutOutcome, checkOut } from '../booking/model/checkout.ts'
import { BOOKING_FAILED, classifyBookingError, type Failure, NO_BOOKING_RECEIVED } from '../booking/model/classify.ts'
import { type PassengerValues, problemOf, toRequest } from '../booking/model/passenger-form.ts'
import { withoutRefused } from '../booking/model/seats.ts'
import { checkOffer, type OfferCheck, UNVERIFIED_TITLE } from '../booking/model/verification.ts'

/** What is known of a booking only in the browser that made it, and only until a reload. */
export type Booked = {
  booking: BookingCreated | { id: string }
  created: BookingCreated | null
  cardEnding: string | null
  passengers: readonly PassengerValues[]
}

type BookingCall = { headers: Record<string, string>; body: Parameters<typeof api.createBooking>[0]['body'] }
/** What stands over the card form until the next press. */
export type Notice =
  | { kind: 'price'; from: Money; to: Money }
  | { kind: 'booking'; message: string }
  /** A booking may exist: the next press sends the same request again. */
  | { kind: 'unknown'; message: string }

export type Payment = {
  busy: boolean
  notice: Notice | null
  /** An amount is held on the card, or a request is under way: no card is asked for. */
  cardDone: 'held' | 'sent' | null
  forgetHold: () => void
  /** Answers what the form does with the card. */
  pay: (card: CardDetails | null) => Promise<'clear-card' | 'keep-card'>
}

type Options = {
  offer: FlightOffer
  passengers: readonly PassengerValues[]
  seats: readonly SeatChoice[]
  total: Money
  onBooked: (booked: Booked) => void
  onExpired: (gone: boolean) => void
  onPrice: (charge: Money) => Promise<unknown>
  onSeats: (left: readonly SeatChoice[]) => void
  onPassengers: (problems: readonly PassengerProblem[]) => void
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const same = (a: Money, b: Money) => a.currency === b.currency && compareAmounts(a.amount, b.amount) === 0

/** Also where the address is not https, which has no `crypto.randomUUID`. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function usePayment(options: Options): Payment {
  const { offer, passengers, seats, total } = options
  const { saidTest } = useSystemMode()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [hold, setHold] = useState<{ paymentId: string; charge: Money } | null>(null)
  const [sent, setSent] = useState<BookingCall | null>(null)
  const running = useRef(false)
  const cardEnding = useRef<string | null>(null)
  const held = hold && same(hold.charge, total) ? hold : null

  async function run(card: CardDetails | null): Promise<{ outcome: CheckoutOutcome; call: BookingCall | null }> {
    if (sent) {
      try {
        const booking = await api.createBooking({ body: sent.body }, { headers: sent.headers })
        const failure: Failure = { kind: 'unknown', message: NO_BOOKING_RECEIVED }
        return { outcome: booking?.id ? { paymentId: null, booking } : { paymentId: null, failure }, call: sent }
      } catch (error) {
        return { outcome: { paymentId: null, failure: classifyBookingError(error) }, call: sent }
      }
    }
    let call: BookingCall | null = null
    const charged = { amount: total.amount, currency: total.currency }
    const pay = card && !held ? () => processCard(card) : null
    const outcome = await checkOut(
      {
        pay,
        pause,
        check: () => checkOffer(offer.id, api.verifyOffer),
        book: (paymentId) => {
          call = {
            headers: { 'Idempotency-Key': freshKey() },
            body: {
              offerId: offer.id,
              passengers: toRequest(passengers),
              seats: [...seats],
              paymentDetails: { ...charged, paymentId },
            },
          }
          return api.createBooking({ body: call.body }, { headers: call.headers })
        },
      },
      { ...(held && { heldPaymentId: held.paymentId }), saidTest, testPaymentId: () => `test_payment_${freshKey()}` },
    )
    return { outcome, call }
  }

  function processCard(card: CardDetails) {
    const cardDetails = { ...card, number: digitsOnly(card.number), holderName: card.holderName.trim() }
    cardEnding.current = cardDetails.number.slice(-4)
    const body = { amount: total.amount, currency: total.currency, cardDetails, offerId: offer.id, seats: [...seats] }
    return api.processCard({ body }, { headers: { 'Idempotency-Key': freshKey() } })
  }

  function booked(booking: Booked['booking'], created: BookingCreated | null): void {
    options.onBooked({ booking, created, cardEnding: cardEnding.current, passengers })
    if (created?.accountCreated) void refreshUser(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })
  }

  function stopped(check: Exclude<OfferCheck, { state: 'valid' }>): void {
    if (check.state === 'expired') options.onExpired(check.gone)
    else if (check.state === 'refused') toast({ title: 'Offer Validation Failed', description: check.message, tone: 'negative' })
    else toast({ title: UNVERIFIED_TITLE, description: 'Please try again in a moment.', tone: 'warning' })
  }

  async function failed(failure: Failure, call: BookingCall | null): Promise<'clear-card' | 'keep-card'> {
    switch (failure.kind) {
      case 'payment':
        toast({ title: failure.title, description: failure.message, tone: 'negative' })
        return 'clear-card'
      case 'expired':
        options.onExpired(failure.gone)
        return 'keep-card'
      case 'price':
        setNotice({ kind: 'price', from: total, to: failure.charge })
        await options.onPrice(failure.charge)
        return 'keep-card'
      case 'seats':
        toast({ title: 'Seat No Longer Available', description: failure.message, tone: 'negative' })
        void queryClient.invalidateQueries({ queryKey: [`/api/flights/seatmaps/${encodeURIComponent(offer.id)}`] })
        options.onSeats(withoutRefused(seats, failure.seats))
        return 'keep-card'
      case 'passengers': {
        toast({ title: BOOKING_FAILED.title, description: failure.message, tone: 'negative' })
        const problems = failure.issues.map(problemOf).filter((problem) => problem !== null)
        options.onPassengers(problems)
        return 'keep-card'
      }
      case 'booked':
        booked({ id: failure.bookingId }, null)
        return 'keep-card'
      case 'refused':
        toast({ ...BOOKING_FAILED, tone: 'negative' })
        setNotice({ kind: 'booking', message: failure.message })
        return 'keep-card'
      case 'unknown':
        toast({ ...BOOKING_FAILED, tone: 'negative' })
        setNotice({ kind: 'unknown', message: failure.message })
        setSent(call)
        return 'keep-card'
    }
  }

  async function pay(card: CardDetails | null): Promise<'clear-card' | 'keep-card'> {
    if (running.current) return 'keep-card'
    running.current = true
    setBusy(true)
    setNotice(null)
    try {
      const { outcome, call } = await run(card)
      if ('booking' in outcome) {
        booked(outcome.booking, outcome.booking)
        return 'keep-card'
      }
      const failure = 'failure' in outcome ? outcome.failure : null
      if (failure?.kind !== 'unknown') setSent(null)
      // Whatever the server did with the hold of a refused booking, it does not serve again; otherwise it does.
      const keeps = failure === null || failure.kind === 'passengers'
      setHold(keeps && outcome.paymentId !== null ? { paymentId: outcome.paymentId, charge: total } : null)
      if (failure) return await failed(failure, call)
      if ('check' in outcome) stopped(outcome.check)
      return 'keep-card'
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return { busy, notice, cardDone: sent ? 'sent' : held ? 'held' : null, forgetHold: () => setHold(null), pay }
}
