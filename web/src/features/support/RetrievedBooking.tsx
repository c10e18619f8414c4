import type { Booking } from '@passerelle/contracts/http/booking'
import { useEffect, useRef } from 'react'
import { readTrip, routeOf, slicesOf, summaryOf } from '../../lib/trip.ts'
import { Button } from '../../ui/Button.tsx'
import { BookingDetails } from '../../ui/flight/BookingDetails.tsx'
import { CalendarButton } from '../../ui/flight/CalendarButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './RetrievedBooking.module.css'

type Props = { booking: Booking; onAnother: () => void }

/** What somebody with reference and e-mail may see of a booking: nothing to change, and no documents. */
export function RetrievedBooking({ booking, onAnother }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const trip = readTrip(booking)
  const { id, reference, airlineReference, status } = trip

  useEffect(() => heading.current?.focus(), [])

  return (
    <section className={`card ${styles.booking}`} aria-labelledby="retrieved">
      <div className={styles.head}>
        <h2 id="retrieved" ref={heading} tabIndex={-1}>
          {routeOf(trip)}
        </h2>
        <StatusBadge status={status} />
        <span className="muted">{summaryOf(trip)}</span>
      </div>
      <BookingDetails trip={trip} />
      <div className={styles.actions}>
        {(status === 'confirmed' || status === 'pending') && (
          <CalendarButton booking={{ id, reference, airlineReference, slices: slicesOf(trip) }} />
        )}
        <Button variant="line" onClick={onAnother}>
          Look for another booking
        </Button>
      </div>
    </section>
  )
}
