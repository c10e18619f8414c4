/** Calls that the gateway makes itself instead of passing the bytes on: the body is judged here, and the answer goes on as it came. */
import { ApiError, type CallOptions } from '@passerelle/contracts/client'
import { AppError, type ErrorBody } from '@passerelle/contracts/error'
import type { Route } from '@passerelle/contracts/route'
import { parseBody, parseInput } from '@passerelle/kit/http'
import type { Request, RequestHandler, Response } from 'express'

/** Reads the body and refuses one that the service would refuse, before anything is made for it. */
export function judgeBody(route: Route): RequestHandler[] {
  return [
    parseBody(route),
    (request, _response, next) => {
      parseInput(route, request)
      next()
    },
  ]
}

export type Forwarded<T> = { headers: Record<string, string> } & (
  | { status: number; body: T; refused?: never }
  | { status: number; refused: ErrorBody }
)

/**
 * What the service answers to a call made with the visitor's own idempotency key.
 * @throws UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT when it gives no answer of ours
 */
export async function forward<T>(request: Request, call: (options: CallOptions) => Promise<T>): Promise<Forwarded<T>> {
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

export function send<T>(response: Response, answer: Forwarded<T>, body: T | ErrorBody = answer.refused ?? answer.body): void {
  response.status(answer.status).setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  response.json(body)
}
