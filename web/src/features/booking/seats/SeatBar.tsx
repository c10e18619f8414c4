import type { SeatChoice } from '@passerelle/contracts/http/search'
import { Button } from '../../../ui/Button.tsx'
import type { PassengerValues } from '../model/passenger-form.ts'
import { type SeatedFlight, seatedCount, seatOf } from '../model/seats.ts'
import styles from './Seats.module.css'

type Props = {
  flight: SeatedFlight
  holders: readonly PassengerValues[]
  choices: readonly SeatChoice[]
  active: string
  onContinue: () => void
}

/** On phones, where the map is longer than the screen: who is being seated, how many are, and the way on. */
export function SeatBar({ flight: { segment }, holders, choices, active, onContinue }: Props) {
  const index = holders.findIndex(({ id }) => id === active)
  const name = holders[index]?.firstName.trim() || `Passenger ${index + 1}`
  const seat = seatOf(choices, active, segment.id)?.seatId
  return (
    <div className={styles.bar}>
      <p>
        <span>
          {seat ? `Seat ${seat} for ` : 'Choosing for '}
          <b>{name}</b>
        </span>
        <small>
          {seatedCount(holders, choices, segment.id)} of {holders.length} seated
        </small>
      </p>
      <Button variant="solid" size="lg" onClick={onContinue}>
        Continue<span className="visually-hidden"> to Payment</span>
      </Button>
    </div>
  )
}
