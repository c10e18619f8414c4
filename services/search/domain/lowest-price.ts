/** The first offers of a frozen set, which are its cheapest: enough to tell its lowest price without reading the whole set. */
import type { Money } from '@passerelle/contracts/http/common'
import { withMarkup } from '@passerelle/contracts/rules/money'
import type { ResultSet } from './result-set.ts'

/** Of one set. Amounts are the supplier's, so that every brand's markup can be put on them. Times are epoch milliseconds. */
export type Cheapest = { createdAt: number; offers: { id: string; expiresAt: number; amount: string; currency: string }[] }

/** More than one, because offers go: while one of them is left, the lowest price is known. */
const KEPT = 3

/** A set is in the order of its prices, its main currency first. */
export function cheapestOf({ createdAt, currency, offers }: Pick<ResultSet, 'createdAt' | 'currency' | 'offers'>): Cheapest {
  return {
    createdAt,
    offers: offers.slice(0, KEPT).flatMap(({ id, expiresAt, amounts: { total_amount, total_currency } }) => {
      return total_currency === currency ? [{ id, expiresAt, amount: total_amount, currency: total_currency }] : []
    }),
  }
}

/**
 * What the cheapest offer that may still be shown costs the customer; null when all of them are gone.
 * @param goneAt when the supplier said that it does not sell this offer any more
 */
export function lowestPrice(
  { createdAt, offers }: Cheapest,
  now: number,
  goneAt: (offerId: string) => number | undefined,
  markupPercent: number,
): Money | null {
  const offer = offers.find(({ id, expiresAt }) => expiresAt > now && (goneAt(id) ?? Number.NEGATIVE_INFINITY) < createdAt)
  return offer ? { amount: withMarkup(offer.amount, offer.currency, markupPercent), currency: offer.currency } : null
}
