/** What the filter panel shows beside its controls: counts, airlines, the histogram, the words of the chips. */
import { formatMoney, fromMinor, minorDigits } from '@passerelle/contracts/rules/money'
import { formatMinutes } from '../../../lib/format/duration.ts'
import {
  activeFilters,
  BUCKETS,
  bucketOf,
  effectiveRange,
  type FilterName,
  type Filters,
  filterWithout,
  type PriceScale,
  priceBounds,
  STOPS,
  type TimeBucket,
  units,
} from './filters.ts'
import { mainCurrency, type OfferFacts, type StopCategory } from './offer-facts.ts'

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
  scale: PriceScale
  stops: ReadonlyMap<StopCategory, number>
  airlines: readonly AirlineOption[]
  /** Shares of the highest bar, 0 to 1, from the lowest price to the highest. */
  histogram: readonly number[]
  departureTime: ReadonlyMap<TimeBucket, number>
  arrivalTime: ReadonlyMap<TimeBucket, number>
  /** Shortest and longest outbound duration in whole hours; null when none is known. */
  hours: readonly [number, number] | null
  refundable: number
  baggageIncluded: number
}

const BARS = 18

export function scaleOf(list: readonly OfferFacts[]): PriceScale {
  const currency = mainCurrency(list)
  const minorPerUnit = 10 ** minorDigits(currency)
  return { currency, minorPerUnit, bounds: priceBounds(list, currency, minorPerUnit) }
}

export function facetsOf(list: readonly OfferFacts[], filters: Filters, scale: PriceScale): Facets {
  const without = (name: FilterName) => filterWithout(list, filters, name, scale)
  return {
    scale,
    stops: tally(
      STOPS.map(({ value }) => value),
      without('stops'),
      (facts, value) => facts.stops === value,
    ),
    airlines: airlineOptions(list, without('airlines')),
    histogram: histogramOf(list, scale),
    departureTime: tally(
      BUCKETS.map(({ id }) => id),
      without('departureTime'),
      (facts, id) => facts.departureHour !== null && bucketOf(facts.departureHour) === id,
    ),
    arrivalTime: tally(
      BUCKETS.map(({ id }) => id),
      without('arrivalTime'),
      (facts, id) => facts.arrivalHour !== null && bucketOf(facts.arrivalHour) === id,
    ),
    hours: hoursOf(list),
    refundable: without('refundable').filter((facts) => facts.refundable).length,
    baggageIncluded: without('baggageIncluded').filter((facts) => facts.baggageIncluded).length,
  }
}

function tally<T>(options: readonly T[], list: readonly OfferFacts[], matches: (facts: OfferFacts, option: T) => boolean): Map<T, number> {
  return new Map(options.map((option) => [option, list.filter((facts) => matches(facts, option)).length]))
}

function airlineNames(list: readonly OfferFacts[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { offer, outbound, inbound } of list) {
    const carriers = [outbound, inbound].flatMap((slice) => slice?.segments.map((segment) => segment.marketing_carrier) ?? [])
    for (const carrier of [offer.owner, ...carriers]) {
      if (carrier?.iata_code) names.set(carrier.iata_code, carrier.name ?? names.get(carrier.iata_code) ?? carrier.iata_code)
    }
  }
  for (const [code, name] of Object.entries(LISTED_AIRLINES)) names.set(code, name)
  return names
}

/** The fixed list and every airline of the results, most offers first; the order stays while other filters change the counts. */
function airlineOptions(all: readonly OfferFacts[], counted: readonly OfferFacts[]): AirlineOption[] {
  const flies = (list: readonly OfferFacts[], code: string) => list.filter((facts) => facts.airlines.has(code)).length
  return [...airlineNames(all)]
    .map(([code, name]) => ({ code, name, count: flies(counted, code), loaded: flies(all, code) }))
    .sort((a, b) => b.loaded - a.loaded || a.name.localeCompare(b.name))
    .map(({ code, name, count }) => ({ code, name, count }))
}

function histogramOf(list: readonly OfferFacts[], { bounds: [min, max], currency, minorPerUnit }: PriceScale): number[] {
  const counts = new Array<number>(BARS).fill(0)
  for (const facts of list) {
    if (facts.price.currency !== currency) continue
    const share = (units(facts, minorPerUnit) - min) / Math.max(max - min, 1)
    const bar = Math.min(BARS - 1, Math.floor(share * BARS))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const highest = Math.max(1, ...counts)
  return counts.map((count) => count / highest)
}

function hoursOf(list: readonly OfferFacts[]): readonly [number, number] | null {
  const durations = list.map((facts) => facts.duration).filter((minutes) => minutes !== null)
  return durations.length > 0 ? [Math.ceil(Math.min(...durations) / 60), Math.ceil(Math.max(...durations) / 60)] : null
}

/** Whole units of the scale as money: (2400, USD) -> "$2,400". */
export function moneyOf(amount: number, { currency, minorPerUnit }: PriceScale): string {
  return formatMoney(fromMinor(Math.round(amount * minorPerUnit), currency), currency)
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
