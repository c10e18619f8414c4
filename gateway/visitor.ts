/** Who is calling from outside: request id, address, session, brand and mode, gathered once per request and turned into the internal caller. */
import { AppError } from '@passerelle/contracts/error'
import { identityApi, type SessionState } from '@passerelle/contracts/http/identity'
import type { Route, ServiceName } from '@passerelle/contracts/route'
import { brandKey } from '@passerelle/contracts/rules/brand'
import type { Caller } from '@passerelle/kit/auth'
import { REQUEST_ID_HEADER } from '@passerelle/kit/http'
import { randomId } from '@passerelle/kit/runtime'
import type { Request, RequestHandler, Response } from 'express'
import type { BrandContext } from './brand-context.ts'
import { readCookie, type SessionCookies } from './cookies.ts'
import type { SessionCache } from './session.ts'

export type Visitor = {
  requestId: string
  ip: string
  brandKey: string
  /** The cookie's value; null when the visitor brought none. */
  token: string | null
  session: SessionState | null
  /** Identity did not answer: it is not known whether the cookie is good. */
  sessionUnknown: boolean
}

export type VisitorTools = {
  cookies: SessionCookies
  /** How many proxies of ours stand in front and may be believed about the address. */
  trustedHops: number
}

export function visitorOf(response: Response): Visitor {
  return response.locals.visitor as Visitor
}

/** Everything that costs no question; the session is looked up by `resolveSession`, once the network's limits have let the request pass. */
export function identifyVisitor({ cookies, trustedHops }: VisitorTools): RequestHandler {
  return (request, response, next) => {
    const given = request.get(REQUEST_ID_HEADER)
    const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomId()
    response.locals.requestId = requestId
    response.setHeader(REQUEST_ID_HEADER, requestId)
    response.locals.visitor = {
      requestId,
      ip: addressOf(request, trustedHops),
      brandKey: brandOf(request),
      token: cookies.read(request),
      session: null,
      sessionUnknown: false,
    } satisfies Visitor
    next()
  }
}

export function resolveSession(sessions: SessionCache): RequestHandler {
  return async (_request, response, next) => {
    const visitor = visitorOf(response)
    const found = visitor.token ? await sessions.find(visitor.token, visitor) : null
    visitor.session = found === 'unknown' ? null : found
    visitor.sessionUnknown = found === 'unknown'
    next()
  }
}

function addressOf(request: Request, trustedHops: number): string {
  const direct = request.socket.remoteAddress ?? 'unknown'
  if (trustedHops === 0) return direct
  const chain = (request.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return chain.at(-trustedHops) ?? direct
}

export const BRAND_COOKIE = 'brand'

/** On one machine the brand comes from the address (?brand=), which the page's own calls do not repeat: a cookie remembers it. */
function brandOf(request: Request): string {
  const asked = typeof request.query.brand === 'string' ? request.query.brand : readCookie(request, BRAND_COOKIE)
  return brandKey(request.get('host') ?? '', asked)
}

/** Services that do something in the mode of the system; without knowing it nothing may be sold. */
const NEEDS_MODE: readonly ServiceName[] = ['search', 'payment', 'booking']

/** Whoever has a session that nobody can vouch for right now is not given another in its place. */
function needsSession(route: Route): boolean {
  return ['user', 'admin', 'guest'].includes(route.access) || route === identityApi.routes.guestSession
}

export async function callerFor(visitor: Visitor, service: ServiceName, route: Route, brands: BrandContext): Promise<Caller> {
  if (visitor.sessionUnknown && needsSession(route)) throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
  const [mode, brand] = await Promise.all([brands.mode(visitor.requestId), brands.brand(visitor.brandKey, visitor.requestId)])
  if (NEEDS_MODE.includes(service) && (!mode || !brand)) throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
  const { session } = visitor
  return {
    actor: 'gateway',
    userId: session?.userId ?? null,
    sessionId: session?.sessionId ?? null,
    visitorId: session?.visitorId ?? null,
    isAdmin: session?.isAdmin ?? false,
    adminProofAt: session?.adminProofAt ?? null,
    brand: brand?.key ?? 'default',
    markupPercent: brand?.markupPercent ?? 0,
    mode: mode ?? 'test',
    requestId: visitor.requestId,
    ip: visitor.ip,
  }
}
