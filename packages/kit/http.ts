/** Express routes from contracts: access, input and output come from the contract, the work from the handler. */
import { AppError } from '@passerelle/contracts/error'
import { type CallerName, type Contract, callersOf, type Route, type RouteInput, type RouteResult } from '@passerelle/contracts/route'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Caller, Tokens } from './auth.ts'
import { REQUEST_ID_HEADER, systemCaller, TOKEN_HEADER } from './auth.ts'
import { sendChunks } from './chunks.ts'
import { acceptedEncoding, type Compressed } from './compression.ts'
import { errorHandler } from './failures.ts'
import { inputReader } from './input.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { randomId } from './runtime.ts'

const BODY_LIMIT_BYTES = 32 * 1024
const WEBHOOK_LIMIT_BYTES = 256 * 1024
export const bodyLimitOf = ({ rawBody }: Pick<Route, 'rawBody'>) => (rawBody ? WEBHOOK_LIMIT_BYTES : BODY_LIMIT_BYTES)

/** `json` is sent as it is, or `compressed` to clients that accept that; `file` and `chunks`, sent as they come, have one of the row's media types. */
type Content<T> =
  | { body: T }
  | { chunks: AsyncIterable<string>; type: string }
  | { json: string | Buffer; compressed?: Compressed }
  | { file: Uint8Array; type: string }

/** A response with its own status or headers. */
export class Reply<T = unknown> {
  readonly content: Content<T>
  readonly status: number | undefined
  readonly headers: Record<string, string>
  constructor(content: Content<T>, { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
    this.content = content
    this.status = status
    this.headers = headers
  }

  get body(): T | undefined {
    return 'body' in this.content ? this.content.body : undefined
  }
}

export type Call<R extends Route> = RouteInput<R> & {
  caller: Caller
  /** The Idempotency-Key header, if the client sent one. */
  idempotencyKey: string | null
  header(name: string): string | undefined
  log: Log
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

export type Handlers<C extends Contract> = {
  [K in keyof C['routes']]: (call: Call<C['routes'][K]>) => Promise<RouteResult<C['routes'][K]> | Reply<RouteResult<C['routes'][K]>>>
}

export type HttpContext = { tokens: Tokens; audience: string; log: Log; metrics: Metrics }

/** Routes in the order of the contract. Missing or misspelt handlers are type errors. */
export function mount<C extends Contract>(api: C, handlers: Handlers<C>, context: HttpContext): Router {
  const router = Router({ caseSensitive: true })
  for (const [name, route] of Object.entries(api.routes)) {
    const handler = handlers[name as keyof Handlers<C>] as unknown as (call: Call<Route>) => Promise<unknown>
    const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    router[verb](
      route.path,
      setFailure(route),
      measureRequest(name, context.metrics),
      authenticated(route, context),
      parseBody(route),
      answer(route, handler, context),
    )
  }
  methodsNotAllowed(router, api.routes)
  return router
}

/** Failures of the request get the route's own message from here on. */
export function setFailure({ failure }: Pick<Route, 'failure'>): RequestHandler {
  return (_request, response, next) => {
    response.locals.failure = failure
    next()
  }
}

/** Records the time to answer under the contract's name of the route. */
export function measureRequest(route: string, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const end = metrics.httpDuration.startTimer({ route, method: request.method })
    response.once('close', () => end({ status: String(response.statusCode) }))
    next()
  }
}

function authenticated(route: Route, { tokens, audience }: HttpContext): RequestHandler {
  // Its one caller has no token; what it is told is no secret.
  const byEdge = callersOf(route).includes('edge')
  return async (request, response, next) => {
    if (byEdge) {
      response.locals.caller = systemCaller('edge', { brand: DEFAULT_BRAND_KEY, mode: 'test', requestId: randomId() })
      return next()
    }
    const caller = await tokens.verify(request.get(TOKEN_HEADER), audience, request.get(REQUEST_ID_HEADER))
    response.locals.caller = caller
    response.locals.requestId = caller.requestId
    checkAccess(route, caller)
    next()
  }
}

function checkAccess(route: Route, caller: Caller): void {
  if (!callersOf(route).includes(caller.actor as CallerName)) throw new AppError('FORBIDDEN')
  if (route.access === 'guest' && !caller.userId && !caller.sessionId) throw new AppError('NOT_AUTHENTICATED')
  if ((route.access === 'user' || route.access === 'admin') && !caller.userId) throw new AppError('NOT_AUTHENTICATED')
  if (route.access === 'admin' && !caller.isAdmin && !route.byBrand)
    // Whoever looks after one brand is not told what else there is.
    throw new AppError(caller.staffOf.length > 0 ? 'NOT_FOUND' : 'FORBIDDEN')
  if (route.access === 'admin' && !caller.isAdmin && caller.staffOf.length === 0) throw new AppError('FORBIDDEN')
}

const json = express.json({ limit: BODY_LIMIT_BYTES, strict: true, type: 'application/json' })
const raw = express.raw({ limit: WEBHOOK_LIMIT_BYTES, type: () => true })

/** Bodies are parsed per route, so that proxied requests keep their stream. */
export function parseBody(route: Route): RequestHandler {
  if (!route.body) return (_request, _response, next) => next()
  if (route.rawBody) return raw
  return (request, response, next) => {
    const empty = request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined
    if (!empty && request.headers['content-length'] !== '0' && !request.is('application/json'))
      return next(new AppError('UNSUPPORTED_MEDIA_TYPE'))
    json(request, response, next)
  }
}

/** One reason for all: an abort without one would build an exception with its stack for every request. */
const CLIENT_GONE = 'the client has gone'

function answer(route: Route, handler: (call: Call<Route>) => Promise<unknown>, context: HttpContext): RequestHandler {
  const inputOf = inputReader(route)
  return async (request, response) => {
    const caller = response.locals.caller as Caller
    let signal: AbortSignal | undefined
    const result = await handler({
      ...inputOf(request),
      caller,
      idempotencyKey: idempotencyKey(request),
      header: (name) => request.get(name),
      // Both cost more than all else here, and most handlers need neither.
      get log() {
        return context.log.child({ requestId: caller.requestId })
      },
      get signal() {
        signal ??= signalOf(response)
        return signal
      },
    })
    await send(route, result, request, response, context.log)
  }
}

function signalOf(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort(CLIENT_GONE)
  response.once('close', () => gone.abort(CLIENT_GONE))
  return gone.signal
}

function idempotencyKey(request: Request): string | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new AppError('VALIDATION_ERROR', { message: 'The Idempotency-Key header is not valid' })
  return key
}

async function send(route: Route, result: unknown, request: Request, response: Response, log: Log): Promise<void> {
  const reply = result instanceof Reply ? result : new Reply({ body: result })
  response.status(reply.status ?? route.status ?? 200)
  if (!response.getHeader('cache-control')) {
    response.setHeader('cache-control', route.cacheSeconds ? `public, max-age=${route.cacheSeconds}` : 'no-store')
  }
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value)
  const { content } = reply
  if ('file' in content) return void response.setHeader('content-type', content.type).end(content.file)
  if ('chunks' in content) return sendChunks(content.chunks, content.type, response)
  if ('json' in content) {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    const encoding = content.compressed && acceptedEncoding(request)
    if (content.compressed) response.vary('accept-encoding')
    if (encoding) response.setHeader('content-encoding', encoding)
    const bytes = (encoding && (await content.compressed?.(encoding))) ?? content.json
    return void response.setHeader('content-length', Buffer.byteLength(bytes)).end(bytes)
  }
  const parsed = route.response.safeParse(content.body)
  if (!parsed.success) {
    log.error(
      { issues: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`), path: route.path },
      'response does not match its contract',
    )
    throw new AppError('INTERNAL_ERROR')
  }
  response.json(parsed.data)
}

/** A known path with another method is 405, not 404. */
export function methodsNotAllowed(router: Router, routes: Record<string, Route>): void {
  const byPath = new Map<string, Set<string>>()
  for (const { path, method } of Object.values(routes)) byPath.set(path, (byPath.get(path) ?? new Set()).add(method))
  for (const [path, methods] of byPath) {
    router.all(path, (request, response, next) => {
      if (methods.has(request.method) || (request.method === 'HEAD' && methods.has('GET'))) return next()
      response.setHeader('allow', [...methods].join(', '))
      next(new AppError('METHOD_NOT_ALLOWED'))
    })
  }
}

export const notFound: RequestHandler = (_request, _response, next) => next(new AppError('NOT_FOUND'))

/** Express would answer OPTIONS by itself, in plain text; no other site may read anything here. */
const refuseOptionsAndTrace: RequestHandler = ({ method }, response, next) => {
  if (method !== 'OPTIONS' && method !== 'TRACE') return next()
  response.setHeader('allow', 'GET, HEAD, POST, PUT, DELETE')
  next(new AppError('METHOD_NOT_ALLOWED'))
}

/** An Express application with our defaults around the routes. */
export function createApp(routers: readonly (Router | RequestHandler)[], log: Log): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(refuseOptionsAndTrace)
  for (const router of routers) app.use(router)
  app.use(notFound)
  app.use(errorHandler(log))
  return app
}
