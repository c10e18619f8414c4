/** An offer read once: what sorting, filters and the card need of it, with every missing value settled. */
import type { FlightOffer, Slice } from '@passerelle/contracts/http/search'
import { customerPrice, DEFAULT_CURRENCY, isAmount, toMinor } from '@passerelle/contracts/rules/money'
import { hourOf } from '../../../lib/format/dates.ts'
import { durationMinutes } from '../../../lib/format/duration.ts'

export type OfferFacts = {
  offer: FlightOffer
  outbound: Slice
  inbound: Slice | null
  /** What a customer pays: decimal string and its integer minor units. */
  price: { total: string; currency: string; minor: number }
  /** Codes of the owner and of every marketing carrier. */
  airlines: ReadonlySet<string>
  /** 0, 1 or 2 (two or more), of the direction that has the most: what is said of it holds for every slice. */
  stops: StopCategory
  departureHour: number | null
  arrivalHour: number | null
  /** Minutes of the outbound slice. */
  duration: number | null
  refundable: boolean
  baggageIncluded: boolean
}

export type StopCategory = 0 | 1 | 2

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

function stopsOf(slice: Slice): StopCategory {
  return Math.min(Math.max(slice.segments.length - 1, 0), 2) as StopCategory
}

/** null for an offer that cannot be shown: no outbound slice, or one without flights. */
export function factsOf(offer: FlightOffer): OfferFacts | null {
  const [outbound, inbound] = offer.slices ?? []
  if (!outbound?.segments?.length) return null
  const back = inbound?.segments?.length ? inbound : null
  const slices = back ? [outbound, back] : [outbound]
  const carriers = slices.flatMap((slice) => slice.segments.map((segment) => segment.marketing_carrier?.iata_code))
  return {
    offer,
    outbound,
    inbound: back,
    price: priceOf(offer),
    airlines: new Set([offer.owner?.iata_code, ...carriers].filter((code) => typeof code === 'string')),
    stops: Math.max(...slices.map(stopsOf)) as StopCategory,
    departureHour: hourOf(outbound.segments[0]?.departing_at),
    arrivalHour: hourOf(outbound.segments.at(-1)?.arriving_at),
    duration: durationMinutes(outbound.duration),
    refundable: offer.conditions?.refundable === true,
    baggageIncluded:
      offer.baggage_included ?? slices.every((slice) => slice.segments[0]?.services?.some((service) => service.type === 'baggage')),
  }
}

/** The currency of most offers; one search asks for one. */
export function mainCurrency(list: readonly OfferFacts[]): string {
  const counts = new Map<string, number>()
  for (const { price } of list) counts.set(price.currency, (counts.get(price.currency) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? DEFAULT_CURRENCY
}
