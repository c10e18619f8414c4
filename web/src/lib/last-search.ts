/** The last search of this browser: fills the form again, and leads back to results when an address does not say which. */
import type { SearchCriteria } from '@passerelle/contracts/rules/search'
import { paths, withQuery } from './paths.ts'
import { readJson, writeJson } from './storage.ts'

export type TripType = 'round-trip' | 'one-way'
export type LastSearch = SearchCriteria & { tripType: TripType }

const KEY = 'lastSearchParams'

function isLastSearch(value: unknown): value is LastSearch {
  if (typeof value !== 'object' || value === null) return false
  const search = value as Record<string, unknown>
  const texts = ['origin', 'destination', 'departureDate', 'cabinClass', 'tripType'].every((name) => typeof search[name] === 'string')
  return texts && ['adultsCount', 'childrenCount', 'infantsCount'].every((name) => typeof search[name] === 'number')
}

export function readLastSearch(): LastSearch | null {
  return readJson('local', KEY, isLastSearch)
}

export function saveLastSearch(search: LastSearch): void {
  writeJson('local', KEY, search)
}

/** The address of a search's results, as the forms write it; returnDate only for a round trip that has one. `wishes`: filters and order by their names. */
export function searchAddress(search: LastSearch, wishes: Readonly<Partial<Record<string, string>>> = {}): string {
  const { origin, destination, departureDate, cabinClass, adultsCount, childrenCount, infantsCount, tripType } = search
  return withQuery(paths.search, {
    origin,
    destination,
    departureDate,
    returnDate: tripType === 'round-trip' ? search.returnDate : undefined,
    cabinClass,
    adultsCount,
    childrenCount,
    infantsCount,
    tripType,
    ...wishes,
  })
}
