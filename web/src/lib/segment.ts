/** What the screens say about one flight: who sells it, its cabin, what is on board. */
import type { CabinClass } from '@passerelle/contracts/http/common'
import type { Segment, SegmentService, Slice } from '@passerelle/contracts/http/search'
import { placeLabel } from './flight.ts'
import { formatDuration } from './format/duration.ts'

const CABIN_NAMES: Record<CabinClass, string> = {
  economy: 'Economy',
  premium_economy: 'Premium Economy',
  business: 'Business',
  first: 'First Class',
}

/** Of a cabin that is not known: Economy. */
export function cabinName(cabin: string | null | undefined): string {
  return CABIN_NAMES[cabin as CabinClass] ?? CABIN_NAMES.economy
}

/** Every cabin of the flights, each once, in the order flown; none that is unknown. */
export function cabinNames(segments: readonly Pick<Segment, 'cabin_class'>[]): string[] {
  return [...new Set(segments.flatMap(({ cabin_class }) => (cabin_class ? [CABIN_NAMES[cabin_class]] : [])))]
}

/** "Outbound", "Return", and by its number what follows. */
export function sliceName(index: number): string {
  return ['Outbound', 'Return'][index] ?? `Part ${index + 1}`
}

export function airlineName(segment: Pick<Segment, 'marketing_carrier' | 'airline'>): string {
  return segment.marketing_carrier.name || segment.airline.name || segment.marketing_carrier.iata_code || 'Airline'
}

/** Landings on the way that keep flight number and seat: told, but no stops. "Technical stop in Goose Bay (YYR), 0h 45m". */
export function technicalStopTexts(segments: readonly Pick<Segment, 'technical_stops'>[]): string[] {
  return segments.flatMap((segment) =>
    segment.technical_stops.map(({ airport, duration }) =>
      [`Technical stop in ${placeLabel(airport)}`, duration && formatDuration(duration)].filter(Boolean).join(', '),
    ),
  )
}

export type ServiceBadge = { type: SegmentService['type']; label: string }

const ON_CARDS = { wifi: 'Wi-Fi', meal: 'Meal', baggage: 'Baggage Included' }
const ON_FLIGHTS = { wifi: 'Wi-Fi', meal: 'Meal', baggage: 'Baggage' }

function badges(services: readonly SegmentService[], labels: Record<SegmentService['type'], string>): ServiceBadge[] {
  const types = new Set(services.map(({ type }) => type))
  return (['wifi', 'meal', 'baggage'] as const).filter((type) => types.has(type)).map((type) => ({ type, label: labels[type] }))
}

/** A card promises what the first flight of its slice has. */
export function sliceBadges({ segments }: Pick<Slice, 'segments'>): ServiceBadge[] {
  return badges(segments[0]?.services ?? [], ON_CARDS)
}

export function flightBadges(segment: Pick<Segment, 'services'>): ServiceBadge[] {
  return badges(segment.services, ON_FLIGHTS)
}

/** What the badges do not say already, in a sentence each. */
export function serviceDetails(segment: Pick<Segment, 'services'>): string {
  const said = new Set(flightBadges(segment).map(({ label }) => label))
  return segment.services
    .map(({ description }) => description)
    .filter((text) => text && !said.has(text))
    .map((text) => (text.endsWith('.') ? text : `${text}.`))
    .join(' ')
}
