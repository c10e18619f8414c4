/**
 * Counts for the rate limits of the contracts. Calls are counted in this process at once and in Redis for all gateways: a few times a
 * second in one batch where a limit is generous, with each call where it is tight.
 */
import type { Limit, Route } from '@passerelle/contracts/route'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Cache } from '@passerelle/kit/redis'
import { secondsLeft, sharedCounts, TIGHT, type Window } from '@passerelle/kit/shared-counts'
import { LRUCache } from 'lru-cache'

/** `used` may be more than `max`: then the limit is exceeded. */
export type Budget = { used: number; max: number; resetSeconds: number }

/** A route's limits by network and by session, for a visitor who is known without asking. */
export type RouteLimits = {
  /** Counts a call of the route; the value of its RateLimit header. null: a limit is reached, and nothing was counted. */
  take(network: string, sessionId: string | null): string | null
}

export type RateLimits = {
  /** Counts a call. @param whom network, session or reference */
  count(name: string, limit: Limit, whom: string): Promise<Budget>
  /** null where a limit of the route has to be counted in Redis with each call. */
  inMemory(name: string, route: Route): RouteLimits | null
  /** Sends the last counts. */
  stop(): Promise<void>
}

/** What one visitor's calls of one route are counted in. */
type Counted = { max: number; window: Window }

const MOST_WINDOWS = 50_000
/** @param factor scales every limit, for load tests and machines of developers */
export function rateLimits(cache: Cache, metrics: Metrics, factor: number): RateLimits {
  const counts = sharedCounts(cache, MOST_WINDOWS)
  const maxOf = (limit: Limit) => Math.max(1, Math.floor(limit.max * factor))

  return {
    async count(name, limit, whom) {
      const max = maxOf(limit)
      const window = counts.windowOf(keyOf(name, limit.by, whom), limit.seconds)
      const own = counts.add(window, max)
      if (max < TIGHT) await counts.send([window])
      const used = own + window.others
      if (used > max) metrics.rejected.inc({ reason: 'rate-limit' })
      return { used, max, resetSeconds: secondsLeft(window) }
    },
    inMemory(name, route) {
      const limits = (route.limits ?? []).map((limit) => ({ ...limit, max: maxOf(limit) }))
      if (limits.some(({ by, max }) => by === 'reference' || max < TIGHT)) return null
      const visitors = new LRUCache<string, Counted[]>({ max: MOST_WINDOWS })
      const countedOf = (network: string, sessionId: string | null): Counted[] => {
        const visitor = sessionId === null ? network : `${network} ${sessionId}`
        const known = visitors.get(visitor)
        if (known && !known.some(({ window }) => window.isDropped)) return known
        const counted = limits.map(({ by, max, seconds }) => {
          const whom = by === 'session' && sessionId ? sessionId.slice(0, 32) : network
          return { max, window: counts.windowOf(keyOf(name, by, whom), seconds) }
        })
        visitors.set(visitor, counted)
        return counted
      }
      return {
        take(network, sessionId) {
          const counted = countedOf(network, sessionId)
          for (const { max, window } of counted) if (counts.current(window).own + window.others >= max) return null
          let least: Budget | undefined
          for (const { max, window } of counted) {
            const budget = { used: counts.add(window, max) + window.others, max, resetSeconds: secondsLeft(window) }
            if (!least || remainingOf(budget) < remainingOf(least)) least = budget
          }
          return least ? rateLimitHeader(least) : ''
        },
      }
    },
    stop: counts.stop,
  }
}

const keyOf = (name: string, by: Limit['by'], whom: string) => `limit:${name}:${by}:${whom}`

export const remainingOf = ({ used, max }: Budget) => Math.max(0, max - used)

export const rateLimitHeader = (budget: Budget) => `limit=${budget.max}, remaining=${remainingOf(budget)}, reset=${budget.resetSeconds}`
