/** The gateway alone for a test: stub services that see who is calling, and a visitor whose every header is his own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@passerelle/contracts/route'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { type Caller, REQUEST_ID_HEADER, TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { createLog } from '@passerelle/kit/log'
import { type Cache, connectCache } from '@passerelle/kit/redis'
import { start } from '@passerelle/kit/service'
import { createTestKeys } from '@passerelle/kit/testing'
import { freePort } from '@passerelle/servers/ports'
import { testServers } from '@passerelle/servers/test/test-servers'
import express, { type Request, type Response } from 'express'
import { gateway } from './service.ts'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; caller: Caller; body: string }
export type Handler = (request: Request, response: Response, received: Received) => unknown

export type Stub = {
  url: string
  /** What was asked, oldest first. */
  received: Received[]
  /** By `METHOD /path`, or `METHOD /path/*` for everything below. */
  handlers: Record<string, Handler>
  stop(): Promise<void>
  /** On the same port again. */
  start(): Promise<void>
}

export async function startStub(name: ServiceName, tokens: Tokens, handlers: Record<string, Handler>): Promise<Stub> {
  const app = express()
  app.use(express.raw({ type: () => true, limit: '1mb' }))
  app.use(async (request, response) => {
    const caller = await tokens.verify(request.get(TOKEN_HEADER), name, request.get(REQUEST_ID_HEADER))
    const { method, path, headers } = request
    const body = Buffer.isBuffer(request.body) ? request.body.toString() : ''
    const received = { method, path, headers, caller, body }
    stub.received.push(received)
    const wanted = `${method} ${path}`
    const below = Object.keys(stub.handlers).find((key) => key.endsWith('*') && wanted.startsWith(key.slice(0, -1)))
    const handler = stub.handlers[wanted] ?? (below && stub.handlers[below])
    if (handler) await handler(request, response, received)
    else response.setHeader('cache-control', 'no-store').json({ service: name })
  })
  let server: Server
  const listen = (port: number) =>
    new Promise<void>((done) => {
      server = app.listen(port, '127.0.0.1', () => done())
    })
  const port = await freePort()
  await listen(port)
  const stub: Stub = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    handlers,
    start: () => listen(port),
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return stub
}

export type Answer = { status: number; headers: IncomingHttpHeaders; cookies: string[]; text: string; body: Record<string, unknown> }
export type Ask = { method?: string; headers?: Record<string, string>; body?: string; json?: unknown }

/** Over node:http, because fetch has its own mind about Host and the Sec-Fetch headers, and tidies up addresses. */
export function ask(base: string, path: string, { method = 'GET', headers = {}, body, json }: Ask = {}): Promise<Answer> {
  const text = json === undefined ? body : JSON.stringify(json)
  const { hostname, port } = new URL(base)
  return new Promise((done, fail) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method,
        agent: false,
        headers: {
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...(text !== undefined && !headers['transfer-encoding'] && { 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', fail)
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          done({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            cookies: incoming.headers['set-cookie'] ?? [],
            text: answer,
            body: answer !== '' && /json/.test(incoming.headers['content-type'] ?? '') ? JSON.parse(answer) : {},
          })
        })
      },
    )
    outgoing.on('error', fail)
    outgoing.end(text)
  })
}

/** Bodies that the gateway lets through. */
export const BOOKING = {
  offerId: 'oft_1',
  passengers: [{ type: 'adult', firstName: 'Zoë', lastName: 'Moreau', dateOfBirth: '1990-02-14' }],
  paymentDetails: { amount: 274, currency: 'eur', paymentId: 'pay_1' },
}
export const CARD_PAYMENT = { amount: '274.00', currency: 'EUR', offerId: 'oft_1' }
export const RETRIEVAL = { reference: 'K7TM2PQX', email: 'a@example.org' }

export const TOKEN = 'T0kenT0kenT0kenT0kenT0kenT0kenT0kenT0kenT0k'
export const page = `<!doctype html><html><head><meta charset="utf-8" /><title>Passerelle - Flight Booking</title><style id="brand-css"></style>
<script type="application/json" id="brand">null</script><script type="module" src="/assets/app-1a2b3c.js"></script></head><body></body></html>`

export const brandNamed = (key: string, markupPercent = 23) => ({
  key,
  version: 1,
  markupPercent,
  brand: { ...defaultBrand, name: key === 'default' ? 'Passerelle' : `Brand ${key}`, domain: key },
})

const serviceNames: readonly ServiceName[] = ['search', 'booking', 'payment', 'identity', 'brand']

export type World = {
  url: string
  stubs: Record<ServiceName, Stub>
  tokens: Tokens
  /** The gateway's own part of Redis. */
  cache: Cache
  ask(path: string, options?: Ask): Promise<Answer>
  /** Another gateway in front of the same services. */
  another(environment?: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }>
  stop(): Promise<void>
}

/** Sessions that the identity stub knows: by the hash of the token, or by "*" for every one. */
export async function openWorld(environment: Record<string, string> = {}): Promise<World> {
  const [servers, keys] = await Promise.all([testServers(), createTestKeys()])
  const webDist = mkdtempSync(join(tmpdir(), 'gateway-web-'))
  writeFileSync(join(webDist, 'index.html'), page)
  writeFileSync(join(webDist, 'robots.txt'), 'User-agent: *\n')
  const handlers: Record<ServiceName, Record<string, Handler>> = {
    brand: {
      'GET /api/system/mode': (_, response) => response.json({ isLiveMode: false, mode: 'test' }),
      'GET /internal/brands/*': ({ path }, response) => {
        const key = path.split('/').at(-1) ?? ''
        response.json(key.endsWith('.example') ? brandNamed(key, 10) : brandNamed('default'))
      },
    },
    identity: {
      'GET /internal/sessions/*': (_, response) =>
        response.status(401).json({ error: 'NOT_AUTHENTICATED', message: 'Not authenticated', requestId: '' }),
    },
    search: {},
    booking: {},
    payment: {},
  }
  const stubs = Object.fromEntries(
    await Promise.all(serviceNames.map(async (name) => [name, await startStub(name, keys.tokens, handlers[name])] as const)),
  ) as Record<ServiceName, Stub>
  const begin = (more: Record<string, string>) =>
    start(gateway, {
      ...servers.environment,
      ...keys.environment('gateway'),
      ...Object.fromEntries(serviceNames.map((name) => [`${name.toUpperCase()}_URL`, stubs[name].url])),
      WEB_DIST: webDist,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_FACTOR: '1000',
      ...environment,
      ...more,
    })
  const first = await begin({})
  const { REDIS_URL = '', NAMESPACE = '' } = servers.environment as Record<string, string>
  const cache = await connectCache(REDIS_URL, createLog('test', 'silent'), { prefix: `${NAMESPACE}gateway:`, commandMs: 1000 })
  const others: { stop(): Promise<void> }[] = []
  return {
    url: first.url,
    stubs,
    tokens: keys.tokens,
    cache,
    ask: (path, options) => ask(first.url, path, options),
    async another(more = {}) {
      const one = await begin(more)
      others.push(one)
      return one
    },
    async stop() {
      await Promise.all([first, ...others].map((one) => one.stop()))
      await Promise.all(Object.values(stubs).map((stub) => stub.stop()))
      await cache.close()
      await servers.stop()
      rmSync(webDist, { recursive: true, force: true })
    },
  }
}

/** The identity stub knows this session from now on, whatever the token. */
export function everybodyIs(stub: Stub, session: { userId: string | null; isAdmin?: boolean; adminProofAt?: string | null }): void {
  stub.handlers['GET /internal/sessions/*'] = ({ path }, response) =>
    response.json({
      sessionId: path.split('/').at(-1),
      visitorId: 'vis_of_the_test',
      isAdmin: false,
      adminProofAt: null,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...session,
    })
}
