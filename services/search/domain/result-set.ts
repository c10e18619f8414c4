/**
 * A frozen result set: all offers of one search as they were found at one moment, ready as JSON text. Pages are cut from it, so
 * they never overlap; the price, the only part that differs from brand to brand, is put in between.
 */
import { toMinor } from '@passerelle/contracts/rules/money'
import type { OfferTraits } from '@passerelle/contracts/rules/offer-filters'
import { priceOf } from './amount.ts'
import type { BareOffer } from './known-offer.ts'
import { airlineNames, traitsOf } from './offer-traits.ts'
import { mainCurrency, ranked } from './ranking.ts'

const MINUTE = 60_000
/** A list is never shown longer than this. */
const LIFE_MS = 5 * MINUTE
const EMPTY_LIFE_MS = MINUTE
/** Of its life; for the rest of it a new list is fetched while the old one is still shown. */
const FRESH_SHARE = 0.9
/** Nobody books in the last five minutes: a kept list never shows an offer that is so near its end. */
const LAST_MINUTES_MS = 5 * MINUTE
/** Offers that are nearer their end than this when they are found would make the whole list uncacheable. */
const SHORT_LIFE_MS = LAST_MINUTES_MS + MINUTE

type Amounts = Parameters<typeof priceOf>[0]

type OfferText = {
  id: string
  expiresAt: number
  amounts: Amounts
  traits: OfferTraits
  /** JSON text before and after the value of `price`. */
  head: string
  tail: string
}

/** Times are epoch milliseconds. */
export type ResultSet = {
  id: string
  createdAt: number
  freshUntil: number
  /** Usable while it is renewed; never before freshUntil. Equal to createdAt: to be shown once and not kept. */
  staleUntil: number
  earliestExpiry: number
  /** Of most offers; null when there is none. */
  currency: string | null
  /** Names by code. */
  airlines: Record<string, string>
  offers: OfferText[]
}

/** @param spread 0 to 1, random: sets that were made together are not renewed together. */
export function createResultSet(id: string, found: readonly BareOffer[], now: number, spread: number): ResultSet {
  const offers = ranked(withoutShortLives(found, now)).map(toText)
  const earliestExpiry = Math.min(...offers.map((offer) => offer.expiresAt))
  const life = Math.max(0, Math.min(offers.length > 0 ? LIFE_MS : EMPTY_LIFE_MS, earliestExpiry - LAST_MINUTES_MS - now))
  const freshShare = offers.length > 0 ? FRESH_SHARE - 0.1 * spread : 1
  return {
    id,
    createdAt: now,
    freshUntil: Math.floor(now + life * freshShare),
    staleUntil: Math.floor(now + life),
    earliestExpiry,
    currency: mainCurrency(found),
    airlines: airlineNames(found),
    offers,
  }
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
    id,
    expiresAt: Date.parse(offer.expires_at),
    amounts,
    traits: traitsOf(offer),
    head: `${JSON.stringify({ id, ...amounts }).slice(0, -1)},"price":`,
    tail: `,${JSON.stringify(rest).slice(1)}`,
  }
}

type Freshness = 'fresh' | 'stale' | 'gone'

export function freshnessOf(set: ResultSet, now: number): Freshness {
  if (now < set.freshUntil) return 'fresh'
  return now < set.staleUntil ? 'stale' : 'gone'
}

/** When the supplier said that it does not sell this offer any more; undefined: it has not. */
type GoneAt = (offerId: string) => number | undefined

/** Positions of the offers that may still be shown; null when that is all of them. What the supplier lists again after it was gone is shown again. */
export function showable(set: ResultSet, now: number, goneAt: GoneAt): number[] | null {
  const positions = set.offers.flatMap(({ id, expiresAt }, index) => {
    const gone = goneAt(id)
    return expiresAt > now && (gone === undefined || gone < set.createdAt) ? [index] : []
  })
  return positions.length === set.offers.length ? null : positions
}

/** Prices of one set for one markup by position, made as pages and wishes ask for them. `minor`: the total in the smallest unit. */
export type Prices = ({ json: string; total: string; minor: number } | undefined)[]

export function priceAt({ offers }: ResultSet, index: number, markupPercent: number, prices: Prices): NonNullable<Prices[number]> {
  const known = prices[index]
  if (known) return known
  const price = priceOf((offers[index] as OfferText).amounts, markupPercent)
  const made = { json: JSON.stringify(price), total: price.total, minor: toMinor(price.total, price.currency) }
  prices[index] = made
  return made
}

export type PageRequest = { page: number; limit: number }

/**
 * What is shown of a set: `positions` null is all of it. When offers leave, pages are cut anew, so that pages of before and after do
 * not fit together: they must not have the same `searchId`.
 */
export type View = { searchId: string; positions: readonly number[] | null }

/** The answer of the search calls as JSON text. `prices` belongs to this set and this markup; `facets` is JSON text. */
export function pageText(
  set: ResultSet,
  { searchId, positions }: View,
  request: PageRequest,
  markupPercent: number,
  prices: Prices,
  facets?: string,
): string {
  const count = positions?.length ?? set.offers.length
  const from = Math.min((request.page - 1) * request.limit, count)
  const to = Math.min(from + request.limit, count)
  const texts: string[] = []
  for (let place = from; place < to; place++) {
    const index = positions ? (positions[place] as number) : place
    const offer = set.offers[index] as OfferText
    texts.push(offer.head + priceAt(set, index, markupPercent, prices).json + offer.tail)
  }
  return `{"offers":[${texts.join(',')}],"total_count":${count},"search_id":${JSON.stringify(searchId)}${facets ? `,"facets":${facets}` : ''}}`
}

/** Characters that the set's texts hold, about its bytes in memory. */
export function sizeOf(set: ResultSet): number {
  return set.offers.reduce((sum, offer) => sum + offer.head.length + offer.tail.length + 400, 500)
}

type Header = Omit<ResultSet, 'offers'> & { offers: Omit<OfferText, 'head' | 'tail'>[] }

/** A set as one text for Redis. JSON texts have no line breaks, so offers are lines and are not parsed again. */
export function encodeResultSet({ offers, ...set }: ResultSet): string {
  const header: Header = { ...set, offers: offers.map(({ head: _head, tail: _tail, ...offer }) => offer) }
  return [JSON.stringify(header), ...offers.flatMap(({ head, tail }) => [head, tail])].join('\n')
}

/** Null for a text that is not a whole set, e.g. one cut short. */
export function decodeResultSet(text: string): ResultSet | null {
  const [first = '', ...lines] = text.split('\n')
  try {
    const { offers, ...set } = JSON.parse(first) as Header
    if (lines.length !== offers.length * 2) return null
    return {
      ...set,
      // An empty set never expires by its offers; Infinity does not survive JSON.
      earliestExpiry: set.earliestExpiry ?? Number.POSITIVE_INFINITY,
      offers: offers.map((offer, index) => ({ ...offer, head: lines[index * 2] as string, tail: lines[index * 2 + 1] as string })),
    }
  } catch {
    return null
  }
}
