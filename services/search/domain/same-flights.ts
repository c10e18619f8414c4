/** Recognising an offer again in another search: the same flights in the same cabin at the same conditions. */
import { compareAmounts } from '@passerelle/contracts/rules/money'
import type { BareOffer, KnownOffer } from './known-offer.ts'

/** Two offers with the same fingerprint are the same product; only the price may differ. */
export function fingerprint(offer: BareOffer): string {
  return JSON.stringify({
    currency: offer.total_currency,
    passengers: offer.passengers.map(({ type }) => type),
    conditions: offer.conditions,
    slices: offer.slices.map((slice) => ({
      brand: slice.fare_brand_name,
      segments: slice.segments.map((segment) => [
        segment.marketing_carrier.iata_code,
        segment.flight_number,
        segment.departing_at,
        segment.origin.iata_code,
        segment.destination.iata_code,
        segment.cabin_class,
        segment.services.find(({ type }) => type === 'baggage')?.description ?? null,
      ]),
    })),
  })
}

/** The same product, if possible at the same price, else at the lowest; undefined when it is not sold any more. */
export function findSameFlights(wanted: BareOffer, candidates: readonly KnownOffer[]): KnownOffer | undefined {
  const print = fingerprint(wanted)
  const same = candidates.filter(({ offer }) => fingerprint(offer) === print)
  const samePrice = same.find(({ offer }) => compareAmounts(offer.total_amount, wanted.total_amount) === 0)
  return samePrice ?? same.sort((a, b) => compareAmounts(a.offer.total_amount, b.offer.total_amount))[0]
}
