/** Proxies every public route of the contracts to its service: a new route needs no change here. */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, failureOf } from '@passerelle/contracts/error'
import { ENDED_SESSIONS_HEADER, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import type { Contract, Route, ServiceName } from '@passerelle/contracts/route'
import { REQUEST_ID_HEADER, TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { ConnectAgent } from '@passerelle/kit/connect'
import { bodyLimitOf, measureRequest, methodsNotAllowed, setFailure } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { replicasOf, resultOf } from '@passerelle/kit/replicas'
import { isConnectionLost, isConnectionRefused } from '@passerelle/kit/resilience'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware'
import { type BrandContext, callerFor } from './caller.ts'
import type { SessionCookies } from './cookies.ts'
import type { RateLimits } from './limits.ts'
import { admit, visitorOf } from './middleware.ts'
import { applySessionHeader, type SessionCache } from './session.ts'

type ProxyTools = {
  urls: Record<ServiceName, string>
  tokens: Tokens
  brands: BrandContext
  cookies: SessionCookies
  sessions: SessionCache
  limits: RateLimits
  metrics: Metrics
  log: Log
  /** Handlers of routes whose response the gateway composes from several services. */
  composed: Record<string, RequestHandler[]>
}

const DEFAULT_MS = 15_000
const LONGEST_IDLE_MS = 60_000

export function proxyRoutes(contracts: readonly Contract[], tools: ProxyTools): Router {
  const router = Router({ caseSensitive: true })
  // Idle connections are closed before the service closes them: its Keep-Alive header says when, and `timeout` makes the agent obey it.
  const agent = new ConnectAgent({ keepAlive: true, maxSockets: 512, scheduling: 'lifo', timeout: LONGEST_IDLE_MS })
  const proxies = new Map<string, RequestHandler>()
  for (const { service, routes } of contracts) {
    for (const [name, route] of Object.entries(routes)) {
      if (route.access === 'internal') continue
      const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      const timeoutMs = route.timeoutMs ?? DEFAULT_MS
      const key = `${service}:${timeoutMs}`
      const forward = proxies.get(key) ?? proxyTo(service, timeoutMs, agent, tools)
      proxies.set(key, forward)
      const handlers = tools.composed[name] ?? [limitBody(route), attachInternalToken(service, route, tools), forward]
      const admitted = admit(tools.limits, tools.sessions, name, route)
      router[verb](route.path, setFailure(route), measureRequest(name, tools.metrics), admitted, ...handlers)
    }
    methodsNotAllowed(router, Object.fromEntries(Object.entries(routes).filter(([, route]) => route.access !== 'internal')))
  }
  return router
}

/** Refuses a body that the service would refuse unread: the service would close the connection on which it is still being sent. */
function limitBody(route: Route): RequestHandler {
  const limit = bodyLimitOf(route)
  return (request, response, next) => {
    response.locals.bodyLimit = limit
    response.locals.fileTypes = route.file
    next(Number(request.headers['content-length'] ?? 0) > limit ? new AppError('BODY_TOO_LARGE') : undefined)
  }
}

/** The same for a body without a content-length. */
function endWhenTooLarge(outgoing: ClientRequest, request: IncomingMessage, { locals }: Response): void {
  if (request.headers['transfer-encoding'] === undefined) return
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received <= locals.bodyLimit || locals.tooLarge) return
    locals.tooLarge = true
    outgoing.destroy(new Error('the body is too large'))
  })
}

/** Removes the visitor's own internal headers, cookie and wishes for the connection, and adds a token that says who the visitor is. */
function attachInternalToken(service: ServiceName, route: Route, { brands, tokens }: ProxyTools): RequestHandler {
  return async (request, response, next) => {
    for (const name of Object.keys(request.headers)) {
      if (/^(x-internal-|x-user-|x-forwarded-|forwarded$|cookie$|connection$)/.test(name)) delete request.headers[name]
    }
    const visitor = visitorOf(response)
    request.headers[REQUEST_ID_HEADER] = visitor.requestId
    request.headers[TOKEN_HEADER] = await tokens.mint(service, await callerFor(visitor, service, route, brands))
    next()
  }
}

type OnError = (error: Error, request: Request, response: Response | Socket) => void

/** To one of the service's replicas, and once more to another when that is safe and the first broke off or failed. */
function proxyTo(service: ServiceName, timeoutMs: number, agent: Agent, tools: ProxyTools): RequestHandler {
  const replicas = replicasOf(tools.urls[service])
  const forward = (through: Agent, onError: OnError, onFailure?: RequestHandler) =>
    createProxyMiddleware({
      target: tools.urls[service],
      router: async (request) => {
        const { locals } = (request as Request).res as Response
        locals.replica = await replicas.pick(locals.replica)
        return locals.replica
      },
      agent: through,
      proxyTimeout: timeoutMs,
      // Without the plugin that answers failures in plain text.
      ejectPlugins: true,
      plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
      selfHandleResponse: true,
      on: {
        proxyReq: (outgoing, request, response) => {
          endWhenTooLarge(outgoing, request, response as Response)
          outgoing.once('timeout', () => Object.assign((response as Response).locals, { timedOut: true }))
        },
        proxyRes: (upstream, incoming, outgoing) => {
          const [request, response] = [incoming as Request, outgoing as Response]
          replicas.note(
            response.locals.replica,
            resultOf(upstream.statusCode ?? 500, through === agent ? upstream.headers.connection : null),
          )
          if (upstream.statusCode !== 500 || !onFailure || !isSafe(request) || !replicas.hasOthers() || !canStillRespond(response))
            return sendUpstreamResponse(upstream, response, service, tools)
          upstream.resume()
          onFailure(request, response, () => undefined)
        },
        error: (error, request, response) => onError(error, request as Request, response as Response | Socket),
      },
    }) as unknown as RequestHandler
  const onNewConnection = forward(new ConnectAgent({ keepAlive: false }), (error, _request, response) =>
    sendUnavailable(error, service, response, tools.log),
  )
  const onError: OnError = (error, request, response) => {
    const isRefused = isConnectionRefused(error)
    if (isRefused && 'locals' in response) replicas.note(response.locals.replica, 'failed')
    const mayWork = isConnectionLost(error) || (isRefused && replicas.hasOthers())
    if (mayWork && isSafe(request) && canStillRespond(response)) return void onNewConnection(request, response, () => undefined)
    sendUnavailable(error, service, response, tools.log)
  }
  return forward(agent, onError, onNewConnection)
}

function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function canStillRespond(response: Response | Socket): response is Response {
  return 'headersSent' in response && !response.headersSent && !response.destroyed && !response.locals.timedOut
}

/** The service is unavailable or did not answer in time. */
function sendUnavailable(cause: Error, service: ServiceName, response: Response | Socket, log: Log): void {
  if (!('headersSent' in response)) return void response.destroy()
  if (response.locals.tooLarge) return void sendError(response, new AppError('BODY_TOO_LARGE'))
  log.warn({ err: cause, service }, 'a service did not answer')
  sendError(response, new AppError(response.locals.timedOut ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { retryAfter: 2 }))
}

/** Hop-by-hop headers, internal ones, and cookies, which only the gateway sets. */
const NOT_FORWARDED = /^(x-internal-.*|set-cookie|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

/** Passes on what a service answers: JSON, a file of the route's types or nothing, and none of the internal headers. */
async function sendUpstreamResponse(upstream: IncomingMessage, response: Response, service: string, tools: ProxyTools): Promise<void> {
  const status = upstream.statusCode ?? 502
  if (!isAllowed(upstream, status, response.locals.fileTypes)) {
    upstream.resume()
    tools.log.warn({ service, status }, 'a service sent something that its route does not answer')
    return sendError(response, new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 }))
  }
  response.status(status)
  for (const [name, value] of Object.entries(upstream.headers)) {
    if (value !== undefined && !NOT_FORWARDED.test(name)) response.setHeader(name, value)
  }
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store')
  if (service === 'identity') await applySessions(upstream, response, tools)
  // The proxy destroys the response of one that breaks off: its status has been sent, so a short response ends as a broken connection.
  upstream.pipe(response)
}

/** @param fileTypes what the route may answer besides JSON */
function isAllowed({ headers }: IncomingMessage, status: number, fileTypes: readonly string[] = []): boolean {
  const type = headers['content-type']
  return type === undefined ? status === 204 || status === 304 : /^application\/json\b/.test(type) || fileTypes.includes(type)
}

async function applySessions(upstream: IncomingMessage, response: Response, { cookies, sessions }: ProxyTools): Promise<void> {
  const ended = upstream.headers[ENDED_SESSIONS_HEADER]
  if (typeof ended === 'string') await sessions.dropIds(ended.split(',').filter(Boolean))
  const session = upstream.headers[SESSION_HEADER]
  if (typeof session === 'string') await applySessionHeader(session, visitorOf(response).token, response, cookies, sessions)
}

/** For errors that no longer reach the error handler of Express. */
function sendError(response: Response, thrown: AppError): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const error = failureOf(thrown, response.locals.failure)
  response.setHeader('cache-control', 'no-store')
  if (error.retryAfter !== undefined) response.setHeader('retry-after', String(error.retryAfter))
  response.status(error.status).json(error.toBody(response.locals.requestId ?? ''))
}
