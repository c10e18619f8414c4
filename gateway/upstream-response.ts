/** What a service answers, on its way to the visitor: JSON, a file of the route's types, or nothing, and none of our internal headers. */
import type { IncomingMessage } from 'node:http'
import { AppError, failureOf } from '@passerelle/contracts/error'
import { ENDED_SESSIONS_HEADER, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import type { Log } from '@passerelle/kit/log'
import type { Response } from 'express'
import type { SessionCookies } from './cookies.ts'
import { applySessionHeader, type SessionCache } from './session.ts'

export type UpstreamTools = { cookies: SessionCookies; sessions: SessionCache; log: Log }

/** Between two machines only, or for the gateway alone; cookies are written by nobody else. */
const STAYS_HERE = /^(x-internal-.*|set-cookie|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

export async function sendUpstreamResponse(
  upstream: IncomingMessage,
  response: Response,
  service: string,
  tools: UpstreamTools,
): Promise<void> {
  const status = upstream.statusCode ?? 502
  if (!isOurs(upstream, status, response.locals.fileTypes)) {
    upstream.resume()
    tools.log.warn({ service, status }, 'a service answered with something that is not JSON')
    return sendError(response, new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 }))
  }
  response.status(status)
  for (const [name, value] of Object.entries(upstream.headers)) {
    if (value !== undefined && !STAYS_HERE.test(name)) response.setHeader(name, value)
  }
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store')
  if (service === 'identity') await applySessions(upstream, response, tools)
  // Half an answer ends as a broken connection: its status has left already.
  if (upstream.destroyed) return void response.destroy()
  upstream.once('error', () => response.destroy())
  upstream.once('close', () => upstream.complete || response.destroy())
  upstream.pipe(response)
}

/** `fileTypes`: what the route may answer besides JSON. */
function isOurs({ headers }: IncomingMessage, status: number, fileTypes: readonly string[] = []): boolean {
  const type = headers['content-type']
  return type === undefined ? status === 204 || status === 304 : /^application\/json\b/.test(type) || fileTypes.includes(type)
}

async function applySessions(upstream: IncomingMessage, response: Response, { cookies, sessions }: UpstreamTools): Promise<void> {
  const ended = upstream.headers[ENDED_SESSIONS_HEADER]
  if (typeof ended === 'string') await sessions.dropIds(ended.split(',').filter(Boolean))
  const session = upstream.headers[SESSION_HEADER]
  if (typeof session === 'string') await applySessionHeader(session, response, cookies, sessions)
}

/** Our own words where no handler of Express is left to say them. */
export function sendError(response: Response, thrown: AppError): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const error = failureOf(thrown, response.locals.failure)
  response.setHeader('cache-control', 'no-store')
  if (error.retryAfter !== undefined) response.setHeader('retry-after', String(error.retryAfter))
  response.status(error.status).json(error.toBody(response.locals.requestId ?? ''))
}
