/** What the address of the results says, and the addresses that lead away from them. */

import type { Counts } from '../../../lib/format/people.ts'
import type { LastSearch, TripType } from '../../../lib/last-search.ts'
import { paths, withQuery } from '../../../lib/paths.ts'

/** A search as the address tells it; whether it makes sense is for the server to say. */
export type Search = {
  origin: string
  destination: string
  departureDate: string
  /** Only of a round trip. */
  returnDate: string | undefined
  cabinClass: LastSearch['cabinClass']
  adultsCount: number
  childrenCount: number
  infantsCount: number
  tripType: TripType
}

function whole(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

/** null when origin, destination or departure date is missing. */
export function readSearch(query: URLSearchParams): Search | null {
  const text = (name: string) => query.get(`from_${name}`) || query.get(name) || ''
  // The offer's addresses say "adults", the forms say "adultsCount"; both are understood.
  const count = (name: string, otherwise: number) =>
    whole(query.get(`from_${name}`)) ?? whole(query.get(name)) ?? whole(query.get(`${name}Count`)) ?? otherwise

  const [origin, destination, departureDate] = [text('origin').toUpperCase(), text('destination').toUpperCase(), text('departureDate')]
  if (!origin || !destination || !departureDate) return null

  const said = text('tripType')
  const given = text('returnDate')
  const returnDate = said === 'one-way' || !given ? undefined : given
  return {
    origin,
    destination,
    departureDate,
    returnDate,
    cabinClass: (text('cabinClass') || 'economy') as Search['cabinClass'],
    adultsCount: count('adults', 1),
    childrenCount: count('children', 0),
    infantsCount: count('infants', 0),
    // A round trip without a return date is shown and searched as one way.
    tripType: returnDate ? 'round-trip' : 'one-way',
  }
}

/** Names of filters and order, the same in the address of the page and in the query of the call. */
export const WISHES = ['sort', 'price', 'airlines', 'stops', 'departs', 'arrives', 'longest', 'refundable', 'bags'] as const

/** Filters and order by their names; none is the whole list, cheapest first. */
export type Wishes = Readonly<Partial<Record<(typeof WISHES)[number], string>>>

/** The query of a page of its list, as the server takes it. The counts come with the first page, and are of the whole list. */
export function queryOf(
  { tripType: _tripType, ...criteria }: Search,
  { page, limit }: { page: number; limit: number },
  wishes: Wishes = {},
) {
  return { ...criteria, page, limit, ...wishes, facets: page === 1 ? 'yes' : undefined }
}

/** One text per search, for what is kept in the browser. */
export function keyOf(search: Search | LastSearch): string {
  const { origin, destination, departureDate, returnDate, cabinClass, adultsCount, childrenCount, infantsCount } = search
  return [origin, destination, departureDate, returnDate ?? '-', cabinClass, adultsCount, childrenCount, infantsCount].join(':')
}

export function countsOf(search: Search): Counts {
  return { adults: search.adultsCount, children: search.childrenCount, infants: search.infantsCount }
}

/** The offer's address, carrying the search along. */
export function offerAddress(offerId: string, search: Search): string {
  return withQuery(paths.flight(offerId), {
    from_origin: search.origin,
    from_destination: search.destination,
    from_departureDate: search.departureDate,
    from_returnDate: search.returnDate,
    from_cabinClass: search.cabinClass,
    from_adults: search.adultsCount,
    from_children: search.childrenCount,
    from_infants: search.infantsCount,
  })
}
