/** The airports that can be searched: those of the product's list, as Duffel's Place objects. */
import { airportMap } from '@passerelle/contracts/rules/airports'

export const airports = airportMap.map(({ country_code, city_code, ...airport }) => ({
  type: 'airport' as const,
  ...airport,
  iata_city_code: city_code,
  iata_country_code: country_code,
  icao_code: null,
  city: null,
  airports: null,
}))
export type AirportPlace = (typeof airports)[number]

const byCode = new Map(airports.map((airport) => [airport.iata_code, airport]))

const byCity = Map.groupBy(airports, (airport) => airport.iata_city_code)

/** Where a search may begin or end: an airport, or a city with all of its airports. */
export const isPlace = (code: string): boolean => byCode.has(code) || byCity.has(code)

/** A code that an airport and its city share means the airport. */
export const airportsOf = (code: string): readonly AirportPlace[] => {
  const airport = byCode.get(code)
  return airport ? [airport] : (byCity.get(code) ?? [])
}

export const airportOf = (code: string): AirportPlace => {
  const airport = byCode.get(code)
  if (!airport) throw new Error(`no airport ${code}`)
  return airport
}

const radians = Math.PI / 180

/** Great-circle distance in kilometres. */
export const distanceKm = (from: AirportPlace, to: AirportPlace): number => {
  const a =
    Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2 +
    Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(a))
}
