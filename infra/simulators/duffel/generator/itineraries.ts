/** Ways to fly one slice: nonstop, by codeshare, or through one or two hubs with a sane wait. */
import { type Airline, airlines } from '../airlines.ts'
import { type AirportPlace, airportOf, distanceKm } from '../airports.ts'
import { fractionOf, pickOf } from '../hash.ts'
import { addDays, localDate } from '../local-time.ts'
import { type Flight, flightsOn, type Schedule } from './flights.ts'
import { hubsOf, partnersOf, serves } from './network.ts'

/** A flight as it is sold: by the operating airline, or by a partner under a number of its own. */
export type Leg = { flight: Flight; seller: string; number: string }

export type Itinerary = {
  /** The airline that sells all of it. */
  owner: string
  legs: Leg[]
  /** From the first departure to the last arrival. */
  minutes: number
  km: number
}

const longestWait = 6 * 60
const mostPerOwner = 16

/** Every way on the local day `date`, the best ones of each airline, in an order that depends on nothing but the arguments. */
export const itinerariesOf = (schedule: Schedule, from: AirportPlace, to: AirportPlace, date: string): Itinerary[] => {
  return airlines.flatMap((airline) =>
    [
      ...nonstop(schedule, airline, from, to, date),
      ...oneStop(schedule, airline, from, to, date),
      ...twoStops(schedule, airline, from, to, date),
    ]
      .sort((a, b) => a.minutes + 60 * a.legs.length - (b.minutes + 60 * b.legs.length) || keyOf(a).localeCompare(keyOf(b)))
      .slice(0, mostPerOwner),
  )
}

const keyOf = (itinerary: Itinerary): string => itinerary.legs.map((leg) => `${leg.seller}${leg.number}`).join('/')

/** @returns the leg as `owner` sells it. */
const sold = (schedule: Schedule, owner: Airline, flight: Flight): Leg => {
  if (flight.carrier === owner.code) return { flight, seller: owner.code, number: flight.number }
  const number =
    3_000 + pickOf(`${schedule.seed}/codeshare/${owner.code}/${flight.carrier}${flight.number}/${flight.from.iata_code}`, 6_000)
  return { flight, seller: owner.code, number: String(number) }
}

const itinerary = (owner: Airline, legs: Leg[]): Itinerary => ({
  owner: owner.code,
  legs,
  minutes: (legs.at(-1)!.flight.arrivesAt - legs[0]!.flight.departsAt) / 60_000,
  km: legs.reduce((sum, leg) => sum + leg.flight.km, 0),
})

const nonstop = (schedule: Schedule, owner: Airline, from: AirportPlace, to: AirportPlace, date: string): Itinerary[] => {
  const carriers = [owner, ...partnersOf(owner).filter((partner) => sellsFor(owner, partner))]
  return carriers
    .filter((carrier) => serves(carrier, from, to))
    .flatMap((carrier) => flightsOn(schedule, carrier.code, from, to, date))
    .map((flight) => itinerary(owner, [sold(schedule, owner, flight)]))
}

const sellsFor = (owner: Airline, partner: Airline): boolean => fractionOf(`codeshare/${owner.code}/${partner.code}`) < 0.55

/** Hubs on the way: neither end's city, and no absurd detour. */
const waypoints = (owner: Airline, from: AirportPlace, to: AirportPlace, detour: number): AirportPlace[] => {
  const direct = distanceKm(from, to)
  if (direct < 350) return []
  return hubsOf(owner.code)
    .map(airportOf)
    .filter(
      (hub) =>
        hub.iata_city_code !== from.iata_city_code &&
        hub.iata_city_code !== to.iata_city_code &&
        distanceKm(from, hub) + distanceKm(hub, to) <= direct * detour + 300,
    )
    .sort((a, b) => distanceKm(from, a) + distanceKm(a, to) - distanceKm(from, b) - distanceKm(b, to))
    .slice(0, 3)
}

/** Who flies a leg for the owner: itself where it can, else a partner. */
const carrierFor = (owner: Airline, from: AirportPlace, to: AirportPlace): Airline | undefined =>
  serves(owner, from, to) ? owner : partnersOf(owner).find((partner) => serves(partner, from, to))

const shortestWait = (arriving: Flight, hub: AirportPlace): number => {
  const international = arriving.from.iata_country_code !== hub.iata_country_code
  if (international && hub.iata_country_code === 'US') return 90
  return arriving.km > 4_500 ? 60 : 45
}

/** The next flights onward from where `arriving` lands, after a wait that can be made and endured. */
const onward = (schedule: Schedule, carrier: Airline, arriving: Flight, to: AirportPlace): Flight[] => {
  const hub = arriving.to
  const landed = localDate(hub.time_zone, arriving.arrivesAt)
  const least = arriving.arrivesAt + shortestWait(arriving, hub) * 60_000
  const most = arriving.arrivesAt + longestWait * 60_000
  return [landed, addDays(landed, 1)]
    .flatMap((day) => flightsOn(schedule, carrier.code, hub, to, day))
    .filter((flight) => flight.departsAt >= least && flight.departsAt <= most)
}

const oneStop = (schedule: Schedule, owner: Airline, from: AirportPlace, to: AirportPlace, date: string): Itinerary[] =>
  waypoints(owner, from, to, 1.55).flatMap((hub) => {
    const first = carrierFor(owner, from, hub)
    const second = carrierFor(owner, hub, to)
    if (!first || !second || (first !== owner && second !== owner)) return []
    return flightsOn(schedule, first.code, from, hub, date).flatMap((flight) =>
      onward(schedule, second, flight, to)
        .slice(0, 2)
        .map((next) => itinerary(owner, [sold(schedule, owner, flight), sold(schedule, owner, next)])),
    )
  })

const twoStops = (schedule: Schedule, owner: Airline, from: AirportPlace, to: AirportPlace, date: string): Itinerary[] => {
  const direct = distanceKm(from, to)
  if (direct < 2_500) return []
  const found: Itinerary[] = []
  for (const hub of waypoints(owner, from, to, 1.4)) {
    const lastCarriers = [owner, ...partnersOf(owner)]
    for (const last of lastCarriers) {
      for (const second of waypoints(last, hub, to, 1.35).slice(0, 2)) {
        const total = distanceKm(from, hub) + distanceKm(hub, second) + distanceKm(second, to)
        if (second === hub || second.iata_city_code === from.iata_city_code || total > direct * 1.45 + 300) continue
        const [a, b, c] = [carrierFor(owner, from, hub), carrierFor(owner, hub, second), carrierFor(last, second, to)]
        if (!a || !b || !c) continue
        const path = threeLegs(schedule, owner, [a, b, c], [from, hub, second, to], date)
        if (path) found.push(path)
        if (found.length >= 3) return found
      }
    }
  }
  return found
}

const threeLegs = (
  schedule: Schedule,
  owner: Airline,
  [a, b, c]: [Airline, Airline, Airline],
  [from, hub, second, to]: [AirportPlace, AirportPlace, AirportPlace, AirportPlace],
  date: string,
): Itinerary | undefined => {
  for (const one of flightsOn(schedule, a.code, from, hub, date)) {
    for (const two of onward(schedule, b, one, second)) {
      const three = onward(schedule, c, two, to)[0]
      if (three)
        return itinerary(
          owner,
          [one, two, three].map((flight) => sold(schedule, owner, flight)),
        )
    }
  }
  return undefined
}
