/**
 * A frozen result set: all offers of one search as they were found at one moment, ready as JSON text. Pages are cut from it, so
 * they never overlap; the price, the only part that differs from brand to brand, is put in between.
 */
import { priceOf } from './amount.ts'
import type { BareOffer } from './known-offer.ts'
import { ranked } from './ranking.ts'

const MINUTE = 60_000
/** A list is served as fresh for at most this long. */
const FRESH_MS = 5 * MINUTE
const EMPTY_FRESH_MS = MINUTE
/** After that it may be shown for this long while a new one is fetched. */
const STALE_MS = 5 * MINUTE
/** Nobody books in the last five minutes: a kept list never shows an offer that is so near its end. */
export const LAST_MINUTES_MS = 5 * MINUTE
/** Offers that are nearer their end than this when they are found would make the whole list uncacheable. */
const SHORT_LIFE_MS = LAST_MINUTES_MS + MINUTE

type Amounts = Parameters<typeof priceOf>[0]

export type OfferText = {
  expiresAt: number
  amounts: Amounts
  /** JSON text before and after the value of `price`. */
  head: string
  tail: string
}

/** Times are epoch milliseconds. */
export type ResultSet = {
  id: string
  createdAt: number
  freshUntil: number
  /** Usable while it is renewed; never before freshUntil. */
  staleUntil: number
  earliestExpiry: number
  offers: OfferText[]
}

/** @param spread 0 to 1, random: sets that were made together do not end together. */
export function createResultSet(id: string, found: readonly BareOffer[], now: number, spread: number): ResultSet {
  const offers = ranked(withoutShortLives(found, now)).map(toText)
  const expiries = offers.map((offer) => offer.expiresAt)
  const earliestExpiry = Math.min(...expiries)
  const jitter = 0.9 + 0.1 * spread
  const freshUntil = Math.max(
    now,
    Math.min(now + (offers.length > 0 ? FRESH_MS : EMPTY_FRESH_MS) * jitter, earliestExpiry - LAST_MINUTES_MS),
  )
  const staleUntil =
    offers.length > 0 ? Math.max(freshUntil, Math.min(freshUntil + STALE_MS, Math.max(...expiries) - LAST_MINUTES_MS)) : freshUntil
  return { id, createdAt: now, freshUntil: Math.floor(freshUntil), staleUntil: Math.floor(staleUntil), earliestExpiry, offers }
}

/** An offer about to end is left out when there are others; when there is nothing else it is shown and the list is not kept. */
function withoutShortLives(found: readonly BareOffer[], now: number): readonly BareOffer[] {
  const alive = found.filter((offer) => Date.parse(offer.expires_at) > now)
  const lasting = alive.filter((offer) => Date.parse(offer.expires_at) >= now + SHORT_LIFE_MS)
  return lasting.length > 0 ? lasting : alive
}

function toText(offer: BareOffer): OfferText {
  const { id, total_amount, total_currency, base_amount, base_currency, tax_amount, tax_currency, ...rest } = offer
  const amounts = { total_amount, total_currency, base_amount, base_currency, tax_amount, tax_currency }
  return {
    expiresAt: Date.parse(offer.expires_at),
    amounts,
    head: `${JSON.stringify({ id, ...amounts }).slice(0, -1)},"price":`,
    tail: `,${JSON.stringify(rest).slice(1)}`,
  }
}

export type Freshness = 'fresh' | 'stale' | 'gone'

export function freshnessOf(set: ResultSet, now: number): Freshness {
  if (now < set.freshUntil) return 'fresh'
  return now < set.staleUntil ? 'stale' : 'gone'
}

/** Positions of the offers that may still be shown; null when that is all of them. A list that was just made shows whatever lives. */
export function showable(set: ResultSet, now: number): number[] | null {
  const least = now < set.freshUntil || set.freshUntil === set.createdAt ? now : now + LAST_MINUTES_MS
  if (set.earliestExpiry > least) return null
  return set.offers.flatMap((offer, index) => (offer.expiresAt > least ? [index] : []))
}

/** Price texts of one set for one markup, filled as pages ask for them. */
export type PriceTexts = (string | undefined)[]

export type PageRequest = { page: number; limit: number }

/** The answer of the search calls as JSON text. `prices` belongs to this set and this markup. */
export function pageText(
  set: ResultSet,
  positions: readonly number[] | null,
  request: PageRequest,
  markupPercent: number,
  prices: PriceTexts,
): string {
  const count = positions?.length ?? set.offers.length
  const from = Math.min((request.page - 1) * request.limit, count)
  const to = Math.min(from + request.limit, count)
  const texts: string[] = []
  for (let place = from; place < to; place++) {
    const index = positions ? (positions[place] as number) : place
    const offer = set.offers[index] as OfferText
    const price = prices[index] ?? JSON.stringify(priceOf(offer.amounts, markupPercent))
    prices[index] = price
    texts.push(offer.head + price + offer.tail)
  }
  return `{"offers":[${texts.join(',')}],"total_count":${count},"search_id":${JSON.stringify(set.id)}}`
}

/** Characters that the set's texts hold, about its bytes in memory. */
export function sizeOf(set: ResultSet): number {
  return set.offers.reduce((sum, offer) => sum + offer.head.length + offer.tail.length + 200, 500)
}
