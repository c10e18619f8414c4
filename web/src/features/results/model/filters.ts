/** The words and the bounds of the filters. What they leave of a list is decided by the server, over the whole of it. */
import {
  type FilterName,
  NO_FILTERS,
  type OfferFilters,
  type PriceRange,
  STOP_CATEGORIES,
  type StopCategory,
  TIME_BUCKETS,
  type TimeBucket,
} from '@passerelle/contracts/rules/offer-filters'

export { type FilterName, NO_FILTERS, type PriceRange, type StopCategory, type TimeBucket }
export type Filters = OfferFilters

const BUCKET_WORDS: Readonly<Record<TimeBucket, { label: string; hours: string }>> = {
  early_morning: { label: 'Early morning', hours: '12:00 AM-5:59 AM' },
  morning: { label: 'Morning', hours: '6:00 AM-11:59 AM' },
  afternoon: { label: 'Afternoon', hours: '12:00 PM-5:59 PM' },
  evening: { label: 'Evening', hours: '6:00 PM-11:59 PM' },
}
export const BUCKETS = TIME_BUCKETS.map((bucket) => ({ ...bucket, ...BUCKET_WORDS[bucket.id] }))

const STOP_WORDS: Readonly<Record<StopCategory, string>> = { 0: 'Direct', 1: '1 stop', 2: '2 stops or more' }
export const STOPS = STOP_CATEGORIES.map((value) => ({ value, label: STOP_WORDS[value] }))

export const PRICE_STEP = 10

export type PriceScale = { bounds: PriceRange; currency: string }

/** The last step of the slider: at the highest price or less than a step above it, so that its thumb can reach it. */
export function sliderEnd([min, max]: PriceRange): number {
  return min + Math.ceil((max - min) / PRICE_STEP) * PRICE_STEP
}

/** A chosen range within the bounds of now; the whole of them counts as none. */
export function effectiveRange(chosen: PriceRange | null, [min, max]: PriceRange): PriceRange {
  return chosen ? [Math.min(Math.max(chosen[0], min), max), Math.max(Math.min(chosen[1], max), min)] : [min, max]
}

function isActive(filters: Filters, name: FilterName, bounds: PriceRange): boolean {
  if (name === 'priceRange') {
    const [min, max] = effectiveRange(filters.priceRange, bounds)
    return min !== bounds[0] || max !== bounds[1]
  }
  const value = filters[name]
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false
}

/** Each filter that does something counts one. */
export function activeFilters(filters: Filters, bounds: PriceRange): FilterName[] {
  return (Object.keys(NO_FILTERS) as FilterName[]).filter((name) => isActive(filters, name, bounds))
}

export function withToggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}

/** `filters` with one of them as if never touched. */
export function withoutFilter(filters: Filters, name: FilterName): Filters {
  return { ...filters, [name]: NO_FILTERS[name] }
}
