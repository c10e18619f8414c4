import type { OfferFacts } from './offer-facts.ts'

export const SORTS = [
  ['price-asc', 'Lowest price'],
  ['price-desc', 'Highest price'],
  ['duration-asc', 'Shortest duration'],
] as const
export type Sort = (typeof SORTS)[number][0]

const last = Number.POSITIVE_INFINITY

/** Offers in another currency cannot be compared and stand after the main one; equal offers keep their order. */
export function sortOffers(list: readonly OfferFacts[], sort: Sort, currency: string): OfferFacts[] {
  const foreign = (facts: OfferFacts) => (facts.price.currency === currency ? 0 : 1)
  const by: Record<Sort, (a: OfferFacts, b: OfferFacts) => number> = {
    'price-asc': (a, b) => foreign(a) - foreign(b) || a.price.minor - b.price.minor,
    'price-desc': (a, b) => foreign(a) - foreign(b) || b.price.minor - a.price.minor,
    'duration-asc': (a, b) => compare(a.duration ?? last, b.duration ?? last) || foreign(a) - foreign(b) || a.price.minor - b.price.minor,
  }
  return [...list].sort(by[sort])
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
