import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import styles from '../booking/Booking.module.css'
import type { PassengerValues } from '../booking/model/passenger-form.ts'
import { reachable, STEPS } from '../booking/model/steps.ts'
import { priceSheet } from '../booking/model/total.ts'
import { FlightSummary } from '../booking/summary/FlightSummary.tsx'
import { useExpiryRedirect, useExpiryWarning } from '../booking/use-expiry.ts'
import { useLeaveGuard } from '../booking/use-leave-guard.ts'
import { useOfferCheck } from '../booking/use-offer-check.ts'
import { useSteps } from '../booking/use-steps.ts'
import { PassengersStep } from './passengers/PassengersStep.tsx'
import { usePassengersForm } from './passengers/use-passengers-form.ts'
import { PaymentStep } from './payment/PaymentStep.tsx'
import { StepHeading } from './StepHeading.tsx'
import { StepsBar } from './StepsBar.tsx'
import { SeatsStep } from './seats/SeatsStep.tsx'
import { type Booked, usePayment } from './use-payment.ts'

const LEAVE_QUESTION = 'Your payment is still running. Do you want to leave this page?'

type Props = { offer: FlightOffer; refetchOffer: () => Promise<unknown>; onBooked: (booked: Booked) => void }

/** What was typed and chosen lives here, above the steps and in memory alone, so that Back finds it again and a reload does not. */
export function Checkout({ offer, refetchOffer, onBooked }: Props) {
  const { place, forward, back } = useSteps()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const form = usePassengersForm(offer)
  const [passengers, setPassengers] = useState<readonly PassengerValues[] | null>(null)
  const [seats, setSeats] = useState<readonly SeatChoice[]>([])
  const [agreed, setAgreed] = useState<Money | null>(null)
  const saidNoMaps = useRef(false)

  const expiry = useExpiryRedirect(offer)
  const wanted = reachable(place.step, { passengers: passengers !== null })
  const price = priceSheet(offer, seats, agreed)
  const chooseSeats = (next: readonly SeatChoice[]) => {
    setSeats(next)
    setAgreed(null)
  }
  const payment = usePayment({
    offer,
    passengers: passengers ?? [],
    seats,
    total: price.total,
    onBooked,
    onExpired: expiry.expire,
    onPrice: (charge) => {
      setAgreed(charge)
      return refetchOffer()
    },
    onSeats: (left) => {
      chooseSeats(left)
      back(1)
    },
    onPassengers: (problems) => {
      form.refuse(problems)
      back(2)
    },
  })
  // Back while the card is being charged changes nothing on the screen; the answer comes to this page.
  const step = payment.busy ? 'payment' : wanted
  const checks = useOfferCheck(offer.id, step)
  const expiresAt = checks.latest?.state === 'valid' && checks.latest.expiresAt ? checks.latest.expiresAt : offer.expires_at
  const now = useExpiryWarning(expiresAt, step)
  useLeaveGuard(payment.busy, LEAVE_QUESTION)

  // After a reload a later entry shows the first step, and from then on is one.
  useEffect(() => {
    if (place.step !== wanted) void navigate(pathname + search, { replace: true, state: { step: wanted, depth: place.depth } })
  }, [place.step, place.depth, wanted, navigate, pathname, search])

  // The price and the seats are held by nobody once the time is over: the payment step leads back to the search.
  const over = step === 'payment' && !payment.busy && checks.latest?.state === 'expired' ? checks.latest : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer of the check
  useEffect(() => {
    if (over) expiry.expire(over.gone)
  }, [over])

  function leave(): void {
    const before = (window.history.state as { idx?: number } | null)?.idx ?? 0
    if (before > place.depth) back(place.depth + 1)
    else void navigate(paths.flight(offer.id))
  }

  return (
    <>
      <StepsBar step={STEPS.includes(step) ? step : 'passengers'} />
      <div className="wrap">
        <StepHeading step={step} expiresAt={expiresAt} now={now} />
        <div className={styles.two}>
          <div>
            {step === 'passengers' && (
              <PassengersStep
                form={form}
                checks={checks}
                onBack={leave}
                onDone={(values) => {
                  setPassengers(values)
                  forward('seats')
                }}
              />
            )}
            {step === 'seats' && (
              <SeatsStep
                offer={offer}
                passengers={passengers ?? []}
                seats={seats}
                onSeats={chooseSeats}
                saidNoMaps={saidNoMaps}
                onBack={() => back()}
                onDone={() => forward('payment')}
              />
            )}
            {step === 'payment' && (
              <PaymentStep payment={payment} total={price.total} check={checks.latest} over={expiry.over} onBack={() => back()} />
            )}
          </div>
          <FlightSummary offer={offer} price={price} />
        </div>
      </div>
    </>
  )
}
