/** Who sits where: one row a passenger, one column a flight. */
import type { BookingData } from '@passerelle/contracts/http/booking-data'
import { flightNumber } from './flight.ts'

/** null where no seat was chosen. */
export function seatTable({ slices, passengers, seats }: Pick<BookingData, 'slices' | 'passengers' | 'seats'>) {
  const segments = slices.flatMap((slice) => slice.segments)
  return {
    flights: segments.map((segment) => ({ id: segment.id, number: flightNumber(segment) })),
    rows: passengers.map((passenger) => ({
      id: passenger.id,
      name: `${passenger.given_name} ${passenger.family_name}`,
      /** How airlines write the name, where that is another way. */
      ticket: passenger.ticketName && `${passenger.ticketName.given_name} ${passenger.ticketName.family_name}`,
      frequentFlyer: passenger.frequentFlyer && `${passenger.frequentFlyer.airline} ending ${passenger.frequentFlyer.ending}`,
      note: passenger.type === 'adult' ? null : passenger.type === 'child' ? 'child' : 'infant',
      seats: segments.map(({ id }) => seats.find((seat) => seat.passengerId === passenger.id && seat.segmentId === id)?.seatId ?? null),
    })),
    chosen: seats.length > 0,
  }
}
