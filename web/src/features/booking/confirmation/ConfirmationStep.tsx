import type { Booking } from '@passerelle/contracts/http/booking'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { messageOf } from '../../../lib/api-client.ts'
import { cityOf } from '../../../lib/flight.ts'
import { formatDate } from '../../../lib/format/dates.ts'
import { forgetAttempt } from '../../../lib/open-attempts.ts'
import { paths, telephone } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { BridgeDocked } from '../../../ui/illustration/BridgeDocked.tsx'
import { BridgeReaching } from '../../../ui/illustration/BridgeReaching.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Steps } from '../../../ui/Steps.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import layout from '../Booking.module.css'
import type { Finished } from '../model/finished.ts'
import { STEP_NAMES, STEP_TITLES } from '../model/steps.ts'
import { AccountPanel } from './AccountPanel.tsx'
import { BeforeYouFly } from './BeforeYouFly.tsx'
import { BoardingPass } from './BoardingPass.tsx'
import styles from './Confirmation.module.css'

const POLL_MS = 3000

export function ConfirmationStep({ bookingId, finished }: { bookingId: string; finished: Finished | null }) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery<Booking>({
    queryKey: [`/api/bookings/${encodeURIComponent(bookingId)}`, 'confirmation'],
    ...(finished?.created && { initialData: finished.created }),
    // A failed look is only a look: the next one follows.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const status = data?.status
  const before = useRef(status)

  useEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' })
    heading.current?.focus({ preventScroll: true })
  }, [])

  useEffect(() => {
    if (status && status !== 'pending') forgetAttempt(bookingId)
  }, [status, bookingId])

  useEffect(() => {
    if (before.current === 'pending' && status === 'confirmed') {
      toast({ title: 'Booking confirmed!', description: 'The confirmation is on its way to you by e-mail.', tone: 'positive' })
    }
    if (before.current !== status) void queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })
    before.current = status
  }, [status, queryClient])

  return (
    <>
      <div className={layout.bar}>
        <div className="wrap">
          <Steps names={STEP_NAMES} current={3} label="Booking steps" />
        </div>
      </div>
      <div className={`wrap ${styles.page}`}>
        {data ? (
          <Outcome booking={data} finished={finished} heading={heading} />
        ) : error ? (
          <EmptyState
            level={1}
            role="alert"
            title="Unable to load booking details."
            actions={
              <>
                <Button variant="solid" onClick={() => void refetch()}>
                  Try Again
                </Button>
                <ButtonLink to={paths.trips}>View My Trips</ButtonLink>
              </>
            }
          >
            {messageOf(error, 'Please try again.')}
          </EmptyState>
        ) : (
          <div className={layout.loading}>
            <p role="status">Loading your booking</p>
            <Skeleton width="100%" height={420} radius={16} />
          </div>
        )}
      </div>
    </>
  )
}

type OutcomeProps = { booking: Booking; finished: Finished | null; heading: React.Ref<HTMLHeadingElement> }

function Outcome({ booking, finished, heading }: OutcomeProps) {
  const { created, passengers = [] } = finished ?? {}
  const email = passengers[0]?.email || null
  const [first] = booking.bookingData.slices
  const pending = booking.status === 'pending'
  const lost = booking.status === 'cancelled'
  return (
    <>
      <div className={styles.top}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {pending ? 'We are confirming your booking' : lost ? 'This booking is cancelled' : STEP_TITLES.confirmation}
          </h1>
          <p className={styles.sub}>
            {pending
              ? 'The airline has not answered yet. This page tells you as soon as it has.'
              : lost
                ? 'Nothing is booked any more under this reference.'
                : `${first ? `You fly to ${cityOf(first.destination)} on ${formatDate(first.departure_time, 'weekday')}. ` : ''}${
                    email ? `The confirmation is on its way to ${email}.` : 'The confirmation is on its way to you by e-mail.'
                  }`}
          </p>
        </div>
        {pending ? (
          <BridgeReaching className={styles.reaching} />
        ) : (
          !lost && <BridgeDocked className={styles.art} viewBox="0 -30 780 430" />
        )}
      </div>
      {pending && <Pending booking={booking} email={email} />}
      {lost && <Lost />}
      <BoardingPass booking={booking} />
      <div className={styles.panels}>
        {created?.accountCreated && created.accountInfo && <AccountPanel account={created.accountInfo} />}
        {!lost && <BeforeYouFly booking={booking} passengers={passengers} />}
      </div>
      {created?.emailContent && (
        <details className={`card ${styles.mail}`}>
          <summary>The e-mail we send you</summary>
          <p>{created.emailContent}</p>
        </details>
      )}
      <div className={styles.actions}>
        <ButtonLink variant="solid" size="lg" to={paths.trips}>
          View My Trips
        </ButtonLink>
        {booking.paid && (
          <ButtonLink size="lg" to={paths.receipt(booking.id)}>
            Receipt
          </ButtonLink>
        )}
        <ButtonLink size="lg" to={paths.home}>
          Book Another Flight
        </ButtonLink>
      </div>
    </>
  )
}

function Pending({ booking, email }: { booking: Booking; email: string | null }) {
  return (
    <Alert tone="info" role="status" title={`Your reference is ${bookingReference(booking)}.`}>
      Your card is authorised, not charged. We write to {email ?? 'you'} as soon as it is settled; you can close this page.
    </Alert>
  )
}

function Lost() {
  const { phone } = useBrand().contact
  return (
    <Alert tone="negative" title="The airline could not confirm this booking, or it was cancelled.">
      An amount that was only held on your card is released.
      {phone && (
        <>
          {' '}
          Questions? <a href={telephone(phone)}>{phone}</a>
        </>
      )}
    </Alert>
  )
}
