/** What was asked in an offer request, once it has been checked. */
import type { CabinClass } from './fares.ts'

export type SearchSlice = { origin: string; destination: string; departureDate: string }

export type PassengerType = 'adult' | 'child' | 'infant_without_seat'

export type Search = {
  slices: SearchSlice[]
  passengers: PassengerType[]
  cabin: CabinClass
  /** The airlines answer that they have nothing. */
  barren?: boolean
}

/** `CDG-JFK`: the first slice, by which cases and routes with a known behaviour are told apart. */
export const routeOf = (search: Search): string => `${search.slices[0]!.origin}-${search.slices[0]!.destination}`

/** Passengers who have a seat of their own. */
export const seatedPassengers = (search: Search): number => search.passengers.filter((type) => type !== 'infant_without_seat').length
