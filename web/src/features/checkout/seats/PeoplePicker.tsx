import type { SeatChoice } from '@passerelle/contracts/http/search'
import { PASSENGER_LABELS } from '@passerelle/contracts/rules/passengers'
import { initials, type PassengerValues } from '../../booking/model/passenger-form.ts'
import { seatOf } from '../../booking/model/seats.ts'
import styles from './Seats.module.css'

type Props = {
  passengers: readonly PassengerValues[]
  holders: readonly PassengerValues[]
  seats: readonly SeatChoice[]
  segmentId: string
  active: string
  onActive: (passengerId: string) => void
}

/** Who is being seated, and where the others sit. */
export function PeoplePicker({ passengers, holders, seats, segmentId, active, onActive }: Props) {
  return (
    <fieldset>
      <legend className={styles.legend}>Choosing a seat for</legend>
      <div className={styles.people}>
        {holders.map((holder) => {
          const index = passengers.indexOf(holder)
          const seat = seatOf(seats, holder.id, segmentId)?.seatId
          return (
            <label key={holder.id}>
              <input type="radio" name={`seated-${segmentId}`} checked={holder.id === active} onChange={() => onActive(holder.id)} />
              <span className={styles.circle} aria-hidden="true">
                {initials(holder, index)}
              </span>
              <span>
                {holder.firstName.trim() || `Passenger ${index + 1}`}
                <small>{PASSENGER_LABELS[holder.type].split(' (')[0]}</small>
              </span>
              <span className={seat ? styles.seatNumber : styles.noSeat}>{seat ?? 'None'}</span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
