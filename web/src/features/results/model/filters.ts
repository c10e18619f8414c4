/** Which offers a visitor wants to see. Filters combine with AND, values within one with OR; they work on what is loaded. */
import type { OfferFacts, StopCategory } from './offer-facts.ts'

export type TimeBucket = 'early_morning' | 'morning' | 'afternoon' | 'evening'
export type PriceRange = readonly [min: number, max: number]

export type Filters = {
  /** Whole currency units; null: the bounds of what is loaded. */
  priceRange: PriceRange | null
  airlines: readonly string[]
  stops: readonly StopCategory[]
  departureTime: readonly TimeBucket[]
  arrivalTime: readonly TimeBucket[]
  /** Longest outbound duration in minutes; null: any. */
  duration: number | null
  refundable: boolean
  baggageIncluded: boolean
}

export const NO_FILTERS: Filters = {
  priceRange: null,
  airlines: [],
  stops: [],
  departureTime: [],
  arrivalTime: [],
  duration: null,
  refundable: false,
  baggageIncluded: false,
}

/** Start hour included, end hour not. */
export const BUCKETS: readonly { id: TimeBucket; label: string; hours: string; from: number; until: number }[] = [
  { id: 'early_morning', label: 'Early morning', hours: '12:00 AM-5:59 AM', from: 0, until: 6 },
  { id: 'morning', label: 'Morning', hours: '6:00 AM-11:59 AM', from: 6, until: 12 },
  { id: 'afternoon', label: 'Afternoon', hours: '12:00 PM-5:59 PM', from: 12, until: 18 },
  { id: 'evening', label: 'Evening', hours: '6:00 PM-11:59 PM', from: 18, until: 24 },
]

export const STOPS: readonly { value: StopCategory; label: string }[] = [
  { value: 0, label: 'Direct' },
  { value: 1, label: '1 stop' },
  { value: 2, label: '2 stops or more' },
]

export const PRICE_STEP = 10
const FALLBACK_BOUNDS: PriceRange = [0, 1000]

/** Units of a price, as the slider counts them. */
export function units(facts: OfferFacts, minorPerUnit: number): number {
  return facts.price.minor / minorPerUnit
}

export type PriceScale = { bounds: PriceRange; currency: string; minorPerUnit: number }

/** From the lowest price's floor to the highest one's ceiling, of the offers in the main currency. */
export function priceBounds(list: readonly OfferFacts[], currency: string, minorPerUnit: number): PriceRange {
  const prices = list.filter((facts) => facts.price.currency === currency).map((facts) => units(facts, minorPerUnit))
  if (prices.length === 0) return FALLBACK_BOUNDS
  return [Math.floor(Math.min(...prices)), Math.ceil(Math.max(...prices))]
}

/** The last step of the slider: at the highest price or less than a step above it, so that its thumb can reach it. */
export function sliderEnd([min, max]: PriceRange): number {
  return min + Math.ceil((max - min) / PRICE_STEP) * PRICE_STEP
}

/** A chosen range within the bounds of now; the whole of them counts as none. */
export function effectiveRange(chosen: PriceRange | null, [min, max]: PriceRange): PriceRange {
  return chosen ? [Math.min(Math.max(chosen[0], min), max), Math.max(Math.min(chosen[1], max), min)] : [min, max]
}

export type FilterName = keyof Filters

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

export function bucketOf(hour: number): TimeBucket | undefined {
  return BUCKETS.find((bucket) => hour >= bucket.from && hour < bucket.until)?.id
}

function inBuckets(hour: number | null, buckets: readonly TimeBucket[]): boolean {
  const bucket = hour === null ? undefined : bucketOf(hour)
  return bucket !== undefined && buckets.includes(bucket)
}

/** What each filter asks of an offer; only asked of filters that are active. */
function tests(filters: Filters, { bounds, currency, minorPerUnit }: PriceScale): Record<FilterName, (facts: OfferFacts) => boolean> {
  const [min, max] = effectiveRange(filters.priceRange, bounds)
  return {
    // Offers in another currency cannot be measured on this scale and are left alone.
    priceRange: (facts) => facts.price.currency !== currency || (units(facts, minorPerUnit) >= min && units(facts, minorPerUnit) <= max),
    airlines: (facts) => filters.airlines.some((code) => facts.airlines.has(code)),
    stops: (facts) => filters.stops.includes(facts.stops),
    departureTime: (facts) => inBuckets(facts.departureHour, filters.departureTime),
    arrivalTime: (facts) => inBuckets(facts.arrivalHour, filters.arrivalTime),
    duration: (facts) => facts.duration !== null && facts.duration <= (filters.duration ?? Number.POSITIVE_INFINITY),
    refundable: (facts) => facts.refundable,
    baggageIncluded: (facts) => facts.baggageIncluded,
  }
}

export function filterOffers(list: readonly OfferFacts[], filters: Filters, scale: PriceScale): OfferFacts[] {
  const all = tests(filters, scale)
  const asked = activeFilters(filters, scale.bounds).map((name) => all[name])
  return list.filter((facts) => asked.every((test) => test(facts)))
}

/** The offers that pass every filter but one: what its options are counted on. */
export function filterWithout(list: readonly OfferFacts[], filters: Filters, name: FilterName, scale: PriceScale): OfferFacts[] {
  return filterOffers(list, { ...filters, [name]: NO_FILTERS[name] }, scale)
}

export function withToggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}

/** `filters` with one of them as if never touched. */
export function withoutFilter(filters: Filters, name: FilterName): Filters {
  return { ...filters, [name]: NO_FILTERS[name] }
}
