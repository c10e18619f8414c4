import type { FlightOffer } from '@passerelle/contracts/http/search'
import { ArrowLeft, Check } from 'lucide-react'
import { type MouseEvent, useMemo } from 'react'
import { readLastSearch } from '../../lib/last-search.ts'
import { FROM_RESULTS, isFrom, Link, useLocation, useNavigate, useParams, useSearchParams } from '../../lib/router.ts'
import { sliceName } from '../../lib/segment.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ExpiryNotice } from './ExpiryNotice.tsx'
import { backAddress, bookingAddress } from './model/addresses.ts'
import { EMPTY, type Failure, failureOf, isEmpty, isGone } from './model/failure.ts'
import { routeName, summaryText, tripName } from './model/summary.ts'
import { OfferLoading } from './OfferLoading.tsx'
import styles from './OfferPage.module.css'
import { OfferTabs } from './OfferTabs.tsx'
import { BookingBar, PriceSummary } from './PriceSummary.tsx'
import { SliceCard } from './SliceCard.tsx'
import { useOffer } from './use-offer.ts'

const BACK = 'Back to Search Results'

/** One offer in full, on the way from the results to the booking. */
export function OfferPage() {
  const { id = '' } = useParams()
  const [query] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const back = useMemo(() => backAddress(query, readLastSearch()), [query])
  const { data: offer, error, isPending, isFetching, refetch } = useOffer(id)

  /** To the place in the list, with its filters, when the visitor came from there. A new tab takes the address. */
  function goBack(event: MouseEvent): void {
    if (!isFrom(FROM_RESULTS, state) || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(-1)
  }

  // An offer that was shown before stays while a later reading fails, unless it is gone.
  const failed = error !== null && (isGone(error) || offer === undefined)
  const failure = failed ? failureOf(error) : !isPending && isEmpty(offer) ? EMPTY : null
  if (failure) return <Unavailable failure={failure} back={back} busy={isFetching} onRetry={() => void refetch()} />
  return (
    <div className={`wrap ${styles.page}`}>
      <Link className={styles.back} to={back} onClick={goBack}>
        <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
        {BACK}
      </Link>
      {isEmpty(offer) ? (
        <OfferLoading />
      ) : (
        <Offer offer={offer} sure={!isFetching} book={bookingAddress(offer.id, query)} onPassed={() => void refetch()} />
      )}
    </div>
  )
}

type OfferProps = {
  offer: FlightOffer
  /** The server has just said that it is still sold. */
  sure: boolean
  book: string
  onPassed: () => void
}

function Offer({ offer, sure, book, onPassed }: OfferProps) {
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{routeName(offer)}</h1>
          <p className={styles.summary}>Flight Summary: {summaryText(offer)}</p>
        </div>
        <div className={styles.badges}>
          <Badge tone="brand">{tripName(offer)}</Badge>
          {offer.conditions.refundable && (
            <Badge tone="positive" icon={Check}>
              Refundable
            </Badge>
          )}
        </div>
      </div>
      <div className={styles.columns}>
        <div className={styles.stack}>
          {offer.slices.map((slice, index) => (
            <SliceCard key={slice.id} slice={slice} name={sliceName(index)} />
          ))}
          <ExpiryNotice expiresAt={offer.expires_at} sure={sure} onPassed={onPassed} />
          <OfferTabs offer={offer} />
        </div>
        <PriceSummary offer={offer} book={book} />
      </div>
      <BookingBar offer={offer} book={book} />
    </>
  )
}

type UnavailableProps = { failure: Failure; back: string; busy: boolean; onRetry: () => void }

function Unavailable({ failure, back, busy, onRetry }: UnavailableProps) {
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        role="alert"
        title={failure.title}
        actions={
          <>
            <ButtonLink variant="solid" to={back}>
              {BACK}
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
