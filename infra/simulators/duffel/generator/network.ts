/** Who flies nonstop between two airports, and how often: rules instead of a timetable, plausible rather than true. */
import { isWide } from '../aircraft.ts'
import { type Airline, airlineOf, airlines } from '../airlines.ts'
import { type AirportPlace, distanceKm } from '../airports.ts'
import { fractionOf } from '../hash.ts'

const weights = new Map<string, number>()
const weigh = (weight: number, codes: string) => {
  for (const code of codes.split(/\s+/)) weights.set(code, weight)
}
weigh(4, 'CDG LHR JFK DXB HND SIN LAX FRA AMS IST HKG')
weigh(
  3,
  `ORY LGW MAD BCN FCO MXP MUC ZRH VIE LIS DUB CPH ARN ATH EWR ORD ATL DFW SFO MIA BOS IAD IAH SEA DEN YYZ YVR YUL MEX GRU EZE BOG LIM
   SCL PTY DOH AUH CAI CMN JNB NBO ADD BOM DEL BKK KUL CGK MNL SGN NRT KIX ICN TPE PEK PVG CAN SYD MEL AKL MRU RUN PTP CUN`,
)
weigh(
  1,
  `BVA SXB MPL LIL AJA BIA BSL EIN CRL LPL LTN BFS ABZ ORK BIO SCQ FAO FNC PDL TRN CIA PMO CAG CFU JMK JTR PFO GOT BGO TOS GDN BTS LJU TIA
   SPU DBV EVN TBS PVD STL CLE PIT SAT OGG YHZ YOW RAI SID ABV ACC EBB KGL DAR ZNZ MBA SEZ KTM LHE ISB CNX PEN DAD RGN PUS FUK OKA CTS CNS
   ADL CHC WLG ZQN NAN NOU CAY BGI AUA POS ASU CUZ REC FOR SSA MED DMM GYD TAS ALA`,
)

/** How much traffic an airport has, from 1 (a small town) to 4 (a world hub). */
export const weightOf = (airport: AirportPlace): number => weights.get(airport.iata_code) ?? 2

/** City airports with short runways or a rule on distance. */
const shortHaulOnly = new Set(['LCY', 'LGA', 'DCA', 'SDU', 'LIN', 'ITM', 'GMP', 'AEP', 'DAL', 'CIA', 'YTZ'])
const longestFromCityAirport = 2_600

const chanceOfRoute = (other: AirportPlace, km: number): number => {
  const weight = weightOf(other)
  if (km < 1_500) return weight > 1 ? 0.95 : 0.7
  if (km < 4_500) return [0, 0.3, 0.6, 0.85, 0.95][weight]!
  return [0, 0.12, 0.3, 0.7, 0.92][weight]!
}

const onlyLarge = (airline: Airline): boolean => airline.fleet.every(isWide)

const known = new Map<string, boolean>()

/** Whether the airline flies between the two airports without a stop, in either direction. */
export const serves = (airline: Airline, from: AirportPlace, to: AirportPlace): boolean => {
  const [one, two] = from.iata_code < to.iata_code ? [from, to] : [to, from]
  const key = `${airline.code}/${one.iata_code}/${two.iata_code}`
  let answer = known.get(key)
  if (answer === undefined) {
    answer = decide(airline, one, two, key)
    if (known.size > 200_000) known.clear()
    known.set(key, answer)
  }
  return answer
}

const decide = (airline: Airline, one: AirportPlace, two: AirportPlace, key: string): boolean => {
  if (one === two) return false
  const km = distanceKm(one, two)
  if (km > airline.reach) return false
  if (airline.style === 'duffel') return true
  if (km < 2_500 && onlyLarge(airline)) return false
  if (km < 110 || one.iata_city_code === two.iata_city_code) return false
  if (km > longestFromCityAirport && (shortHaulOnly.has(one.iata_code) || shortHaulOnly.has(two.iata_code))) return false
  const domestic = one.iata_country_code === airline.country && two.iata_country_code === airline.country
  const hubs = [one, two].filter((airport) => airline.hubs.includes(airport.iata_code))
  if (hubs.length === 0) {
    const pointToPoint = airline.style === 'american' || airline.style === 'low-cost'
    return pointToPoint && domestic && weightOf(one) + weightOf(two) >= 5 && fractionOf(key) < 0.2
  }
  if (hubs.length === 2) return true
  const other = hubs[0] === one ? two : one
  return fractionOf(key) < (domestic ? 0.96 : chanceOfRoute(other, km))
}

/** Flights on an ordinary day in one direction. */
export const dailyFlights = (airline: Airline, from: AirportPlace, to: AirportPlace): number => {
  if (airline.style === 'duffel') return 6
  const km = distanceKm(from, to)
  const demand = weightOf(from) * weightOf(to)
  if (km < 1_200) return Math.min(8, Math.max(1, Math.round(demand / 2)))
  if (km < 4_500) return Math.min(5, Math.max(1, Math.round(demand / 3)))
  return Math.min(4, Math.max(1, Math.round(demand / 4.5)))
}

/** Airlines that may sell a flight of `airline` under their own number, and it theirs. */
const partners = new Map<string, Airline[]>(
  airlines.map((airline) => [
    airline.code,
    airlines.filter((other) => other !== airline && airline.venture !== null && other.venture === airline.venture),
  ]),
)
export const partnersOf = (airline: Airline): Airline[] => partners.get(airline.code)!

/** The general hubs through which Duffel Airways, which flies everywhere, connects. */
export const worldHubs = ['LHR', 'CDG', 'FRA', 'IST', 'DXB', 'SIN', 'HND', 'JFK', 'ORD', 'LAX', 'GRU', 'JNB']

export const hubsOf = (code: string): string[] => (code === 'ZZ' ? worldHubs : airlineOf(code).hubs)
