import type { PassengerType } from '@passerelle/contracts/http/common'

export type Counts = { adults: number; children: number; infants: number }

export function countNoun(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** "2 adults, 1 child". */
export function passengersText({ adults, children, infants }: Counts): string {
  const parts = [countNoun(adults, 'adult')]
  if (children > 0) parts.push(countNoun(children, 'child', 'children'))
  if (infants > 0) parts.push(countNoun(infants, 'infant'))
  return parts.join(', ')
}

export function travellersText({ adults, children, infants }: Counts): string {
  return countNoun(adults + children + infants, 'traveller')
}

export function countPassengers(passengers: readonly { type: PassengerType }[]): Counts {
  const of = (type: PassengerType) => passengers.filter((passenger) => passenger.type === type).length
  return { adults: of('adult'), children: of('child'), infants: of('infant_without_seat') }
}
