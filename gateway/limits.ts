/**
 * Rate limits from the contract's rows. Each call is counted in this process and in Redis for all gateways, and the higher count
 * holds: while Redis is away or slow, what was counted here still does.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Limit, Route } from '@passerelle/contracts/route'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Cache } from '@passerelle/kit/redis'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { type Visitor, visitorOf } from './visitor.ts'

type Count = { count: number; resetSeconds: number }

/** A fixed window in this process. */
function localCounter() {
  const windows = new LRUCache<string, { count: number; until: number }>({ max: 50_000 })
  return (key: string, seconds: number): Count => {
    const now = Date.now()
    const open = windows.get(key)
    const window = open && open.until > now ? open : { count: 0, until: now + seconds * 1000 }
    window.count++
    windows.set(key, window)
    return { count: window.count, resetSeconds: Math.max(1, Math.ceil((window.until - now) / 1000)) }
  }
}

export type Limiter = (name: string, route: Route) => RequestHandler

/** `factor` scales every limit, for load tests and machines of developers. */
export function limiter(cache: Cache, metrics: Metrics, factor: number): Limiter {
  const locally = localCounter()
  const count = async (key: string, limit: Limit): Promise<Count> => {
    const here = locally(key, limit.seconds)
    const everywhere = await cache.count(key, limit.seconds)
    return everywhere && everywhere.count > here.count ? everywhere : here
  }
  return (name, route) => {
    const limits = route.limits ?? []
    return async (_request, response, next) => {
      const visitor = visitorOf(response)
      for (const limit of limits) {
        const max = Math.max(1, Math.floor(limit.max * factor))
        const { count: used, resetSeconds } = await count(`limit:${name}:${limit.by}:${whose(limit, visitor)}`, limit)
        response.setHeader('ratelimit', `limit=${max}, remaining=${Math.max(0, max - used)}, reset=${resetSeconds}`)
        if (used > max) {
          metrics.rejected.inc({ reason: 'rate-limit' })
          throw new AppError('RATE_LIMITED', { retryAfter: resetSeconds })
        }
      }
      next()
    }
  }
}

/** A visitor without a session is counted by address. */
function whose(limit: Limit, visitor: Visitor): string {
  return limit.by === 'session' && visitor.session ? visitor.session.sessionId.slice(0, 32) : visitor.ip
}
