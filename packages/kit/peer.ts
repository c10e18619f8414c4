/** Typed calls to another service: with a new token and a deadline, and its errors as AppErrors. */
import { ApiError, type Client, client, TransportError } from '@passerelle/contracts/client'
import { AppError } from '@passerelle/contracts/error'
import type { Contract, Route } from '@passerelle/contracts/route'
import { type Caller, REQUEST_ID_HEADER, TOKEN_HEADER, type Tokens } from './auth.ts'
import { fetchFrom, replicasOf } from './replicas.ts'
import { timeoutSignal } from './runtime.ts'

const DEFAULT_MS = 15_000

/** `search(caller).quote({ params, body })`. */
export type Peer<C extends Contract> = (caller: Caller) => Client<C>

export function peer<C extends Contract>(api: C, baseUrl: string, tokens: Tokens): Peer<C> {
  const fetchPath = fetchFrom(replicasOf(baseUrl))
  return (caller) => {
    const calls = client(api, {
      fetch: fetchPath,
      headers: async () => ({ [TOKEN_HEADER]: await tokens.mint(api.service, caller), [REQUEST_ID_HEADER]: caller.requestId }),
      signal: (route: Route) => timeoutSignal(route.timeoutMs ?? DEFAULT_MS),
    }) as Record<string, (...input: unknown[]) => Promise<unknown>>
    return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, withAppErrors(call)])) as Client<C>
  }
}

function withAppErrors(call: (...input: unknown[]) => Promise<unknown>) {
  return async (...input: unknown[]) => {
    try {
      return await call(...input)
    } catch (error) {
      throw fromPeer(error)
    }
  }
}

function fromPeer(error: unknown): unknown {
  if (error instanceof TransportError) {
    const timedOut = error.cause instanceof Error && error.cause.name === 'TimeoutError'
    return new AppError(timedOut ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { cause: error, retryAfter: 2 })
  }
  if (!(error instanceof ApiError)) return error
  if (!error.code || !error.body || error.code === 'INTERNAL_ERROR')
    return new AppError('UPSTREAM_UNAVAILABLE', { cause: error, retryAfter: 2 })
  return new AppError(error.code, {
    message: error.body.message,
    cause: error,
    ...(error.body.issues && { issues: error.body.issues }),
    ...(error.body.details && { details: error.body.details }),
    ...(error.retryAfter !== null && { retryAfter: error.retryAfter }),
  })
}

/** True when the peer answered that it failed on this request, which it may do every time. */
export function isPeerFault(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ApiError && error.cause.code === 'INTERNAL_ERROR'
}

/** True for errors that say nothing about the request: the peer is unavailable, slow or overloaded. */
export function isPeerUnavailable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'UPSTREAM_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT')
}
