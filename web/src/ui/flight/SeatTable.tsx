import type { BookingData } from '@passerelle/contracts/http/booking-data'
import { seatTable } from '../../lib/seat-table.ts'
import styles from './SeatTable.module.css'

/** The passengers of a booking, and where they sit once seats were chosen. */
export function SeatTable({ data }: { data: Pick<BookingData, 'slices' | 'passengers' | 'seats'> }) {
  const { flights, rows, chosen } = seatTable(data)
  return (
    <div className={styles.seats}>
      <table>
        <caption className="visually-hidden">{chosen ? 'Passengers and seats' : 'Passengers'}</caption>
        <thead>
          <tr>
            <th scope="col">Passenger</th>
            {chosen &&
              flights.map(({ id, number }) => (
                <th key={id} scope="col">
                  {number}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, note, ticket, frequentFlyer, seats }) => (
            <tr key={id}>
              <td>
                {name} {note && <span className="muted">{note}</span>}
                {ticket && <span className="muted"> on the ticket: {ticket}</span>}
                {frequentFlyer && <span className={styles.number}>Frequent flyer number: {frequentFlyer}</span>}
              </td>
              {chosen && flights.map((flight, index) => <td key={flight.id}>{seats[index] ?? <span className="muted">None</span>}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
