/** The airports that a visitor can pick, and how a typed text finds them. No network: the list is part of the page. */
import airportList from './airports.json' with { type: 'json' }

export type Airport = { id: string; iata_code: string; name: string; city_name: string; country_code: string }

export const MIN_QUERY = 2
const MAX_SUGGESTIONS = 15

/** About 300, one per IATA code, with where they lie and the code of their city. */
export const airportMap: readonly (Airport & { city_code: string; latitude: number; longitude: number; time_zone: string })[] = airportList

/** The same, as far as a visitor picks from them. */
export const airports: readonly Airport[] = airportMap

/** Lower case without accents, so that "orleans" finds Orléans. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

type Indexed = { airport: Airport; city: string; name: string; code: string; country: string }
const indexed = new WeakMap<readonly Airport[], Indexed[]>()

function indexOf(list: readonly Airport[]): Indexed[] {
  let index = indexed.get(list)
  if (!index) {
    index = list.map((airport) => ({
      airport,
      city: fold(airport.city_name),
      name: fold(airport.name),
      code: airport.iata_code.toLowerCase(),
      country: airport.country_code.toLowerCase(),
    }))
    indexed.set(list, index)
  }
  return index
}

/** 0 exact city, name or code; 1 prefix; 2 substring. */
function rank(entry: Indexed, query: string): number {
  if (entry.city === query || entry.name === query || entry.code === query) return 0
  return entry.city.startsWith(query) || entry.name.startsWith(query) || entry.code.startsWith(query) ? 1 : 2
}

/**
 * At most 15 airports. Every word must match: city or name by substring, code or country exactly. Best first: exact, prefix,
 * substring, then by city. Fewer than 2 characters find nothing.
 */
export function searchAirports(query: string, list: readonly Airport[] = airports): Airport[] {
  const text = fold(query).trim().replace(/\s+/g, ' ')
  if (text.length < MIN_QUERY) return []
  const words = text.split(' ')
  return indexOf(list)
    .filter((entry) =>
      words.every((word) => entry.city.includes(word) || entry.name.includes(word) || entry.code === word || entry.country === word),
    )
    .map((entry) => ({ entry, rank: rank(entry, text) }))
    .sort((a, b) => a.rank - b.rank || a.entry.city.localeCompare(b.entry.city) || a.entry.name.localeCompare(b.entry.name))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ entry }) => entry.airport)
}

export function airportByCode(code: string, list: readonly Airport[] = airports): Airport | undefined {
  return list.find((airport) => airport.iata_code === code.toUpperCase())
}

/** "Paris (CDG)"; the airport's name when it has no city. */
export function airportLabel(airport: Airport): string {
  return `${airport.city_name || airport.name} (${airport.iata_code})`
}
