/** What every request passes before its handler: security headers, the visitor, the cross-site check, the session and the rate limits. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { AppError } from '@passerelle/contracts/error'
import type { SessionState } from '@passerelle/contracts/http/identity'
import type { Limit, Route } from '@passerelle/contracts/route'
import { brandKey } from '@passerelle/contracts/rules/brand'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hashToken, REQUEST_ID_HEADER } from '@passerelle/kit/auth'
import { countedId } from '@passerelle/kit/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { BRAND_COOKIE, readCookie, type SessionCookies } from './cookies.ts'
import { type Budget, type RateLimits, rateLimitHeader, remainingOf } from './limits.ts'
import type { SessionCache } from './session.ts'

/** Of every answer, as name and value. */
export const securityHeaders = (secure: boolean): [string, string][] => [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)'],
  ['x-frame-options', 'DENY'],
  ...(secure ? [['strict-transport-security', 'max-age=31536000; includeSubDomains'] satisfies [string, string]] : []),
]

export function setSecurityHeaders(secure: boolean): RequestHandler {
  const headers = securityHeaders(secure)
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

export type Visitor = {
  requestId: string
  ip: string
  brandKey: string
  /** The cookie's value; null when the visitor sent none. */
  token: string | null
  session: SessionState | null
  /** Identity did not answer: it is not known whether the cookie is valid. */
  sessionUnknown: boolean
}

export function visitorOf(response: Response): Visitor {
  return response.locals.visitor as Visitor
}

/**
 * Sets `visitorOf(response)`, still without the session, which is looked up once the network's rate limits have let the request pass.
 * @param trustedHops our own proxies in front, whose X-Forwarded-For is believed
 */
export function identifyVisitor(cookies: SessionCookies, trustedHops: number): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdOf(request.headers)
    response.locals.requestId = requestId
    response.setHeader(REQUEST_ID_HEADER, requestId)
    response.locals.visitor = {
      requestId,
      ip: addressOf(request, trustedHops),
      brandKey: brandOf(request.headers, request.query),
      token: cookies.read(request.headers),
      session: null,
      sessionUnknown: false,
    } satisfies Visitor
    next()
  }
}

/** The client's own id where it is one, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : countedId()
}

/** @param trustedHops our own proxies in front, whose X-Forwarded-For is believed */
export function addressOf(request: IncomingMessage, trustedHops: number): string {
  const direct = request.socket.remoteAddress ?? 'unknown'
  if (trustedHops === 0) return direct
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return chain.at(-trustedHops) ?? direct
}

const PREVIEW_COOKIE = 'brand-preview'
const LONGEST_KEY = 253
const PREVIEW_TOKEN = /^[a-f0-9]{40}$/
/** As long as the token may last. */
const PREVIEW_SECONDS = 3600

/** Remembers `?preview=<token>` for the page's own calls and the pages after it; any other value, such as `off`, ends the preview. */
export function rememberPreview(request: Request, response: Response, secure: boolean): void {
  const { preview } = request.query
  if (typeof preview !== 'string') return
  const age = PREVIEW_TOKEN.test(preview) ? PREVIEW_SECONDS : 0
  const value = age > 0 ? preview : ''
  response.appendHeader(
    'set-cookie',
    `${PREVIEW_COOKIE}=${value}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  )
}

/**
 * On localhost the brand comes from ?brand=, which the page's own calls do not repeat: a cookie remembers it. In a preview the key is
 * `preview.<token>.<key>`: the brand service answers the brand of the key once the token has expired.
 */
export function brandOf(headers: IncomingHttpHeaders, query: Record<string, unknown> = {}): string {
  const asked = typeof query.brand === 'string' ? query.brand : readCookie(headers, BRAND_COOKIE)
  const key = brandKey(headers.host ?? '', asked)
  const token = typeof query.preview === 'string' ? query.preview : readCookie(headers, PREVIEW_COOKIE)
  const previewKey = `preview.${token}.${key}`
  return token && PREVIEW_TOKEN.test(token) && previewKey.length <= LONGEST_KEY ? previewKey : key
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Unsafe methods only from our own pages. Every browser sends Sec-Fetch-Site or Origin; a client that sends neither is not a browser
 * and cannot be made to send somebody else's cookie.
 * @param secure the site is served over https, so a page over plain http is not ours
 */
export function isCrossSite(request: Pick<Request, 'method' | 'get'>, secure: boolean): boolean {
  if (SAFE.has(request.method)) return false
  const site = request.get('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin'
  const origin = request.get('origin')
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (!from || (secure && from.protocol !== 'https:')) return true
  // Parsed so that both are normalised: lower case, and without a default port.
  return from.host !== URL.parse(`${from.protocol}//${request.get('host') ?? ''}`)?.host
}

export function rejectCrossSite(secure: boolean): RequestHandler {
  return (request, _response, next) => next(isCrossSite(request, secure) ? new AppError('CROSS_SITE') : undefined)
}

/** Looks up the visitor's session. @throws RATE_LIMITED when the network has asked about too many unknown cookies */
export async function findSession(visitor: Visitor, sessions: Pick<SessionCache, 'find'>): Promise<void> {
  const found = visitor.token ? await sessions.find(visitor.token, visitor) : null
  visitor.session = found === 'unknown' ? null : found
  visitor.sessionUnknown = found === 'unknown'
}

/** Enforces a route's limits by network, looks the session up, and enforces those by session. */
export function admit(limits: RateLimits, sessions: SessionCache, name: string, route: Route): RequestHandler {
  const inMemory = limits.inMemory(name, route)
  const [byNetwork, bySession] = [limitsOf(route, 'network'), limitsOf(route, 'session')]
  const slowly = async (request: Request, response: Response) => {
    await countAll(limits, name, byNetwork, request, response)
    await findSession(visitorOf(response), sessions)
    await countAll(limits, name, bySession, request, response)
  }
  return (request, response, next) => {
    const visitor = visitorOf(response)
    // Nothing has to be waited for where there is no session and the counts are here.
    const rateLimit = visitor.token === null ? inMemory?.take(networkOf(visitor.ip), null) : undefined
    if (typeof rateLimit !== 'string') return slowly(request, response).then(() => next(), next)
    if (rateLimit !== '') response.setHeader('ratelimit', rateLimit)
    next()
  }
}

const limitsOf = (route: Route, by: Limit['by']) => (route.limits ?? []).filter((limit) => limit.by === by)

/** Enforces the route's limits by reference, once the body has been read. */
export function enforceReferenceLimits(limits: RateLimits, name: string, route: Route): RequestHandler {
  const byReference = limitsOf(route, 'reference')
  return async (request, response, next) => {
    await countAll(limits, name, byReference, request, response)
    next()
  }
}

/** @throws RATE_LIMITED */
async function countAll(limits: RateLimits, name: string, all: readonly Limit[], request: Request, response: Response): Promise<void> {
  for (const limit of all) {
    const budget = await limits.count(name, limit, rateLimitKey(limit.by, visitorOf(response), request))
    setRateLimitHeader(response, budget)
    if (budget.used > budget.max) throw new AppError('RATE_LIMITED', { retryAfter: budget.resetSeconds })
  }
}

function rateLimitKey(by: Limit['by'], visitor: Visitor, request: Request): string {
  if (by === 'reference') {
    const { reference } = request.body as { reference?: unknown }
    return hashToken(String(reference).trim().toUpperCase()).slice(0, 32)
  }
  return by === 'session' && visitor.session ? visitor.session.sessionId.slice(0, 32) : networkOf(visitor.ip)
}

/** Of several limits the header tells the one that is used up first. */
function setRateLimitHeader(response: Response, budget: Budget): void {
  const previous = response.locals.rateLimit as Budget | undefined
  if (previous && remainingOf(previous) < remainingOf(budget)) return
  response.locals.rateLimit = budget
  response.setHeader('ratelimit', rateLimitHeader(budget))
}
