/**
 * Unsafe methods only from our own pages. Every browser tells where a request comes from, by Sec-Fetch-Site or by Origin; a client
 * that tells neither is no browser, and nobody can make it carry somebody else's cookie.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Request, RequestHandler } from 'express'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `secure`: the site is served over https, so a page of ours over plain http is not ours either. */
export function comesFromElsewhere(request: Pick<Request, 'method' | 'get'>, secure: boolean): boolean {
  if (SAFE.has(request.method)) return false
  const site = request.get('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin'
  const origin = request.get('origin')
  if (origin === undefined) return false
  const from = URL.parse(origin)
  if (!from || (secure && from.protocol !== 'https:')) return true
  // Written the same way: lower case, and without the port where it is the usual one.
  return from.host !== URL.parse(`${from.protocol}//${request.get('host') ?? ''}`)?.host
}

export function sameSiteOnly(secure: boolean): RequestHandler {
  return (request, _response, next) => next(comesFromElsewhere(request, secure) ? new AppError('CROSS_SITE') : undefined)
}
