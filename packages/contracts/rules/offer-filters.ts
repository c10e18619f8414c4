/** Which offers of a list a visitor wants to see, in which order, and how many each further wish would leave. */
import { minorDigits } from './money.ts'

export type StopCategory = 0 | 1 | 2
export const STOP_CATEGORIES: readonly StopCategory[] = [0, 1, 2]

/** Hours of departure or arrival: the first is included, the last is not. */
export const TIME_BUCKETS = [
  { id: 'early_morning', from: 0, until: 6 },
  { id: 'morning', from: 6, until: 12 },
  { id: 'afternoon', from: 12, until: 18 },
  { id: 'evening', from: 18, until: 24 },
] as const
export type TimeBucket = (typeof TIME_BUCKETS)[number]['id']

export const SORTS = ['price-asc', 'price-desc', 'duration-asc', 'emissions-asc', 'best'] as const
export type Sort = (typeof SORTS)[number]

/** What wishes ask of an offer, whatever it costs. */
export type OfferTraits = {
  /** Codes of the owner and of every marketing carrier. */
  airlines: readonly string[]
  /** 0, 1 or 2 (two or more), of the direction that has the most: what is said of it holds for every direction. */
  stops: StopCategory
  /** Local hours of the outbound direction: 0 to 23, null when unknown. */
  departureHour: number | null
  arrivalHour: number | null
  /** Minutes of the outbound direction. */
  duration: number | null
  /** Minutes of all directions. */
  travelTime: number | null
  /** The supplier's estimate in kg of CO2; null when it gives none. */
  emissions: number | null
  refundable: boolean
  baggageIncluded: boolean
}

/** `minor`: what a customer pays, in the smallest unit of the currency. */
export type PricedTraits = OfferTraits & { price: { currency: string; minor: number } }

export type PriceRange = readonly [min: number, max: number]

/** Filters combine with AND, values within one with OR. */
export type OfferFilters = {
  /** Whole currency units; null: any. */
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
export type FilterName = keyof OfferFilters

export const NO_FILTERS: OfferFilters = {
  priceRange: null,
  airlines: [],
  stops: [],
  departureTime: [],
  arrivalTime: [],
  duration: null,
  refundable: false,
  baggageIncluded: false,
}

export function bucketOf(hour: number): TimeBucket | undefined {
  return TIME_BUCKETS.find(({ from, until }) => hour >= from && hour < until)?.id
}

const inBuckets = (hour: number | null, buckets: readonly TimeBucket[]) => hour !== null && buckets.some((id) => id === bucketOf(hour))

/** Whole units of a price, with its fraction: 152700 cents are 1527. */
const unitsOf = ({ price }: PricedTraits) => price.minor / 10 ** minorDigits(price.currency)

function isActive(filters: OfferFilters, name: FilterName): boolean {
  const value = filters[name]
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false
}

/** What each filter asks of an offer. Prices in another currency than `currency` cannot be measured and pass. */
function testsOf(filters: OfferFilters, currency: string): Record<FilterName, (offer: PricedTraits) => boolean> {
  const [min, max] = filters.priceRange ?? [0, Number.POSITIVE_INFINITY]
  return {
    priceRange: (offer) => offer.price.currency !== currency || (unitsOf(offer) >= min && unitsOf(offer) <= max),
    airlines: (offer) => filters.airlines.some((code) => offer.airlines.includes(code)),
    stops: (offer) => filters.stops.includes(offer.stops),
    departureTime: (offer) => inBuckets(offer.departureHour, filters.departureTime),
    arrivalTime: (offer) => inBuckets(offer.arrivalHour, filters.arrivalTime),
    duration: (offer) => offer.duration !== null && offer.duration <= (filters.duration ?? Number.POSITIVE_INFINITY),
    refundable: (offer) => offer.refundable,
    baggageIncluded: (offer) => offer.baggageIncluded,
  }
}

/** @param currency the main one of the list */
export function filterOffers<T extends PricedTraits>(list: readonly T[], filters: OfferFilters, currency: string): T[] {
  const tests = testsOf(filters, currency)
  const asked = (Object.keys(NO_FILTERS) as FilterName[]).filter((name) => isActive(filters, name)).map((name) => tests[name])
  return list.filter((offer) => asked.every((test) => test(offer)))
}

const LAST = Number.POSITIVE_INFINITY
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/**
 * "best": the price as a multiple of the cheapest one, plus half of the travel time as a multiple of the shortest one; the smallest sum
 * comes first. Twice as dear weighs as much as three times as long. Offers in another currency than `currency`, and those whose travel
 * time nobody knows, come last.
 */
function bestScores<T extends PricedTraits>(list: readonly T[], currency: string): Map<T, number> {
  const measured = list.filter(({ price }) => price.currency === currency)
  const cheapest = Math.max(1, Math.min(...measured.map(({ price }) => price.minor)))
  const shortest = Math.max(1, Math.min(...measured.map(({ travelTime }) => travelTime ?? LAST)))
  const score = ({ price, travelTime }: T) =>
    price.currency !== currency || travelTime === null ? LAST : price.minor / cheapest + travelTime / shortest / 2
  return new Map(list.map((offer) => [offer, score(offer)]))
}

/** Offers in another currency stand after the main one; equal offers keep their order. */
export function sortOffers<T extends PricedTraits>(list: readonly T[], sort: Sort, currency: string): T[] {
  const foreign = ({ price }: T) => (price.currency === currency ? 0 : 1)
  const cheaper = (a: T, b: T) => foreign(a) - foreign(b) || a.price.minor - b.price.minor
  const scores = sort === 'best' ? bestScores(list, currency) : new Map<T, number>()
  const by: Record<Sort, (a: T, b: T) => number> = {
    'price-asc': cheaper,
    'price-desc': (a, b) => foreign(a) - foreign(b) || b.price.minor - a.price.minor,
    'duration-asc': (a, b) => compare(a.duration ?? LAST, b.duration ?? LAST) || cheaper(a, b),
    'emissions-asc': (a, b) => compare(a.emissions ?? LAST, b.emissions ?? LAST) || cheaper(a, b),
    best: (a, b) => compare(scores.get(a) ?? LAST, scores.get(b) ?? LAST) || cheaper(a, b),
  }
  return [...list].sort(by[sort])
}

const BARS = 18

/** How many offers each choice would show, given the other filters that are set. */
export type OfferFacets = {
  /** Of the whole list, before any filter. */
  total: number
  currency: string
  /** Whole units around the prices of the whole list; null when it is empty. */
  price: { min: number; max: number } | null
  /** Offers in each of 18 equal steps from the lowest to the highest price, before any filter. */
  histogram: number[]
  stops: Record<StopCategory, number>
  airlines: Record<string, number>
  departureTime: Record<TimeBucket, number>
  arrivalTime: Record<TimeBucket, number>
  /** Outbound minutes, shortest and longest; null when none is known. */
  duration: { min: number; max: number } | null
  refundable: number
  baggageIncluded: number
}

function tally<K extends string | number>(
  keys: readonly K[],
  list: readonly PricedTraits[],
  keyOf: (offer: PricedTraits) => K | undefined,
) {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>
  for (const offer of list) {
    const key = keyOf(offer)
    if (key !== undefined) counts[key]++
  }
  return counts
}

const rangeOf = (values: readonly number[]) => (values.length > 0 ? { min: Math.min(...values), max: Math.max(...values) } : null)

export function facetsOf(list: readonly PricedTraits[], filters: OfferFilters, currency: string): OfferFacets {
  const without = (name: FilterName) => filterOffers(list, { ...filters, [name]: NO_FILTERS[name] }, currency)
  const units = list.filter(({ price }) => price.currency === currency).map(unitsOf)
  const exact = rangeOf(units)
  const price = exact && { min: Math.floor(exact.min), max: Math.ceil(exact.max) }
  const histogram = new Array<number>(BARS).fill(0)
  for (const value of units) {
    const share = price ? (value - price.min) / Math.max(price.max - price.min, 1) : 0
    const bar = Math.min(BARS - 1, Math.floor(share * BARS))
    histogram[bar] = (histogram[bar] ?? 0) + 1
  }
  const airlines = Object.fromEntries([...new Set(list.flatMap((offer) => offer.airlines))].map((code) => [code, 0]))
  for (const offer of without('airlines')) for (const code of new Set(offer.airlines)) airlines[code] = (airlines[code] ?? 0) + 1
  const buckets = TIME_BUCKETS.map(({ id }) => id)
  const bucket = (hour: number | null) => (hour === null ? undefined : bucketOf(hour))
  return {
    total: list.length,
    currency,
    price,
    histogram,
    stops: tally(STOP_CATEGORIES, without('stops'), ({ stops }) => stops),
    airlines,
    departureTime: tally(buckets, without('departureTime'), ({ departureHour }) => bucket(departureHour)),
    arrivalTime: tally(buckets, without('arrivalTime'), ({ arrivalHour }) => bucket(arrivalHour)),
    duration: rangeOf(list.flatMap(({ duration }) => duration ?? [])),
    refundable: without('refundable').filter(({ refundable }) => refundable).length,
    baggageIncluded: without('baggageIncluded').filter(({ baggageIncluded }) => baggageIncluded).length,
  }
}
