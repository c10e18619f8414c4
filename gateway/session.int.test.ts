/** How the gateway comes to know a session, and what that may cost. */
import { ENDED_SESSIONS_HEADER, SESSION_ENDED, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import { hashToken } from '@passerelle/kit/auth'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, everybodyIs, openWorld, type Stub, TOKEN, type World } from './gateway.fixture.ts'

let world: World
let identity: Stub
let nobody: Stub['handlers'][string] | undefined
beforeAll(async () => {
  world = await openWorld()
  identity = world.stubs.identity
  nobody = identity.handlers['GET /internal/sessions/*']
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
  for (const stub of Object.values(world.stubs)) stub.received = []
})

let tokens = 0
const freshToken = () => `${TOKEN}s${++tokens}`
const cookie = (token: string) => ({ cookie: `sid=${token}` })
const OFFER = '/api/flights/offer/oft_1'
const lookUps = () => identity.received.filter(({ path }) => path.startsWith('/internal/sessions/')).length
const seen = () => world.stubs.search.received.at(-1)?.caller

describe('Redis', () => {
  const session = (token: string, more: object = {}) => ({
    sessionId: hashToken(token),
    visitorId: 'vis_1',
    userId: 'usr_victim',
    isAdmin: true,
    adminProofAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...more,
  })

  test('API-09: cannot make a user or an administrator by what is written into it', async () => {
    for (const more of [{}, { isAdmin: false }]) {
      const token = freshToken()
      const forged = session(token, more)
      const copies = [
        JSON.stringify(forged),
        `c2lnbmF0dXJl.${JSON.stringify({ until: Date.now() + 60_000, session: forged })}`,
        `.${JSON.stringify({ until: Date.now() + 60_000, session: forged })}`,
      ]
      for (const copy of copies) {
        await world.cache.set(`session:${hashToken(token)}`, copy, 60_000)
        await world.ask(OFFER, { headers: cookie(token) })
        expect(seen()).toMatchObject({ userId: null, isAdmin: false, adminProofAt: null })
      }
    }
  })

  test('cannot turn one cached session into another', async () => {
    everybodyIs(identity, { userId: 'usr_7' })
    const [known, stranger] = [freshToken(), freshToken()]
    await world.ask(OFFER, { headers: cookie(known) })
    const copy = (await world.cache.get(`session:${hashToken(known)}`)) ?? ''
    expect(copy).toContain('usr_7')
    await world.cache.set(`session:${hashToken(stranger)}`, copy, 60_000)
    if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
    await world.ask(OFFER, { headers: cookie(stranger) })
    expect(seen()?.userId).toBeNull()
    await world.ask(OFFER, { headers: cookie(known) })
    expect(seen()?.userId).toBe('usr_7')
  })

  test('does not hold sessions of administrators: an ended one is refused at the next request', async () => {
    everybodyIs(identity, { userId: 'usr_7', isAdmin: true })
    const token = freshToken()
    await world.ask(OFFER, { headers: cookie(token) })
    expect(seen()).toMatchObject({ userId: 'usr_7', isAdmin: true })
    expect(await world.cache.get(`session:${hashToken(token)}`)).toBeUndefined()
    if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
    await world.ask(OFFER, { headers: cookie(token) })
    expect(seen()).toMatchObject({ userId: null, isAdmin: false })
  })
})

describe('an unknown cookie', () => {
  test('is asked about once in a few seconds, however often it comes', async () => {
    const token = freshToken()
    for (let i = 0; i < 20; i++) await world.ask(OFFER, { headers: cookie(token) })
    expect(lookUps()).toBe(1)
  })

  test('in large numbers from one network is refused with 429; other networks and known sessions go on', async () => {
    const { url } = await world.another({ RATE_LIMIT_FACTOR: '1', TRUSTED_HOPS: '1' })
    const from = (ip: string, token: string) => ask(url, '/api/auth/user', { headers: { ...cookie(token), 'x-forwarded-for': ip } })
    everybodyIs(identity, { userId: 'usr_7' })
    const [known, other] = [freshToken(), freshToken()]
    expect((await from('203.0.113.50', known)).status).toBe(200)
    if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
    identity.received = []
    const answers = await Promise.all(Array.from({ length: 300 }, () => from('203.0.113.50', freshToken())))
    expect(lookUps()).toBe(60)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(240)
    expect(refused[0]).toMatchObject({ body: { error: 'RATE_LIMITED' }, headers: { 'retry-after': expect.any(String) } })
    expect((await from('203.0.113.50', known)).status).toBe(200)
    everybodyIs(identity, { userId: 'usr_7' })
    expect((await from('203.0.113.51', other)).status).toBe(200)
  })

  test('is not asked about when the network has used up the route’s limit', async () => {
    const { url } = await world.another({ RATE_LIMIT_FACTOR: '0.01', TRUSTED_HOPS: '1' })
    const headers = () => ({ ...cookie(freshToken()), 'x-forwarded-for': '203.0.113.60' })
    const login = () => ask(url, '/api/auth/login', { method: 'POST', json: { username: 'a', password: 'b' }, headers: headers() })
    await login()
    const before = lookUps()
    for (let i = 0; i < 5; i++) expect((await login()).status).toBe(429)
    expect(lookUps()).toBe(before)
  })

  test('is not asked about where there is nothing', async () => {
    await world.ask('/api/nothing', { headers: cookie(freshToken()) })
    await world.ask('/robots.txt', { headers: cookie(freshToken()) })
    expect(lookUps()).toBe(0)
  })

  test('gets its page also when its network has asked about too many', async () => {
    const { url } = await world.another({ RATE_LIMIT_FACTOR: '1', TRUSTED_HOPS: '1' })
    const open = () => ask(url, '/', { headers: { ...cookie(freshToken()), 'x-forwarded-for': '203.0.113.70' } })
    const answers = await Promise.all(Array.from({ length: 100 }, open))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(lookUps()).toBe(60)
  })
})

test('a session that an eleventh sign-in ends is over at once', async () => {
  everybodyIs(identity, { userId: 'usr_7' })
  const oldest = freshToken()
  await world.ask(OFFER, { headers: cookie(oldest) })
  identity.handlers['POST /api/auth/login'] = (_, response) =>
    response.set({ [SESSION_HEADER]: `new ${freshToken()} 60`, [ENDED_SESSIONS_HEADER]: hashToken(oldest) }).json({ id: 'usr_7' })
  await world.ask('/api/auth/login', { method: 'POST', json: { username: 'a', password: 'b' } })
  if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
  await world.ask(OFFER, { headers: cookie(oldest) })
  expect(seen()?.userId).toBeNull()
})

test('AAUTH-08: a look-up that began before a sign-out does not bring the session back', async () => {
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  everybodyIs(identity, { userId: 'usr_7' })
  const live = identity.handlers['GET /internal/sessions/*']
  let asked = 0
  identity.handlers['GET /internal/sessions/*'] = async (request, response, received) => {
    if (++asked === 1) await held
    await live?.(request, response, received)
  }
  identity.handlers['POST /api/auth/logout'] = (_, response) => response.set({ [SESSION_HEADER]: SESSION_ENDED }).json({ success: true })
  const token = freshToken()
  const early = world.ask(OFFER, { headers: cookie(token) })
  await vi.waitFor(() => expect(asked).toBe(1))
  expect((await world.ask('/api/auth/logout', { method: 'POST', headers: cookie(token) })).status).toBe(200)
  answer()
  await early
  if (nobody) identity.handlers['GET /internal/sessions/*'] = nobody
  await world.ask(OFFER, { headers: cookie(token) })
  expect(seen()?.userId).toBeNull()
})
