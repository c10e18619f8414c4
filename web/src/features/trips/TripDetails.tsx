import { formatDate, formatTime } from '../../lib/format/dates.ts'
import { formatDuration } from '../../lib/format/duration.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Price } from '../../ui/Price.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { cancelKind, datesOf, routeOf, stopsText, type Trip } from './model/trip.ts'
import styles from './Trips.module.css'
import { useTrip } from './use-trips.ts'

const LABELS = { adult: 'Adult', child: 'Child', infant_without_seat: 'Infant' }

type Props = { open: boolean; id: string; onClose: () => void; onCancel: () => void }

export function TripDetails({ open, id, onClose, onCancel }: Props) {
  const { data, isError } = useTrip(id)
  const kind = data && cancelKind(data)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={data ? routeOf(data) : 'Your trip'}
      description={data && `${datesOf(data)}, reference ${data.reference}`}
      footer={
        <>
          <Button variant="line" onClick={onClose}>
            Close
          </Button>
          {kind === 'refund' && (
            <Button variant="dangerLine" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </>
      }
    >
      {isError ? (
        <Alert tone="negative">Unable to load booking details.</Alert>
      ) : data ? (
        <Facts trip={data} />
      ) : (
        <div role="status" aria-label="Loading booking details" className={styles.loading}>
          <Skeleton height={24} width="60%" />
          <Skeleton width="100%" height={120} />
        </div>
      )}
      {data && kind === 'fixed' && data.status === 'confirmed' && <NonRefundable />}
    </Dialog>
  )
}

export function NonRefundable() {
  return (
    <Alert tone="warning" title="Non-Refundable Ticket">
      The airline does not refund this fare, so it cannot be cancelled here. Contact us if your plans have changed.
    </Alert>
  )
}

function Facts({ trip }: { trip: Trip }) {
  const seatOf = (segmentId: string, passengerId: string) =>
    trip.data.seats?.find((seat) => seat.segmentId === segmentId && seat.passengerId === passengerId)?.seatId
  return (
    <div className={styles.facts}>
      <p className={styles.head}>
        <StatusBadge status={trip.status} />
        {trip.airlineReference && (
          <span className="muted">
            Airline reference <b className="numerals">{trip.airlineReference}</b>
          </span>
        )}
      </p>
      {(trip.data.slices ?? []).map((slice) => (
        <section key={slice.id} className={styles.slice}>
          <h3>
            {formatDate(slice.departure_time, 'weekday')}, {formatDuration(slice.duration)}, {stopsText(slice.segments?.length ?? 1)}
          </h3>
          <ul>
            {(slice.segments ?? []).map((segment) => (
              <li key={segment.id}>
                <span className="numerals">
                  {formatTime(segment.departing_at)} {segment.origin.iata_code ?? 'N/A'} to {formatTime(segment.arriving_at)}{' '}
                  {segment.destination.iata_code ?? 'N/A'}
                </span>
                <span className="muted">
                  {segment.marketing_carrier.name} {segment.marketing_carrier.iata_code} {segment.flight_number}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section className={styles.slice}>
        <h3>Passengers</h3>
        <ul>
          {(trip.data.passengers ?? []).map((passenger) => (
            <li key={passenger.id}>
              <span>
                {passenger.given_name} {passenger.family_name}
              </span>
              <span className="muted">
                {[
                  LABELS[passenger.type],
                  ...(trip.data.slices ?? [])
                    .flatMap((slice) => (slice.segments ?? []).map((segment) => seatOf(segment.id, passenger.id)))
                    .filter(Boolean),
                ].join(', ')}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <p className={styles.paid}>
        <span>{trip.status === 'pending' ? 'Held on your card' : 'Paid'}</span>
        <Price amount={trip.price.amount} currency={trip.price.currency} />
      </p>
    </div>
  )
}
