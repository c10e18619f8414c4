/** The wishes behind a search or behind an offer. */
import type { CabinClass, PassengerType } from '@passerelle/contracts/http/common'
import type { SearchCriteria } from '@passerelle/contracts/rules/search'
import type { BareOffer } from './known-offer.ts'

export type SupplierSearch = {
  slices: { origin: string; destination: string; departure_date: string }[]
  passengers: { type: PassengerType }[]
  cabin_class: CabinClass
}

export function supplierSearch(criteria: SearchCriteria): SupplierSearch {
  const { origin, destination, departureDate, returnDate } = criteria
  const passengers = (type: PassengerType, count: number) => Array.from({ length: count }, () => ({ type }))
  return {
    slices: [
      { origin, destination, departure_date: departureDate },
      ...(returnDate ? [{ origin: destination, destination: origin, departure_date: returnDate }] : []),
    ],
    passengers: [
      ...passengers('adult', criteria.adultsCount),
      ...passengers('child', criteria.childrenCount),
      ...passengers('infant_without_seat', criteria.infantsCount),
    ],
    cabin_class: criteria.cabinClass,
  }
}

/** The search that finds an offer's flights again; null when an offer does not tell enough for one. */
export function searchBehind(offer: BareOffer): SupplierSearch | null {
  const slices = offer.slices.map((slice) => ({
    origin: slice.segments[0]?.origin.iata_code ?? '',
    destination: slice.segments.at(-1)?.destination.iata_code ?? '',
    departure_date: slice.departure_time.slice(0, 10),
  }))
  if (slices.some(({ origin, destination }) => !origin || !destination)) return null
  return { slices, passengers: offer.passengers.map(({ type }) => ({ type })), cabin_class: usualCabin(offer) }
}

const CABINS: readonly CabinClass[] = ['economy', 'premium_economy', 'business', 'first']

/** The most frequent cabin, the best among equals: a search for business finds a feeder flight in economy, not the other way round. */
function usualCabin(offer: BareOffer): CabinClass {
  const counts = new Map<CabinClass, number>()
  for (const { cabin_class } of offer.slices.flatMap(({ segments }) => segments))
    if (cabin_class) counts.set(cabin_class, (counts.get(cabin_class) ?? 0) + 1)
  const [usual] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || CABINS.indexOf(b) - CABINS.indexOf(a))
  return usual?.[0] ?? 'economy'
}

/** The wishes as a visitor would state them, so that a repeated search counts as the same search. */
export function criteriaOf({ slices, passengers, cabin_class }: SupplierSearch): SearchCriteria {
  const count = (type: PassengerType) => passengers.filter((passenger) => passenger.type === type).length
  const [outbound, back] = slices
  return {
    origin: outbound?.origin ?? '',
    destination: outbound?.destination ?? '',
    departureDate: outbound?.departure_date ?? '',
    returnDate: back?.departure_date,
    cabinClass: cabin_class,
    adultsCount: count('adult'),
    childrenCount: count('child'),
    infantsCount: count('infant_without_seat'),
  }
}
