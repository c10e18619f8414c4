/** The flights of an airline between two airports on a day: numbers, local times, aircraft, terminals. */
import { aircraftOf, isWide } from '../aircraft.ts'
import { type Airline, airlineOf } from '../airlines.ts'
import { type AirportPlace, distanceKm } from '../airports.ts'
import { fractionOf, pickOf } from '../hash.ts'
import { instantOf, localDate, offsetMinutes } from '../local-time.ts'
import { dailyFlights, weightOf } from './network.ts'

export type Flight = {
  /** The airline that operates it, and its number there. */
  carrier: string
  number: string
  from: AirportPlace
  to: AirportPlace
  /** Instants, in milliseconds. */
  departsAt: number
  arrivesAt: number
  minutes: number
  km: number
  aircraft: string
}

/** What the schedule depends on, besides the route and the date. */
export type Schedule = { seed: number; found: Map<string, Flight[]> }

export const createSchedule = (seed: number): Schedule => ({ seed, found: new Map() })

const toFive = (minutes: number) => Math.round(minutes / 5) * 5

/** Gate to gate, with the west wind of the middle latitudes: eastbound is faster. */
export const blockMinutes = (from: AirportPlace, to: AirportPlace, km: number): number => {
  const east = ((to.longitude - from.longitude + 540) % 360) - 180
  const wind = km < 1_500 || Math.abs(east) < 20 ? 1 : east > 0 ? 0.95 : 1.07
  const speed = km < 600 ? 620 : km < 2_000 ? 760 : 865
  return toFive((km / speed) * 60 * wind + (km < 600 ? 25 : 35))
}

/** Between which minutes of the local day flights of this length and direction leave. */
const departureWindow = (from: AirportPlace, to: AirportPlace, km: number): [number, number] => {
  if (km < 4_500) return [6 * 60, 21 * 60 + 30]
  const noon = Date.UTC(2027, 0, 15, 12)
  const ahead = offsetMinutes(to.time_zone, noon) - offsetMinutes(from.time_zone, noon)
  if (ahead >= 180) return [16 * 60, 23 * 60 + 50]
  if (ahead <= -180) return [8 * 60, 19 * 60 + 30]
  return [9 * 60, 23 * 60 + 30]
}

const aircraftFor = (airline: Airline, km: number, seed: string): string => {
  const able = airline.fleet.filter((code) => aircraftOf(code).range >= km)
  const usual = able.filter((code) => {
    const { range } = aircraftOf(code)
    const small = !isWide(code)
    if (km < 4_200) return small && (km > 900 || range < 6_500)
    return km < 6_800 ? true : !small
  })
  const choice = usual.length > 0 ? usual : able.length > 0 ? able : airline.fleet.slice(-1)
  return choice[pickOf(seed, choice.length)]!
}

/** Flights that leave `from` on the local day `date`, in order of departure. */
export const flightsOn = (schedule: Schedule, carrier: string, from: AirportPlace, to: AirportPlace, date: string): Flight[] => {
  const key = `${carrier}/${from.iata_code}/${to.iata_code}/${date}`
  let flights = schedule.found.get(key)
  if (!flights) {
    flights = plan(schedule.seed, airlineOf(carrier), from, to, date)
    schedule.found.set(key, flights)
  }
  return flights
}

const plan = (seed: number, airline: Airline, from: AirportPlace, to: AirportPlace, date: string): Flight[] => {
  const route = `${seed}/${airline.code}/${from.iata_code}/${to.iata_code}`
  const km = distanceKm(from, to)
  const block = blockMinutes(from, to, km)
  const [earliest, latest] = departureWindow(from, to, km)
  const daily = dailyFlights(airline, from, to)
  const firstNumber = firstFlightNumber(seed, airline, from, to, km)
  const flights: Flight[] = []
  for (let index = 0; index < daily; index++) {
    const share = (latest - earliest) / daily
    const minute = toFive(earliest + share * (index + 0.1 + 0.8 * fractionOf(`${route}/departure/${index}`)))
    const thin = airline.style !== 'duffel' && weightOf(from) * weightOf(to) <= 3 && index === daily - 1
    if (thin && fractionOf(`${route}/${date}/operates`) < 0.2) continue
    const departsAt = instantOf(from.time_zone, date, minute)
    // A time that the clocks skip in spring would leave on another day or minute: such a flight does not operate.
    if (localDate(from.time_zone, departsAt) !== date) continue
    const minutes = Math.max(35, block + 5 * (pickOf(`${route}/block/${index}`, 3) - 1))
    flights.push({
      carrier: airline.code,
      number: String(firstNumber + index * 2),
      from,
      to,
      departsAt,
      arrivesAt: departsAt + minutes * 60_000,
      minutes,
      km,
      aircraft: aircraftFor(airline, km, `${route}/aircraft/${index}`),
    })
  }
  return flights
}

/** Long flights have low numbers; the way back has the next one. */
const firstFlightNumber = (seed: number, airline: Airline, from: AirportPlace, to: AirportPlace, km: number): number => {
  const outward = from.iata_code < to.iata_code
  const pair = outward ? `${from.iata_code}${to.iata_code}` : `${to.iata_code}${from.iata_code}`
  const [low, high] = km > 4_500 ? [2, 400] : [400, 2_900]
  const even = low + 2 * pickOf(`${seed}/${airline.code}/${pair}/number`, (high - low) / 2)
  return outward ? even : even + 1
}

const terminals: Record<string, string> = {
  CDG: '1 2A 2B 2C 2D 2E 2F 3',
  ORY: '1 2 3 4',
  LHR: '2 3 4 5',
  LGW: 'N S',
  JFK: '1 4 5 7 8',
  EWR: 'A B C',
  LAX: '1 2 3 4 5 6 7 B',
  MAD: '1 2 4 4S',
  FCO: '1 3',
}

/** The terminal that an airline uses at an airport; null at airports that have one. */
export const terminalOf = (airport: AirportPlace, carrier: string): string | null => {
  const choices = terminals[airport.iata_code]?.split(' ') ?? (weightOf(airport) >= 3 ? ['1', '2'] : null)
  return choices ? choices[pickOf(`terminal/${airport.iata_code}/${carrier}`, choices.length)]! : null
}
