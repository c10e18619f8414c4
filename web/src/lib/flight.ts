/** What the screens say about a slice: stops, waits, the bridge line. Pure; missing or broken values never throw. */
import type { Place, Segment, Slice } from '@passerelle/contracts/http/search'
import { durationMinutes } from './format/duration.ts'

/** Minutes of a part of the way; a wait is time on the ground between two flights. */
export type BridgePart = { minutes: number; wait: boolean }

export type Layover = { minutes: number; at: Place; to: Place; changesAirport: boolean }

/** Minutes between two wall clocks of one place. */
function minutesApart(from: string, to: string): number {
  const minutes = (Date.parse(`${to.slice(0, 16)}Z`) - Date.parse(`${from.slice(0, 16)}Z`)) / 60_000
  return Number.isFinite(minutes) ? Math.max(0, Math.round(minutes)) : 0
}

/** The waits between the flights of a slice, in order. Both clocks are of the same city, so zones do not matter. */
export function layovers(slice: Pick<Slice, 'segments'>): Layover[] {
  return slice.segments.slice(1).flatMap((next, index) => {
    const before = slice.segments[index]
    if (!before) return []
    return [
      {
        minutes: minutesApart(before.arriving_at, next.departing_at),
        at: before.destination,
        to: next.origin,
        changesAirport: before.destination.iata_code !== next.origin.iata_code,
      },
    ]
  })
}

export function bridgeParts(slice: Pick<Slice, 'segments'>): BridgePart[] {
  const waits = layovers(slice)
  return slice.segments.flatMap((segment, index) => {
    const flown = { minutes: durationMinutes(segment.duration) ?? 60, wait: false }
    const wait = waits[index]
    return wait ? [flown, { minutes: wait.minutes, wait: true }] : [flown]
  })
}

/** On a card: "Direct" for one segment, else "N Stop(s)". */
export function cardStops(segments: number): string {
  return segments <= 1 ? 'Direct' : `${segments - 1} Stop(s)`
}

/** On the detail screen and after it: Non-stop, 1 stop, n stops. */
export function detailStops(segments: number): string {
  if (segments <= 1) return 'Non-stop'
  return segments === 2 ? '1 stop' : `${segments - 1} stops`
}

/** "Paris (CDG)", the airport's name without a city, or "N/A". */
export function placeLabel(place: Pick<Place, 'city_name' | 'name' | 'iata_code'>): string {
  const words = place.city_name || place.name
  if (!words) return place.iata_code ?? 'N/A'
  return place.iata_code ? `${words} (${place.iata_code})` : words
}

/** City, else airport name, else code. */
export function cityOf(place: Pick<Place, 'city_name' | 'name' | 'iata_code'>): string {
  return place.city_name || place.name || place.iata_code || 'N/A'
}

/** "AF 006": the marketing carrier's code and number. */
export function flightNumber(segment: Pick<Segment, 'marketing_carrier' | 'flight_number'>): string {
  return [segment.marketing_carrier.iata_code, segment.flight_number].filter(Boolean).join(' ')
}

/** Names of airlines that fly a slice for somebody else, each once. */
export function operatedBy(segments: readonly Pick<Segment, 'marketing_carrier' | 'operating_carrier'>[]): string[] {
  const names = segments
    .filter((segment) => segment.operating_carrier.iata_code !== segment.marketing_carrier.iata_code)
    .map((segment) => segment.operating_carrier.name ?? segment.operating_carrier.iata_code)
  return [...new Set(names.filter((name): name is string => Boolean(name)))]
}
