/** The order of a result list: the main currency first, then cheapest, then quickest, then by id so that it is always the same. */
import { compareAmounts } from '@passerelle/contracts/rules/money'
import { durationMinutes } from './duration.ts'
import type { BareOffer } from './known-offer.ts'

/** The most frequent currency; among equals the first of the alphabet. */
export function mainCurrency(offers: readonly BareOffer[]): string | null {
  const counts = new Map<string, number>()
  for (const { total_currency } of offers) counts.set(total_currency, (counts.get(total_currency) ?? 0) + 1)
  const [best] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compareText(a, b))
  return best?.[0] ?? null
}

export function ranked(offers: readonly BareOffer[]): BareOffer[] {
  const main = mainCurrency(offers)
  return offers
    .map((offer) => ({ offer, rank: offer.total_currency === main ? 0 : 1, minutes: firstSliceMinutes(offer) }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        compareText(a.offer.total_currency, b.offer.total_currency) ||
        compareAmounts(a.offer.total_amount, b.offer.total_amount) ||
        a.minutes - b.minutes ||
        compareText(a.offer.id, b.offer.id),
    )
    .map(({ offer }) => offer)
}

/** Outbound, as the visitor's sort by duration; what nobody knows comes last. */
function firstSliceMinutes(offer: BareOffer): number {
  return durationMinutes(offer.slices[0]?.duration) ?? Number.MAX_SAFE_INTEGER
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
