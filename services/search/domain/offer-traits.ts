/** What a visitor's wishes ask of an offer, read once when its list is made. */
import type { OfferTraits, StopCategory } from '@passerelle/contracts/rules/offer-filters'
import { durationMinutes } from './duration.ts'
import type { BareOffer } from './known-offer.ts'

const carriersOf = ({ owner, slices }: BareOffer) => [
  owner,
  ...slices.flatMap(({ segments }) => segments.map((one) => one.marketing_carrier)),
]

const hourOf = (wallClock: string | undefined) => {
  const hour = Number(wallClock?.slice(11, 13) || Number.NaN)
  return Number.isInteger(hour) ? hour : null
}

export function traitsOf(offer: BareOffer): OfferTraits {
  const [outbound] = offer.slices
  const durations = offer.slices.map(({ duration }) => durationMinutes(duration))
  return {
    airlines: [...new Set(carriersOf(offer).flatMap(({ iata_code }) => iata_code ?? []))],
    stops: Math.min(2, Math.max(0, ...offer.slices.map(({ segments }) => segments.length - 1))) as StopCategory,
    departureHour: hourOf(outbound?.segments[0]?.departing_at),
    arrivalHour: hourOf(outbound?.segments.at(-1)?.arriving_at),
    duration: durations[0] ?? null,
    travelTime: durations.reduce((sum, minutes) => (sum === null || minutes === null ? null : sum + minutes), 0),
    emissions: offer.emissions_kg ?? null,
    refundable: offer.conditions.refundable,
    baggageIncluded: offer.baggage_included,
  }
}

/** Names of the airlines of a list by their codes. */
export function airlineNames(offers: readonly BareOffer[]): Record<string, string> {
  const named = offers.flatMap(carriersOf).flatMap(({ iata_code, name }) => (iata_code && name ? [[iata_code, name] as const] : []))
  return Object.fromEntries(named)
}
