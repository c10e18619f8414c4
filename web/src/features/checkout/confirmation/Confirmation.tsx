import type { Booking } from '@passerelle/contracts/http/booking'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { paths } from '../../../app/paths.ts'
import { api } from '../../../lib/api-client.ts'
import { cityOf } from '../../../lib/flight.ts'
import { formatDate } from '../../../lib/format/dates.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { BridgeDocked } from '../../../ui/illustration/BridgeDocked.tsx'
import { BridgeReaching } from '../../../ui/illustration/BridgeReaching.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast, toastNext } from '../../../ui/toaster/toast-store.ts'
import bookingStyles from '../../booking/Booking.module.css'
import { STEP_TITLES } from '../../booking/model/steps.ts'
import { StepsBar } from '../StepsBar.tsx'
import type { Booked } from '../use-payment.ts'
import { AccountPanel } from './AccountPanel.tsx'
import { BeforeYouFly } from './BeforeYouFly.tsx'
import { BoardingPass } from './BoardingPass.tsx'
import styles from './Confirmation.module.css'

const POLL_MS = 3000

/** `booked` is what this page knows of its own booking; after a reload there is only what the server tells. */
export function Confirmation({ id, booked }: { id: string; booked: Booked | null }) {
  const created = booked?.created ?? null
  const { data, isError, isFetching, refetch } = useQuery<Booking>({
    queryKey: [`/api/bookings/${id}`],
    queryFn: ({ signal }) => api.getBooking({ params: { id } }, { signal }),
    ...(created && { initialData: created }),
    refetchInterval: (query) => (query.state.data?.status === 'pending' ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })
  const status = data?.status
  const heading = useRef<HTMLHeadingElement>(null)
  const told = useRef(false)
  const pendingHere = useRef(created !== null)
  if (status === 'pending') pendingHere.current = true

  // Said once, and not again after a reload.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the outcome is known
  useEffect(() => {
    if (status !== 'confirmed' || told.current || !pendingHere.current || !data) return
    told.current = true
    toast({ title: 'Booking confirmed!', description: `Your reference is ${bookingReference(data)}.`, tone: 'positive' })
    const account = created?.accountCreated ? created.accountInfo : null
    if (account) {
      toastNext({ title: 'Account created!', description: `Username ${account.username}. You are signed in.`, tone: 'positive' })
    }
  }, [status])

  useEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' })
    if (booked) heading.current?.focus({ preventScroll: true })
  }, [booked])

  if (!data) {
    if (!isError) return <Waiting />
    return (
      <div className="wrap">
        <EmptyState
          level={1}
          role="alert"
          title="Your booking could not be shown"
          actions={
            <>
              <Button busy={isFetching} onClick={() => void refetch()}>
                Try Again
              </Button>
              <ButtonLink variant="line" to={paths.trips}>
                View My Trips
              </ButtonLink>
            </>
          }
        >
          It is not lost: you find it among your trips, and its reference in our e-mail.
        </EmptyState>
      </div>
    )
  }
  const [first] = data.bookingData.slices
  const email = booked?.passengers[0]?.email.trim()
  return (
    <>
      <StepsBar step="confirmation" />
      <div className={`wrap ${styles.page}`}>
        <div className={styles.top}>
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {titleOf(data)}
            </h1>
            {status === 'confirmed' || status === 'completed' ? (
              <p>
                {first && `You fly to ${cityOf(first.destination)} on ${formatDate(first.departure_time, 'weekday')}. `}
                {email && `The confirmation is on its way to ${email}.`}
              </p>
            ) : (
              status === 'pending' && <p>The airline has not answered yet. This page shows it as soon as it does.</p>
            )}
          </div>
          {status === 'pending' ? (
            <BridgeReaching />
          ) : status === 'cancelled' ? null : (
            <BridgeDocked className={styles.picture} viewBox="0 -30 780 430" />
          )}
        </div>
        {status === 'pending' && (
          <Alert tone="info" role="status" title={`Your reference is ${bookingReference(data)}.`}>
            Your card is charged only when the airline confirms; otherwise what is held is released. We also write to you by e-mail.
          </Alert>
        )}
        {status === 'cancelled' && (
          <Alert tone="negative" title="There is no booking.">
            The airline did not confirm it. Your card was not charged, or you get everything back.
          </Alert>
        )}
        <BoardingPass booking={data} cardEnding={booked?.cardEnding ?? null} />
        <div className={styles.panels}>
          {created?.accountCreated && created.accountInfo && <AccountPanel account={created.accountInfo} />}
          {status === 'confirmed' && <BeforeYouFly booking={data} passengers={booked?.passengers ?? []} />}
        </div>
        <div className={styles.actions}>
          <ButtonLink variant="solid" size="lg" to={paths.trips}>
            View My Trips
          </ButtonLink>
          <ButtonLink variant="line" size="lg" to={paths.home}>
            Book Another Flight
          </ButtonLink>
        </div>
      </div>
    </>
  )
}

function titleOf({ status }: Booking): string {
  if (status === 'pending') return 'We are confirming your booking'
  return status === 'cancelled' ? 'Booking Not Confirmed' : STEP_TITLES.confirmation
}

function Waiting() {
  return (
    <>
      <StepsBar step="confirmation" />
      <div className={`wrap ${bookingStyles.loading}`}>
        <p className="visually-hidden" role="status">
          Loading your booking
        </p>
        <Skeleton width={320} height={40} />
        <Skeleton width="100%" height={320} radius={16} />
      </div>
    </>
  )
}
