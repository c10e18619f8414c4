import { ApiError, messageOf } from '../../lib/api-client.ts'
import { readLastSearch } from '../../lib/last-search.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Steps } from '../../ui/Steps.tsx'
import styles from './Booking.module.css'
import { searchAfterExpiry } from './model/expiry.ts'
import { STEP_NAMES } from './model/steps.ts'

export function OfferLoading() {
  return (
    <>
      <div className={styles.bar}>
        <div className="wrap">
          <Steps names={STEP_NAMES} current={0} label="Booking steps" />
        </div>
      </div>
      <div className={`wrap ${styles.loading}`}>
        <p role="status" className="visually-hidden">
          Loading flight details
        </p>
        <Skeleton width={320} height={34} />
        <div className={styles.two}>
          <Skeleton width="100%" height={520} radius={12} />
          <Skeleton width="100%" height={420} radius={12} />
        </div>
      </div>
    </>
  )
}

export function OfferNotFound() {
  const address = searchAfterExpiry(readLastSearch(), null)
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        title="Flight offer not found"
        actions={
          <ButtonLink variant="solid" to={address}>
            {address === paths.home ? 'Search Flights' : 'Back to Search Results'}
          </ButtonLink>
        }
      >
        This offer does not exist or is no longer for sale. Prices change quickly; a new search shows what is available now.
      </EmptyState>
    </div>
  )
}

export function OfferFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const expired = error instanceof ApiError && (error.status === 410 || error.code === 'OFFER_EXPIRED')
  const search = searchAfterExpiry(readLastSearch(), null)
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        role="alert"
        title="Error loading flight details"
        actions={
          expired ? (
            <ButtonLink variant="solid" to={search}>
              Search again
            </ButtonLink>
          ) : (
            <>
              <Button variant="solid" onClick={onRetry}>
                Try Again
              </Button>
              <ButtonLink to={search}>{search === paths.home ? 'Search Flights' : 'Back to Search Results'}</ButtonLink>
            </>
          )
        }
      >
        {messageOf(error, 'Unable to load flight details. Please try again.')}
      </EmptyState>
    </div>
  )
}
