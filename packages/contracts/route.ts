/** A route is declared once, as a row of a contract; handler types, validation, proxy, client and OpenAPI are derived from the row. */
import type { z } from 'zod'
import type { ErrorCode } from './error.ts'

export type ServiceName = 'search' | 'booking' | 'payment' | 'identity' | 'brand'
/** Whose tokens a service may see. */
export type ActorName = ServiceName | 'gateway'
/** edge: a proxy in front that can make no tokens. Its rows are answered to whoever reaches the service's own port. */
export type CallerName = ActorName | 'edge'

/**
 * public: anybody. guest: anybody with a session, signed in or not. user: signed in. admin: signed in with isAdmin, or
 * as staff of named brands where the row says `byBrand`.
 * internal: the services that the row names; the gateway forwards nobody to it. provider: a supplier's webhook, authenticated by its signature.
 */
export type Access = 'public' | 'guest' | 'user' | 'admin' | 'internal' | 'provider'

export type Limit = {
  /** How many calls are allowed in `seconds`. */
  max: number
  seconds: number
  /**
   * network: the visitor's address, IPv6 by /64 (`rules/network.ts`). session: the visitor's session; a visitor without one counts as
   * the network. reference: the booking reference in the body, whoever asks for it.
   */
  by: 'network' | 'session' | 'reference'
}

/** At most so many calls within `seconds`: `callsPer(900, { network: 60, session: 20 })`. */
export function callsPer(seconds: number, most: Partial<Record<Limit['by'], number>>): Limit[] {
  return Object.entries(most).map(([by, max]) => ({ max, seconds, by: by as Limit['by'] }))
}

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Express form, e.g. `/api/bookings/:id`. */
  path: string
  access: Access
  /** Of an admin row: staff of named brands may call it too, and the handler answers about their brands alone. All other admin rows are 404 to them. */
  byBrand?: true
  /** Whose token the service accepts for this row: the gateway's by default. An internal row names its callers. */
  callers?: readonly CallerName[]
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  /** Status of a success; 200 by default. */
  status?: number
  errors?: readonly ErrorCode[]
  /** How a visitor is told that the call failed, whoever says it: `Unable to cancel booking`, then a colon and the reason. */
  failure?: string
  /** Seconds an answer may be kept by the browser and the gateway; absent means no-store. */
  cacheSeconds?: number
  limits?: readonly Limit[]
  /** Milliseconds the gateway waits for the service; 15 000 by default. */
  timeoutMs?: number
  /** A POST that only reads: a service that calls it may send it once more, to another replica. */
  repeatable?: boolean
  /** The body is needed byte for byte (a file, or a signature covers it): no parsing, `body` is a Buffer of at most 256 KiB. */
  rawBody?: boolean
  /** A success is a file of one of these media types instead of JSON. */
  file?: readonly string[]
  /** The handler writes the answer itself as ready JSON text, so it is not checked against `response` again. */
  readyJson?: boolean
}

export type Contract<R extends Record<string, Route> = Record<string, Route>> = { service: ServiceName; routes: R }

export function contract<const R extends Record<string, Route>>(service: ServiceName, routes: R): Contract<R> {
  return { service, routes }
}

export function callersOf({ access, callers }: Route): readonly CallerName[] {
  return callers ?? (access === 'internal' ? [] : ['gateway'])
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R extends Route, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer S } ? S : undefined

/** What a handler receives, already parsed. */
export type RouteInput<R extends Route> = {
  params: Out<Field<R, 'params'>>
  query: Out<Field<R, 'query'>>
  body: Out<Field<R, 'body'>>
}

/** What a client gives; fields with defaults may be left out. */
export type RouteArguments<R extends Route> = {
  [K in 'params' | 'query' | 'body' as Field<R, K> extends z.ZodType ? K : never]: In<Field<R, K>>
}

export type RouteAnswer<R extends Route> = z.output<R['response']>
/** What a handler may return: input side of the response schema, unlisted fields are stripped. */
export type RouteResult<R extends Route> = z.input<R['response']>
