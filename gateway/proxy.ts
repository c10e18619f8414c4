/** The gateway's table is a loop over the contracts: adding a route never edits this file. */
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@passerelle/contracts/error'
import { SESSION_HEADER } from '@passerelle/contracts/http/identity'
import type { Contract, Route, ServiceName } from '@passerelle/contracts/route'
import { TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { methodsNotAllowed } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin, responseInterceptor } from 'http-proxy-middleware'
import type { SessionCookies } from './cookies.ts'
import type { Limiter } from './limits.ts'
import { applySessionHeader, type SessionCopies } from './session.ts'
import type { Surroundings } from './surroundings.ts'
import { callerFor, visitorOf } from './visitor.ts'

export type ProxyTools = {
  urls: Record<ServiceName, string>
  tokens: Tokens
  surroundings: Surroundings
  cookies: SessionCookies
  copies: SessionCopies
  limit: Limiter
  metrics: Metrics
  log: Log
  /** Routes whose answer is put together from several services. */
  composed: Record<string, RequestHandler[]>
}

const DEFAULT_MS = 15_000
const LONGEST_IDLE_MS = 60_000

export function proxyRoutes(contracts: readonly Contract[], tools: ProxyTools): Router {
  const router = Router({ caseSensitive: true })
  // Idle connections are given up before the service at the other end closes them: it says when, and `timeout` makes the agent listen.
  const agent = new Agent({ keepAlive: true, maxSockets: 512, scheduling: 'lifo', timeout: LONGEST_IDLE_MS })
  const proxies = new Map<string, RequestHandler>()
  for (const { service, routes } of contracts) {
    for (const [name, route] of Object.entries(routes)) {
      if (route.access === 'internal') continue
      const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      const timeoutMs = route.timeoutMs ?? DEFAULT_MS
      const changesSession = service === 'identity'
      const kind = `${service}:${timeoutMs}`
      const forward = proxies.get(kind) ?? proxyTo(service, timeoutMs, changesSession, agent, tools)
      proxies.set(kind, forward)
      const work = tools.composed[name] ?? [introduce(service, route, tools), forward]
      router[verb](route.path, measured(name, tools.metrics), tools.limit(name, route), ...work)
    }
    methodsNotAllowed(router, Object.fromEntries(Object.entries(routes).filter(([, route]) => route.access !== 'internal')))
  }
  return router
}

function measured(route: string, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const end = metrics.httpDuration.startTimer({ route, method: request.method })
    response.once('close', () => end({ status: String(response.statusCode) }))
    next()
  }
}

/** The visitor's own internal headers and cookie stay outside; what goes on is a token that says who this is. */
function introduce(service: ServiceName, route: Route, { surroundings, tokens }: ProxyTools): RequestHandler {
  return async (request, response, next) => {
    for (const name of Object.keys(request.headers)) {
      if (/^(x-internal-|x-user-|x-forwarded-|forwarded$|cookie$)/.test(name)) delete request.headers[name]
    }
    request.headers[TOKEN_HEADER] = await tokens.mint(service, await callerFor(visitorOf(response), service, route, surroundings))
    next()
  }
}

function proxyTo(service: ServiceName, timeoutMs: number, changesSession: boolean, agent: Agent, tools: ProxyTools): RequestHandler {
  const handleSession = responseInterceptor(async (buffer, upstream, _request, response) => {
    const value = upstream.headers[SESSION_HEADER]
    response.removeHeader(SESSION_HEADER)
    if (typeof value === 'string') await applySessionHeader(value, response as Response, tools.cookies, tools.copies)
    return buffer
  })
  const began = new WeakMap<IncomingMessage, number>()
  const forward = (through: Agent, onError: (error: Error, request: IncomingMessage, response: ServerResponse | Socket) => void) =>
    createProxyMiddleware({
      target: tools.urls[service],
      agent: through,
      proxyTimeout: timeoutMs,
      // Without the plugin that answers failures in words of its own.
      ejectPlugins: true,
      plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
      ...(changesSession && { selfHandleResponse: true }),
      on: { ...(changesSession && { proxyRes: handleSession }), error: onError },
    }) as unknown as RequestHandler
  const onNewConnection = forward(new Agent({ keepAlive: false }), (error, _request, response) =>
    refuse(error, service, response, tools.log),
  )
  const onKeptConnection = forward(agent, (error, request, response) => {
    const cut = performance.now() - (began.get(request) ?? 0) < timeoutMs - 500 && wasCut(error)
    if (cut && isRepeatable(request) && isUntouched(response)) return void onNewConnection(request as Request, response, () => undefined)
    refuse(error, service, response, tools.log)
  })
  return (request, response, next) => {
    began.set(request, performance.now())
    return onKeptConnection(request, response, next)
  }
}

/** A process that ends takes its kept connections along, and the request that was just being sent on one of them. */
function wasCut(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isRepeatable({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isUntouched(response: ServerResponse | Socket): response is Response {
  return 'headersSent' in response && !response.headersSent && !response.destroyed
}

/** The service is away or did not answer in time: our own words, as JSON. */
function refuse(cause: Error, service: ServiceName, response: ServerResponse<IncomingMessage> | Socket, log: Log): void {
  if (!('headersSent' in response)) return void response.destroy()
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { code } = cause as NodeJS.ErrnoException
  const error = new AppError(code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_TIMEOUT')
  log.warn({ err: cause, service }, 'a service did not answer')
  const requestId = (response as Response).locals?.requestId ?? ''
  response.writeHead(error.status, { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '2' })
  response.end(JSON.stringify(error.toBody(requestId)))
}
