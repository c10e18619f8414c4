/** A seat that somebody else has taken, named by its number, flight and passenger so that the traveller knows which one to choose again. */
import type { BookingRecord, Failure } from './booking.ts'

export type SeatKey = { passengerId: string; segmentId: string; seatId: string }

type LostSeat = SeatKey & {
  /** "ZZ1204 from Paris to Lisbon"; null when the flight is not one of the offer. */
  flight: string | null
  /** Place in the list of passengers, from 1; null when it is nobody of the booking. */
  passenger: number | null
}

type Flights = Pick<BookingRecord, 'offer' | 'people'>

/** `seats`: those that are gone. Empty when that cannot be known: then the failure is reported without naming any. */
export function seatFailure(seats: readonly SeatKey[], booking?: Flights): Failure {
  if (seats.length === 0) return { code: 'SEAT_UNAVAILABLE' }
  const lost = seats.map((seat) => describe(seat, booking))
  const [one, ...more] = lost.map(({ seatId, flight, passenger }) =>
    [`${seatId}`, flight && ` on ${flight}`, passenger !== null && ` (passenger ${passenger})`].filter(Boolean).join(''),
  )
  const message =
    more.length === 0
      ? `Seat ${one} has just been taken. Please choose another seat.`
      : `Seats ${[one, ...more].join(', ')} have just been taken. Please choose other seats.`
  return { code: 'SEAT_UNAVAILABLE', message, details: { seats: lost } }
}

function describe({ passengerId, segmentId, seatId }: SeatKey, booking: Flights | undefined): LostSeat {
  const segment = booking?.offer.slices.flatMap((slice) => slice.segments).find(({ id }) => id === segmentId)
  const place = booking?.people.findIndex(({ id }) => id === passengerId) ?? -1
  const number = segment && `${segment.marketing_carrier.iata_code ?? ''}${segment.flight_number}`
  const ends =
    segment &&
    `from ${segment.origin.city_name ?? segment.origin.iata_code} to ${segment.destination.city_name ?? segment.destination.iata_code}`
  return { passengerId, segmentId, seatId, flight: segment ? `${number} ${ends}` : null, passenger: place < 0 ? null : place + 1 }
}

/** The seats that another service's refusal names; empty when it names none. */
export function seatsNamed(details: Record<string, unknown> | undefined): SeatKey[] {
  const { seats } = details ?? {}
  if (!Array.isArray(seats)) return []
  return seats.flatMap((seat) =>
    typeof seat?.seatId === 'string' && typeof seat.segmentId === 'string' && typeof seat.passengerId === 'string'
      ? [{ passengerId: seat.passengerId, segmentId: seat.segmentId, seatId: seat.seatId }]
      : [],
  )
}
