/** The door itself: who is let in as whom, how often, from which page, and what it says when it refuses. */
import { allContracts } from '@passerelle/contracts/http/all'
import { ENDED_SESSIONS_HEADER, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import { ConfigurationError } from '@passerelle/kit/configuration'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, everybodyIs, openWorld, TOKEN, type World } from './gateway.fixture.ts'
import { hashToken } from './visitor.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})
const unknownSession = () => world.stubs.identity.handlers['GET /internal/sessions/*']
let nobody: ReturnType<typeof unknownSession>
beforeAll(() => {
  nobody = unknownSession()
})
afterEach(() => {
  for (const stub of Object.values(world.stubs)) stub.received = []
  if (nobody) world.stubs.identity.handlers['GET /internal/sessions/*'] = nobody
})

let tokens = 0
/** A cookie's value that no other test has used, so that no copy of its session is about. */
const freshToken = () => `${TOKEN}${++tokens}`
const cookie = (token: string) => ({ cookie: `sid=${token}` })
const OFFER = '/api/flights/offer/oft_1'

describe('who the services see', () => {
  test('API-09: forged identities stay outside; what goes on is our own token', async () => {
    await world.ask(OFFER, {
      headers: {
        'x-internal-token': 'forged',
        'x-internal-session': 'new forged 60',
        'x-user-id': 'usr_1',
        'x-user-admin': 'true',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=203.0.113.9',
        cookie: `other=1; sid=${freshToken()}`,
      },
    })
    const [seen] = world.stubs.search.received
    expect(seen?.caller).toMatchObject({
      actor: 'gateway',
      userId: null,
      sessionId: null,
      isAdmin: false,
      adminProofAt: null,
      ip: '127.0.0.1',
      brand: 'default',
      markupPercent: 23,
      mode: 'test',
    })
    expect(
      Object.keys(seen?.headers ?? {}).filter((name) => /^(x-user|x-forwarded|forwarded|cookie|x-internal-session)/.test(name)),
    ).toEqual([])
    expect(JSON.stringify(seen?.headers)).not.toContain('forged')
  })

  test('behind proxies of ours the address is the one that they saw, and nothing further left', async () => {
    const behind = await world.another({ TRUSTED_HOPS: '1' })
    await ask(behind.url, OFFER, { headers: { 'x-forwarded-for': '1.1.1.1, 203.0.113.9' } })
    expect(world.stubs.search.received[0]?.caller.ip).toBe('203.0.113.9')
  })

  test('a session makes the visitor its user, for every service', async () => {
    everybodyIs(world.stubs.identity, { userId: 'usr_7', isAdmin: true, adminProofAt: '2026-11-21T10:00:00.000Z' })
    const token = freshToken()
    await world.ask('/api/bookings', { headers: cookie(token) })
    expect(world.stubs.booking.received[0]?.caller).toMatchObject({
      userId: 'usr_7',
      sessionId: hashToken(token),
      isAdmin: true,
      adminProofAt: '2026-11-21T10:00:00.000Z',
    })
  })

  test('what cannot be a token of ours is not even asked about', async () => {
    for (const odd of ['', 'short', 'a b', '"quoted-quoted-quoted-quoted"', `${TOKEN}.`, 'x'.repeat(101)])
      await world.ask(OFFER, { headers: { cookie: `sid=${odd}` } })
    expect(world.stubs.identity.received).toEqual([])
  })

  test('EVT-13: the request id of the visitor goes through, in the answer, to the service and into refusals', async () => {
    const given = { 'x-request-id': 'visit-12345678' }
    const answer = await world.ask(OFFER, { headers: given })
    expect(answer.headers['x-request-id']).toBe('visit-12345678')
    expect(world.stubs.search.received[0]?.caller.requestId).toBe('visit-12345678')
    expect((await world.ask('/api/nothing', { headers: given })).body.requestId).toBe('visit-12345678')
    expect((await world.ask('/api/auth/logout', { method: 'POST', headers: { ...given, origin: 'null' } })).body.requestId).toBe(
      'visit-12345678',
    )
  })

  test('one that is no id is replaced', async () => {
    for (const odd of ['short', 'with space in it', `x${'y'.repeat(64)}`, '<script>alert(1)</script>']) {
      const answer = await world.ask(OFFER, { headers: { 'x-request-id': odd } })
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(world.stubs.search.received.at(-1)?.caller.requestId).toBe(answer.headers['x-request-id'])
    }
  })
})

describe('the session cookie', () => {
  const login = (url: string, headers = {}) =>
    ask(url, '/api/auth/login', { method: 'POST', json: { username: 'a', password: 'b' }, headers })
  const answering = (headers: Record<string, string>) => {
    world.stubs.identity.handlers['POST /api/auth/login'] = (_, response) => response.set(headers).json({ id: 'usr_1' })
  }

  test('AAUTH-03, R-80: a new session becomes the cookie, and its token is nowhere else', async () => {
    const token = freshToken()
    answering({ [SESSION_HEADER]: `new ${token} 2592000` })
    const answer = await login(world.url)
    expect(answer.cookies).toEqual([`sid=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`])
    expect(answer.headers[SESSION_HEADER]).toBeUndefined()
    expect(answer.text).not.toContain(token)
  })

  test('R-80: over https it is Secure, has the __Host- prefix, and https is demanded', async () => {
    const secure = await world.another({ SECURE_COOKIES: 'true' })
    const token = freshToken()
    answering({ [SESSION_HEADER]: `new ${token} 60` })
    const answer = await login(secure.url)
    expect(answer.cookies).toEqual([`__Host-sid=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure`])
    expect(answer.headers['strict-transport-security']).toContain('max-age=31536000')
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    await ask(secure.url, OFFER, { headers: cookie(freshToken()) })
    await ask(secure.url, OFFER, { headers: { cookie: `__Host-sid=${freshToken()}` } })
    expect(world.stubs.search.received.map((seen) => seen.caller.userId)).toEqual([null, 'usr_7'])
  })

  test('production without it does not start', async () => {
    await expect(world.another({ NODE_ENV: 'production' })).rejects.toThrow(ConfigurationError)
    await expect(world.another({ NODE_ENV: 'production' })).rejects.toThrow('SECURE_COOKIES: must be true in production')
  })

  test('AAUTH-07: the end of a session clears it', async () => {
    world.stubs.identity.handlers['POST /api/auth/logout'] = (_, response) => response.set(SESSION_HEADER, 'ended').json({ success: true })
    const answer = await world.ask('/api/auth/logout', { method: 'POST', headers: cookie(freshToken()) })
    expect(answer.cookies).toEqual(['sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    expect(answer.headers['clear-site-data']).toBe('"cache"')
  })

  test('identity is asked once in a while, and again as soon as it says that something has changed', async () => {
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    const [mine, other] = [freshToken(), freshToken()]
    const asked = (token: string) => world.stubs.identity.received.filter(({ path }) => path.endsWith(hashToken(token))).length
    for (let i = 0; i < 3; i++) for (const token of [mine, other]) await world.ask(OFFER, { headers: cookie(token) })
    expect([asked(mine), asked(other)]).toEqual([1, 1])
    answering({ [SESSION_HEADER]: 'changed' })
    await login(world.url, cookie(mine))
    await world.ask(OFFER, { headers: cookie(mine) })
    expect([asked(mine), asked(other)]).toEqual([2, 1])
    answering({ [SESSION_HEADER]: `new ${freshToken()} 60`, [ENDED_SESSIONS_HEADER]: [mine, other].map(hashToken).join(',') })
    await login(world.url, cookie(mine))
    everybodyIs(world.stubs.identity, { userId: null })
    for (const token of [mine, other]) await world.ask(OFFER, { headers: cookie(token) })
    expect(world.stubs.search.received.slice(-2).map((seen) => seen.caller.userId)).toEqual([null, null])
  })

  test('AAUTH-08: with identity away nobody is taken for somebody else, and what needs a user waits', async () => {
    const token = freshToken()
    await world.stubs.identity.stop()
    try {
      expect(await world.ask('/api/bookings', { headers: cookie(token) })).toMatchObject({
        status: 503,
        body: { error: 'UPSTREAM_UNAVAILABLE' },
        cookies: [],
      })
      expect((await world.ask(OFFER, { headers: cookie(token) })).status).toBe(200)
      expect(world.stubs.search.received.at(-1)?.caller.userId).toBeNull()
    } finally {
      await world.stubs.identity.start()
    }
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    expect((await world.ask('/api/bookings', { headers: cookie(token) })).status).toBe(200)
  })
})

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

  test.each(unsafe)('$method $path is refused, and no service hears of it', async ({ method, path }) => {
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

  test.each(unsafe.filter((route) => route.path !== '/api/bookings'))(
    '$method $path of our own page is let through',
    async ({ service, method, path }) => {
      const { host } = new URL(world.url)
      for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: world.url }] as Record<string, string>[]) {
        const answer = await world.ask(path, { method, headers: { ...headers, host } })
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

  test('internal calls have no door, however they are written', async () => {
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
      body: { error: 'VALIDATION_ERROR', message: expect.any(String), requestId: expect.any(String) },
    })
    expect((await world.ask(OFFER, { headers: { 'x-large': 'x'.repeat(12_000) } })).status).toBe(200)
  })

  test('API-11: a body of more than 32 KiB: 413 JSON', async () => {
    expect(await world.ask('/api/bookings', { method: 'POST', json: { offerId: 'x'.repeat(40_000) } })).toMatchObject({
      status: 413,
      body: { error: 'BODY_TOO_LARGE' },
    })
    expect(world.stubs.booking.received).toEqual([])
  })

  test('an address that cannot be decoded: 400, not 500', async () => {
    for (const path of ['/api/flights/offer/%E0%A4%A', '/api/bookings/%', '/%E0%A4%A'])
      expect((await world.ask(path)).status, path).toBeLessThan(500)
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

  test('/api/docs is the same for people, and runs nothing', async () => {
    const answer = await world.ask('/api/docs')
    expect(answer).toMatchObject({ status: 200, headers: { 'content-security-policy': "default-src 'none'" } })
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.text).toContain('/api/bookings/{id}/cancel')
    expect(answer.text).not.toContain('<script')
  })
})
