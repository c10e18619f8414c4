/** What every request passes first: security headers, the visitor's identity as far as it costs no question, and the cross-site check. */
import { AppError } from '@passerelle/contracts/error'
import type { SessionState } from '@passerelle/contracts/http/identity'
import { brandKey } from '@passerelle/contracts/rules/brand'
import { REQUEST_ID_HEADER } from '@passerelle/kit/http'
import { randomId } from '@passerelle/kit/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { BRAND_COOKIE, readCookie, type SessionCookies } from './cookies.ts'

export const securityHeaders =
  (secure: boolean): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'strict-origin-when-cross-origin')
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-resource-policy', 'same-origin')
    response.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)')
    response.setHeader('x-frame-options', 'DENY')
    if (secure) response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains')
    next()
  }

/**
 * The content security policy of a page: scripts and styles only from this host or with this response's nonce.
 * @param imageHosts origins of the brand's logo
 */
export function contentPolicy(nonce: string, imageHosts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: ${imageHosts.join(' ')}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
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

function addressOf(request: Request, trustedHops: number): string {
  const direct = request.socket.remoteAddress ?? 'unknown'
  if (trustedHops === 0) return direct
  const chain = (request.get('x-forwarded-for') ?? '')
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

/** The token of `?preview=`, else of the cookie that remembers it. */
function previewToken(request: Request): string | null {
  const token = typeof request.query.preview === 'string' ? request.query.preview : readCookie(request, PREVIEW_COOKIE)
  return token && PREVIEW_TOKEN.test(token) ? token : null
}

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
function brandOf(request: Request): string {
  const asked = typeof request.query.brand === 'string' ? request.query.brand : readCookie(request, BRAND_COOKIE)
  const key = brandKey(request.get('host') ?? '', asked)
  const token = previewToken(request)
  const previewKey = `preview.${token}.${key}`
  return token && previewKey.length <= LONGEST_KEY ? previewKey : key
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
