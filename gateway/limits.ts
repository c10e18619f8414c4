/**
 * Counts for the rate limits of the contracts. Calls are counted in this process at once and in Redis for all gateways: a few times a
 * second in one batch where a limit is generous, with each call where it is tight. While Redis is unavailable the local count still holds.
 */
import type { Limit, Route } from '@passerelle/contracts/route'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Cache } from '@passerelle/kit/redis'
import { every, nowMs } from '@passerelle/kit/runtime'
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

/** One key's window: what this gateway has counted, and what all others had when Redis was last asked. It begins anew in its place. */
type Window = {
  key: string
  seconds: number
  own: number
  unsent: number
  others: number
  resetAt: number
  round: number
  isDropped: boolean
}
/** What one visitor's calls of one route are counted in. */
type Counted = { max: number; window: Window }

const MOST_WINDOWS = 50_000
/** A batch that comes too late would let visibly more calls through a limit below this. */
const TIGHT = 30
const BATCH_MS = 100
/** A window is also sent as soon as this part of its limit is counted here alone. */
const SHARES = 40

/** @param factor scales every limit, for load tests and machines of developers */
export function rateLimits(cache: Cache, metrics: Metrics, factor: number): RateLimits {
  const windows = new LRUCache<string, Window>({
    max: MOST_WINDOWS,
    dispose: (window) => {
      window.isDropped = true
    },
  })
  const unsent = new Set<Window>()
  const maxOf = (limit: Limit) => Math.max(1, Math.floor(limit.max * factor))

  const begin = (window: Window): Window => {
    if (window.resetAt > nowMs()) return window
    const resetAt = nowMs() + window.seconds * 1000
    return Object.assign(window, { own: 0, unsent: 0, others: 0, resetAt, round: window.round + 1 })
  }
  const windowOf = (key: string, seconds: number): Window => {
    const known = windows.get(key)
    if (known) return begin(known)
    const window = begin({ key, seconds, own: 0, unsent: 0, others: 0, resetAt: 0, round: 0, isDropped: false })
    windows.set(key, window)
    return window
  }
  /** The calls that this gateway has counted in the window, this one among them. */
  const add = (window: Window, max: number): number => {
    if (window.unsent++ === 0) unsent.add(window)
    window.own++
    // However fast somebody calls, the gateways together stay within a few hundredths of the limit.
    if (max >= TIGHT && window.unsent * SHARES >= max) void send([window])
    return window.own
  }

  const send = async (all: Iterable<Window>): Promise<void> => {
    const batch = [...all].flatMap((window) => {
      unsent.delete(window)
      const { key, unsent: by, seconds: windowSeconds, round } = window
      return by > 0 && window.resetAt > nowMs() ? [{ window, round, addition: { key, by, windowSeconds } }] : []
    })
    for (const { window, addition } of batch) window.unsent -= addition.by
    const totals = await cache.count(batch.map(({ addition }) => addition))
    for (const [index, { window, round }] of batch.entries()) {
      const total = totals?.[index]
      if (!total || window.round !== round) continue
      window.others = Math.max(0, total.count - (window.own - window.unsent))
      window.resetAt = nowMs() + total.resetMs
    }
  }
  const endBatches = every(BATCH_MS, () => {
    if (unsent.size > 0) void send(unsent)
  })

  return {
    async count(name, limit, whom) {
      const max = maxOf(limit)
      const window = windowOf(keyOf(name, limit.by, whom), limit.seconds)
      const own = add(window, max)
      if (max < TIGHT) await send([window])
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
          return { max, window: windowOf(keyOf(name, by, whom), seconds) }
        })
        visitors.set(visitor, counted)
        return counted
      }
      return {
        take(network, sessionId) {
          const counted = countedOf(network, sessionId)
          for (const { max, window } of counted) if (begin(window).own + window.others >= max) return null
          let least: Budget | undefined
          for (const { max, window } of counted) {
            const budget = { used: add(window, max) + window.others, max, resetSeconds: secondsLeft(window) }
            if (!least || remainingOf(budget) < remainingOf(least)) least = budget
          }
          return least ? rateLimitHeader(least) : ''
        },
      }
    },
    async stop() {
      endBatches()
      if (unsent.size > 0) await send(unsent)
    },
  }
}

const keyOf = (name: string, by: Limit['by'], whom: string) => `limit:${name}:${by}:${whom}`

const secondsLeft = ({ resetAt }: Window) => Math.max(1, Math.ceil((resetAt - nowMs()) / 1000))

export const remainingOf = ({ used, max }: Budget) => Math.max(0, max - used)

export const rateLimitHeader = (budget: Budget) => `limit=${budget.max}, remaining=${remainingOf(budget)}, reset=${budget.resetSeconds}`
