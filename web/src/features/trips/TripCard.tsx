import { Clock, Hourglass, Undo2 } from 'lucide-react'
import { formatDate } from '../../lib/format/dates.ts'
import { cancelledText, datesOf, passengersOf, refundText, routeOf, stopsOf, type Trip, tabOf, tripTypeOf } from '../../lib/trip.ts'
import { Button } from '../../ui/Button.tsx'
import { Price } from '../../ui/Price.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './Trips.module.css'

type Props = { trip: Trip; onDetails: () => void; onCancel: () => void }

export function TripCard({ trip, onDetails, onCancel }: Props) {
  const departure = trip.data.slices?.[0]?.departure_time
  const weekday = formatDate(departure, 'weekday')
  const [month, day] = formatDate(departure, 'short').split(' ')
  const upcoming = tabOf(trip.status) === 'upcoming'
  return (
    <article
      className={`card ${styles.trip} ${trip.status === 'cancelled' ? styles.off : ''}`}
      aria-label={`${routeOf(trip)}, ${datesOf(trip)}`}
    >
      <div className={`${styles.date} numerals`} aria-hidden="true">
        {day ? (
          <>
            <span className={styles.month}>{month}</span>
            <b>{day}</b>
            <span>{weekday.split(',')[0]}</span>
          </>
        ) : (
          <span>N/A</span>
        )}
      </div>
      <div className={styles.main}>
        <h2>
          {routeOf(trip)} <StatusBadge status={trip.status} />
        </h2>
        <p className={styles.meta}>
          {[tripTypeOf(trip), datesOf(trip), passengersOf(trip), stopsOf(trip)]
            .filter((fact) => fact !== null)
            .map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
        </p>
        <p className={styles.meta}>
          <span>
            Reference <b className="numerals">{trip.reference}</b>
          </span>
        </p>
      </div>
      <div className={styles.end}>
        <Price amount={trip.price.amount} currency={trip.price.currency} />
        <div className={styles.actions}>
          <Button variant="line" size="sm" onClick={onDetails}>
            View Details<span className="visually-hidden"> of {routeOf(trip)}</span>
          </Button>
          {upcoming && (
            <Button variant="dangerLine" size="sm" onClick={onCancel}>
              Cancel<span className="visually-hidden"> {routeOf(trip)}</span>
            </Button>
          )}
        </div>
      </div>
      {trip.scheduleChange?.state === 'open' && (
        <p className={`${styles.note} ${styles.changed}`}>
          <Clock size={16} aria-hidden="true" />
          <span>
            The airline has changed your flight times.{' '}
            <button type="button" className={styles.look} onClick={onDetails}>
              See the new times
            </button>
          </span>
        </p>
      )}
      <TripNote trip={trip} />
    </article>
  )
}

function TripNote({ trip }: { trip: Trip }) {
  if (trip.status === 'pending') {
    return (
      <p className={styles.note}>
        <Hourglass size={16} aria-hidden="true" />
        {trip.cancelRequested
          ? 'This booking is cancelled as soon as the airline has answered. Your card has been authorised, not charged.'
          : 'We are confirming your booking with the airline. Your card has been authorised, not charged. We write to you as soon as it is settled.'}
      </p>
    )
  }
  const text = trip.status === 'cancelled' ? cancelledText(trip) : refundText(trip)
  if (!text) return null
  return (
    <p className={styles.note}>
      <Undo2 size={16} aria-hidden="true" />
      {text}
    </p>
  )
}
