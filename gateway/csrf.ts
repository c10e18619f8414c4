/**
 * Unsafe methods only from our own pages. Every browser tells where a request comes from, by Sec-Fetch-Site or by Origin; a client
 * that tells neither is no browser, and nobody can make it carry somebody else's cookie.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Request, RequestHandler } from 'express'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export function comesFromElsewhere(request: Pick<Request, 'method' | 'get'>): boolean {
  if (SAFE.has(request.method)) return false
  const site = request.get('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin'
  const origin = request.get('origin')
  if (origin === undefined) return false
  try {
    return new URL(origin).host !== request.get('host')
  } catch {
    return true
  }
}

export const sameSiteOnly: RequestHandler = (request, _response, next) => {
  next(comesFromElsewhere(request) ? new AppError('CROSS_SITE') : undefined)
}
