import type { Person } from '../model/passenger-form.ts'
import styles from './Seats.module.css'

type Props = {
  name: string
  people: readonly Person[]
  active: string
  seat: (passengerId: string) => string | null
  onPick: (passengerId: string) => void
}

/** Who is being seated. */
export function PassengerPicker({ name, people, active, seat, onPick }: Props) {
  return (
    <fieldset>
      <legend className={styles.legend}>Choosing a seat for</legend>
      <div className={styles.people}>
        {people.map((person) => (
          <label key={person.id}>
            <input type="radio" name={name} checked={person.id === active} onChange={() => onPick(person.id)} />
            <span className={styles.initials} aria-hidden="true">
              {person.initials}
            </span>
            <span className={styles.person}>
              {person.firstName}
              <small>{person.type === 'child' ? 'Child' : 'Adult'}</small>
            </span>
            <span className={`${styles.seatNumber} ${seat(person.id) ? '' : styles.nothing}`}>{seat(person.id) ?? 'None'}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
