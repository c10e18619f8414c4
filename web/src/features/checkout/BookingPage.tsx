import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { readLastSearch, searchAddress } from '../../lib/last-search.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from '../booking/Booking.module.css'
import { useSteps } from '../booking/use-steps.ts'
import { Checkout } from './Checkout.tsx'
import { Confirmation } from './confirmation/Confirmation.tsx'
import { StepsBar } from './StepsBar.tsx'
import { type OfferFailure, offerFailure, useBookingOffer } from './use-booking-offer.ts'
import type { Booked } from './use-payment.ts'

/** Four steps at one address: who flies, where they sit, the card, the boarding pass. */
export function BookingPage() {
  const [query] = useSearchParams()
  const { place, settle } = useSteps()
  const navigate = useNavigate()
  const [booked, setBooked] = useState<Booked | null>(null)
  const id = query.get('offer') ?? ''
  const confirmed = place.step === 'confirmation'
  const offer = useBookingOffer(confirmed ? '' : id)
  const bookedId = booked?.booking.id

  // Back must lead out of the flow: the confirmation takes the place of the first entry, and the later ones lead to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry of the history
  useEffect(() => {
    if (bookedId === undefined || confirmed) return
    if (place.depth > 0) void navigate(-place.depth)
    else settle(bookedId)
  }, [bookedId, confirmed, place.depth])

  const bookingId = bookedId ?? place.bookingId
  if (bookingId !== null && (confirmed || booked)) return <Confirmation id={bookingId} booked={booked} />
  if (offer.data) return <Checkout key={id} offer={offer.data} refetchOffer={() => offer.refetch()} onBooked={setBooked} />
  if (id !== '' && offer.isPending) return <Loading />
  return <Unavailable failure={offerFailure(offer.error)} busy={offer.isFetching} onRetry={() => void offer.refetch()} />
}

function Unavailable({ failure, busy, onRetry }: { failure: OfferFailure; busy: boolean; onRetry: () => void }) {
  const last = readLastSearch()
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        role="alert"
        title={failure.title}
        actions={
          <>
            <ButtonLink variant={failure.retry ? 'line' : 'solid'} to={last ? searchAddress(last) : paths.home}>
              Back to Search
            </ButtonLink>
            {failure.retry && (
              <Button busy={busy} onClick={onRetry}>
                Try Again
              </Button>
            )}
          </>
        }
      >
        {failure.message}
      </EmptyState>
    </div>
  )
}

function Loading() {
  return (
    <>
      <StepsBar step="passengers" />
      <div className={`wrap ${styles.loading}`}>
        <p className="visually-hidden" role="status">
          Loading flight details
        </p>
        <Skeleton width={260} height={32} />
        <Skeleton width="100%" height={340} radius={12} />
      </div>
    </>
  )
}
