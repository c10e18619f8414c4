/** Where the offer's buttons lead. The search that found the offer came along in the address, its names prefixed with `from_`. */
import type { CabinClass } from '@passerelle/contracts/http/common'
import type { Counts } from '../../../lib/format/people.ts'
import { type LastSearch, searchAddress } from '../../../lib/last-search.ts'
import { paths, withQuery } from '../../../lib/paths.ts'

const CABINS: readonly CabinClass[] = ['economy', 'premium_economy', 'business', 'first']
const MOST_OF_A_KIND = 9

function count(text: string | null, otherwise: number): number {
  const number = Number(text)
  return text && Number.isInteger(number) && number >= otherwise && number <= MOST_OF_A_KIND ? number : otherwise
}

/** Of the search that found the offer; one adult when the address does not say, or says nonsense. */
export function searchedCounts(query: URLSearchParams): Counts {
  return {
    adults: count(query.get('from_adults'), 1),
    children: count(query.get('from_children'), 0),
    infants: count(query.get('from_infants'), 0),
  }
}

export function bookingAddress(offerId: string, query: URLSearchParams): string {
  return withQuery(paths.booking, { offer: offerId, ...searchedCounts(query) })
}

function searchedBefore(query: URLSearchParams): LastSearch | null {
  const [origin, destination, departureDate] = ['from_origin', 'from_destination', 'from_departureDate'].map((name) => query.get(name))
  if (!origin || !destination || !departureDate) return null
  const returnDate = query.get('from_returnDate') || undefined
  const { adults, children, infants } = searchedCounts(query)
  return {
    origin,
    destination,
    departureDate,
    returnDate,
    cabinClass: CABINS.find((cabin) => cabin === query.get('from_cabinClass')) ?? 'economy',
    adultsCount: adults,
    childrenCount: children,
    infantsCount: infants,
    tripType: returnDate ? 'round-trip' : 'one-way',
  }
}

/** Back to Search Results: the search in the address, else the last one of this browser, else home. */
export function backAddress(query: URLSearchParams, lastSearch: LastSearch | null): string {
  const search = searchedBefore(query) ?? lastSearch
  return search ? searchAddress(search) : paths.home
}
