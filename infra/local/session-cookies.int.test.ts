/** Whose a session becomes, what its cookie looks like, and what becomes of it when much happens at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSessionWorld, PASSWORD, type SessionWorld } from './sessions.fixture.ts'
import { Visitor } from './test-visitor.fixture.ts'

let world: SessionWorld
beforeAll(async () => {
  world = await openSessionWorld()
})
afterAll(async () => {
  await world.stop()
})

const visitor = () => new Visitor(world.system.url)
const login = (url: string, username: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
const sessionLines = (response: Response) => response.headers.getSetCookie().filter((line) => /sid=/.test(line))

describe('a session that somebody else has planted', () => {
  test('a guest’s whose cookie its maker knows: whoever signs in with it gets another, and the planted one stays a guest’s', async () => {
    const attacker = await visitor().known()
    const planted = world.tokenOf(attacker)
    const victim = visitor()
    victim.cookies.set('sid', planted)
    const username = await world.registered()
    await world.signIn(username, PASSWORD, victim)
    expect(world.tokenOf(victim)).not.toBe(planted)
    expect([await world.whose(planted), await world.whose(planted, world.second)]).toEqual([null, null])
    expect((await attacker.get('/api/bookings')).status).toBe(401)
  })

  test.each([
    ['a sign-in', (browser: Visitor, username: string) => world.signIn(username, PASSWORD, browser)],
    ['a guest’s session', (browser: Visitor) => browser.post('/api/auth/guest-session')],
  ])('an invented id is not made real by %s', async (_, act) => {
    const invented = `planted-${'x'.repeat(35)}`
    const browser = visitor()
    browser.cookies.set('sid', invented)
    await act(browser, await world.registered())
    expect(world.tokenOf(browser)).toMatch(/^[\w-]{43}$/)
    expect(world.tokenOf(browser)).not.toBe(invented)
    expect(await world.stored(invented)).toBeNull()
  })

  test('registering signs nobody in and keeps the session a guest’s', async () => {
    const browser = await visitor().known()
    const before = world.tokenOf(browser)
    await world.registered(browser)
    expect(world.tokenOf(browser)).toBe(before)
    expect(await world.whose(before)).toBeNull()
  })
})

describe('R-80: the cookie', () => {
  test('over http is for this host alone, out of reach of scripts, and not sent along by other sites', async () => {
    const [line] = sessionLines(await login(world.system.url, await world.registered()))
    expect(line).toMatch(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('over https is Secure besides, with the prefix that keeps other hosts from setting it', async () => {
    const username = await world.registered()
    const [line = ''] = sessionLines(await login(world.secure, username, { origin: world.secure.replace('http:', 'https:') }))
    expect(line).toMatch(/^__Host-sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const token = /=([\w-]+)/.exec(line)?.[1]
    expect(await world.whoIs({ cookie: `__Host-sid=${token}` }, world.secure)).toBe(username)
    expect(await world.whoIs({ cookie: `sid=${token}` }, world.secure), 'the name that another host could set').toBeNull()
  })

  test('goes at a sign-out, together with what the browser kept', async () => {
    const browser = await world.signIn(await world.registered())
    const response = await fetch(`${world.system.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: `sid=${world.tokenOf(browser)}` },
    })
    expect(sessionLines(response)).toEqual(['sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
  })

  test('has 256 bits of chance in it, and its value is in no body and in no store', async () => {
    const username = await world.registered()
    const answers: Response[] = []
    for (let i = 0; i < 10; i++) answers.push(await login(world.system.url, username))
    const tokens = answers.map((answer) => /sid=([\w-]+)/.exec(sessionLines(answer)[0] ?? '')?.[1] ?? '')
    expect(new Set(tokens).size).toBe(10)
    for (const [i, token] of tokens.entries()) {
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
      expect(await answers[i]?.text()).not.toContain(token)
      expect(JSON.stringify(await world.stored(token))).not.toContain(token)
    }
  })

  test('is not asked for by an address, and what belongs to a person is kept by no cache', async () => {
    const browser = await world.signIn(await world.registered())
    for (const path of ['/api/auth/user', '/api/auth/sessions', '/api/bookings', '/api/auth/export'])
      expect((await browser.get(path)).headers.get('cache-control'), path).toBe('no-store')
    expect((await browser.get('/api/auth/logout')).status).toBe(405)
    expect(await world.whose(world.tokenOf(browser))).not.toBeNull()
  })
})

test('R-74: the session of one brand is the same person’s on another, without the rights of a brand', async () => {
  const username = await world.registered()
  const token = world.tokenOf(await world.signIn(username))
  for (const brand of ['atlas.example', 'aurora.example']) {
    const response = await fetch(`${world.system.url}/api/auth/user?brand=${brand}`, { headers: { cookie: `sid=${token}` } })
    expect(await response.json()).toMatchObject({ username, isAdmin: false, staffOf: [] })
  }
})

describe('much at once', () => {
  test('thirty requests of one session at both gateways are one session’s, and none of them sets another cookie', async () => {
    const browser = await world.signIn(await world.registered())
    const headers = { cookie: `sid=${world.tokenOf(browser)}` }
    const urls = Array.from({ length: 30 }, (_, i) => `${i % 2 ? world.system.url : world.second}/api/auth/user`)
    const answers = await Promise.all(urls.map((url) => fetch(url, { headers })))
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200))
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([])
  })

  test('two sign-ins with one guest’s cookie end it, and both stand', async () => {
    const guest = await visitor().known()
    const username = await world.registered()
    const answers = await Promise.all(
      [world.system.url, world.second].map((url) => login(url, username, { cookie: `sid=${world.tokenOf(guest)}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await world.stored(world.tokenOf(guest))).toBeNull()
    expect(await world.living(username)).toBe(2)
  })

  test('five proofs of an administrator at once leave the one before over', async () => {
    const admin = await world.admin()
    const token = world.tokenOf(admin)
    const proofs = await Promise.all(
      Array.from({ length: 5 }, () => {
        const tab = visitor()
        tab.cookies.set('sid', token)
        return tab.post('/api/admin/login', { password: world.system.secrets.adminPassword })
      }),
    )
    expect(proofs.some(({ status }) => status === 200)).toBe(true)
    for (const { status } of proofs) expect([200, 401]).toContain(status)
    expect(await world.whose(token)).toBeNull()
  })

  test('a sign-out while requests are under way is final', async () => {
    const browser = await world.signIn(await world.registered())
    const token = world.tokenOf(browser)
    const asking = Array.from({ length: 10 }, () => world.whose(token))
    expect((await browser.post('/api/auth/logout')).status).toBe(200)
    await Promise.all(asking)
    expect([await world.whose(token), await world.whose(token, world.second)]).toEqual([null, null])
  })
})
