/** What a visitor's wishes leave of a frozen list, in the wished order, with the counts over the whole of it. */
import { type Facets, filtersOf, type OfferView } from '@passerelle/contracts/http/offer-view'
import { facetsOf, filterOffers, type PricedTraits, type Sort, sortOffers } from '@passerelle/contracts/rules/offer-filters'
import { type Prices, priceAt, type ResultSet, type View } from './result-set.ts'

type Candidate = PricedTraits & { index: number; total: string }

/** @param shown what may be shown of the set at all; `prices` belongs to this set and this markup */
export function chosenView(
  set: ResultSet,
  shown: Pick<View, 'positions'>,
  wishes: OfferView,
  markupPercent: number,
  prices: Prices,
): { positions: number[]; facets: string | undefined } {
  const currency = set.currency ?? ''
  const candidate = (index: number): Candidate => {
    const { traits, amounts } = set.offers[index] as ResultSet['offers'][number]
    const { minor, total } = priceAt(set, index, markupPercent, prices)
    return { ...traits, price: { currency: amounts.total_currency, minor }, index, total }
  }
  const list: Candidate[] = (shown.positions ?? set.offers.map((_, index) => index)).map(candidate)
  const filters = filtersOf(wishes)
  const left = filterOffers(list, filters, currency)
  const positions = sortOffers(left, wishes.sort ?? 'price-asc', currency).map(({ index }) => index)
  if (!wishes.facets) return { positions, facets: undefined }

  const counts = facetsOf(list, filters, currency)
  const whole = facetsOf(list, filtersOf({}), currency)
  const first = (sort: Sort) => {
    const [offer] = sortOffers(left, sort, currency)
    const id = offer && set.offers[offer.index]?.id
    return offer && id ? { id, price: { total: offer.total, currency: offer.price.currency }, duration: offer.duration } : null
  }
  const facets: Facets = {
    ...counts,
    airlines: Object.entries(counts.airlines).map(([code, count]) => ({
      code,
      name: set.airlines[code] ?? code,
      count,
      total: whole.airlines[code] ?? 0,
    })),
    cheapest: first('price-asc'),
    fastest: first('duration-asc'),
    best: first('best'),
  }
  return { positions, facets: JSON.stringify(facets) }
}
