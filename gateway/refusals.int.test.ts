/** What the gateway refuses, in which words, and where it is described. */
import { hash } from 'node:crypto'
import { allContracts } from '@passerelle/contracts/http/all'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CARD_PAYMENT, openWorld, RETRIEVAL, TOKEN, type World } from './gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})
afterEach(() => {
  for (const stub of Object.values(world.stubs)) stub.received = []
})

let tokens = 0
/** A cookie's value that no other test has used, so that no copy of its session is about. */
const freshToken = () => `${TOKEN}${++tokens}`
const cookie = (token: string) => ({ cookie: `sid=${token}` })
const OFFER = '/api/flights/offer/oft_1'

describe('AAUTH-10: requests of other sites', () => {
  const unsafe = allContracts.flatMap(({ service, routes }) =>
    Object.values(routes)
      .filter((route) => route.access !== 'internal' && route.method !== 'GET')
      .map((route) => ({ service, method: route.method, path: route.path.replace(/:mode/, 'test').replace(/:\w+/g, 'bk_1') })),
  )
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]

  test('the calls without a body are among those that are tried', () => {
    const paths = unsafe.map((route) => route.path)
    for (const path of ['/api/auth/logout', '/api/admin/login', '/api/bookings/bk_1/cancel']) expect(paths).toContain(path)
  })

  test.each(unsafe)('$method $path is refused and reaches no service', async ({ method, path }) => {
    for (const headers of foreign) {
      const answer = await world.ask(path, { method, headers: { ...headers, ...cookie(freshToken()) } })
      expect(answer, JSON.stringify(headers)).toMatchObject({
        status: 403,
        body: { error: 'CROSS_SITE' },
        headers: { 'cache-control': 'no-store' },
      })
    }
    for (const [name, stub] of Object.entries(world.stubs))
      expect(
        stub.received.filter((one) => !one.path.startsWith('/internal/')),
        name,
      ).toEqual([])
  })

  /** Where the gateway judges the body itself. */
  const bodies: Record<string, object> = { '/api/payments/process-card': CARD_PAYMENT, '/api/bookings/retrieve': RETRIEVAL }

  test.each(unsafe.filter((route) => route.path !== '/api/bookings'))(
    '$method $path of our own page is let through',
    async ({ service, method, path }) => {
      const { host } = new URL(world.url)
      for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: world.url }] as Record<string, string>[]) {
        const answer = await world.ask(path, { method, headers: { ...headers, host }, json: bodies[path] })
        expect(answer.body.error).not.toBe('CROSS_SITE')
      }
      expect(world.stubs[service].received.filter((one) => one.path === path)).toHaveLength(2)
    },
  )

  test('no answer lets another site read it', async () => {
    const answer = await world.ask(OFFER, { headers: { origin: 'https://evil.example' } })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

describe('what cannot be served', () => {
  test('API-09: nothing at that address: 404 JSON with our security headers, never the page', async () => {
    for (const path of ['/api/nothing', '/api/', '/api/auth', '/api/auth/user/more', '/api/flights/offer/', '/api/../api/nothing'])
      expect(await world.ask(path), path).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND', message: expect.any(String), requestId: expect.any(String) },
        headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
      })
  })

  test('internal routes are not reachable, however they are written', async () => {
    const internal = [
      '/internal/sessions',
      '/internal/accounts/from-booking',
      '/internal/bookings/bk_1/contact',
      '/internal/brands/default',
    ]
    const spellings = [
      (path: string) => path,
      (path: string) => `/api/..${path}`,
      (path: string) => `/api/bookings/..%2f..${path}`,
      (path: string) => `//x${path}`,
      (path: string) => path.replace('/internal', '/INTERNAL'),
      (path: string) => path.replace('/internal', '/%69nternal'),
      (path: string) => `http://127.0.0.1${path}`,
    ]
    for (const path of internal)
      for (const spelled of spellings)
        for (const method of ['GET', 'POST', 'PUT']) {
          const answer = await world.ask(spelled(path), { method })
          // A page of the website may be asked for under any name that is no file's.
          const refused = answer.status >= 400 || (method === 'GET' && /^text\/html/.test(answer.headers['content-type'] ?? ''))
          expect(refused, `${method} ${spelled(path)}`).toBe(true)
        }
    for (const name of ['identity', 'booking', 'search', 'payment'] as const) expect(world.stubs[name].received, name).toEqual([])
    expect(world.stubs.brand.received.filter((one) => one.caller.ip !== null)).toEqual([])
  })

  test('a known address with another method: 405 with the methods it has', async () => {
    expect(await world.ask('/api/auth/login')).toMatchObject({
      status: 405,
      body: { error: 'METHOD_NOT_ALLOWED' },
      headers: { allow: 'POST' },
    })
    expect(await world.ask('/api/bookings', { method: 'DELETE' })).toMatchObject({ status: 405, headers: { allow: 'POST, GET' } })
    expect((await world.ask(OFFER, { method: 'OPTIONS' })).status).toBe(405)
    expect((await world.ask(OFFER, { method: 'HEAD' })).status).toBe(200)
  })

  test('headers of more than 16 KiB: 431 JSON', async () => {
    expect(await world.ask(OFFER, { headers: { 'x-large': 'x'.repeat(17_000) } })).toMatchObject({
      status: 431,
      body: { error: 'HEADERS_TOO_LARGE', message: expect.any(String), requestId: expect.any(String) },
    })
    expect((await world.ask(OFFER, { headers: { 'x-large': 'x'.repeat(12_000) } })).status).toBe(200)
  })

  test.each([
    ['POST', '/api/auth/register', 'that takes one'],
    ['GET', OFFER, 'that takes none'],
    ['POST', '/api/bookings/bk_1/cancel', 'that takes none'],
  ])('API-11: more than 32 KiB to %s %s, a call %s: 413 JSON, and no service hears of it', async (method, path) => {
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    const lengths: Record<string, string>[] = [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]
    for (const length of lengths) {
      const answer = await world.ask(path, { method, body, headers: { 'content-type': 'application/json', ...length } })
      expect(answer).toMatchObject({ status: 413, body: { error: 'BODY_TOO_LARGE' } })
    }
  })

  test('API-11: a body of more than 32 KiB: 413 JSON', async () => {
    expect(await world.ask('/api/bookings', { method: 'POST', json: { offerId: 'x'.repeat(40_000) } })).toMatchObject({
      status: 413,
      body: { error: 'BODY_TOO_LARGE' },
    })
    expect(world.stubs.booking.received).toEqual([])
  })

  test('an address that cannot be decoded: 400 about the address, not about a body', async () => {
    for (const path of ['/api/flights/offer/%E0%A4%A', '/api/bookings/%', '/%E0%A4%A', '/%ff', '/assets/%ff.js', '/%'])
      expect(await world.ask(path), path).toMatchObject({
        status: 400,
        body: { error: 'BAD_ADDRESS', message: 'This address is not valid.', requestId: expect.any(String) },
        headers: { 'cache-control': 'no-store' },
      })
  })

  test('OPTIONS and TRACE: 405 JSON everywhere', async () => {
    for (const method of ['OPTIONS', 'TRACE'])
      for (const path of ['/', OFFER, '/api/nothing', '/api/docs', '/search', '*'])
        expect(await world.ask(path, { method }), `${method} ${path}`).toMatchObject({
          status: 405,
          body: { error: 'METHOD_NOT_ALLOWED', requestId: expect.any(String) },
          headers: { 'cache-control': 'no-store', allow: 'GET, HEAD, POST, PUT, DELETE' },
        })
  })
})

describe('the description', () => {
  test('/api/openapi.json has the public calls and no internal one', async () => {
    const answer = await world.ask('/api/openapi.json')
    expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0' }, headers: { 'cache-control': 'no-store' } })
    const paths = Object.keys(answer.body.paths as object)
    expect(paths).toContain('/api/bookings/{id}/cancel')
    expect(paths.filter((path) => path.includes('internal'))).toEqual([])
  })

  test('/api/docs is a page that runs scripts of this host, and the one that its policy names', async () => {
    const answer = await world.ask('/api/docs')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    const policy = String(answer.headers['content-security-policy'])
    const script = /<script>([^<]+)<\/script>/.exec(answer.text)?.[1] ?? ''
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(script).toContain('SwaggerUIBundle(')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash('sha256', script, 'base64')}';`)
    for (const [, path] of answer.text.matchAll(/(?:src|href)="([^"]+)"/g)) expect((await world.ask(String(path))).status, path).toBe(200)
  })
})
