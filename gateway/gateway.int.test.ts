/** Who is let in as whom: what the services see of a visitor, and how a session becomes a cookie. */

import { ENDED_SESSIONS_HEADER, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import { hashToken } from '@passerelle/kit/auth'
import { ConfigurationError } from '@passerelle/kit/configuration'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, everybodyIs, openWorld, TOKEN, type World } from './gateway.fixture.ts'

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
      visitorId: null,
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

  test('EVT-02: every call under /api goes to the service that owns it, and to no other', async () => {
    const calls = [
      ['search', OFFER],
      ['booking', '/api/bookings/bk_1'],
      ['identity', '/api/auth/sessions'],
      ['brand', '/api/admin/settings'],
    ] as const
    everybodyIs(world.stubs.identity, { userId: 'usr_7', isAdmin: true, adminProofAt: null })
    for (const [service, path] of calls) expect((await world.ask(path, { headers: cookie(freshToken()) })).body).toEqual({ service })
    const asked = Object.entries(world.stubs).flatMap(([service, { received }]) => received.map(({ path }) => [service, path]))
    // The mode is what gateways ask for by themselves every few seconds.
    const forwarded = asked.filter(([, path]) => path?.startsWith('/api/') && path !== '/api/system/mode')
    expect(forwarded.sort()).toEqual([...calls].sort())
    expect((await world.ask('/bookings')).headers['content-type']).toContain('text/html')
  })

  test('a session makes the visitor its user, for every service', async () => {
    everybodyIs(world.stubs.identity, { userId: 'usr_7', isAdmin: true, adminProofAt: '2026-11-21T10:00:00.000Z' })
    const token = freshToken()
    await world.ask('/api/bookings', { headers: cookie(token) })
    expect(world.stubs.booking.received[0]?.caller).toMatchObject({
      userId: 'usr_7',
      sessionId: hashToken(token),
      visitorId: 'vis_of_the_test',
      isAdmin: true,
      adminProofAt: '2026-11-21T10:00:00.000Z',
    })
  })

  test('a value that cannot be a token is not looked up', async () => {
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
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]{16}-[0-9a-z]+$/)
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
    expect(answer.cookies).toEqual([`__Host-sid=${token}; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`])
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

  test('identity is asked every half minute, and again as soon as it reports a change', async () => {
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

  test('AAUTH-08: while identity is unavailable no visitor becomes another, and routes that need a user answer 503', async () => {
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
