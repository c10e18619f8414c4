/** What the head and the cards of an offer say. */
import type { CabinClass } from '@passerelle/contracts/http/common'
import type { Carrier, FlightOffer, Segment, SegmentService, Slice } from '@passerelle/contracts/http/search'
import { cityOf, detailStops, layovers, operatedBy, placeLabel } from '../../../lib/flight.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { countNoun, countPassengers, passengersText } from '../../../lib/format/people.ts'

const CABIN_NAMES: Record<CabinClass, string> = {
  economy: 'Economy',
  premium_economy: 'Premium Economy',
  business: 'Business',
  first: 'First Class',
}

export function tripName({ slices }: Pick<FlightOffer, 'slices'>): 'One Way' | 'Round Trip' {
  return slices.length > 1 ? 'Round Trip' : 'One Way'
}

/** "Paris to New York". */
export function routeName({ slices }: Pick<FlightOffer, 'slices'>): string {
  const [first] = slices
  return first ? `${cityOf(first.origin)} to ${cityOf(first.destination)}` : 'N/A'
}

/** Every cabin of the offer, each once, in the order flown. */
export function cabinNames(segments: readonly Pick<Segment, 'cabin_class'>[]): string[] {
  return [...new Set(segments.flatMap(({ cabin_class }) => (cabin_class ? [CABIN_NAMES[cabin_class]] : [])))]
}

/** "Round Trip, 3 flights, 2 adults and 1 child, Economy". */
export function summaryText(offer: Pick<FlightOffer, 'slices' | 'passengers'>): string {
  const segments = offer.slices.flatMap((slice) => slice.segments)
  const people = passengersText(countPassengers(offer.passengers)).replace(/, ([^,]*)$/, ' and $1')
  return [tripName(offer), countNoun(segments.length, 'flight'), people, cabinNames(segments).join(' and ')].filter(Boolean).join(', ')
}

export function sliceName(index: number): string {
  return ['Outbound', 'Return'][index] ?? `Part ${index + 1}`
}

/** "1 stop via Amsterdam (AMS)"; a change of airport names both. */
export function stopsText(slice: Pick<Slice, 'segments'>): string {
  const via = layovers(slice).map(({ at, to, changesAirport }) =>
    changesAirport ? `${cityOf(at)} (${at.iata_code ?? 'N/A'} and ${to.iata_code ?? 'N/A'})` : placeLabel(at),
  )
  return [detailStops(slice.segments.length), via.join(', ')].filter(Boolean).join(' via ')
}

/** Landings on the way that keep flight number and seat: told, but no stops. "Technical stop in Goose Bay (YYR), 0h 45m". */
export function technicalStopTexts(segments: readonly Pick<Segment, 'technical_stops'>[]): string[] {
  return segments.flatMap((segment) =>
    segment.technical_stops.map(({ airport, duration }) =>
      [`Technical stop in ${placeLabel(airport)}`, duration && formatDuration(duration)].filter(Boolean).join(', '),
    ),
  )
}

export function airlineName(segment: Pick<Segment, 'marketing_carrier' | 'airline'>): string {
  return segment.marketing_carrier.name || segment.airline.name || segment.marketing_carrier.iata_code || 'Airline'
}

/** The airlines that sell a slice's flights, each once, and those that fly them for somebody else. */
export function carriersOf({ segments }: Pick<Slice, 'segments'>): {
  carriers: { code: Carrier['iata_code']; name: string }[]
  operators: string[]
} {
  const named = segments.map((segment) => ({ code: segment.marketing_carrier.iata_code, name: airlineName(segment) }))
  const carriers = named.filter(({ name }, index) => named.findIndex((one) => one.name === name) === index)
  return { carriers, operators: operatedBy(segments) }
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
