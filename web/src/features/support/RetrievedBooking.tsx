import type { Booking } from '@passerelle/contracts/http/booking'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { useEffect, useRef } from 'react'
import { cityOf } from '../../lib/flight.ts'
import { formatDate, formatTime } from '../../lib/format/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Price } from '../../ui/Price.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './RetrievedBooking.module.css'

type Props = { booking: Booking; onAnother: () => void }

/** What somebody with reference and e-mail may see of a booking: nothing to change, and no documents. */
export function RetrievedBooking({ booking, onAnother }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { slices, passengers, seats } = booking.bookingData
  const first = slices[0]
  const seatsOf = (id: string) => seats.filter(({ passengerId }) => passengerId === id).map(({ seatId }) => seatId)

  useEffect(() => heading.current?.focus(), [])

  return (
    <section className={`card ${styles.booking}`} aria-labelledby="retrieved">
      <div className={styles.head}>
        <h2 id="retrieved" ref={heading} tabIndex={-1}>
          {first ? `${cityOf(first.origin)} to ${cityOf(first.destination)}` : `Booking ${bookingReference(booking)}`}
        </h2>
        <StatusBadge status={booking.status} />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Reference</dt>
          <dd className="numerals">{bookingReference(booking)}</dd>
        </div>
        {booking.airlineReference && (
          <div>
            <dt>Airline reference</dt>
            <dd className="numerals">{booking.airlineReference}</dd>
          </div>
        )}
        <div>
          <dt>{booking.status === 'pending' ? 'Held on your card' : 'Paid'}</dt>
          <dd>
            <Price amount={booking.charged.amount} currency={booking.charged.currency} size="small" />
          </dd>
        </div>
        {booking.refund && (
          <div>
            <dt>{booking.refund.refundedAt ? `Refunded on ${formatDate(booking.refund.refundedAt, 'short')}` : 'On its way back'}</dt>
            <dd className="numerals">{formatExactMoney(booking.refund.amount, booking.refund.currency)}</dd>
          </div>
        )}
      </dl>
      {slices.map((slice) => (
        <section key={slice.id} className={styles.part}>
          <h3>{formatDate(slice.departure_time, 'weekday')}</h3>
          <ul>
            {slice.segments.map((segment) => (
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
      <section className={styles.part}>
        <h3>Passengers</h3>
        <ul>
          {passengers.map(({ id, given_name, family_name }) => (
            <li key={id}>
              <span>
                {given_name} {family_name}
              </span>
              <span className="muted">{seatsOf(id).join(', ')}</span>
            </li>
          ))}
        </ul>
      </section>
      <Button variant="line" onClick={onAnother}>
        Look for another booking
      </Button>
    </section>
  )
}
