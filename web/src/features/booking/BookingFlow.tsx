import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api-client.ts'
import { useDropGone } from '../../lib/gone-offer.ts'
import { paths } from '../../lib/paths.ts'
import { useNavigate, useNavigationType } from '../../lib/router.ts'
import { useSystemMode } from '../../lib/system-mode.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Steps } from '../../ui/Steps.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './Booking.module.css'
import type { Finished } from './BookingPage.tsx'
import { freshKey } from './fresh-key.ts'
import { HeldPrice } from './HeldPrice.tsx'
import { loadLaterSteps, PaymentStep, SeatStep } from './later-steps.ts'
import type { Failure } from './model/classify.ts'
import { type PassengerValues, problemOf } from './model/passenger-form.ts'
import { seatedFlights, stillOffered, withoutRefused } from './model/seats.ts'
import { reachable, STEP_NAMES, STEP_TITLES, STEPS, type Step } from './model/steps.ts'
import { priceSheet } from './model/total.ts'
import { PassengerStep, type ServerProblems } from './passengers/PassengerStep.tsx'
import type { Held, PaymentProps } from './payment/use-payment.ts'
import { seatMapsKey } from './seats/seat-maps-key.ts'
import { FlightSummary } from './summary/FlightSummary.tsx'
import { useExpiryRedirect, useExpiryWarning } from './use-expiry.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useOfferCheck } from './use-offer-check.ts'
import { useSteps } from './use-steps.ts'

/** The form first. */
const LATER_MS = 1000

type Props = { offer: FlightOffer; reloadOffer: () => void; onFinished: (finished: Finished) => void }

/** Passengers, seats and payment. What is entered lives here, in memory only. */
export function BookingFlow({ offer, reloadOffer, onFinished }: Props) {
  const { place, entry, forward, back } = useSteps()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { saidTest } = useSystemMode()
  const [passengers, setPassengers] = useState<PassengerValues[] | null>(null)
  const [seats, setSeats] = useState<readonly SeatChoice[]>([])
  const [seatNotice, setSeatNotice] = useState<string | null>(null)
  const [server, setServer] = useState<ServerProblems | null>(null)
  const [price, setPrice] = useState<{ agreed: Money; before: Money } | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const [paying, setPaying] = useState(false)
  const seatsTold = useRef(false)
  const returnedFrom = useRef<string | null>(null)

  const locked = paying || (held?.uncertain ?? false)
  const step: Step = locked ? 'payment' : reachable(place.step, { passengers: passengers !== null })
  const sheet = priceSheet(offer, seats, price?.agreed ?? null)
  const checks = useOfferCheck(offer.id, step)
  const expiresAt = (checks.latest?.state === 'valid' ? checks.latest.expiresAt : null) ?? offer.expires_at
  const now = useExpiryWarning(expiresAt, step)
  const { over, expire } = useExpiryRedirect(offer)
  const heading = useStepHeading(step)
  useLeaveGuard(paying, 'Your payment is still running. Leave this page all the same?')

  useEffect(() => {
    const timer = setTimeout(loadLaterSteps, LATER_MS)
    return () => clearTimeout(timer)
  }, [])

  const gone = checks.latest?.state === 'expired' ? checks.latest.gone : null
  useDropGone(offer.id, gone !== null)
  useEffect(() => {
    if (step === 'payment' && gone !== null && !paying) expire(gone)
  })

  // Back during a payment: the entry of the payment is taken up again.
  useEffect(() => {
    if (!locked || place.step === 'payment' || returnedFrom.current === entry) return
    returnedFrom.current = entry
    back(place.step === 'seats' ? -1 : -2)
    toast({ title: 'Your payment is still running', description: 'Please stay on this page until it has finished.', tone: 'warning' })
  })

  /** Back to where the visitor came from; to the flight itself when the booking was opened on its own. */
  function leave(): void {
    const entries = (window.history.state as { idx?: number } | null)?.idx ?? 0
    if (entries > place.depth) back(place.depth + 1)
    else void navigate(paths.flight(offer.id))
  }

  function chooseSeats(next: readonly SeatChoice[]): void {
    setSeats(next)
    setPrice(null)
  }

  function takeFailure(failure: Parameters<PaymentProps['onFailure']>[0]): void {
    switch (failure.kind) {
      case 'expired':
        expire(failure.gone)
        break
      case 'booked':
        onFinished({ offerId: offer.id, bookingId: failure.bookingId, created: null, passengers: passengers ?? [], cardLast4: null })
        break
      case 'price':
        setPrice({ agreed: failure.charge, before: sheet.total })
        reloadOffer()
        toast({ title: 'Price changed', description: 'Your card was not charged. Please look at the new total.', tone: 'warning' })
        break
      case 'passengers':
        setServer({ message: failure.message, problems: failure.issues.flatMap((issue) => problemOf(issue) ?? []) })
        toast({ title: 'Booking Failed', description: failure.message, tone: 'negative' })
        back(2)
        break
      case 'seats':
        void removeSeats(failure)
        back()
    }
  }

  /** Without the seats that are gone; the map is read again, and what it no longer offers goes too. */
  async function removeSeats({ message, seats: refused }: Extract<Failure, { kind: 'seats' }>): Promise<void> {
    const left = withoutRefused(seats, refused)
    chooseSeats(left)
    setSeatNotice(message)
    toast({ title: 'Booking Failed', description: message, tone: 'negative' })
    try {
      const { data } = await api.getSeatMaps({ params: { id: offer.id } })
      queryClient.setQueryData(seatMapsKey(offer.id), { data })
      chooseSeats(stillOffered(left, seatedFlights(offer, data)))
    } catch {
      // The old map stays on the screen; the server checks the seats again before anything is charged.
    }
  }

  return (
    <>
      <div className={styles.bar}>
        <div className="wrap">
          <Steps names={STEP_NAMES} current={STEPS.indexOf(step)} label="Booking steps" />
        </div>
      </div>
      <div className="wrap">
        <div className={styles.head}>
          <h1 ref={heading} tabIndex={-1}>
            {STEP_TITLES[step]}
          </h1>
          {/* Nothing is said to be held before the first check has answered. */}
          <HeldPrice expiresAt={checks.latest && expiresAt} now={now} />
        </div>
        <div className={styles.two}>
          <Suspense fallback={<Skeleton width="100%" height={520} radius={12} />}>
            {step === 'passengers' && (
              <PassengerStep
                offer={offer}
                entered={passengers}
                server={server}
                checks={checks}
                onBack={leave}
                onDone={(entered) => {
                  setPassengers(entered)
                  setServer(null)
                  // Another request may not carry the key of the one before.
                  setHeld((hold) => hold && { ...hold, bookingKey: freshKey() })
                  forward('seats')
                }}
              />
            )}
            {step === 'seats' && passengers && (
              <SeatStep
                offer={offer}
                passengers={passengers}
                choices={seats}
                notice={seatNotice}
                told={seatsTold}
                onChange={chooseSeats}
                onBack={() => back()}
                onContinue={() => {
                  setSeatNotice(null)
                  forward('payment')
                }}
                onSkip={() => {
                  setSeatNotice(null)
                  if (seats.length > 0) chooseSeats([])
                  forward('payment')
                }}
              />
            )}
            {step === 'payment' && passengers && (
              <PaymentStep
                offer={offer}
                total={sheet.total}
                passengers={passengers}
                seats={seats}
                held={held}
                saidTest={saidTest}
                check={checks.check}
                paying={paying}
                over={over}
                before={price?.before ?? null}
                latest={checks.latest}
                onHeld={setHeld}
                onPaying={setPaying}
                onBooked={(booking: BookingCreated, cardLast4) =>
                  onFinished({ offerId: offer.id, bookingId: booking.id, created: booking, passengers, cardLast4 })
                }
                onFailure={takeFailure}
                onBack={() => back()}
              />
            )}
          </Suspense>
          <FlightSummary offer={offer} price={sheet} />
        </div>
      </div>
    </>
  )
}

/** A new step begins at its heading: for the eye at the top, for the keyboard and the screen reader in its focus. */
function useStepHeading(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  const how = useNavigationType()
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (how !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    // An alert of the new step that took the focus keeps it.
    if (!document.activeElement?.closest('[role="alert"]')) heading.current?.focus({ preventScroll: true })
  }, [step, how])
  return heading
}
