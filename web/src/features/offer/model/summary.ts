/** What the head and the cards of an offer say. */
import type { Carrier, FlightOffer, Slice } from '@passerelle/contracts/http/search'
import { cityOf, detailStops, layovers, operatedBy, placeLabel } from '../../../lib/flight.ts'
import { countNoun, countPassengers, passengersText } from '../../../lib/format/people.ts'
import { airlineName, cabinNames } from '../../../lib/segment.ts'

export function tripName({ slices }: Pick<FlightOffer, 'slices'>): 'One Way' | 'Round Trip' {
  return slices.length > 1 ? 'Round Trip' : 'One Way'
}

/** "Paris to New York". */
export function routeName({ slices }: Pick<FlightOffer, 'slices'>): string {
  const [first] = slices
  return first ? `${cityOf(first.origin)} to ${cityOf(first.destination)}` : 'N/A'
}

/** "Round Trip, 3 flights, 2 adults and 1 child, Economy". */
export function summaryText(offer: Pick<FlightOffer, 'slices' | 'passengers'>): string {
  const segments = offer.slices.flatMap((slice) => slice.segments)
  const people = passengersText(countPassengers(offer.passengers)).replace(/, ([^,]*)$/, ' and $1')
  return [tripName(offer), countNoun(segments.length, 'flight'), people, cabinNames(segments).join(' and ')].filter(Boolean).join(', ')
}

/** "1 stop via Amsterdam (AMS)"; a change of airport names both. */
export function stopsText(slice: Pick<Slice, 'segments'>): string {
  const via = layovers(slice).map(({ at, to, changesAirport }) =>
    changesAirport ? `${cityOf(at)} (${at.iata_code ?? 'N/A'} and ${to.iata_code ?? 'N/A'})` : placeLabel(at),
  )
  return [detailStops(slice.segments.length), via.join(', ')].filter(Boolean).join(' via ')
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
