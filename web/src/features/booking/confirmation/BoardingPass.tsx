import type { Booking } from '@passerelle/contracts/http/booking'
import type { Slice } from '@passerelle/contracts/http/search'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { Copy } from 'lucide-react'
import { bridgeParts } from '../../../lib/flight.ts'
import { daysBetween, formatDate, formatTime, today } from '../../../lib/format/dates.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { DayShift } from '../../../ui/DayShift.tsx'
import { CalendarButton } from '../../../ui/flight/CalendarButton.tsx'
import { SeatTable } from '../../../ui/flight/SeatTable.tsx'
import { Price } from '../../../ui/Price.tsx'
import { carriersTitle, flightsOf, routeTitle } from '../model/boarding-pass.ts'
import styles from './BoardingPass.module.css'

/** The whole booking on one card: flights, people, seats, references and what was paid. */
export function BoardingPass({ booking }: { booking: Booking }) {
  const { bookingData: data, charged, cardLast4, status } = booking
  const reference = bookingReference(booking)
  const settled = status === 'confirmed' || status === 'completed'
  const [lead] = data.passengers
  return (
    <section className={styles.pass} aria-labelledby="pass-heading">
      <h2 id="pass-heading" className="visually-hidden">
        Flight Summary
      </h2>
      <div className={settled ? styles.band : styles.quietBand}>
        <span>{routeTitle(data)}</span>
        <span>{carriersTitle(data)}</span>
      </div>
      <div className={styles.inside}>
        <div className={styles.main}>
          {data.slices.map((slice) => (
            <Leg key={slice.id} slice={slice} />
          ))}
          <SeatTable data={data} />
        </div>
        <div className={styles.stub}>
          <div>
            <p className={styles.label}>Booking reference</p>
            <div className={styles.reference}>
              <b>{reference}</b>
              <IconButton aria-label="Copy booking reference" onClick={() => void copyText(reference)}>
                <Copy size={20} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            </div>
          </div>
          {booking.airlineReference && (
            <div>
              <p className={styles.label}>Airline reference</p>
              <p className={styles.locator}>{booking.airlineReference}</p>
            </div>
          )}
          <div>
            <p className={styles.label}>
              {settled ? 'Paid' : status === 'pending' ? 'Authorised, not charged' : 'Price'}
              {cardLast4 && status !== 'cancelled' ? `${settled ? ' with' : ','} card ending ${cardLast4}` : ''}
            </p>
            <p>
              <Price amount={charged.amount} currency={charged.currency} />
            </p>
          </div>
          <div>
            <p className={styles.label}>Booked</p>
            <p>
              {formatDate(today(new Date(booking.createdAt)), 'full')}
              {lead && `, by ${lead.given_name} ${lead.family_name}`}
            </p>
          </div>
          {status !== 'cancelled' && (
            <CalendarButton
              full
              className={styles.calendar}
              booking={{ id: booking.id, reference, airlineReference: booking.airlineReference, slices: data.slices }}
            />
          )}
        </div>
      </div>
    </section>
  )
}

function Leg({ slice }: { slice: Slice }) {
  const days = daysBetween(slice.departure_time, slice.arrival_time)
  return (
    <div className={styles.leg}>
      <div>
        <p className={styles.code}>{slice.origin.iata_code ?? 'N/A'}</p>
        <p className={styles.time}>
          {formatDate(slice.departure_time, 'weekday')}, {formatTime(slice.departure_time)}
        </p>
      </div>
      <div className={styles.way}>
        <BridgeLine parts={bridgeParts(slice)} />
        <p>{formatDuration(slice.duration)}</p>
        <p>{flightsOf(slice)}</p>
      </div>
      <div>
        <p className={styles.code}>{slice.destination.iata_code ?? 'N/A'}</p>
        <p className={styles.time}>
          {formatTime(slice.arrival_time)}
          <DayShift days={days} />
        </p>
      </div>
    </div>
  )
}
