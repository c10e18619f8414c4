/** Fares: what a ticket costs, includes and permits. Prices are made in euro cents and converted at the end, in whole numbers. */

import { isWide } from '../aircraft.ts'
import { type Airline, airlineOf } from '../airlines.ts'
import { type AirportPlace, distanceKm } from '../airports.ts'
import { fractionOf } from '../hash.ts'
import { localDate, minuteOfDay } from '../local-time.ts'
import type { Flight } from './flights.ts'
import type { Itinerary } from './itineraries.ts'

export type CabinClass = 'economy' | 'premium_economy' | 'business' | 'first'
export const cabinClasses: CabinClass[] = ['economy', 'premium_economy', 'business', 'first']

/**
 * What may be done before departure. null: the airline does not say. `penalty` is in euro cents for each passenger with a seat
 * (0: free, null: allowed, but at a price the airline does not say); `perOrder` counts it once.
 */
export type Rule = null | { allowed: false } | { allowed: true; penalty: number | null; perOrder?: boolean }

export type Fare = {
  key: string
  brand: string
  /** Against the cheapest fare of the same flights: a factor, and euro cents for each slice. */
  factor: number
  extra: number
  checked: number
  refund: Rule
  change: Rule
  /** Whether the order can be cancelled through the API, with or without money back. */
  cancellable: boolean
}

const no = { allowed: false } as const
const at = (penalty: number | null): Rule => ({ allowed: true, penalty })
const once = (penalty: number): Rule => ({ allowed: true, penalty, perOrder: true })

const fare = (
  key: string,
  brand: string,
  [factor, extra]: [number, number],
  checked: number,
  refund: Rule,
  change: Rule,
  more: Partial<Fare> = {},
): Fare => ({
  key,
  brand,
  factor,
  extra,
  checked,
  refund,
  change,
  cancellable: true,
  ...more,
})

const economy: Record<Airline['style'], Fare[]> = {
  duffel: [
    fare('basic', 'Basic', [1, 0], 1, no, no),
    fare('standard', 'Standard', [1.12, 1500], 1, no, once(4000)),
    fare('refundable', 'Refundable', [1.2, 2000], 1, once(4000), no),
    fare('flex', 'Flex', [1.35, 3000], 1, once(4000), once(4000)),
  ],
  network: [
    fare('light', 'Economy Light', [1, 0], 0, no, no),
    fare('standard', 'Economy Standard', [1.13, 2400], 1, no, at(7000)),
    fare('semi-flex', 'Economy Refundable', [1.3, 3500], 1, at(9000), no),
    fare('flex', 'Economy Flex', [1.6, 5000], 1, at(0), at(0)),
  ],
  'low-cost': [
    fare('basic', 'Basic', [1, 0], 0, null, at(null), { cancellable: false }),
    fare('plus', 'Plus', [1.15, 2900], 1, no, at(4500)),
    fare('max', 'Max', [1.5, 5500], 1, at(6000), at(0)),
  ],
  american: [
    fare('basic', 'Basic Economy', [1, 0], 0, no, no, { cancellable: false }),
    fare('main', 'Main Cabin', [1.15, 2000], 1, no, at(0)),
    fare('main-refundable', 'Main Cabin Refundable', [1.45, 4000], 1, at(0), at(0)),
  ],
  gulf: [
    fare('saver', 'Economy Saver', [1, 0], 1, at(15_000), at(7500)),
    fare('flex', 'Economy Flex', [1.18, 2500], 1, at(8000), at(3000)),
    fare('flex-plus', 'Economy Flex Plus', [1.45, 4000], 2, at(0), at(0)),
  ],
}

const upper = (name: string): Fare[] => [
  fare('standard', name, [1, 0], 2, no, at(12_000)),
  fare('flex', `${name} Flex`, [1.3, 9000], 2, at(0), at(0)),
]
const upperFares: Record<Exclude<CabinClass, 'economy'>, Fare[]> = {
  premium_economy: upper('Premium'),
  business: upper('Business'),
  first: upper('First'),
}

/** Names that airlines give to the same idea. */
const brandNames: Record<string, Record<string, string>> = {
  BA: { light: 'Economy Basic', standard: 'Economy Plus', flex: 'Economy Plus Flex' },
  U2: { basic: 'Standard', plus: 'Standard Plus', max: 'Flexi' },
  VY: { basic: 'Basic', plus: 'Optima', max: 'TimeFlex' },
  DY: { basic: 'LowFare', plus: 'LowFare+', max: 'Flex' },
  B6: { basic: 'Blue Basic', main: 'Blue', 'main-refundable': 'Blue Extra' },
  SK: { light: 'SAS Go Light', standard: 'SAS Go Smart', flex: 'SAS Go Pro' },
  TP: { light: 'Discount', standard: 'Classic', flex: 'Plus' },
  QF: { light: 'Economy Starter', standard: 'Economy Saver', flex: 'Economy Flex' },
}
/** Airlines that name no brands at all, and airlines that do not split taxes from the price. */
const nameless = new Set(['TU', 'AH', 'RJ', 'MS'])
const withoutTaxes = new Set(['TU', 'AH', '6E'])
/** Airlines that say nothing about refunds. */
const silent = new Set(['FI', 'A3', 'TX'])

export const splitsTaxes = (owner: string): boolean => !withoutTaxes.has(owner)
export const brandOf = (owner: string, one: Fare): string | null =>
  nameless.has(owner) ? null : (brandNames[owner]?.[one.key] ?? one.brand)

export const faresOf = (airline: Airline, cabin: CabinClass): Fare[] => {
  const fares = cabin === 'economy' || airline.style === 'duffel' ? economy[airline.style] : upperFares[cabin]
  return silent.has(airline.code) ? fares.map((one) => ({ ...one, refund: one.refund?.allowed ? one.refund : null })) : fares
}

/** The cabin in which a wish for `wanted` is met on this flight; a small aircraft has no first class. */
export const cabinOn = (wanted: CabinClass, flight: Flight): CabinClass => {
  const airline = airlineOf(flight.carrier)
  const wide = isWide(flight.aircraft)
  const duffel = airline.style === 'duffel'
  if (wanted === 'premium_economy') return airline.premium && (wide || duffel) ? 'premium_economy' : 'economy'
  if (wanted === 'first' && (duffel || (airline.first && wide && flight.km > 4_500))) return 'first'
  if (wanted === 'business' || wanted === 'first') return airline.style === 'low-cost' ? 'economy' : 'business'
  return 'economy'
}

const longHaulFactor: Record<CabinClass, number> = { economy: 1, premium_economy: 1.85, business: 3.7, first: 6.4 }
const shortHaulFactor: Record<CabinClass, number> = { economy: 1, premium_economy: 1.6, business: 2.6, first: 3.6 }

/** The mix of cabins on the way, by distance. */
const cabinFactor = (wanted: CabinClass, one: Itinerary): number =>
  one.legs.reduce((sum, { flight }) => {
    const factors = flight.km > 4_200 ? longHaulFactor : shortHaulFactor
    return sum + factors[cabinOn(wanted, flight)] * (flight.km / one.km)
  }, 0)

const season = [0.88, 0.9, 0.97, 1.04, 1.03, 1.12, 1.24, 1.22, 1.02, 1, 0.9, 1.13]
const weekday = [1.06, 0.99, 0.94, 0.95, 1, 1.07, 1.02]

const airportFees: Record<string, number> = {
  GB: 3400,
  FR: 2900,
  DE: 3100,
  US: 1900,
  NL: 3000,
  ES: 1700,
  AU: 3800,
  JP: 1600,
  IT: 2100,
  CH: 2600,
}

/** Price of one slice for an adult in the cheapest fare, in euro cents: fare and taxes. */
export type SlicePrice = { fare: number; taxes: number }

export const slicePrice = (seed: number, one: Itinerary, wanted: CabinClass): SlicePrice => {
  const first = one.legs[0]!.flight
  const from = first.from
  const to = one.legs.at(-1)!.flight.to
  const km = distanceKm(from, to)
  const airline = airlineOf(one.owner)
  const day = localDate(from.time_zone, first.departsAt)
  const route = `${seed}/price/${one.owner}/${one.legs.map((leg) => leg.number).join('-')}/${from.iata_code}/${day}`
  const hour = minuteOfDay(from.time_zone, first.departsAt) / 60
  const ordinary = (22 + 0.34 * km ** 0.77) * 100
  const stops = one.legs.length - 1
  const factor =
    airline.price *
    (stops === 0 ? (km > 4_500 ? 1.14 : 1.04) : stops === 1 ? 0.94 : 0.9) *
    season[Number(day.slice(5, 7)) - 1]! *
    weekday[new Date(`${day}T12:00:00Z`).getUTCDay()]! *
    (hour < 7 || hour > 20.5 ? 0.93 : hour > 16 && hour < 19 ? 1.05 : 1) *
    (0.84 + 0.36 * fractionOf(route)) *
    cabinFactor(wanted, one)
  const total = Math.round(ordinary * factor)
  const fees = stops * 900 + (airportFees[from.iata_country_code] ?? 1500) * (from.iata_country_code === to.iata_country_code ? 0.5 : 1)
  const surcharge = km > 4_500 && airline.style !== 'low-cost' ? 0.16 : 0.06
  const taxes = Math.round(total * surcharge + fees)
  return { fare: Math.max(900, total - Math.round(total * surcharge)), taxes }
}

/** Euro cents of a fare above the cheapest one of the same slice. */
export const withFare = (price: SlicePrice, one: Fare): SlicePrice => ({
  fare: Math.round(price.fare * one.factor) + one.extra,
  taxes: price.taxes,
})

/** A passenger's share of an adult's price: children pay 75 % of the fare and all taxes, infants on a lap 10 % and no taxes. */
export const passengerShare = (adult: SlicePrice, type: 'adult' | 'child' | 'infant_without_seat'): SlicePrice => {
  if (type === 'child') return { fare: Math.round(adult.fare * 0.75), taxes: adult.taxes }
  if (type === 'infant_without_seat') return { fare: Math.round(adult.fare * 0.1), taxes: 0 }
  return adult
}

/** Countries that ask for the passport of whoever arrives from or leaves for abroad. */
const passportCountries = new Set(['US', 'GB', 'CN', 'CA', 'AU', 'IN', 'AE', 'SA', 'QA', 'RU', 'NZ', 'KR', 'SG'])

export const needsPassport = (ends: AirportPlace[]): boolean => {
  const countries = new Set(ends.map((place) => place.iata_country_code))
  return countries.size > 1 && [...countries].some((country) => passportCountries.has(country))
}

/** The currency of a search follows the country where the journey starts. */
export const currencyFrom = (country: string): string => ({ JP: 'JPY', GB: 'GBP', US: 'USD' })[country] ?? 'EUR'
