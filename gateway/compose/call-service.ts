/** Calls that the gateway makes itself instead of proxying them: the body is validated here and the service's response is passed on. */
import { ApiError, type CallOptions } from '@passerelle/contracts/client'
import { AppError, type ErrorBody } from '@passerelle/contracts/error'
import type { identityApi } from '@passerelle/contracts/http/identity'
import type { Route, ServiceName } from '@passerelle/contracts/route'
import type { Caller } from '@passerelle/kit/auth'
import { parseBody } from '@passerelle/kit/http'
import { parseInput } from '@passerelle/kit/input'
import type { Log } from '@passerelle/kit/log'
import type { Peer } from '@passerelle/kit/peer'
import { withDeadline } from '@passerelle/kit/resilience'
import type { Request, RequestHandler, Response } from 'express'
import { type BrandContext, callerFor } from '../caller.ts'
import type { SessionCookies } from '../cookies.ts'
import { visitorOf } from '../middleware.ts'

/** Parses the body and refuses one that the service would refuse, before anything is created for it. */
export function validateBody(route: Route): RequestHandler[] {
  return [
    parseBody(route),
    (request, _response, next) => {
      parseInput(route, request)
      next()
    },
  ]
}

type ServiceResponse<T> = { headers: Record<string, string> } & (
  | { status: number; body: T; refused?: never }
  | { status: number; refused: ErrorBody }
)

/**
 * The service's response to a call with the visitor's own idempotency key.
 * @throws UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT when it sends no response of ours
 */
export async function callService<T>(request: Request, call: (options: CallOptions) => Promise<T>): Promise<ServiceResponse<T>> {
  const key = request.get('idempotency-key')
  let status = 200
  const headers: Record<string, string> = {}
  const onResponse = (response: globalThis.Response) => {
    status = response.status
    for (const name of ['retry-after', 'idempotent-replayed']) {
      const value = response.headers.get(name)
      if (value !== null) headers[name] = value
    }
  }
  try {
    const body = await call({ onResponse, headers: key === undefined ? {} : { 'idempotency-key': key } })
    return { status, headers, body }
  } catch (error) {
    const refused = error instanceof AppError && error.cause instanceof ApiError ? error.cause.body : null
    if (!refused) throw error
    return { status, headers, refused }
  }
}

export function sendServiceResponse<T>(
  response: Response,
  result: ServiceResponse<T>,
  body: T | ErrorBody = result.refused ?? result.body,
): void {
  response.status(result.status).setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value)
  response.json(body)
}

export type GuestSessionTools = {
  identity: Peer<typeof identityApi>
  brands: BrandContext
  cookies: SessionCookies
  log: Log
  /** How long a request waits for its guest session; without one the call goes on. */
  sessionWithinMs: number
}

/** The visitor as a caller. What a guest creates belongs to his session, so a visitor without one gets one first where possible. */
export async function callerWithSession(response: Response, service: ServiceName, route: Route, tools: GuestSessionTools): Promise<Caller> {
  const visitor = visitorOf(response)
  const caller = await callerFor(visitor, service, route, tools.brands)
  // A session that cannot be verified right now is kept, not replaced.
  return caller.sessionId || visitor.sessionUnknown ? caller : { ...caller, ...(await openGuestSession(caller, response, tools)) }
}

async function openGuestSession(
  caller: Caller,
  response: Response,
  { identity, cookies, log, sessionWithinMs }: GuestSessionTools,
): Promise<Partial<Pick<Caller, 'sessionId' | 'visitorId'>>> {
  try {
    const opened = await withDeadline('guest session', sessionWithinMs, identity(caller).openGuestSession())
    cookies.write(response, opened.token, opened.maxAgeSeconds)
    const { sessionId, visitorId } = opened.session
    return { sessionId, visitorId }
  } catch (err) {
    log.warn({ err }, 'no guest session; the call goes on')
    return {}
  }
}
