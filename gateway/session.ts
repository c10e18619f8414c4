/**
 * Sessions belong to identity; a copy lives for half a minute in Redis so that not every request asks. Redis is believed nothing: a copy
 * carries a signature of the gateway's, and sessions of administrators are not copied at all.
 */

import { AppError } from '@passerelle/contracts/error'
import { type identityApi, SESSION_CHANGED, SESSION_ENDED, type SessionState } from '@passerelle/contracts/http/identity'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hashToken, systemCaller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Peer } from '@passerelle/kit/peer'
import type { Cache } from '@passerelle/kit/redis'
import { nowMs } from '@passerelle/kit/runtime'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { SessionCookies } from './cookies.ts'
import { fixedWindow } from './fixed-window.ts'
import { signedCopies } from './signed-copies.ts'
import { type Visitor, visitorOf } from './visitor.ts'

const COPY_MS = 30_000
/** A cookie that nobody knows is not asked about again for so long. */
const UNKNOWN_MS = 5000
/** Cookies that nobody knows, from one network in a minute; then identity is not asked for it any more. */
const UNKNOWN_PER_MINUTE = 60

export type SessionCache = {
  /**
   * null: the token is no good. "unknown": identity did not answer.
   * @throws RATE_LIMITED when too many cookies that nobody knows come from the visitor's network
   */
  find(token: string, visitor: Pick<Visitor, 'ip' | 'brandKey' | 'requestId'>): Promise<SessionState | null | 'unknown'>
  drop(token: string): Promise<void>
  dropIds(sessionIds: readonly string[]): Promise<void>
}

export type SessionCacheOptions = {
  cache: Cache
  identity: Peer<typeof identityApi>
  log: Log
  metrics: Metrics
  /** Signs the copies; the same in every gateway. */
  secret: Buffer
  /** Scales the limit, as it does the others. */
  factor: number
}

export function sessionCache({ cache, identity, log, metrics, secret, factor }: SessionCacheOptions): SessionCache {
  const keyOf = (sessionId: string) => `session:${sessionId}`
  const dropIds = (sessionIds: readonly string[]) => cache.delete(...sessionIds.map(keyOf))
  const copies = signedCopies(secret)
  const unknown = new LRUCache<string, true>({ max: 20_000, ttl: UNKNOWN_MS })
  const asked = fixedWindow(20_000)

  const ask = async (id: string, visitor: Parameters<SessionCache['find']>[1]): Promise<SessionState | null> => {
    const network = networkOf(visitor.ip)
    // Counted before it is asked, so that many at once are as many as many in a row.
    const { count, resetSeconds } = asked.add(network, 60)
    if (count > UNKNOWN_PER_MINUTE * factor) {
      metrics.rejected.inc({ reason: 'unknown-cookies' })
      throw new AppError('RATE_LIMITED', { retryAfter: resetSeconds })
    }
    try {
      const caller = systemCaller('gateway', { brand: visitor.brandKey, mode: 'test', requestId: visitor.requestId })
      const session = await identity(caller).resolveSession({ params: { id } })
      asked.takeBack(network)
      return session
    } catch (err) {
      if (err instanceof AppError && err.code === 'NOT_AUTHENTICATED') return null
      asked.takeBack(network)
      throw err
    }
  }

  return {
    async find(token, visitor) {
      const id = hashToken(token)
      if (unknown.has(id)) return null
      const copy = copies.read(id, await cache.get(keyOf(id)), nowMs())
      if (copy) return copy
      try {
        const session = await ask(id, visitor)
        if (!session) unknown.set(id, true)
        else if (!session.isAdmin) await cache.set(keyOf(id), copies.write(session, nowMs() + COPY_MS), COPY_MS)
        return session
      } catch (err) {
        if (err instanceof AppError && err.code === 'RATE_LIMITED') throw err
        log.warn({ err }, 'identity does not say who this is')
        return 'unknown'
      }
    },
    drop: (token) => dropIds([hashToken(token)]),
    dropIds,
  }
}

/** What identity says of the session, in a header that goes no further, becomes the cookie. */
export async function applySessionHeader(
  value: string,
  response: Response,
  cookies: SessionCookies,
  sessions: SessionCache,
): Promise<void> {
  const { token } = visitorOf(response)
  if (token) await sessions.drop(token)
  if (value === SESSION_CHANGED) return
  if (value === SESSION_ENDED) {
    cookies.clear(response)
    response.setHeader('clear-site-data', '"cache"')
    return
  }
  const [word, fresh, seconds] = value.split(' ')
  if (word === 'new' && fresh) cookies.write(response, fresh, Number(seconds))
}
