/**
 * Sessions belong to identity; the gateway caches each for half a minute in Redis so that not every request asks. Redis is not trusted:
 * a cached session carries a signature of the gateway's, and sessions of administrators are not cached at all.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { type identityApi, SESSION_CHANGED, SESSION_ENDED, type SessionState } from '@passerelle/contracts/http/identity'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hashToken, systemCaller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Peer } from '@passerelle/kit/peer'
import type { Cache } from '@passerelle/kit/redis'
import { cacheClock, delay, monotonicMs, nowMs } from '@passerelle/kit/runtime'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { SessionCookies } from './cookies.ts'
import { fixedWindow } from './fixed-window.ts'

const CACHE_MS = 30_000
/** In the place of a copy: none may be made now. A look-up that began before the session ended would bring it back otherwise. */
const DROPPED = 'dropped'
/** While Redis does not take that a session has ended. */
const DROP_AGAIN_MS = 500
/** A cookie that identity does not know is not asked about again for so long. */
const UNKNOWN_MS = 5000
const NOBODY = ''
/** Unknown cookies of one network in a minute; past it identity is no longer asked for it. */
const UNKNOWN_PER_MINUTE = 60

export type SessionCache = {
  /**
   * null: the token is not valid. "unknown": identity did not answer.
   * @throws RATE_LIMITED when too many unknown cookies come from the visitor's network
   */
  find(token: string, visitor: { ip: string; brandKey: string; requestId: string }): Promise<SessionState | null | 'unknown'>
  /** Whose session this was a moment ago, without asking; undefined: not known here, null: nobody's. */
  seen(token: string): string | null | undefined
  drop(token: string): Promise<void>
  dropIds(sessionIds: readonly string[]): Promise<void>
}

type SessionCacheOptions = {
  cache: Cache
  identity: Peer<typeof identityApi>
  log: Log
  metrics: Metrics
  /** Signs what is cached; the same in every gateway. */
  secret: Buffer
  /** Scales the limit, as it does the others. */
  factor: number
}

export function sessionCache({ cache, identity, log, metrics, secret, factor }: SessionCacheOptions): SessionCache {
  const keyOf = (sessionId: string) => `session:${sessionId}`
  const drop = async (sessionId: string) => {
    if (await cache.set(keyOf(sessionId), DROPPED, CACHE_MS)) return
    log.warn('Redis did not take in time that a session has ended, so it is told again')
    void dropAgain(sessionId)
  }
  /** For as long as there may be a copy. */
  const dropAgain = async (sessionId: string) => {
    const until = monotonicMs() + CACHE_MS
    while (monotonicMs() < until) {
      await delay(DROP_AGAIN_MS)
      if (await cache.set(keyOf(sessionId), DROPPED, CACHE_MS)) return
    }
  }
  const dropIds = async (sessionIds: readonly string[]) => {
    await Promise.all(sessionIds.map(drop))
  }
  const signed = signedSessions(secret)
  const unknown = new LRUCache<string, true>({ max: 20_000, ttl: UNKNOWN_MS, ...cacheClock })
  const asked = fixedWindow(20_000)
  const recent = new LRUCache<string, string>({ max: 50_000, ttl: CACHE_MS, ...cacheClock })

  const ask = async (id: string, visitor: Parameters<SessionCache['find']>[1]): Promise<SessionState | null> => {
    const network = networkOf(visitor.ip)
    // Counted before the call, so that many at once count as much as many in a row.
    const { count, resetSeconds } = asked.add(network, 60)
    if (count > UNKNOWN_PER_MINUTE * factor) {
      metrics.rejected.inc({ reason: 'unknown-cookies' })
      throw new AppError('RATE_LIMITED', { retryAfter: resetSeconds })
    }
    try {
      const caller = systemCaller('gateway', { brand: visitor.brandKey, mode: 'test', requestId: visitor.requestId })
      const session = await identity(caller).resolveSession({ params: { id } })
      asked.subtract(network)
      return session
    } catch (err) {
      if (err instanceof AppError && err.code === 'NOT_AUTHENTICATED') return null
      asked.subtract(network)
      throw err
    }
  }

  const resolve = async (id: string, visitor: Parameters<SessionCache['find']>[1]): ReturnType<SessionCache['find']> => {
    if (unknown.has(id)) return null
    const cached = signed.read(id, await cache.get(keyOf(id)), nowMs())
    if (cached) return cached
    try {
      const session = await ask(id, visitor)
      if (!session) unknown.set(id, true)
      else if (!isStaff(session)) await cache.setIfAbsent(keyOf(id), signed.write(session, nowMs() + CACHE_MS), CACHE_MS)
      return session
    } catch (err) {
      if (err instanceof AppError && err.code === 'RATE_LIMITED') throw err
      log.warn({ err }, 'the session could not be resolved')
      return 'unknown'
    }
  }

  return {
    async find(token, visitor) {
      const id = hashToken(token)
      const session = await resolve(id, visitor)
      if (session !== 'unknown') recent.set(id, session ? session.sessionId : NOBODY)
      return session
    },
    seen(token) {
      const sessionId = recent.get(hashToken(token))
      return sessionId === NOBODY ? null : sessionId
    },
    drop: (token) => dropIds([hashToken(token)]),
    dropIds,
  }
}

/** Of all brands or of some: what was taken back has to count at the next request. */
const isStaff = ({ isAdmin, staffOf = [] }: SessionState) => isAdmin || staffOf.length > 0

/** Sessions as they are stored in Redis: a signature over the rest, an expiry, and the session. */
export function signedSessions(secret: Buffer) {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest()
  return {
    write(session: SessionState, until: number): string {
      const text = JSON.stringify({ until, session })
      return `${sign(text).toString('base64url')}.${text}`
    },
    /** null for anything that was not written here for this session, or has expired. */
    read(sessionId: string, stored: string | undefined, now: number): SessionState | null {
      const dot = stored?.indexOf('.') ?? -1
      if (!stored || dot < 0) return null
      const text = stored.slice(dot + 1)
      const given = Buffer.from(stored.slice(0, dot), 'base64url')
      const expected = sign(text)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      const { until, session } = JSON.parse(text) as { until: number; session: SessionState }
      return until > now && session.sessionId === sessionId && !isStaff(session) ? session : null
    },
  }
}

/** Turns identity's internal session header into the cookie. */
export async function applySessionHeader(
  value: string,
  token: string | null,
  response: Response,
  cookies: SessionCookies,
  sessions: SessionCache,
): Promise<void> {
  if (token) await sessions.drop(token)
  if (value === SESSION_CHANGED) return
  if (value === SESSION_ENDED) {
    cookies.clear(response)
    response.setHeader('clear-site-data', '"cache"')
    return
  }
  const [word, newToken, seconds] = value.split(' ')
  if (word === 'new' && newToken) cookies.write(response, newToken, Number(seconds))
}
