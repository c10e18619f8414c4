/** What the proxy makes of services that are away, hang, break off or talk nonsense. */

import { createServer, type Server } from 'node:http'
import { contract } from '@passerelle/contracts/route'
import { createApp } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { type HttpServer, listen } from '@passerelle/kit/server'
import { createTestKeys } from '@passerelle/kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { sessionCookies } from './cookies.ts'
import { ask, brandNamed, type Stub, startStub } from './gateway.fixture.ts'
import type { Visitor } from './middleware.ts'
import { proxyRoutes } from './proxy.ts'

const row = { access: 'public', summary: '', response: z.unknown() } as const
const testApi = contract('search', {
  read: { ...row, method: 'GET', path: '/api/read' },
  write: { ...row, method: 'POST', path: '/api/write', body: z.unknown() },
  readSoon: { ...row, method: 'GET', path: '/api/read/soon', timeoutMs: 300 },
  picture: { ...row, method: 'GET', path: '/api/picture', file: ['image/png'] },
  upload: { ...row, method: 'POST', path: '/api/upload', body: z.unknown(), rawBody: true },
  writeSoon: { ...row, method: 'POST', path: '/api/write/soon', body: z.unknown(), timeoutMs: 300 },
})
const twiceApi = contract('brand', {
  readTwice: { ...row, method: 'GET', path: '/api/twice' },
  writeTwice: { ...row, method: 'POST', path: '/api/twice', body: z.unknown() },
})
// A name that leads to two replicas, as a headless Service does.
vi.mock('node:dns/promises', () => ({
  lookup: async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
}))
const log = createLog('test', 'silent')
let service: Stub
let healthy: Stub
let sick: Server
let sickWasAsked = 0
let door: HttpServer

beforeAll(async () => {
  const { tokens } = await createTestKeys()
  service = await startStub('search', tokens, {})
  healthy = await startStub('brand', tokens, {})
  const { port } = new URL(healthy.url)
  sick = createServer((_, response) => {
    sickWasAsked++
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"INTERNAL_ERROR","message":"sick"}')
  })
  await new Promise<void>((done) => sick.listen(Number(port), '127.0.0.2', done))
  const visitor: Visitor = {
    requestId: 'request-1',
    ip: '127.0.0.1',
    brandKey: 'default',
    token: null,
    session: null,
    sessionUnknown: false,
  }
  const proxy = proxyRoutes([testApi, twiceApi], {
    urls: { search: service.url, booking: '', payment: '', identity: '', brand: `http://brand:${port}` },
    tokens,
    brands: { mode: async () => 'test', brand: async () => brandNamed('default'), known: () => undefined, current: () => undefined },
    cookies: sessionCookies(false),
    sessions: { find: async () => null, seen: () => undefined, drop: async () => undefined, dropIds: async () => undefined },
    limits: { count: async () => ({ used: 1, max: 9, resetSeconds: 1 }), inMemory: () => null, stop: async () => undefined },
    metrics: createMetrics('test'),
    log,
    composed: {},
  })
  const introduced = createApp(
    [
      (_request, response, next) => {
        Object.assign(response.locals, { visitor, requestId: visitor.requestId })
        next()
      },
      proxy,
    ],
    log,
  )
  door = await listen(introduced, '127.0.0.1', 0)
})
afterEach(() => {
  service.handlers = {}
  service.received = []
})
afterAll(async () => {
  await door.close()
  await service.stop()
  await healthy.stop()
  sick.closeAllConnections()
  sick.close()
})

const read = (path = '/api/read') => ask(door.url, path)
const write = (path = '/api/write') => ask(door.url, path, { method: 'POST', json: { a: 1 } })
const ours = (error: string) => ({ error, message: expect.any(String), requestId: 'request-1' })
const both = [
  ['GET', '/api/read', read],
  ['POST', '/api/write', write],
] as const

describe.each(both)('%s %s', (method, path, call) => {
  const serve = (handler: Stub['handlers'][string]) => {
    service.handlers[`${method} ${path}*`] = handler
  }

  test('a response passes unchanged, without the internal headers', async () => {
    serve((_, response) => {
      response.setHeader('x-internal-session', 'new secret 60').setHeader('set-cookie', 'sid=evil').setHeader('x-kept', 'yes')
      response.status(201).json({ text: 'à bientôt' })
    })
    const answer = await call()
    expect(answer).toMatchObject({ status: 201, body: { text: 'à bientôt' }, cookies: [] })
    expect(answer.headers['x-kept']).toBe('yes')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(JSON.stringify(answer.headers)).not.toMatch(/x-internal|secret|evil/)
  })

  test('a refusal of the service passes with its details', async () => {
    const body = {
      error: 'PRICE_CHANGED',
      message: 'The price of this flight has changed.',
      requestId: 'request-1',
      details: { amount: '1.00' },
    }
    serve((_, response) => response.status(409).setHeader('retry-after', '7').json(body))
    expect(await call()).toMatchObject({ status: 409, body, headers: { 'retry-after': '7' } })
  })

  test('a service that is not there: 503 as JSON, with Retry-After', async () => {
    await service.stop()
    try {
      expect(await call()).toMatchObject({
        status: 503,
        body: ours('UPSTREAM_UNAVAILABLE'),
        headers: { 'retry-after': '2', 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
      })
    } finally {
      await service.start()
    }
  })

  test('a service that does not answer: 504 as JSON, at its deadline', async () => {
    serve(() => undefined)
    expect(await call(`${path}/soon`)).toMatchObject({ status: 504, body: ours('UPSTREAM_TIMEOUT'), headers: { 'retry-after': '2' } })
    expect(service.received).toHaveLength(1)
  })

  test('a service that hangs up instead of answering: 503', async () => {
    serve((request) => request.socket.destroy())
    expect(await call()).toMatchObject({ status: 503, body: ours('UPSTREAM_UNAVAILABLE') })
  })

  test.each([
    [500, 'text/html', '<h1>Error</h1><pre>at secret.js:1</pre>'],
    [502, 'text/plain', 'connect ECONNREFUSED 10.0.0.7'],
    [404, 'text/html; charset=utf-8', '<pre>Cannot GET /secret</pre>'],
    [200, 'text/html', '<p>a page of somebody else: secret</p>'],
    [500, '', 'secret'],
  ])('%i as "%s" is not from us: 503 in our words, none of its text', async (status, type, text) => {
    serve((_, response) => {
      if (type) response.setHeader('content-type', type)
      response.writeHead(status, 'Secret Reason').end(text)
    })
    const answer = await call()
    expect(answer).toMatchObject({ status: 503, body: ours('UPSTREAM_UNAVAILABLE') })
    expect(answer.text).not.toMatch(/secret|ECONN|<|somebody/i)
  })

  test('a truncated response is a broken connection, never a short response', async () => {
    serve((_, response) => {
      response.setHeader('content-type', 'application/json').setHeader('content-length', '1000')
      response.write('{"half":')
    })
    await expect(call(`${path}/soon`)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    serve((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.write('{"half":')
      response.socket?.destroySoon()
    })
    await expect(call()).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })
})

test('a body goes on byte for byte', async () => {
  const text = JSON.stringify({ name: 'Zoë 🛫', filler: 'x'.repeat(30_000) })
  await ask(door.url, '/api/write', { method: 'POST', body: text, headers: { 'content-type': 'application/json' } })
  expect(service.received[0]?.body).toBe(text)
})

test('a file goes on with its type and headers, where the row answers one', async () => {
  const send = (type: string) => {
    service.handlers['GET /api/picture'] = (_, response) =>
      response.setHeader('content-type', type).setHeader('content-security-policy', 'sandbox').end('picture')
  }
  send('image/png')
  expect(await ask(door.url, '/api/picture')).toMatchObject({
    status: 200,
    text: 'picture',
    headers: { 'content-type': 'image/png', 'content-security-policy': 'sandbox' },
  })
  send('text/html')
  expect((await ask(door.url, '/api/picture')).status).toBe(503)
})

test('a file of up to 256 KiB goes on, a larger one is refused', async () => {
  const upload = (size: number) => ask(door.url, '/api/upload', { method: 'POST', body: 'x'.repeat(size) })
  expect((await upload(200 * 1024)).status).toBe(200)
  expect(service.received.at(-1)?.body).toHaveLength(200 * 1024)
  expect((await upload(257 * 1024)).status).toBe(413)
})

test('a restarted service answers the next request', async () => {
  expect((await read()).status).toBe(200)
  await service.stop()
  expect((await read()).status).toBe(503)
  await service.start()
  expect((await read()).status).toBe(200)
})

test('a replica that answers 500 although it says that it is ready is gone round: no read fails, and it is soon asked no more', async () => {
  // However long it takes, its time out is not over.
  const restore = replaceRuntime({ monotonic: () => 1e9 })
  onTestFinished(restore)
  const statuses = new Set<number>()
  for (let i = 0; i < 20; i++) statuses.add((await ask(door.url, '/api/twice')).status)
  expect([...statuses]).toEqual([200])
  expect(sickWasAsked).toBe(3)
  for (let i = 0; i < 5; i++) statuses.add((await ask(door.url, '/api/twice', { method: 'POST', json: {} })).status)
  expect([...statuses]).toEqual([200])
})
