/** Airports and cities of `places.json`, as Duffel's Place objects. */
import rows from './places.json' with { type: 'json' }

export type AirportPlace = {
  type: 'airport'
  id: string
  iata_code: string
  iata_city_code: string
  icao_code: string | null
  name: string
  city_name: string
  iata_country_code: string
  latitude: number
  longitude: number
  time_zone: string
  city: { type: 'city'; id: string; iata_code: string; iata_country_code: string; name: string } | null
  airports: null
}

export type CityPlace = {
  type: 'city'
  id: string
  iata_code: string
  iata_city_code: string
  icao_code: null
  name: string
  city_name: null
  iata_country_code: string
  latitude: null
  longitude: null
  time_zone: null
  city: null
  airports: AirportPlace[]
}

export type Place = AirportPlace | CityPlace

const membersOf = Map.groupBy(rows, (row) => row.iata_city_code)
/** The row that gives a city its name: the one whose own code is the city's, else the best known, which comes first in the list. */
const cityNames: Record<string, string> = { EAP: 'Basel', MIL: 'Milan', BRU: 'Brussels', WAS: 'Washington', NYC: 'New York' }
const nameOfCity = (code: string): string => cityNames[code] ?? membersOf.get(code)![0]!.city_name
/** A city is a place of its own when it has several airports or a code that no airport has. */
const isCity = (code: string): boolean => membersOf.get(code)!.length > 1 || membersOf.get(code)![0]!.iata_code !== code
const cityId = (code: string, country: string) => `cit_${code.toLowerCase()}_${country.toLowerCase()}`

export const airports: AirportPlace[] = rows.map((row) => ({
  type: 'airport',
  id: `arp_${row.iata_code.toLowerCase()}_${row.iata_country_code.toLowerCase()}`,
  ...row,
  city: isCity(row.iata_city_code)
    ? {
        type: 'city',
        id: cityId(row.iata_city_code, row.iata_country_code),
        iata_code: row.iata_city_code,
        iata_country_code: row.iata_country_code,
        name: nameOfCity(row.iata_city_code),
      }
    : null,
  airports: null,
}))

const airportsByCode = new Map(airports.map((airport) => [airport.iata_code, airport]))

export const cities: CityPlace[] = [...membersOf]
  .filter(([code]) => isCity(code))
  .map(([code, members]) => ({
    type: 'city',
    id: cityId(code, members[0]!.iata_country_code),
    iata_code: code,
    iata_city_code: code,
    icao_code: null,
    name: nameOfCity(code),
    city_name: null,
    iata_country_code: members[0]!.iata_country_code,
    latitude: null,
    longitude: null,
    time_zone: null,
    city: null,
    airports: members.map((member) => airportsByCode.get(member.iata_code)!),
  }))

const citiesByCode = new Map(cities.map((city) => [city.iata_code, city]))

export const airportOf = (code: string): AirportPlace => {
  const airport = airportsByCode.get(code)
  if (!airport) throw new Error(`no airport ${code}`)
  return airport
}

/** The place that a code of a search means: an airport when one has the code, else a city. */
export const findPlace = (code: string): Place | undefined => airportsByCode.get(code) ?? citiesByCode.get(code)

export const airportsOf = (place: Place): AirportPlace[] => (place.type === 'city' ? place.airports : [place])

const radians = Math.PI / 180

/** Great-circle distance in kilometres. */
export const distanceKm = (from: AirportPlace, to: AirportPlace): number => {
  const a =
    Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2 +
    Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(a))
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** Answers of `/places/suggestions`: cities before airports, an exact code first, at most 20. */
export const suggestPlaces = (query: string) => {
  const wanted = plain(query.trim())
  const rank = (place: Place): number => {
    if (plain(place.iata_code) === wanted) return 0
    const city = place.city_name ?? place.name
    if (plain(city).startsWith(wanted)) return 1
    if (plain(place.name).startsWith(wanted)) return 2
    return plain(`${place.name} ${city}`).includes(wanted) ? 3 : 9
  }
  return [...cities, ...airports]
    .map((place) => ({ place, rank: rank(place) }))
    .filter((found) => found.rank < 9)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 20)
    .map(({ place }) => withCountry(place))
}

export const placesNear = (latitude: number, longitude: number, radiusMetres: number) =>
  airports
    .map((airport) => ({ airport, metres: distanceKm(airport, { ...airport, latitude, longitude }) * 1000 }))
    .filter(({ metres }) => metres <= radiusMetres)
    .sort((a, b) => a.metres - b.metres)
    .map(({ airport }) => withCountry(airport))

const withCountry = (place: Place) => ({ ...place, country_name: countryNames.of(place.iata_country_code) ?? null })
