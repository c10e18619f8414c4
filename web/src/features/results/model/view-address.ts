/**
 * Filters and sort order as the address of the results carries them: shareable, kept on a reload and on the way back. The search call
 * takes them by the same names.
 */
import { BUCKETS, type Filters, NO_FILTERS, STOPS } from './filters.ts'
import { WISHES, type Wishes } from './search-address.ts'
import { BEST, SORTS, type Sort } from './sorting.ts'

export type View = { filters: Filters; sort: Sort }

const DEFAULT_SORT: Sort = 'price-asc'

function chosen<T extends string | number>(text: string | null, known: readonly T[]): T[] {
  const asked = (text ?? '').split(',')
  return known.filter((value) => asked.includes(String(value)))
}

function priceIn(text: string | null): Filters['priceRange'] {
  const [, min, max] = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? '') ?? []
  return min !== undefined && max !== undefined && Number(min) <= Number(max) ? [Number(min), Number(max)] : null
}

/** What is unreadable counts as not chosen. */
export function readView(query: URLSearchParams): View {
  const buckets = BUCKETS.map(({ id }) => id)
  const longest = query.get('longest') ?? ''
  return {
    sort: [...SORTS, BEST].map(([sort]) => sort).find((sort) => sort === query.get('sort')) ?? DEFAULT_SORT,
    filters: {
      priceRange: priceIn(query.get('price')),
      airlines: [...new Set((query.get('airlines') ?? '').split(',').filter((code) => /^[A-Z0-9]{2}$/.test(code)))],
      stops: chosen(
        query.get('stops'),
        STOPS.map(({ value }) => value),
      ),
      departureTime: chosen(query.get('departs'), buckets),
      arrivalTime: chosen(query.get('arrives'), buckets),
      duration: /^\d{1,5}$/.test(longest) ? Number(longest) : null,
      refundable: query.get('refundable') === 'yes',
      baggageIncluded: query.get('bags') === 'yes',
    },
  }
}

/** The address with this view; what is not chosen leaves no trace. */
export function withView(query: URLSearchParams, { filters, sort }: View): URLSearchParams {
  const next = new URLSearchParams(query)
  const values: Record<(typeof WISHES)[number], string> = {
    sort: sort === DEFAULT_SORT ? '' : sort,
    price: filters.priceRange?.join('-') ?? '',
    airlines: filters.airlines.join(','),
    stops: filters.stops.join(','),
    departs: filters.departureTime.join(','),
    arrives: filters.arrivalTime.join(','),
    longest: filters.duration === null ? '' : String(filters.duration),
    refundable: filters.refundable ? 'yes' : '',
    bags: filters.baggageIncluded ? 'yes' : '',
  }
  for (const name of WISHES) {
    if (values[name]) next.set(name, values[name])
    else next.delete(name)
  }
  return next
}

/** What the search call is asked for beside the search: nothing for a view that was never touched. */
export function wishesOf(view: View): Wishes {
  return Object.fromEntries(withView(new URLSearchParams(), view))
}

export const FRESH_VIEW: View = { filters: NO_FILTERS, sort: DEFAULT_SORT }
