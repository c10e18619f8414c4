/** A slice as the rows of its timeline: leaving, flying, arriving, waiting, and on. */
import type { Place, Segment, Slice } from '@passerelle/contracts/http/search'
import { cityOf, type Layover, layovers } from './flight.ts'
import { daysBetween, formatDate } from './format/dates.ts'

export type StopRow = {
  kind: 'departure' | 'arrival'
  key: string
  /** Wall clock of the airport. */
  time: string
  /** "Dec 18" when the day is not the one a reader has in mind. */
  date: string | null
  place: Place
  terminal: string | null
  /** Nothing follows below. */
  last: boolean
}
export type FlightRow = { kind: 'flight'; key: string; segment: Segment }
export type LayoverRow = { kind: 'layover'; key: string; layover: Layover }
export type TimelineRow = StopRow | FlightRow | LayoverRow

/** A date stands at an arrival on another day than the slice began, and at a departure on another day than the arrival before it. */
export function timelineRows(slice: Pick<Slice, 'segments'>): TimelineRow[] {
  const waits = layovers(slice)
  const began = slice.segments[0]?.departing_at
  const dateIfOther = (than: string | undefined, at: string) => (daysBetween(than, at) === 0 ? null : formatDate(at, 'short'))
  return slice.segments.flatMap((segment, index): TimelineRow[] => {
    const { id, departing_at, arriving_at } = segment
    const layover = waits[index]
    return [
      {
        kind: 'departure',
        key: `${id}-departure`,
        time: departing_at,
        date: dateIfOther(slice.segments[index - 1]?.arriving_at ?? departing_at, departing_at),
        place: segment.origin,
        terminal: segment.origin_terminal,
        last: false,
      },
      { kind: 'flight', key: id, segment },
      {
        kind: 'arrival',
        key: `${id}-arrival`,
        time: arriving_at,
        date: dateIfOther(began, arriving_at),
        place: segment.destination,
        terminal: segment.destination_terminal,
        last: layover === undefined,
      },
      ...(layover ? [{ kind: 'layover' as const, key: `${id}-layover`, layover }] : []),
    ]
  })
}

/** What follows the length of a wait: "layover in Amsterdam, same airport". */
export function layoverText({ at, to, changesAirport }: Layover): string {
  const change = `change of airport, ${at.iata_code ?? 'N/A'} to ${to.iata_code ?? 'N/A'}`
  return `layover in ${cityOf(at)}, ${changesAirport ? change : 'same airport'}`
}
