/** An offer read once: what its card needs of it, with every missing value settled. */
import type { FlightOffer, Slice } from '@passerelle/contracts/http/search'
import { customerPrice, DEFAULT_CURRENCY, isAmount, toMinor } from '@passerelle/contracts/rules/money'

export type OfferFacts = {
  offer: FlightOffer
  outbound: Slice
  inbound: Slice | null
  /** What a customer pays: decimal string and its integer minor units. */
  price: { total: string; currency: string; minor: number }
  refundable: boolean
  baggageIncluded: boolean
}

/** The server's price; computed from the supplier's amounts when an answer has none. A missing amount is 0, a missing currency USD. */
export function priceOf(offer: Partial<FlightOffer>): OfferFacts['price'] {
  const currency = offer.price?.currency || offer.total_currency || DEFAULT_CURRENCY
  const computed = () =>
    isAmount(offer.total_amount)
      ? customerPrice({
          total_amount: offer.total_amount,
          base_amount: isAmount(offer.base_amount) ? offer.base_amount : offer.total_amount,
          total_currency: currency,
        }).total
      : '0'
  const total = isAmount(offer.price?.total) ? offer.price.total : computed()
  return { total, currency, minor: minorOf(total, currency) }
}

function minorOf(amount: string, currency: string): number {
  try {
    return toMinor(amount, currency)
  } catch {
    return 0
  }
}

/** null for an offer that cannot be shown: no outbound slice, or one without flights. */
export function factsOf(offer: FlightOffer): OfferFacts | null {
  const [outbound, inbound] = offer.slices ?? []
  if (!outbound?.segments?.length) return null
  const back = inbound?.segments?.length ? inbound : null
  const slices = back ? [outbound, back] : [outbound]
  return {
    offer,
    outbound,
    inbound: back,
    price: priceOf(offer),
    refundable: offer.conditions?.refundable === true,
    baggageIncluded:
      offer.baggage_included ?? slices.every((slice) => slice.segments[0]?.services?.some((service) => service.type === 'baggage')),
  }
}
