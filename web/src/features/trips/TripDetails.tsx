import { ReceiptText } from 'lucide-react'
import { paths } from '../../lib/paths.ts'
import { cancelKind, routeOf, slicesOf, summaryOf, type Trip } from '../../lib/trip.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { BookingDetails } from '../../ui/flight/BookingDetails.tsx'
import { CalendarButton } from '../../ui/flight/CalendarButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { NewTimes } from './NewTimes.tsx'
import styles from './Trips.module.css'
import { useTrip } from './use-trips.ts'

type Props = { open: boolean; id: string; onClose: () => void; onCancel: () => void }

export function TripDetails({ open, id, onClose, onCancel }: Props) {
  const { data, isError } = useTrip(id)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={data ? routeOf(data) : 'Your trip'}
      description={
        data && (
          <span className={styles.sums}>
            <StatusBadge status={data.status} /> {summaryOf(data)}
          </span>
        )
      }
      footer={data && <Actions trip={data} onCancel={onCancel} />}
    >
      {isError ? (
        <Alert tone="negative">Unable to load booking details.</Alert>
      ) : data ? (
        <>
          {hasChange(data) && (
            <div className={styles.change}>
              <NewTimes trip={data} onCancel={onCancel} />
            </div>
          )}
          <BookingDetails trip={data} />
        </>
      ) : (
        <div role="status" aria-label="Loading booking details" className={styles.loading}>
          <Skeleton height={24} width="60%" />
          <Skeleton width="100%" height={120} />
        </div>
      )}
    </Dialog>
  )
}

type Changed = Trip & { scheduleChange: NonNullable<Trip['scheduleChange']> }
const hasChange = (trip: Trip): trip is Changed => trip.scheduleChange !== null && trip.status !== 'cancelled'

function Actions({ trip, onCancel }: { trip: Trip; onCancel: () => void }) {
  const slices = slicesOf(trip)
  const toCome = trip.status === 'confirmed' || trip.status === 'pending'
  return (
    <>
      {toCome && slices.some(({ segments }) => segments.length > 0) && (
        <CalendarButton booking={{ id: trip.id, reference: trip.reference, airlineReference: trip.airlineReference, slices }} />
      )}
      {trip.paid && (
        <ButtonLink to={paths.receipt(trip.id)}>
          <ReceiptText size={16} strokeWidth={2} aria-hidden="true" />
          Receipt
        </ButtonLink>
      )}
      {cancelKind(trip) === 'refund' && (
        <Button variant="dangerLine" aria-haspopup="dialog" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </>
  )
}
