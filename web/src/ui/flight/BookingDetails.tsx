import { formatMoney } from '@passerelle/contracts/rules/money'
import { Copy } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatDate, today } from '../../lib/format/dates.ts'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../lib/router.ts'
import { sliceName } from '../../lib/segment.ts'
import {
  cancelKind,
  cancelledText,
  cardOf,
  changeWords,
  chargeName,
  ledgerOf,
  paymentParts,
  refundText,
  seatsOn,
  slicesOf,
  type Trip,
  wayOf,
} from '../../lib/trip.ts'
import { Alert } from '../Alert.tsx'
import { IconButton } from '../Button.tsx'
import { copyText } from '../copy-text.ts'
import { Price } from '../Price.tsx'
import styles from './BookingDetails.module.css'
import { Ledger } from './Ledger.tsx'
import { SeatTable } from './SeatTable.tsx'
import { Timeline } from './Timeline.tsx'

/** Everything about a booking that its traveller may see: references, flights, seats, money, and what can still be changed. */
export function BookingDetails({ trip }: { trip: Trip }) {
  const slices = slicesOf(trip)
  const { passengers = [], seats = [] } = trip.data
  return (
    <div className={styles.details}>
      <dl className={styles.references}>
        <Reference name="Booking reference" value={trip.reference} />
        {trip.airlineReference && <Reference name="Airline reference, for check-in" value={trip.airlineReference} />}
      </dl>
      {slices.map((slice, index) => (
        <Part
          key={slice.id}
          title={`${sliceName(index)}, ${formatDate(slice.departure_time, 'weekday')}`}
          note={slice.segments.length > 0 ? wayOf(slice) : null}
        >
          <Timeline slice={slice} label={`${sliceName(index)} flights`} seatsOn={(segmentId) => seatsOn(segmentId, trip.data)} />
        </Part>
      ))}
      {passengers.length > 0 && (
        <Part title="Passengers">
          <SeatTable data={{ slices, passengers, seats }} />
        </Part>
      )}
      <Payment trip={trip} />
      <Plans trip={trip} />
    </div>
  )
}

function Part({ title, note, children }: { title: string; note?: string | null; children: ReactNode }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={styles.part}>
      <h3 id={heading}>
        {title} {note && <small className="numerals">{note}</small>}
      </h3>
      {children}
    </section>
  )
}

function Reference({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <IconButton aria-label={`Copy ${name.split(',')[0]?.toLowerCase()}`} onClick={() => void copyText(value)}>
          <Copy size={16} strokeWidth={2} aria-hidden="true" />
        </IconButton>
      </dd>
    </div>
  )
}

function Payment({ trip }: { trip: Trip }) {
  const parts = paymentParts(trip)
  const refunded = refundText(trip)
  const { amount, currency } = trip.price
  const booked = trip.createdAt && formatDate(today(new Date(trip.createdAt)), 'full')
  const paidBy = [trip.cardLast4 && `Card ending ${trip.cardLast4}`, booked].filter(Boolean).join(', ')
  return (
    <Part title="Payment">
      {parts && (
        <dl className={`${styles.lines} numerals`}>
          <div>
            <dt>Flights, taxes included</dt>
            <dd>{formatMoney(parts.flights.amount, currency)}</dd>
          </div>
          <div>
            <dt>Seats</dt>
            <dd>{formatMoney(parts.seats.amount, currency)}</dd>
          </div>
        </dl>
      )}
      <p className={styles.total}>
        <span>{chargeName(trip)}</span>
        <Price amount={amount} currency={currency} />
      </p>
      <p className={styles.small}>
        {paidBy && `${paidBy}. `}For all passengers, taxes included. {currency}.
      </p>
      {trip.status !== 'cancelled' && refunded && <p>{refunded}</p>}
    </Part>
  )
}

/** What a change of plans means; of a cancelled trip, what became of its money. */
function Plans({ trip }: { trip: Trip }) {
  const ledger = ledgerOf(trip)
  const kind = cancelKind(trip)
  const change = changeWords(trip)
  if (trip.status === 'cancelled') {
    return (
      <Part title="Cancellation">
        <p>{cancelledText(trip)}</p>
      </Part>
    )
  }
  if (trip.status === 'completed') return null
  return (
    <Part title="If your plans change">
      {trip.status === 'pending' ? (
        <p>
          {trip.cancelRequested
            ? 'This booking is cancelled as soon as the airline has answered. Your card is not charged.'
            : 'The airline has not answered yet. Until it does, this booking can be cancelled and your card is not charged.'}
        </p>
      ) : (
        <dl className={styles.lines}>
          <div>
            <dt>Refundable</dt>
            <dd>{kind === 'refund' ? 'Yes' : 'No'}</dd>
          </div>
          {change && (
            <div>
              <dt>Changeable</dt>
              <dd>{change}</dd>
            </div>
          )}
        </dl>
      )}
      {kind === 'refund' && ledger && <Ledger ledger={ledger} sum={`Back to ${cardOf(trip)} if you cancel today`} />}
      {kind === 'fixed' && <NonRefundable />}
      {kind === 'refund' && (
        <p className={styles.small}>
          {!ledger && `The airline says what goes back to ${cardOf(trip)} when the booking is cancelled. `}
          Requests are processed within 24-48 hours; refunds take 7-30 business days.{' '}
          <Link to={paths.cancellation}>Cancellation &amp; Refund Policy</Link>
        </p>
      )}
    </Part>
  )
}

export function NonRefundable() {
  return (
    <Alert tone="warning" title="Non-Refundable Ticket">
      The airline does not refund this fare, so it cannot be cancelled here. Contact us if your plans have changed.
    </Alert>
  )
}
