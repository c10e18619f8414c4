/** The visitor as the caller of a service: session, brand and mode. Brand and mode are cached, and stale values serve during an outage. */

import { hash } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { type BrandSettings, brandApi } from '@passerelle/contracts/http/brand'
import type { Mode } from '@passerelle/contracts/http/common'
import { identityApi } from '@passerelle/contracts/http/identity'
import type { Route, ServiceName } from '@passerelle/contracts/route'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { type Caller, systemCaller, type Tokens } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import { peer } from '@passerelle/kit/peer'
import { cacheClock, monotonicMs, randomId, timeoutSignal } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import type { Visitor } from './middleware.ts'

const MODE_MS = 2000
const BRAND_MS = 3000
/** For so long a failed read is not repeated. */
const RETRY_MS = 1000
/** For so long after its expiry a value serves while it is read again. */
const GRACE_MS = 1000
/** How often it is looked whether brand or mode have changed, however many ask. */
const LOOK_MS = 100
/** A brand service that hangs delays no request for longer than this. */
const TIMEOUT_MS = 3000

export type BrandContext = {
  mode(requestId: string): Promise<Mode | null>
  brand(key: string, requestId: string): Promise<BrandSettings | null>
  /** Which brand and mode an answer of this moment is for; undefined while that would have to be asked. */
  known(key: string): KnownContext | undefined
  /** Brand and mode without waiting; undefined while one of them would have to be asked. */
  current(key: string): { mode: Mode; brand: BrandSettings } | undefined
}

/** Another object as soon as brand, markup or mode have changed; `version` is the same in every gateway. */
export type KnownContext = { version: string; mode: Mode }

const prints = new WeakMap<BrandSettings, string>()

/** Short for all that a brand is: the same in every gateway, and another one as soon as anything has changed. */
export function brandPrint(settings: BrandSettings): string {
  const known = prints.get(settings) ?? `${settings.key} ${hash('sha256', JSON.stringify(settings), 'base64url')}`
  prints.set(settings, known)
  return known
}

/** One read at a time per key; a failed one keeps the stale value. */
function cached<T extends object>(ttl: number, read: (key: string, requestId: string) => Promise<T>, log: Log) {
  const cache = new LRUCache<string, T, string>({
    max: 500,
    ttl,
    ...cacheClock,
    async fetchMethod(key, stale, { options, context: requestId }) {
      try {
        return await read(key, requestId)
      } catch (err) {
        log.warn({ err }, 'the brand service is unavailable')
        options.ttl = RETRY_MS
        return stale
      }
    },
  })
  return {
    read: async (key: string, requestId: string): Promise<T | null> => (await cache.fetch(key, { context: requestId })) ?? null,
    /** Without waiting: a value that has just expired is still good while it is read again. */
    known(key: string): T | undefined {
      const left = cache.getRemainingTTL(key)
      if (left <= 0) void cache.fetch(key, { context: randomId() })
      return left > -GRACE_MS ? cache.peek(key, { allowStale: true }) : undefined
    },
    /** As `known`, but nothing that has expired. */
    current: (key: string): T | undefined => (cache.getRemainingTTL(key) > 0 ? cache.peek(key) : undefined),
  }
}

export function brandContext(brandUrl: string, tokens: Tokens, log: Log): BrandContext {
  const brands = peer(brandApi, brandUrl, tokens)
  const caller = (requestId: string) => systemCaller('gateway', { brand: 'default', mode: 'test', requestId })
  const options = () => ({ signal: timeoutSignal(TIMEOUT_MS) })
  const contexts = new LRUCache<string, { until: number; context: KnownContext }>({ max: 500 })
  const modes = cached(MODE_MS, (_key, requestId) => brands(caller(requestId)).systemMode(undefined, options()), log)
  const settings = cached(
    BRAND_MS,
    (key, requestId) => brands(caller(requestId)).brandSettings({ params: { brandKey: key } }, options()),
    log,
  )
  return {
    mode: async (requestId) => (await modes.read('mode', requestId))?.mode ?? null,
    brand: settings.read,
    current(key) {
      const mode = modes.current('mode')?.mode
      const brand = settings.current(key)
      return mode && brand && { mode, brand }
    },
    known(key) {
      const last = contexts.get(key)
      if (last && monotonicMs() < last.until) return last.context
      const mode = modes.known('mode')?.mode
      const brand = settings.known(key)
      if (!mode || !brand) return undefined
      const version = `${brandPrint(brand)} ${mode}`
      const context = last?.context.version === version ? last.context : { version, mode }
      contexts.set(key, { until: monotonicMs() + LOOK_MS, context })
      return context
    },
  }
}

/** Services whose work depends on the system's mode: while it is unknown nothing may be sold. */
const NEEDS_MODE: readonly ServiceName[] = ['search', 'payment', 'booking']

/** While identity is unavailable, a visitor with a session must not be given another in its place. */
function needsSession(route: Route): boolean {
  return ['user', 'admin', 'guest'].includes(route.access) || route === identityApi.routes.guestSession
}

/** @throws UPSTREAM_UNAVAILABLE when the route needs the session, brand or mode and it could not be read */
export async function callerFor(visitor: Visitor, service: ServiceName, route: Route, brands: BrandContext): Promise<Caller> {
  if (visitor.sessionUnknown && needsSession(route)) throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
  const { brandKey, requestId } = visitor
  const current = brands.current(brandKey)
  const [mode, brand] = current
    ? [current.mode, current.brand]
    : await Promise.all([brands.mode(requestId), brands.brand(brandKey, requestId)])
  if (NEEDS_MODE.includes(service) && (!mode || !brand)) throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
  const { session } = visitor
  return {
    actor: 'gateway',
    userId: session?.userId ?? null,
    sessionId: session?.sessionId ?? null,
    visitorId: session?.visitorId ?? null,
    isAdmin: session?.isAdmin ?? false,
    staffOf: session?.staffOf ?? [],
    adminProofAt: session?.adminProofAt ?? null,
    brand: brand?.key ?? DEFAULT_BRAND_KEY,
    markupPercent: brand?.markupPercent ?? 0,
    mode: mode ?? 'test',
    requestId: visitor.requestId,
    ip: visitor.ip,
  }
}
