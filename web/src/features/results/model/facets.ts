/** What the filter panel shows beside its controls: counts, airlines, the histogram, the words of the chips. */
import type { Facets as Counts } from '@passerelle/contracts/http/offer-view'
import { DEFAULT_CURRENCY, formatMoney, fromMinor, minorDigits } from '@passerelle/contracts/rules/money'
import { formatMinutes } from '../../../lib/format/duration.ts'
import {
  activeFilters,
  BUCKETS,
  effectiveRange,
  type FilterName,
  type Filters,
  type PriceRange,
  type PriceScale,
  STOPS,
  type StopCategory,
  type TimeBucket,
} from './filters.ts'

/** Always in the list, whether they fly this route or not. */
export const LISTED_AIRLINES: Readonly<Record<string, string>> = {
  AA: 'American Airlines',
  DL: 'Delta Air Lines',
  UA: 'United Airlines',
  B6: 'JetBlue',
  WN: 'Southwest Airlines',
  AS: 'Alaska Airlines',
  F9: 'Frontier Airlines',
  NK: 'Spirit Airlines',
  CX: 'Cathay Pacific',
  QF: 'Qantas',
  BA: 'British Airways',
  LH: 'Lufthansa',
}

export type AirlineOption = { code: string; name: string; count: number }

export type Facets = {
  /** Of the whole list, before any filter. */
  total: number
  scale: PriceScale
  stops: Readonly<Record<StopCategory, number>>
  airlines: readonly AirlineOption[]
  /** Shares of the highest bar, 0 to 1, from the lowest price to the highest. */
  histogram: readonly number[]
  departureTime: Readonly<Record<TimeBucket, number>>
  arrivalTime: Readonly<Record<TimeBucket, number>>
  /** Shortest and longest outbound duration in whole hours; null when none is known. */
  hours: readonly [number, number] | null
  refundable: number
  baggageIncluded: number
}

const FALLBACK_BOUNDS: PriceRange = [0, 1000]
const NO_TIMES = { early_morning: 0, morning: 0, afternoon: 0, evening: 0 }

/** @param counts as the server made them over the whole list; undefined: it did not */
export function facetsFrom(counts: Counts | undefined): Facets {
  const { price, duration } = counts ?? {}
  const highest = Math.max(1, ...(counts?.histogram ?? []))
  return {
    total: counts?.total ?? 0,
    scale: { currency: counts?.currency || DEFAULT_CURRENCY, bounds: price ? [price.min, price.max] : FALLBACK_BOUNDS },
    stops: counts?.stops ?? { 0: 0, 1: 0, 2: 0 },
    airlines: airlineOptions(counts?.airlines ?? []),
    histogram: (counts?.histogram ?? []).map((count) => count / highest),
    departureTime: counts?.departureTime ?? NO_TIMES,
    arrivalTime: counts?.arrivalTime ?? NO_TIMES,
    hours: duration ? [Math.ceil(duration.min / 60), Math.ceil(duration.max / 60)] : null,
    refundable: counts?.refundable ?? 0,
    baggageIncluded: counts?.baggageIncluded ?? 0,
  }
}

/** The fixed list and every airline of the results, most offers first; the order stays while other filters change the counts. */
function airlineOptions(counted: Counts['airlines']): AirlineOption[] {
  const known = new Set(counted.map(({ code }) => code))
  const absent = Object.entries(LISTED_AIRLINES).filter(([code]) => !known.has(code))
  return [...counted, ...absent.map(([code, name]) => ({ code, name, count: 0, total: 0 }))]
    .map((airline) => ({ ...airline, name: LISTED_AIRLINES[airline.code] ?? airline.name }))
    .sort((a, b) => b.total - a.total || a.name.localeCompare(b.name))
    .map(({ code, name, count }) => ({ code, name, count }))
}

/** Whole units of the scale as money: (2400, USD) -> "$2,400". */
export function moneyOf(amount: number, { currency }: PriceScale): string {
  return formatMoney(fromMinor(Math.round(amount * 10 ** minorDigits(currency)), currency), currency)
}

export type Chip = { name: FilterName; text: string }

/** One chip for each active filter. */
export function chipsOf(filters: Filters, facets: Facets): Chip[] {
  return activeFilters(filters, facets.scale.bounds).map((name) => ({ name, text: chipText(name, filters, facets) }))
}

function chipText(name: FilterName, filters: Filters, { scale, airlines }: Facets): string {
  const buckets = (chosen: readonly TimeBucket[]) => BUCKETS.filter(({ id }) => chosen.includes(id)).map(({ label }) => label.toLowerCase())
  switch (name) {
    case 'stops':
      return either(STOPS.filter(({ value }) => filters.stops.includes(value)).map(({ label }) => label))
    case 'priceRange':
      return priceText(filters, scale)
    case 'airlines':
      return either(filters.airlines.map((code) => airlines.find((airline) => airline.code === code)?.name ?? code))
    case 'departureTime':
      return `Departs ${either(buckets(filters.departureTime))}`
    case 'arrivalTime':
      return `Arrives ${either(buckets(filters.arrivalTime))}`
    case 'duration':
      return `Up to ${formatMinutes(filters.duration ?? 0)}`
    case 'refundable':
      return 'Refundable'
    case 'baggageIncluded':
      return 'Baggage included'
  }
}

function priceText(filters: Filters, scale: PriceScale): string {
  const [min, max] = effectiveRange(filters.priceRange, scale.bounds)
  if (min === scale.bounds[0]) return `Up to ${moneyOf(max, scale)}`
  if (max === scale.bounds[1]) return `From ${moneyOf(min, scale)}`
  return `${moneyOf(min, scale)} to ${moneyOf(max, scale)}`
}

/** "Direct or 1 stop"; long lists are cut: "Air France, KLM and 2 more". */
function either(words: readonly string[]): string {
  if (words.length > 3) return `${words.slice(0, 2).join(', ')} and ${words.length - 2} more`
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(words)
}
