/** How many offers are loaded, which page comes next and how pages become one list. */
import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'

export const FIRST_PAGE_SIZE = 30
export const MORE_PAGE_SIZE = 100

export function nextPage(previousCount: number): number {
  return Math.floor(previousCount / MORE_PAGE_SIZE) + 1
}

/** `data` and `meta` are what an answer without offers is read as. */
type Body = Partial<SearchResults> | { data?: unknown; meta?: unknown } | null | undefined

/** An answer without offers is an empty one. */
export function readResults(body: Body): SearchResults {
  const { offers, total_count, search_id, facets } = (body ?? {}) as Partial<SearchResults>
  if (!Array.isArray(offers)) return { offers: [], total_count: 0, search_id: search_id ?? '' }
  return {
    offers: withoutDoubles(offers),
    total_count: total_count ?? offers.length,
    search_id: search_id ?? '',
    ...(facets && { facets }),
  }
}

function withoutDoubles(offers: readonly FlightOffer[]): FlightOffer[] {
  return [...new Map(offers.map((offer) => [offer.id, offer] as const)).values()]
}

export function hasMore(results: SearchResults): boolean {
  return results.offers.length > 0 && results.offers.length < results.total_count
}

export function firstPage(results: SearchResults): SearchResults {
  return { ...results, offers: results.offers.slice(0, FIRST_PAGE_SIZE) }
}

/** A request for more, as the address carries it for a moment; null when it carries none. */
export function readMore(query: URLSearchParams): { previousCount: number } | null {
  const count = query.get('previousCount') ?? ''
  return query.get('showMore') === 'true' && /^\d+$/.test(count) ? { previousCount: Number(count) } : null
}

export function withMore(query: URLSearchParams, previousCount: number): URLSearchParams {
  const more = new URLSearchParams(query)
  more.set('showMore', 'true')
  more.set('previousCount', String(previousCount))
  return more
}

export function withoutMore(query: URLSearchParams): URLSearchParams {
  const plain = new URLSearchParams(query)
  plain.delete('showMore')
  plain.delete('previousCount')
  return plain
}

type Fetch = (page: number) => Promise<SearchResults>

/**
 * One more page of a list. When the set was rebuilt meanwhile the pages before it are read from the new set, so that no offers between
 * are missing; `mergePages` then leaves out what the old set gave.
 */
export async function fetchMore(page: number, searchId: string, fetchPage: Fetch): Promise<SearchResults> {
  const later = await fetchPage(page)
  if (later.search_id === searchId || page === 1) return later
  const before = await Promise.all(Array.from({ length: page - 1 }, (_, index) => fetchPage(index + 1)))
  return mergePages([...before, later])
}

/** The pages of the newest set as one list. */
export function mergePages(pages: readonly SearchResults[]): SearchResults {
  const newest = pages.at(-1)
  if (!newest) return readResults(null)
  const { search_id, total_count } = newest
  const sameSet = pages.filter((page) => page.search_id === search_id)
  const facets = sameSet.find((page) => page.facets)?.facets
  return { search_id, total_count, offers: withoutDoubles(sameSet.flatMap((page) => page.offers)), ...(facets && { facets }) }
}
