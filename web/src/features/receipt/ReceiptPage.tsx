import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { ApiError, messageOf } from '../../lib/api-client.ts'
import { paths, signInAddress } from '../../lib/paths.ts'
import { receiptQuery } from '../../lib/queries.ts'
import { Link, useParams } from '../../lib/router.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './Receipt.module.css'
import { ReceiptSheet } from './ReceiptSheet.tsx'

/** A sheet of A4 that the browser prints, or saves as a PDF, without header and footer. */
export function ReceiptPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(receiptQuery(id))
  return (
    <div className={`wrap ${styles.page}`}>
      <div className={styles.bar}>
        <Link className={styles.back} to={paths.trips}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to My Trips
        </Link>
        {data && (
          <Button onClick={() => window.print()}>
            <Printer size={16} strokeWidth={2} aria-hidden="true" />
            Print or save as PDF
          </Button>
        )}
      </div>
      {data ? (
        <ReceiptSheet receipt={data} />
      ) : error ? (
        <Failure id={id} error={error} retry={() => void refetch()} />
      ) : (
        <div className={styles.paper}>
          <h1 className="visually-hidden">Receipt</h1>
          <p className="visually-hidden" role="status">
            Loading the receipt
          </p>
          <Skeleton width="40%" height={28} />
          <Skeleton width="100%" height={64} />
          <Skeleton width="100%" height={240} />
        </div>
      )}
    </div>
  )
}

/** Who may read it is decided by the server: a booking of somebody else's does not exist for this visitor. */
function Failure({ id, error, retry }: { id: string; error: Error; retry: () => void }) {
  const refused = error instanceof ApiError && [401, 404].includes(error.status)
  return (
    <EmptyState
      level={1}
      role="alert"
      title="Unable to show this receipt."
      actions={
        refused ? (
          <>
            <ButtonLink variant="solid" to={signInAddress(paths.receipt(id))}>
              Sign In
            </ButtonLink>
            <ButtonLink to={paths.trips}>View My Trips</ButtonLink>
          </>
        ) : (
          <Button variant="solid" onClick={retry}>
            Try Again
          </Button>
        )
      }
    >
      {refused
        ? 'There is no receipt here that you may read. Sign in with the account of the booking.'
        : messageOf(error, 'Please try again.')}
    </EmptyState>
  )
}
