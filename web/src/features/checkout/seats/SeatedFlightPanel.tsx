import type { SeatChoice, SeatElement } from '@passerelle/contracts/http/search'
import { cityOf, flightNumber } from '../../../lib/flight.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { cabinName } from '../../booking/model/boarding-pass.ts'
import type { PassengerValues } from '../../booking/model/passenger-form.ts'
import { priceRange, priceWords } from '../../booking/model/seat-plan.ts'
import { choiceFor, nextUnseated, type SeatCabin, type SeatedFlight, whoSitsOn, withSeat } from '../../booking/model/seats.ts'
import { PeoplePicker } from './PeoplePicker.tsx'
import { SeatGrid } from './SeatGrid.tsx'
import { SeatKey } from './SeatKey.tsx'
import styles from './Seats.module.css'

type Props = {
  flight: SeatedFlight
  /** All of the party, for their numbers; `holders`: who needs a seat. */
  passengers: readonly PassengerValues[]
  holders: readonly PassengerValues[]
  seats: readonly SeatChoice[]
  /** Id of the passenger who is being seated. */
  active: string
  onActive: (passengerId: string) => void
  onSeats: (seats: readonly SeatChoice[]) => void
}

const nameOf = (passengers: readonly PassengerValues[], id: string) => {
  const index = passengers.findIndex((passenger) => passenger.id === id)
  return passengers[index]?.firstName.trim() || `Passenger ${index + 1}`
}

export function SeatedFlightPanel({ flight, passengers, holders, seats, active, onActive, onSeats }: Props) {
  const { segment, cabins } = flight
  const infants = passengers.length > holders.length

  function choose(element: SeatElement, cabin: SeatCabin): void {
    const occupant = element.designator ? whoSitsOn(seats, element.designator, segment.id) : null
    if (occupant !== null) {
      onActive(occupant)
      return
    }
    const choice = choiceFor(element, active, segment.id, cabin.cabin_class)
    if (!choice) return
    const chosen = withSeat(seats, choice)
    onSeats(chosen)
    const next = nextUnseated(holders, chosen, segment.id, active)
    if (next) onActive(next)
    const price = choice.price ? `, ${priceWords(choice.price)}` : ''
    const then = next ? ` Next: ${nameOf(passengers, next)}.` : ''
    toast({ title: 'Seat Selected', description: `${choice.seatId} for ${nameOf(passengers, active)}${price}.${then}`, tone: 'positive' })
  }

  return (
    <div className={styles.flight}>
      <div className={styles.side}>
        <PeoplePicker passengers={passengers} holders={holders} seats={seats} segmentId={segment.id} active={active} onActive={onActive} />
        <SeatKey {...priceRange(cabins)} />
        <p className={styles.help}>
          <span className="wide-only">Arrow keys move between seats, Enter chooses. </span>
          {infants && 'Infants travel on a lap and need no seat.'}
        </p>
      </div>
      <div className={styles.cabins}>
        {cabins.map((cabin, index) => (
          <SeatGrid
            // A cabin has no id; a flight's cabins never change their order.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            cabin={cabin}
            title={[cabinName(cabin.cabin_class), segment.aircraft?.name, index === 0 ? 'front of the aircraft at the top' : null]
              .filter(Boolean)
              .join(', ')}
            label={`Seat map, ${flightNumber(segment)}, ${cityOf(segment.origin)} to ${cityOf(segment.destination)}`}
            segmentId={segment.id}
            passengers={passengers}
            seats={seats}
            active={active}
            onChoose={(element) => choose(element, cabin)}
          />
        ))}
      </div>
    </div>
  )
}
