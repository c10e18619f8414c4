/**
 * What the first view of an address asks the server for: known before the code of the screen is here. It stands in every page, so only
 * types come from the table of addresses.
 */
import type { addresses } from '@passerelle/contracts/addresses'
import type { CARD_FIELDS_PATH } from '@passerelle/contracts/rules/card-fields'
import { FIRST_PAGE_SIZE, readMore } from '../features/results/model/pages.ts'
import { queryOf, readSearch, WISHES } from '../features/results/model/search-address.ts'
import { withQuery } from '../lib/paths.ts'

type Addresses = typeof addresses
const SYSTEM_MODE: Addresses['brand']['systemMode']['path'] = '/api/system/mode'
const USER: Addresses['identity']['currentUser']['path'] = '/api/auth/user'
const BOOKINGS: Addresses['booking']['listBookings']['path'] = '/api/bookings'
const SEARCH: Addresses['search']['search']['path'] = '/api/flights/search'
const OFFER: Addresses['search']['getOffer']['path'] = '/api/flights/offer/:id'

export type Visit = {
  /** The page says that nobody is signed in, so that personal calls would only be refused. */
  signedOut: boolean
  /** The page is opened for the first time, not loaded again: a booking in its later steps needs no offer. */
  fresh: boolean
}

/** Stands in a frame, and asks for nothing itself. */
const CARD_FIELDS: typeof CARD_FIELDS_PATH = '/booking/card'

export function firstCalls({ pathname, search }: Pick<Location, 'pathname' | 'search'>, visit: Visit): string[] {
  if (pathname === CARD_FIELDS) return []
  const query = new URLSearchParams(search)
  return [...screenCalls(pathname, query, visit), SYSTEM_MODE, ...(visit.signedOut ? [] : [USER])]
}

function screenCalls(pathname: string, query: URLSearchParams, { signedOut, fresh }: Visit): string[] {
  const [screen, id, ...more] = pathname.split('/').filter(Boolean)
  if (screen === 'flight' && id && more.length === 0) return [OFFER.replace(':id', () => id)]
  if (id) return []
  const offer = query.get('offer')
  if (screen === 'booking') return offer && fresh ? [OFFER.replace(':id', () => encodeURIComponent(offer))] : []
  if (screen === 'my-trips') return signedOut ? [] : [BOOKINGS]
  if (screen !== 'search') return []
  const search = readSearch(query)
  // After a reload in the middle of loading more the list is there already; what filters leave is asked by the screen that reads them.
  return search && readMore(query) === null && !WISHES.some((name) => query.has(name))
    ? [withQuery(SEARCH, queryOf(search, { page: 1, limit: FIRST_PAGE_SIZE }))]
    : []
}
