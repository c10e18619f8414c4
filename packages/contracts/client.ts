/** The typed client of a contract, for the browser and, with a token, between services. */
import type { ErrorBody, ErrorCode } from './error.ts'
import type { Contract, Route, RouteAnswer, RouteArguments } from './route.ts'

/** A non-success answer: the message is "{status}: {body}", or the status text when the body is empty. */
export class ApiError extends Error {
  readonly status: number
  /** The machine code when the body is ours, else null. */
  readonly code: ErrorCode | null
  /** What may be shown to a person: the body's message, else the body's text. */
  readonly displayMessage: string
  readonly body: ErrorBody | null
  readonly retryAfter: number | null

  constructor(status: number, statusText: string, text: string, retryAfter: string | null = null) {
    super(`${status}: ${text || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.body = parseErrorBody(text)
    this.code = this.body?.error ?? null
    this.displayMessage = this.body?.message ?? (text || statusText)
    this.retryAfter = retryAfter === null ? null : Number(retryAfter)
  }
}

function parseErrorBody(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text) as ErrorBody
    return typeof body === 'object' && body !== null && typeof body.message === 'string' ? body : null
  } catch {
    return null
  }
}

/** The server answered with something that is not JSON, or did not answer. */
export class TransportError extends Error {
  readonly reason: 'no-response' | 'not-json'
  constructor(reason: 'no-response' | 'not-json', options?: ErrorOptions) {
    super(reason === 'no-response' ? 'The server did not answer.' : 'The answer of the server could not be read.', options)
    this.name = 'TransportError'
    this.reason = reason
  }
}

export type CallOptions = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** The browser's own cache is passed by. */
  cache?: 'no-store'
  /** Sees the status and headers of every answer, also of a refusal, before the call ends. */
  onResponse?(response: Response): void
}

type ClientOptions = {
  baseUrl?: string
  fetch?: (address: string, options: RequestInit, route: Route) => Promise<Response>
  /** Called per request, e.g. to mint a token. */
  headers?: (route: Route) => Record<string, string> | Promise<Record<string, string>>
  /** Called per request: a deadline for callers that gave no signal. */
  signal?: (route: Route) => AbortSignal | undefined
}

type Call<R extends Route> = keyof RouteArguments<R> extends never
  ? (input?: undefined, options?: CallOptions) => Promise<RouteAnswer<R>>
  : (input: RouteArguments<R>, options?: CallOptions) => Promise<RouteAnswer<R>>

export type Client<C extends Contract> = { [K in keyof C['routes']]: Call<C['routes'][K]> }

type Input = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** Path with its parameters, and the query without empty values. */
export function addressOf(route: Route, input: Input = {}): string {
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

async function send(route: Route, input: Input | undefined, call: CallOptions, options: ClientOptions): Promise<unknown> {
  const hasBody = input?.body !== undefined
  const isFile = input?.body instanceof Uint8Array
  const headers = {
    accept: 'application/json',
    ...(hasBody && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    ...(await options.headers?.(route)),
    ...call.headers,
  }
  const signal = call.signal ?? options.signal?.(route)
  let response: Response
  let text: string
  try {
    const request: RequestInit = {
      method: route.method,
      credentials: 'include',
      headers,
      ...(hasBody && { body: isFile ? (input?.body as Uint8Array<ArrayBuffer>) : JSON.stringify(input?.body) }),
      ...(signal && { signal }),
      ...(call.cache && { cache: call.cache }),
    }
    const address = (options.baseUrl ?? '') + addressOf(route, input)
    response = await (options.fetch ? options.fetch(address, request, route) : fetch(address, request))
    call.onResponse?.(response)
    text = await response.text()
  } catch (cause) {
    if (call.signal?.aborted) throw cause
    throw new TransportError('no-response', { cause })
  }
  if (!response.ok) throw new ApiError(response.status, response.statusText, text, response.headers.get('retry-after'))
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TransportError('not-json', { cause })
  }
}

/** `client(searchApi, { baseUrl }).getOffer({ params: { id } })`. Answers are trusted: the server strips and checks them. */
export function client<C extends Contract>(api: C, options: ClientOptions = {}): Client<C> {
  const calls = Object.entries(api.routes).map(([name, route]) => [
    name,
    (input?: Input, call: CallOptions = {}) => send(route, input, call, options),
  ])
  return Object.fromEntries(calls) as Client<C>
}
