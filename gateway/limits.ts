/**
 * Rate limits from the contract's rows. Each call is counted in this process and in Redis for all gateways, and the higher count
 * holds: while Redis is unavailable or slow, the local count still does.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Limit, Route } from '@passerelle/contracts/route'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hashToken } from '@passerelle/kit/auth'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Cache } from '@passerelle/kit/redis'
import { cacheClock } from '@passerelle/kit/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { type Visitor, visitorOf } from './middleware.ts'

type Count = { count: number; resetSeconds: number }

export type FixedWindow = {
  /** Counts one more. */
  add(key: string, seconds: number): Count
  /** Takes one back that should not have counted. */
  subtract(key: string): void
}

/**
 * Counters in fixed windows, in this process.
 * @param max keys that are kept; the least recently counted one is dropped first
 */
export function fixedWindow(max: number): FixedWindow {
  const windows = new LRUCache<string, { count: number }>({ max, ttl: 1, ...cacheClock })
  return {
    add(key, seconds) {
      const open = windows.get(key)
      const window = open ?? { count: 0 }
      if (!open) windows.set(key, window, { ttl: seconds * 1000 })
      window.count++
      return { count: window.count, resetSeconds: Math.max(1, Math.ceil(windows.getRemainingTTL(key) / 1000)) }
    },
    subtract(key) {
      const window = windows.get(key)
      if (window) window.count--
    },
  }
}

/** Enforces the route's limits of one kind: by network before the session is looked up, by reference once the body has been read. */
export type Limiter = (name: string, route: Route, by: Limit['by']) => RequestHandler

/** `factor` scales every limit, for load tests and machines of developers. */
export function limiter(cache: Cache, metrics: Metrics, factor: number): Limiter {
  const locally = fixedWindow(50_000)
  const count = async (key: string, limit: Limit): Promise<Count> => {
    const local = locally.add(key, limit.seconds)
    const shared = await cache.count(key, limit.seconds)
    return shared && shared.count > local.count ? shared : local
  }
  return (name, route, by) => {
    const limits = (route.limits ?? []).filter((limit) => limit.by === by)
    return async (request, response, next) => {
      for (const limit of limits) {
        const max = Math.max(1, Math.floor(limit.max * factor))
        const { count: used, resetSeconds } = await count(`limit:${name}:${by}:${rateLimitKey(by, visitorOf(response), request)}`, limit)
        setRateLimitHeader(response, { max, remaining: Math.max(0, max - used), resetSeconds })
        if (used > max) {
          metrics.rejected.inc({ reason: 'rate-limit' })
          throw new AppError('RATE_LIMITED', { retryAfter: resetSeconds })
        }
      }
      next()
    }
  }
}

function rateLimitKey(by: Limit['by'], visitor: Visitor, request: Request): string {
  if (by === 'reference') {
    const { reference } = request.body as { reference?: unknown }
    return hashToken(String(reference).trim().toUpperCase()).slice(0, 32)
  }
  return by === 'session' && visitor.session ? visitor.session.sessionId.slice(0, 32) : networkOf(visitor.ip)
}

type Budget = { max: number; remaining: number; resetSeconds: number }

/** Of several limits the header tells the one that is used up first. */
function setRateLimitHeader(response: Response, budget: Budget): void {
  const previous = response.locals.rateLimit as Budget | undefined
  if (previous && previous.remaining < budget.remaining) return
  response.locals.rateLimit = budget
  response.setHeader('ratelimit', `limit=${budget.max}, remaining=${budget.remaining}, reset=${budget.resetSeconds}`)
}
