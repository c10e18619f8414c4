/** What was asked in an offer request, once it has been checked. */
import type { CabinClass } from './fares.ts'

export type TimeRange = { from: string; to: string }

export type SearchSlice = {
  origin: string
  destination: string
  departureDate: string
  departureTime: TimeRange | null
  arrivalTime: TimeRange | null
}

export type PassengerType = 'adult' | 'child' | 'infant_without_seat'

/** Exactly one of `type` and `age` was given. */
export type SearchPassenger = {
  type: PassengerType | null
  age: number | null
  givenName: string | null
  familyName: string | null
  loyalty: { account_number: string; airline_iata_code: string }[]
}

export type Search = {
  slices: SearchSlice[]
  passengers: SearchPassenger[]
  cabin: CabinClass
  maxConnections: number
  /** The airlines answer that they have nothing. */
  barren?: boolean
}

/** The type that a price is made for. */
export const typeOf = (passenger: SearchPassenger): PassengerType => {
  if (passenger.type) return passenger.type
  const age = passenger.age!
  return age < 2 ? 'infant_without_seat' : age < 12 ? 'child' : 'adult'
}
