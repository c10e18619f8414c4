/** Wishes about a list of offers, as the query of a search carries them, and the counts that help to choose them. */
import { z } from 'zod'
import {
  NO_FILTERS,
  type OfferFilters,
  SORTS,
  type Sort,
  STOP_CATEGORIES,
  type StopCategory,
  TIME_BUCKETS,
  type TimeBucket,
} from '../rules/offer-filters.ts'

/** Values with commas between them, each once and in their own order: the same wishes are the same question. */
const chosenFrom = <T extends string | number>(name: string, known: readonly T[]) =>
  z
    .string()
    .refine(
      (text) => text.split(',').every((value) => known.some((one) => String(one) === value)),
      `${name} must be some of ${known.join(', ')}`,
    )
    .transform((text) => known.filter((one) => text.split(',').includes(String(one))))
    .optional()

const BUCKETS: readonly TimeBucket[] = TIME_BUCKETS.map(({ id }) => id)
const yes = (name: string) => z.literal('yes', `${name} is yes or left out`).optional()

export const OfferView = z.object({
  /** Default price-asc; see `sortOffers` for what best means. */
  sort: z.enum(SORTS, `sort must be one of ${SORTS.join(', ')}`).optional(),
  /** Whole units of the list's currency: `100-500`. Offers in another currency are left alone. */
  price: z
    .string()
    .regex(/^\d{1,9}-\d{1,9}$/, 'price must be two whole amounts, as in 100-500')
    .transform((text) => text.split('-').map(Number) as [number, number])
    .optional(),
  /** IATA codes of owners or marketing carriers. */
  airlines: z
    .string()
    .regex(/^[A-Z0-9]{2}(,[A-Z0-9]{2}){0,49}$/, 'airlines must be codes of two characters, as in AF,KL')
    .transform((text) => [...new Set(text.split(','))].sort())
    .optional(),
  stops: chosenFrom<StopCategory>('stops', STOP_CATEGORIES),
  departs: chosenFrom('departs', BUCKETS),
  arrives: chosenFrom('arrives', BUCKETS),
  /** Minutes of the outbound direction. */
  longest: z.coerce.number('longest must be a number of minutes').int('longest must be a whole number').min(1).max(99_999).optional(),
  refundable: yes('refundable'),
  bags: yes('bags'),
  /** Asks for the counts. */
  facets: yes('facets'),
})
export type OfferView = z.infer<typeof OfferView>

export function filtersOf(view: OfferView): OfferFilters {
  return {
    priceRange: view.price ?? NO_FILTERS.priceRange,
    airlines: view.airlines ?? NO_FILTERS.airlines,
    stops: view.stops ?? NO_FILTERS.stops,
    departureTime: view.departs ?? NO_FILTERS.departureTime,
    arrivalTime: view.arrives ?? NO_FILTERS.arrivalTime,
    duration: view.longest ?? NO_FILTERS.duration,
    refundable: view.refundable === 'yes',
    baggageIncluded: view.bags === 'yes',
  }
}

const WISHES = Object.keys(OfferView.shape) as (keyof OfferView)[]

/** null for a question about the whole list in its own order, without counts. Other fields of the query do not matter. */
export function viewKey(view: OfferView): string | null {
  const wishes = WISHES.filter((name) => view[name] !== undefined && view[name] !== ('price-asc' satisfies Sort))
  return wishes.length > 0 ? JSON.stringify(wishes.map((name) => [name, view[name]])) : null
}

/** Whether it is a look at a part, or in another order, of a list that the visitor has already searched. */
export const isNarrowed = (view: OfferView): boolean => viewKey({ ...view, facets: undefined }) !== null

const Count = z.int().nonnegative()
const Range = z.object({ min: z.number(), max: z.number() })
const counts = <T extends string>(keys: readonly T[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, Count])) as Record<T, typeof Count>)

/** The offer that a tab leads to. */
const Champion = z.object({
  id: z.string(),
  price: z.object({ total: z.string(), currency: z.string() }),
  /** Outbound minutes. */
  duration: z.int().nullable(),
})

/** How many offers each choice would show, over the whole list and given the other wishes; see `facetsOf`. */
export const Facets = z.object({
  total: Count,
  currency: z.string(),
  price: Range.nullable(),
  histogram: z.array(Count),
  stops: z.object({ 0: Count, 1: Count, 2: Count }),
  airlines: z.array(z.object({ code: z.string(), name: z.string(), count: Count, total: Count })),
  departureTime: counts(BUCKETS),
  arrivalTime: counts(BUCKETS),
  duration: Range.nullable(),
  refundable: Count,
  baggageIncluded: Count,
  /** The first offer in each order under these wishes; null when none is left. */
  cheapest: Champion.nullable(),
  fastest: Champion.nullable(),
  best: Champion.nullable(),
})
export type Facets = z.infer<typeof Facets>
