/** The gateway's table is a loop over the contracts: adding a route never edits this file. */
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@passerelle/contracts/error'
import type { Contract, Route, ServiceName } from '@passerelle/contracts/route'
import { TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { bodyLimitOf, methodsNotAllowed, setFailure } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { createProxyMiddleware, debugProxyErrorsPlugin, proxyEventsPlugin } from 'http-proxy-middleware'
import type { BrandContext } from './brand-context.ts'
import type { SessionCookies } from './cookies.ts'
import type { Limiter } from './limits.ts'
import type { SessionCache } from './session.ts'
import { sendError, sendUpstreamResponse } from './upstream-response.ts'
import { callerFor, resolveSession, visitorOf } from './visitor.ts'

export type ProxyTools = {
  urls: Record<ServiceName, string>
  tokens: Tokens
  brands: BrandContext
  cookies: SessionCookies
  sessions: SessionCache
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
  const session = resolveSession(tools.sessions)
  for (const { service, routes } of contracts) {
    for (const [name, route] of Object.entries(routes)) {
      if (route.access === 'internal') continue
      const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      const timeoutMs = route.timeoutMs ?? DEFAULT_MS
      const kind = `${service}:${timeoutMs}`
      const forward = proxies.get(kind) ?? proxyTo(service, timeoutMs, agent, tools)
      proxies.set(kind, forward)
      const work = tools.composed[name] ?? [limitBody(route), attachInternalToken(service, route, tools), forward]
      const [byNetwork, bySession] = [tools.limit(name, route, 'network'), tools.limit(name, route, 'session')]
      router[verb](route.path, setFailure(route), measured(name, tools.metrics), byNetwork, session, bySession, ...work)
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

/** A body that the service would refuse unread is refused here: the service would close the connection on which it is still being sent. */
function limitBody(route: Route): RequestHandler {
  const limit = bodyLimitOf(route)
  return (request, response, next) => {
    response.locals.bodyLimit = limit
    response.locals.fileTypes = route.file
    next(Number(request.headers['content-length'] ?? 0) > limit ? new AppError('BODY_TOO_LARGE') : undefined)
  }
}

/** The same for a body that does not say how long it is. */
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

/** The visitor's own internal headers and cookie stay outside; what goes on is a token that says who this is. */
function attachInternalToken(service: ServiceName, route: Route, { brands, tokens }: ProxyTools): RequestHandler {
  return async (request, response, next) => {
    for (const name of Object.keys(request.headers)) {
      if (/^(x-internal-|x-user-|x-forwarded-|forwarded$|cookie$)/.test(name)) delete request.headers[name]
    }
    request.headers[TOKEN_HEADER] = await tokens.mint(service, await callerFor(visitorOf(response), service, route, brands))
    next()
  }
}

type OnError = (error: Error, request: Request, response: Response | Socket) => void

function proxyTo(service: ServiceName, timeoutMs: number, agent: Agent, tools: ProxyTools): RequestHandler {
  const forward = (through: Agent, onError: OnError) =>
    createProxyMiddleware({
      target: tools.urls[service],
      agent: through,
      proxyTimeout: timeoutMs,
      // Without the plugin that answers failures in words of its own.
      ejectPlugins: true,
      plugins: [debugProxyErrorsPlugin, proxyEventsPlugin],
      selfHandleResponse: true,
      on: {
        proxyReq: (outgoing, request, response) => {
          endWhenTooLarge(outgoing, request, response as Response)
          outgoing.once('timeout', () => Object.assign((response as Response).locals, { timedOut: true }))
        },
        proxyRes: (upstream, _request, response) => sendUpstreamResponse(upstream, response as Response, service, tools),
        error: (error, request, response) => onError(error, request as Request, response as Response | Socket),
      },
    }) as unknown as RequestHandler
  const onNewConnection = forward(new Agent({ keepAlive: false }), (error, _request, response) =>
    refuse(error, service, response, tools.log),
  )
  return forward(agent, (error, request, response) => {
    if (wasCut(error) && isRepeatable(request) && isUntouched(response)) return void onNewConnection(request, response, () => undefined)
    refuse(error, service, response, tools.log)
  })
}

/** A process that ends takes its kept connections along, and the request that was just being sent on one of them. */
function wasCut(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function isRepeatable({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isUntouched(response: Response | Socket): response is Response {
  return 'headersSent' in response && !response.headersSent && !response.destroyed && !response.locals.timedOut
}

/** The service is away or did not answer in time: our own words, as JSON. */
function refuse(cause: Error, service: ServiceName, response: Response | Socket, log: Log): void {
  if (!('headersSent' in response)) return void response.destroy()
  if (response.locals.tooLarge) return void sendError(response, new AppError('BODY_TOO_LARGE'))
  log.warn({ err: cause, service }, 'a service did not answer')
  sendError(response, new AppError(response.locals.timedOut ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { retryAfter: 2 }))
}
