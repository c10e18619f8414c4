/**
 * Lowest prices by day of departure, from searches that are cached already. The key of each day is known, so one read of Redis finds
 * them all; a price leaves with its set. The supplier is never asked.
 */
import type { CalendarPrices } from '@passerelle/contracts/http/search'
import type { CalendarQuery } from '@passerelle/contracts/http/search-criteria'
import { daysLater } from '@passerelle/contracts/rules/search'
import type { Caller } from '@passerelle/kit/auth'
import { nowMs } from '@passerelle/kit/runtime'
import { cheapestOf, lowestPrice } from './domain/lowest-price.ts'
import type { GoneOffers } from './gone-offers.ts'
import type { ResultSetCache } from './result-set-cache.ts'
import { type SearchResults, setKeyOf } from './search-results.ts'

type CalendarTools = {
  resultSets: Pick<ResultSetCache, 'cheapest'>
  results: Pick<SearchResults, 'inMemory'>
  gone: Pick<GoneOffers, 'sync' | 'goneAt'>
}

export type Calendar = {
  /** For round trips every day is priced for the same number of nights. */
  prices(query: CalendarQuery, caller: Pick<Caller, 'mode' | 'markupPercent'>): Promise<CalendarPrices>
}

export function createCalendar({ resultSets, results, gone }: CalendarTools): Calendar {
  return {
    async prices({ from, days: count, nights, ...trip }, { mode, markupPercent }) {
      const days = Array.from({ length: count }, (_, index) => {
        const date = daysLater(from, index)
        const returnDate = nights === undefined ? undefined : daysLater(date, nights)
        return { date, key: setKeyOf(mode, { ...trip, departureDate: date, returnDate }) }
      })
      const [shared] = await Promise.all([resultSets.cheapest(days.map(({ key }) => key)), gone.sync()])
      const priced = days.flatMap(({ date, key }, index) => {
        // A set that was just made, or could not be written, is in this process's memory alone.
        const own = shared[index] === undefined ? results.inMemory(key) : undefined
        const cheapest = shared[index] ?? (own && cheapestOf(own))
        const price = cheapest && lowestPrice(cheapest, nowMs(), gone.goneAt, markupPercent)
        return price ? [{ date, price }] : []
      })
      return { days: priced }
    },
  }
}
