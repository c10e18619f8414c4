/** The words on the boarding pass and beside it. */
import type { Booking } from '@passerelle/contracts/http/booking'
import type { Segment, Slice } from '@passerelle/contracts/http/search'
import { cityOf, detailStops, flightNumber } from '../../../lib/flight.ts'
import { addDays, formatDate, formatTime } from '../../../lib/format/dates.ts'
import { cabinName } from '../../../lib/segment.ts'

type Data = Booking['bookingData']

/** "A", "A and B", "A, B and C". */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** "Paris – New York, Round Trip". */
export function routeTitle({ slices }: Pick<Data, 'slices'>): string {
  const [out] = slices
  if (!out) return 'N/A'
  return `${cityOf(out.origin)} – ${cityOf(out.destination)}, ${slices.length > 1 ? 'Round Trip' : 'One Way'}`
}

/** "Air France and KLM, Economy": who sells the flights, and the cabins of the way. */
export function carriersTitle({ slices }: Pick<Data, 'slices'>): string {
  const segments = slices.flatMap((slice) => slice.segments)
  const names = segments.map(({ marketing_carrier }) => marketing_carrier.name ?? marketing_carrier.iata_code ?? '').filter(Boolean)
  const cabins = segments.map(({ cabin_class }) => cabinName(cabin_class))
  return [listOf([...new Set(names)]), listOf([...new Set(cabins)])].filter(Boolean).join(', ')
}

/** "1 stop, KL 642 and KL 1227". */
export function flightsOf(slice: Slice): string {
  return `${detailStops(slice.segments.length)}, ${listOf(slice.segments.map(flightNumber))}`
}

const INTERNATIONAL_HOURS = 3
const DOMESTIC_HOURS = 2

/** Wall clock minus whole hours, in the same place. */
function hoursBefore(local: string, hours: number): string {
  return new Date(Date.parse(`${local.slice(0, 16)}:00Z`) - hours * 3_600_000).toISOString().slice(0, 19)
}

/** When to be at the first airport: 3 hours before an international flight, 2 before a domestic one. */
export function beAtAirport(first: Segment): string {
  const { origin, destination, departing_at } = first
  const domestic = origin.country_code !== null && origin.country_code === destination.country_code
  const hours = domestic ? DOMESTIC_HOURS : INTERNATIONAL_HOURS
  const by = hoursBefore(departing_at, hours)
  const day = by.slice(0, 10) === departing_at.slice(0, 10) ? '' : `${formatDate(by, 'weekday')}, `
  return `Be at the airport (${origin.iata_code ?? cityOf(origin)}) by ${day}${formatTime(by)}, ${hours} hours before departure.`
}

/** Check-in opens a day before; the airline's reference where it is known. */
export function checkIn(first: Segment, airlineReference: string | null): string {
  const airline = first.operating_carrier.name ?? first.marketing_carrier.name ?? 'the airline'
  const from = formatDate(addDays(first.departing_at.slice(0, 10), -1), 'weekday')
  return `Check in with ${airline} from ${from}${airlineReference ? ` with reference ${airlineReference}` : ''}.`
}

/** Names of those whose passport has less than 180 days left on the last day of the trip. */
export function passportsRunningOut(
  passengers: readonly { firstName: string; passportExpiryDate: string }[],
  { slices }: Pick<Data, 'slices'>,
): string[] {
  const lastDay = slices.at(-1)?.arrival_time.slice(0, 10)
  if (!lastDay) return []
  const limit = addDays(lastDay, 180)
  return passengers.filter(({ passportExpiryDate }) => passportExpiryDate && passportExpiryDate < limit).map(({ firstName }) => firstName)
}
