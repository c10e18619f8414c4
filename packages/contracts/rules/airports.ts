/** The airports that a visitor can pick, and how a typed text finds them. No network: the list is part of the page. */
import airportList from './airports.json' with { type: 'json' }

export type Airport = { id: string; iata_code: string; name: string; city_name: string; country_code: string }

export const MIN_QUERY = 2
const MAX_SUGGESTIONS = 15

type MappedAirport = Airport & { city_code: string; latitude: number; longitude: number; time_zone: string }

/** About 300, one per IATA code, with where they lie and the code of their city. */
export const airportMap: readonly MappedAirport[] = airportList

/** The same, as far as a visitor picks from them. */
export const airports: readonly Airport[] = airportMap

const CITY = 'cit_'

/** The airport that a city with several is known for. */
const MAIN_AIRPORTS = new Set('BKK BRU CDG EZE GIG HND IAD ICN IST JFK KIX LHR MXP ORD PEK PVG'.split(' '))

/**
 * Cities with several airports, as one place to fly from or to: suppliers take the city's code like an airport's. A city whose code is
 * also that of one of its airports is none: such a code means the airport.
 */
export const cities: readonly Airport[] = airportMap.flatMap((main) => {
  const code = main.city_code
  const own = airportMap.filter((airport) => airport.city_code === code)
  if (!MAIN_AIRPORTS.has(main.iata_code) || own.length < 2 || own.some(({ iata_code }) => iata_code === code)) return []
  return [
    {
      id: `${CITY}${code.toLowerCase()}`,
      iata_code: code,
      name: 'All airports',
      city_name: main.city_name,
      country_code: main.country_code,
    },
  ]
})

/** What a visitor can choose as an end of the trip. */
export const places: readonly Airport[] = [...cities, ...airports]

/** Lower case without accents, so that "orleans" finds Orléans. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

type Indexed = { airport: Airport; city: string; name: string; code: string; country: string; order: number }
const indexed = new WeakMap<readonly Airport[], Indexed[]>()

function indexOf(list: readonly Airport[]): Indexed[] {
  let index = indexed.get(list)
  if (!index) {
    index = list.map((airport) => ({
      airport,
      city: fold(airport.city_name),
      name: airport.id.startsWith(CITY) ? '' : fold(airport.name),
      code: airport.iata_code.toLowerCase(),
      country: airport.country_code.toLowerCase(),
      order: orderInCity(airport),
    }))
    indexed.set(list, index)
  }
  return index
}

/** Within a city: all of its airports, its main one, the others. */
function orderInCity({ id, iata_code }: Airport): number {
  if (id.startsWith(CITY)) return 0
  return MAIN_AIRPORTS.has(iata_code) ? 1 : 2
}

/** 0 exact city, name or code; 1 prefix; 2 substring. */
function rank(entry: Indexed, query: string): number {
  if (entry.city === query || entry.name === query || entry.code === query) return 0
  return entry.city.startsWith(query) || entry.name.startsWith(query) || entry.code.startsWith(query) ? 1 : 2
}

function byCity(a: Indexed, b: Indexed): number {
  return a.city.localeCompare(b.city) || a.order - b.order || a.name.localeCompare(b.name)
}

/**
 * At most 15 airports and cities. Every word must match: city or name by substring, code or country exactly. Best first: exact, prefix,
 * substring, then by city, where its main airport leads. Fewer than 2 characters find nothing.
 */
export function searchAirports(query: string, list: readonly Airport[] = places): Airport[] {
  const text = fold(query).trim().replace(/\s+/g, ' ')
  if (text.length < MIN_QUERY) return []
  const words = text.split(' ')
  return indexOf(list)
    .filter((entry) =>
      words.every((word) => entry.city.includes(word) || entry.name.includes(word) || entry.code === word || entry.country === word),
    )
    .map((entry) => ({ entry, rank: rank(entry, text) }))
    .sort((a, b) => a.rank - b.rank || byCity(a.entry, b.entry))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ entry }) => entry.airport)
}

/** An airport or a city. */
export function airportByCode(code: string, list: readonly Airport[] = places): Airport | undefined {
  return list.find((airport) => airport.iata_code === code.toUpperCase())
}

/** "Paris (CDG)"; the airport's name when it has no city. */
export function airportLabel(airport: Airport): string {
  return `${airport.city_name || airport.name} (${airport.iata_code})`
}
