import type { SeatChoice, SeatElement } from '@passerelle/contracts/http/search'
import { cityOf } from '../../../lib/flight.ts'
import { cabinName } from '../../../lib/segment.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { initials, type PassengerValues, type Person } from '../model/passenger-form.ts'
import { priceRange, priceWords } from '../model/seat-plan.ts'
import { choiceFor, nextUnseated, type SeatedFlight, seatOf, whoSitsOn, withSeat } from '../model/seats.ts'
import { PassengerPicker } from './PassengerPicker.tsx'
import { SeatGrid } from './SeatGrid.tsx'
import { SeatKey } from './SeatKey.tsx'
import styles from './Seats.module.css'

type Props = {
  flight: SeatedFlight
  holders: readonly PassengerValues[]
  infants: boolean
  choices: readonly SeatChoice[]
  /** Who is being seated. */
  active: string
  onActive: (passengerId: string) => void
  onChange: (choices: readonly SeatChoice[]) => void
}

/** The seats of one flight: who is being seated, and the cabins. */
export function SeatFlight({ flight, holders, infants, choices, active, onActive, onChange }: Props) {
  const { segment, cabins } = flight
  const people: Person[] = holders.map((holder, index) => ({
    id: holder.id,
    initials: initials(holder, index),
    firstName: holder.firstName.trim() || `Passenger ${index + 1}`,
    name: `${holder.firstName} ${holder.lastName}`.trim(),
    type: holder.type,
  }))

  function pick(element: SeatElement, cabinClass: string): void {
    const designator = element.designator ?? ''
    const occupant = whoSitsOn(choices, designator, segment.id)
    if (occupant) {
      onActive(occupant)
      return
    }
    const choice = choiceFor(element, active, segment.id, cabinClass)
    if (!choice?.price) return
    const after = withSeat(choices, choice)
    const next = nextUnseated(holders, after, segment.id, active)
    const person = people.find(({ id }) => id === active)
    const coming = people.find(({ id }) => id === next)
    onChange(after)
    toast({
      title: 'Seat Selected',
      description: `${designator} for ${person?.firstName}, ${priceWords(choice.price)}.${coming ? ` Next: ${coming.firstName}.` : ''}`,
      tone: 'positive',
    })
    onActive(next ?? active)
  }

  return (
    <div className={styles.wrap}>
      <div className={styles.side}>
        <PassengerPicker
          name={`seat-${segment.id}`}
          people={people}
          active={active}
          seat={(id) => seatOf(choices, id, segment.id)?.seatId ?? null}
          onPick={onActive}
        />
        <SeatKey {...priceRange(cabins)} />
        <p className={styles.help}>
          Arrow keys move between seats, Enter chooses.{infants && ' Infants travel on a lap and need no seat.'}
        </p>
      </div>
      <div className={styles.cabins}>
        {cabins.map((cabin, index) => (
          <SeatGrid
            // biome-ignore lint/suspicious/noArrayIndexKey: cabins of an aircraft stay in their order and have no other name
            key={index}
            cabin={cabin}
            heading={[
              `${cabinName(cabin.cabin_class)}${cabin.deck_configuration === 1 ? ', upper deck' : ''}`,
              segment.aircraft?.name,
              index === 0 ? 'front of the aircraft at the top' : null,
            ]
              .filter(Boolean)
              .join(', ')}
            label={`Seat map, ${cityOf(segment.origin)} to ${cityOf(segment.destination)}${cabins.length > 1 ? `, ${cabinName(cabin.cabin_class)}` : ''}`}
            segmentId={segment.id}
            active={active}
            people={people}
            choices={choices}
            onPick={pick}
          />
        ))}
      </div>
    </div>
  )
}
