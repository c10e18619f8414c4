import type { Booking } from '@passerelle/contracts/http/booking'
import { Armchair, Clock, IdCard, Ticket } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../../app/paths.ts'
import { beAtAirport, checkIn, listOf, passportsRunningOut, seatTable } from '../../booking/model/boarding-pass.ts'
import type { PassengerValues } from '../../booking/model/passenger-form.ts'
import styles from './Confirmation.module.css'

export function BeforeYouFly({ booking, passengers }: { booking: Booking; passengers: readonly PassengerValues[] }) {
  const heading = useId()
  const { bookingData: data, airlineReference } = booking
  const first = data.slices[0]?.segments[0]
  const runningOut = passportsRunningOut(passengers, data)
  if (!first) return null
  return (
    <section className={`card ${styles.panel}`} aria-labelledby={heading}>
      <h2 id={heading}>Before you fly</h2>
      <ul className={styles.advice}>
        <li>
          <Ticket size={16} strokeWidth={2} aria-hidden="true" />
          <span>{checkIn(first, airlineReference)}</span>
        </li>
        {runningOut.length > 0 && (
          <li>
            <IdCard size={16} strokeWidth={2} aria-hidden="true" />
            <span>
              {runningOut.length === 1
                ? `${runningOut[0]}’s passport expires within 6 months of the trip.`
                : `The passports of ${listOf(runningOut)} expire within 6 months of the trip.`}
            </span>
          </li>
        )}
        <li>
          <Clock size={16} strokeWidth={2} aria-hidden="true" />
          <span>{beAtAirport(first)}</span>
        </li>
        {!seatTable(data).chosen && (
          <li>
            <Armchair size={16} strokeWidth={2} aria-hidden="true" />
            <span>
              You have not chosen seats yet. To choose them, <Link to={paths.support}>contact support</Link>.
            </span>
          </li>
        )}
      </ul>
    </section>
  )
}
