/**
 * Which searches visitors make: 2,000 routes on 60 days (ROUTES, DAYS), popular ones far more often than rare ones (Zipf with s = 1, for
 * routes and for days).
 */
import { SharedArray } from 'k6/data'

const ROUTES = Number(__ENV.ROUTES || 2000)
const DAYS = Number(__ENV.DAYS || 60)
const FIRST_DAY = 21

export type Search = { origin: string; destination: string; departureDate: string; adultsCount: number }

const airports = new SharedArray<string>('airports', () => {
  const list = JSON.parse(open(import.meta.resolve('../../../../packages/contracts/rules/airports.json'))) as { iata_code: string }[]
  return list.map(({ iata_code }) => iata_code)
})

/** Sums of 1/1, 1/2, 1/3 ... as shares of their total. */
function zipf(count: number): number[] {
  const sums: number[] = []
  for (let rank = 1; rank <= count; rank++) sums.push((sums[rank - 2] ?? 0) + 1 / rank)
  const total = sums[count - 1] ?? 1
  return sums.map((sum) => sum / total)
}

const shares = new SharedArray<number[]>('shares', () => [zipf(ROUTES), zipf(DAYS)])

function rankOf(list: readonly number[], share: number): number {
  let [low, high] = [0, list.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 1) < share) low = middle + 1
    else high = middle
  }
  return low
}

const [routeShares, dayShares] = [[...(shares[0] ?? [])], [...(shares[1] ?? [])]]

/** The route of a rank: every rank has another pair of airports. */
function search(route: number, day: number): Search {
  const count = airports.length
  const origin = route % count
  const destination = (origin + 1 + 37 * (1 + Math.floor(route / count))) % count
  const departureDate = new Date(Date.now() + (FIRST_DAY + day) * 86_400_000).toISOString().slice(0, 10)
  return { origin: airports[origin] ?? '', destination: airports[destination] ?? '', departureDate, adultsCount: 1 }
}

/** A search as the mass of visitors makes them. */
export const popularSearch = (): Search => search(rankOf(routeShares, Math.random()), rankOf(dayShares, Math.random()))

/** One of all searches, each as likely as the others: hardly ever one that is in a cache. */
export const anySearch = (): Search => search(Math.floor(Math.random() * ROUTES), Math.floor(Math.random() * DAYS))
