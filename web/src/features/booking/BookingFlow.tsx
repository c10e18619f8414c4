import type { FlightOffer } from '@passerelle/contracts/http/search'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { api } from '../../lib/api-client.ts'
import { useDropGone } from '../../lib/gone-offer.ts'
import { paths } from '../../lib/paths.ts'
import { systemModeQuery } from '../../lib/queries.ts'
import { useNavigate, useNavigationType } from '../../lib/router.ts'
import { useSystemMode } from '../../lib/system-mode.ts'
import { lazyOverlay } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Steps } from '../../ui/Steps.tsx'
import { type ToastInput, toast, toasts } from '../../ui/toaster/toast-store.ts'
import styles from './Booking.module.css'
import { HeldPrice } from './HeldPrice.tsx'
import { loadLaterSteps, PaymentStep, SeatStep } from './later-steps.ts'
import { isBusy, isOpen } from './model/checkout-state.ts'
import { BOOKING_FAILED, type Failure } from './model/classify.ts'
import type { Finished } from './model/finished.ts'
import { seatedFlights } from './model/seats.ts'
import { reachable, STEP_NAMES, STEP_TITLES, STEPS, type Step } from './model/steps.ts'
import { priceSheet } from './model/total.ts'
import type { OfferCheck } from './model/verification.ts'
import { PassengerStep } from './passengers/PassengerStep.tsx'
import { seatMapsKey } from './seats/seat-maps-key.ts'
import { FlightSummary } from './summary/FlightSummary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useExpiryRedirect } from './use-expiry.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useOfferCheck } from './use-offer-check.ts'
import { useSteps } from './use-steps.ts'

/** The form first. */
const LATER_MS = 1000

const LeavePayment = lazyOverlay(async () => (await import('./LeavePayment.tsx')).LeavePayment)

const stayed = () => undefined

type Props = { offer: FlightOffer; reloadOffer: () => void; onFinished: (finished: Finished) => void }

/** Passengers, seats and payment. What is entered lives here, in memory only. */
export function BookingFlow({ offer, reloadOffer, onFinished }: Props) {
  const { place, forward, back } = useSteps()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mode, saidTest } = useSystemMode()
  const { over, expire } = useExpiryRedirect(offer)
  const { state, dispatch, pay } = useCheckout({ offer, saidTest, onFailure, onCheckFailed })
  const { passengers, seats, price, notice, result } = state
  const seatsTold = useRef(false)

  const step: Step = isOpen(state) ? 'payment' : reachable(place.step, { passengers: passengers !== null })
  const checks = useOfferCheck(offer.id, step)
  const sheet = priceSheet(offer, seats, price?.agreed ?? null)
  const expiresAt = (checks.latest?.state === 'valid' ? checks.latest.expiresAt : null) ?? offer.expires_at
  const { heading, afterStep } = useStepStart(step)
  const leaving = useLeaveGuard(isOpen(state), () =>
    toast({
      title: state.phase === 'uncertain' ? 'Your booking is not certain yet' : 'Your payment is still running',
      description: 'Please stay on this page until it has finished.',
      tone: 'warning',
    }),
  )

  useEffect(() => {
    const timer = setTimeout(loadLaterSteps, LATER_MS)
    return () => clearTimeout(timer)
  }, [])

  const gone = checks.latest?.state === 'expired' ? checks.latest.gone : null
  useDropGone(offer.id, gone !== null)
  useEffect(() => {
    if (step === 'payment' && gone !== null && !isOpen(state)) expire(gone)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (result) onFinished({ offerId: offer.id, passengers: passengers ?? [], ...result })
  }, [result])

  /** Back to the flight, where the visitor was on its page; a booking that was opened on its own leads there too. */
  function leave(): void {
    if (place.fromFlight) back(place.depth + 1)
    else void navigate(paths.flight(offer.id))
  }

  function onCheckFailed(found: Exclude<OfferCheck, { state: 'valid' }>): void {
    if (found.state === 'expired') expire(found.gone)
    else toast({ title: 'Offer Validation Failed', description: found.message, tone: 'negative' })
  }

  /** What the state does not say by itself: toasts, and the step that has to be looked at again. */
  function onFailure(failure: Failure): void {
    switch (failure.kind) {
      case 'expired':
        expire(failure.gone)
        break
      case 'price':
        reloadOffer()
        toast({ title: 'Price changed', description: 'Your card was not charged. Please look at the new total.', tone: 'warning' })
        break
      case 'passengers':
        afterStep({ title: 'Booking Failed', description: failure.message, tone: 'negative' })
        back(2)
        break
      case 'seats':
        afterStep({ title: 'Booking Failed', description: failure.message, tone: 'negative' })
        void readSeatsAgain()
        back()
        break
      case 'payment':
        // The mode may have been switched since this page was opened: then the other form is wanted.
        void queryClient.invalidateQueries(systemModeQuery)
        toast({ title: failure.title, description: failure.message, tone: 'negative' })
        break
      case 'unknown':
      case 'refused':
        toast({ ...BOOKING_FAILED, tone: 'negative' })
    }
  }

  /** What the map no longer offers goes too. */
  async function readSeatsAgain(): Promise<void> {
    try {
      const { data } = await api.getSeatMaps({ params: { id: offer.id } })
      queryClient.setQueryData(seatMapsKey(offer.id), { data })
      dispatch({ type: 'seats-read', flights: seatedFlights(offer, data) })
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
          <HeldPrice expiresAt={expiresAt} step={step} checked={checks.latest !== null} />
        </div>
        <div className={styles.two}>
          <Suspense fallback={<Skeleton width="100%" height={520} radius={12} />}>
            {step === 'passengers' && (
              <PassengerStep
                offer={offer}
                entered={passengers}
                server={notice?.kind === 'passengers' ? notice : null}
                checks={checks}
                onBack={leave}
                onDone={(entered) => {
                  dispatch({ type: 'passengers-entered', passengers: entered })
                  forward('seats')
                }}
              />
            )}
            {step === 'seats' && passengers && (
              <SeatStep
                offer={offer}
                passengers={passengers}
                choices={seats}
                notice={notice?.kind === 'seats' ? notice : null}
                told={seatsTold}
                onChange={(next) => dispatch({ type: 'seats-chosen', seats: next })}
                onBack={() => back()}
                onContinue={() => {
                  dispatch({ type: 'seats-confirmed' })
                  forward('payment')
                }}
                onSkip={() => {
                  if (seats.length > 0) dispatch({ type: 'seats-chosen', seats: [] })
                  dispatch({ type: 'seats-confirmed' })
                  forward('payment')
                }}
              />
            )}
            {step === 'payment' && passengers && (
              <PaymentStep
                state={state}
                total={sheet.total}
                live={mode === 'live'}
                saidTest={saidTest}
                over={over}
                latest={checks.latest}
                onPay={(pays) => pay(pays, sheet.total, checks.check)}
                onBack={() => back()}
              />
            )}
          </Suspense>
          <FlightSummary offer={offer} price={sheet} />
        </div>
      </div>
      <LeavePayment
        open={leaving !== null}
        onClose={leaving?.stay ?? stayed}
        onLeave={leaving?.leave ?? stayed}
        uncertain={!isBusy(state)}
      />
    </>
  )
}

/**
 * A new step begins at its heading, for the eye at the top, for the keyboard and the screen reader in its focus, and without the toasts
 * of the one before.
 */
function useStepStart(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  const coming = useRef<ToastInput | null>(null)
  const how = useNavigationType()
  // Before the effects of the new step's own parts, which may have something to say.
  useLayoutEffect(() => {
    if (shown.current === step) return
    shown.current = step
    toasts.clear()
    if (coming.current) toast(coming.current)
    coming.current = null
    if (how !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    // An alert of the new step that takes the focus later keeps it.
    heading.current?.focus({ preventScroll: true })
  }, [step, how])
  return {
    heading,
    /** Said when the next step is there. */
    afterStep: (input: ToastInput) => {
      coming.current = input
    },
  }
}
