/** Puts itineraries and fares together to the offers of a search: always the same ones for the same seed and search. */

import { type Airline, airlineOf } from '../airlines.ts'
import { type AirportPlace, airportsOf } from '../airports.ts'
import { fractionOf } from '../hash.ts'
import { fromEuroCents } from '../prices.ts'
import {
  type CabinClass,
  cabinOn,
  currencyFrom,
  type Fare,
  faresOf,
  needsPassport,
  passengerShare,
  type SlicePrice,
  slicePrice,
  splitsTaxes,
  withFare,
} from './fares.ts'
import { createSchedule, type Schedule } from './flights.ts'
import { type Itinerary, itinerariesOf } from './itineraries.ts'
import { weightOf } from './network.ts'
import { routeOf, type Search, type SearchSlice } from './search.ts'

/** An offer before it is written out. Amounts are minor units of `currency`, for all passengers. */
export type Draft = {
  index: number
  owner: string
  fare: Fare
  cabin: CabinClass
  slices: Itinerary[]
  currency: string
  base: number
  /** null: the airline does not split taxes; the base is all of it. */
  tax: number | null
  total: number
  passportRequired: boolean
  documentsSupported: boolean
  instant: boolean
}

export const mostOffers = 245

/** How many offers a search finds: 245 between two world hubs and back, 20 to 40 between small towns. */
export const offerCount = (from: AirportPlace, to: AirportPlace, slices: number): number => {
  const demand = weightOf(from) * weightOf(to)
  const usual = 20 + demand * (slices === 1 ? 9 : 16)
  const varied = Math.round(usual * (0.92 + 0.16 * fractionOf(`count/${from.iata_code}/${to.iata_code}`)))
  return Math.max(20, Math.min(mostOffers, varied))
}

/** Of a city the airport with the most flights. */
const largestOf = (code: string): AirportPlace => airportsOf(code).reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))

type Priced = { itinerary: Itinerary; price: SlicePrice; score: number }

export const generateOffers = (seed: number, search: Search): Draft[] => {
  if (search.barren || routeOf(search) === 'PVD-RAI') return []
  const schedule = createSchedule(seed)
  const perSlice = search.slices.map((slice) => priceSlice(schedule, search, slice))
  const owners = [...new Set(perSlice[0]!.map((one) => one.itinerary.owner))]
  const journeys = owners
    .map((owner) => combine(perSlice.map((options) => options.filter((one) => one.itinerary.owner === owner))))
    .filter((list) => list.length > 0)
    .sort((a, b) => a[0]!.score - b[0]!.score)
  const [from, to] = [largestOf(search.slices[0]!.origin), largestOf(search.slices[0]!.destination)]
  const wanted = offerCount(from, to, search.slices.length)
  const currency = currencyFrom(from.iata_country_code)
  const drafts: Draft[] = []
  for (let turn = 0; drafts.length < wanted && journeys.some((list) => turn < list.length); turn++) {
    for (const list of journeys) {
      const journey = list[turn]
      if (!journey) continue
      const airline = airlineOf(journey.slices[0]!.itinerary.owner)
      for (const fare of faresOf(airline, search.cabin)) {
        if (drafts.length < wanted) drafts.push(draftOf(seed, drafts.length, airline, fare, journey.slices, search, currency))
      }
    }
  }
  return drafts
}

const priceSlice = (schedule: Schedule, search: Search, slice: SearchSlice): Priced[] =>
  airportsOf(slice.origin)
    .flatMap((from) => airportsOf(slice.destination).flatMap((to) => itinerariesOf(schedule, from, to, slice.departureDate)))
    .filter((one) => sellsCabin(one, search.cabin))
    .map((one) => {
      const price = slicePrice(schedule.seed, one, search.cabin)
      return { itinerary: one, price, score: price.fare + price.taxes + one.minutes * 25 + (one.legs.length - 1) * 3_500 }
    })
    .sort((a, b) => a.score - b.score)

/** Low-cost airlines have no cabin but economy; others are offered when at least one flight has more than that. */
const sellsCabin = (one: Itinerary, cabin: CabinClass): boolean =>
  cabin === 'economy' || one.owner === 'ZZ' || one.legs.some(({ flight }) => cabinOn(cabin, flight) !== 'economy')

type Journey = { slices: Priced[]; score: number }

/** Every choice of one way per slice among an airline's best, cheapest and quickest first. Later slices start after earlier ones end. */
const combine = (options: Priced[][]): Journey[] => {
  const width = options.length === 1 ? 60 : 12
  let journeys: Journey[] = [{ slices: [], score: 0 }]
  for (const list of options) {
    journeys = journeys.flatMap((journey) =>
      list
        .slice(0, width)
        .filter((next) => {
          const before = journey.slices.at(-1)?.itinerary.legs.at(-1)?.flight.arrivesAt ?? 0
          return next.itinerary.legs[0]!.flight.departsAt > before
        })
        .map((next) => ({ slices: [...journey.slices, next], score: journey.score + next.score })),
    )
  }
  return journeys.sort((a, b) => a.score - b.score).slice(0, 100)
}

const draftOf = (seed: number, index: number, airline: Airline, fare: Fare, slices: Priced[], search: Search, currency: string): Draft => {
  let base = 0
  let tax = 0
  for (const { price } of slices) {
    const adult = withFare(price, fare)
    for (const type of search.passengers) {
      const share = passengerShare(adult, type)
      base += fromEuroCents(share.fare, currency)
      tax += fromEuroCents(share.taxes, currency)
    }
  }
  const itineraries = slices.map((one) => one.itinerary)
  const ends = itineraries.flatMap((one) => one.legs.flatMap(({ flight }) => [flight.from, flight.to]))
  const flights = itineraries.flatMap((one) => one.legs.map((leg) => leg.number)).join('-')
  const split = splitsTaxes(airline.code)
  return {
    index,
    owner: airline.code,
    fare,
    cabin: search.cabin,
    slices: itineraries,
    currency,
    base: split ? base : base + tax,
    tax: split ? tax : null,
    total: base + tax,
    passportRequired: needsPassport(ends),
    documentsSupported: needsPassport(ends) || airline.style !== 'low-cost',
    instant: airline.style !== 'duffel' && fractionOf(`${seed}/instant/${airline.code}/${flights}/${fare.key}`) < 0.55,
  }
}

/** The flights of a draft in order, with the slice that each belongs to. */
export const legsOf = (draft: Draft) => draft.slices.flatMap((one, slice) => one.legs.map((leg, position) => ({ leg, slice, position })))
