/** Lowest prices by day of departure, where the server knows them. */
import { compareAmounts, formatMoney } from '@passerelle/contracts/rules/money'
import type { SearchCriteria } from '@passerelle/contracts/rules/search'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api-client.ts'

/** All of a search but its days. `nights`: from departure to return; left out: one way. */
export type Trip = Omit<SearchCriteria, 'departureDate' | 'returnDate'> & { nights?: number | undefined }

/** `short` fits under a day of the calendar. */
export type DayPrice = { full: string; short: string; isLowest: boolean }
export type DayPrices = ReadonlyMap<string, DayPrice>

type CalendarDays = Awaited<ReturnType<typeof api.calendar>>['days']

/** As long as the gateway keeps an answer. */
const FRESH_MS = 10_000

export const dayPricesQuery = (trip: Trip, from: string, days: number) =>
  queryOptions({
    queryKey: ['/api/flights/calendar', trip, from, days],
    queryFn: ({ signal }) => {
      const { origin, destination, cabinClass, adultsCount, childrenCount, infantsCount, nights } = trip
      const query = { origin, destination, cabinClass, adultsCount, childrenCount, infantsCount, nights, from, days }
      return api.calendar({ query }, { signal })
    },
    select: pricesOf,
    staleTime: FRESH_MS,
  })

const pricesOf = ({ days }: { days: CalendarDays }) => dayPrices(days)

/** The lowest is marked where some day is dearer and all are in one currency. */
export function dayPrices(days: CalendarDays): DayPrices {
  const [first] = days
  const comparable = days.every(({ price }) => price.currency === first?.price.currency)
  const amounts = days.map(({ price }) => price.amount).sort(compareAmounts)
  const [least, most] = [amounts[0], amounts.at(-1)]
  const isLowest = (amount: string) => comparable && least !== undefined && amount === least && most !== least
  return new Map(
    days.map(({ date, price: { amount, currency } }) => [
      date,
      { full: formatMoney(amount, currency), short: shortMoney(amount, currency), isLowest: isLowest(amount) },
    ]),
  )
}

const MOST_CHARACTERS = 6

/** "$1,528", and "¥153K" for what would be longer. */
function shortMoney(amount: string, currency: string): string {
  const full = formatMoney(amount, currency)
  if (full.length <= MOST_CHARACTERS) return full
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 3 })
  return format.format(Number(amount))
}
