/**
 * Rate limits from the contract's rows. Each call is counted in this process and in Redis for all gateways, and the higher count
 * holds: while Redis is away or slow, what was counted here still does.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Limit, Route } from '@passerelle/contracts/route'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hashToken } from '@passerelle/kit/auth'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Cache } from '@passerelle/kit/redis'
import type { Request, RequestHandler, Response } from 'express'
import { type Count, fixedWindow } from './fixed-window.ts'
import { type Visitor, visitorOf } from './visitor.ts'

/** The row's limits of one kind. By network before the session is looked up, by reference once the body has been read. */
export type Limiter = (name: string, route: Route, by: Limit['by']) => RequestHandler

/** `factor` scales every limit, for load tests and machines of developers. */
export function limiter(cache: Cache, metrics: Metrics, factor: number): Limiter {
  const locally = fixedWindow(50_000)
  const count = async (key: string, limit: Limit): Promise<Count> => {
    const here = locally.add(key, limit.seconds)
    const everywhere = await cache.count(key, limit.seconds)
    return everywhere && everywhere.count > here.count ? everywhere : here
  }
  return (name, route, by) => {
    const limits = (route.limits ?? []).filter((limit) => limit.by === by)
    return async (request, response, next) => {
      for (const limit of limits) {
        const max = Math.max(1, Math.floor(limit.max * factor))
        const { count: used, resetSeconds } = await count(`limit:${name}:${by}:${rateLimitKey(by, visitorOf(response), request)}`, limit)
        announce(response, { max, remaining: Math.max(0, max - used), resetSeconds })
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
  if (by === 'reference')
    return hashToken(
      String((request.body as { reference?: unknown }).reference)
        .trim()
        .toUpperCase(),
    ).slice(0, 32)
  return by === 'session' && visitor.session ? visitor.session.sessionId.slice(0, 32) : networkOf(visitor.ip)
}

type Budget = { max: number; remaining: number; resetSeconds: number }

/** Of several limits the visitor is told the one that is used up first. */
function announce(response: Response, budget: Budget): void {
  const told = response.locals.rateLimit as Budget | undefined
  if (told && told.remaining < budget.remaining) return
  response.locals.rateLimit = budget
  response.setHeader('ratelimit', `limit=${budget.max}, remaining=${budget.remaining}, reset=${budget.resetSeconds}`)
}
