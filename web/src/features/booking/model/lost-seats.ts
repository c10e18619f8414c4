import type { FlightOffer } from '@passerelle/contracts/http/search'
import { cityOf, flightNumber } from '../../../lib/flight.ts'
import type { SeatRefused } from './classify.ts'
import { fullName, type PassengerValues } from './passenger-form.ts'

/** `lost` null: the airline did not say which; then `message` is all that is known. */
export type LostSeats = { message: string; lost: readonly SeatRefused[] | null }

/** "Seat 12A for Inès Moreau on ZZ 1204, Paris to Lisbon, has just been taken." */
export function lostSeatsText(
  { message, lost }: LostSeats,
  passengers: readonly PassengerValues[],
  offer: Pick<FlightOffer, 'slices'>,
): string {
  if (!lost || lost.length === 0) return message
  const segments = offer.slices.flatMap((slice) => slice.segments)
  const named = lost.map(({ seatId, passengerId, segmentId }) => {
    const person = passengers.find(({ id }) => id === passengerId)
    const segment = segments.find(({ id }) => id === segmentId)
    const who = person ? ` for ${fullName(person)}` : ''
    const where = segment ? ` on ${flightNumber(segment)}, ${cityOf(segment.origin)} to ${cityOf(segment.destination)},` : ''
    return `${seatId}${who}${where}`
  })
  const [one = '', ...more] = named
  return more.length === 0 ? `Seat ${one} has just been taken.` : `Seats ${[one, ...more].join(' and ')} have just been taken.`
}
