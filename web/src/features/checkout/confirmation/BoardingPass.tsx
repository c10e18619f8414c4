import type { Booking } from '@passerelle/contracts/http/booking'
import type { Slice } from '@passerelle/contracts/http/search'
import { bookingReference } from '@passerelle/contracts/rules/booking-reference'
import { CalendarPlus, Copy } from 'lucide-react'
import { bridgeParts } from '../../../lib/flight.ts'
import { daysBetween, formatDate, formatTime } from '../../../lib/format/dates.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Price } from '../../../ui/Price.tsx'
import { copyText } from '../../booking/copy-text.ts'
import { carriersTitle, flightsOf, routeTitle, seatTable } from '../../booking/model/boarding-pass.ts'
import { calendarOf } from '../../booking/model/calendar.ts'
import styles from './Confirmation.module.css'

function saveCalendar(booking: Booking): void {
  const address = URL.createObjectURL(new Blob([calendarOf(booking, Date.now())], { type: 'text/calendar' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${bookingReference(booking)}.ics`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The flights and what was paid for them; the coloured band only once the airline has confirmed. */
export function BoardingPass({ booking, cardEnding }: { booking: Booking; cardEnding: string | null }) {
  const { bookingData: data, status, charged } = booking
  const settled = status === 'confirmed' || status === 'completed'
  const reference = bookingReference(booking)
  const table = seatTable(data)
  const [lead] = table.rows
  const money = status === 'pending' ? 'Held' : status === 'cancelled' ? 'Price' : 'Paid'
  return (
    <section className={styles.pass} aria-label="Flight Summary and total price">
      {settled && (
        <div className={styles.band}>
          <span>{routeTitle(data)}</span>
          <span>{carriersTitle(data)}</span>
        </div>
      )}
      <div className={styles.inside}>
        <div className={styles.main}>
          <h2 className="visually-hidden">Flight Summary</h2>
          {data.slices.map((slice) => (
            <Leg key={slice.id} slice={slice} />
          ))}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard */}
          <section className={styles.scroll} tabIndex={0} aria-label="Passengers and seats">
            <table className={styles.table}>
              <caption className="visually-hidden">Passengers and seats</caption>
              <thead>
                <tr>
                  <th scope="col">Passenger</th>
                  {table.flights.map(({ id, number }) => (
                    <th key={id} scope="col">
                      {number}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row) => (
                  <tr key={row.id}>
                    <th scope="row">
                      {row.name} {row.note && <span className="muted">{row.note}</span>}
                    </th>
                    {row.seats.map((seat, index) => (
                      <td key={table.flights[index]?.id}>
                        {seat ?? (
                          <>
                            <span aria-hidden="true">–</span>
                            <span className="visually-hidden">No seat chosen</span>
                          </>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
        <div className={styles.stub}>
          <div>
            <p className={styles.label}>Booking reference</p>
            <div className={styles.reference}>
              <p>{reference}</p>
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
            <p className={styles.label}>{cardEnding && money !== 'Price' ? `${money} with card ending ${cardEnding}` : money}</p>
            <p>
              <Price amount={charged.amount} currency={charged.currency} />
            </p>
          </div>
          <div>
            <p className={styles.label}>Booked</p>
            <p>
              {formatDate(booking.createdAt, 'full')}
              {lead && `, by ${lead.name}`}
            </p>
          </div>
          {settled && (
            <Button className={styles.calendar} variant="line" full onClick={() => saveCalendar(booking)}>
              <CalendarPlus size={16} strokeWidth={2} aria-hidden="true" />
              Add to calendar
            </Button>
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
          {days !== 0 && (
            <sup>
              {days > 0 ? `+${days}` : days}
              <span className="visually-hidden"> day</span>
            </sup>
          )}
        </p>
      </div>
    </div>
  )
}
