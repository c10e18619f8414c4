/** What opens a session, what does not, and when one ends: at two gateways in front of the whole product. */
import { createTokens, hashToken, systemCaller, TOKEN_HEADER } from '@passerelle/kit/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ago, DAY, HOUR, MINUTE, NEW_PASSWORD, openSessionWorld, PASSWORD, type SessionWorld } from './sessions.fixture.ts'
import { Visitor } from './test-visitor.fixture.ts'

let world: SessionWorld
beforeAll(async () => {
  world = await openSessionWorld()
})
afterAll(async () => {
  await world.stop()
})

const cookie = (token: string) => ({ cookie: `sid=${token}` })
const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Somebody signed in whom both gateways know, so that both have a copy. */
async function known(): Promise<{ username: string; browser: Visitor; token: string }> {
  const username = await world.registered()
  const browser = await world.signIn(username)
  const token = world.tokenOf(browser)
  expect([await world.whose(token), await world.whose(token, world.second)]).toEqual([username, username])
  return { username, browser, token }
}

/** As the gateway itself says to identity who is calling. */
async function internalToken(): Promise<string> {
  const { keys, jwks } = world.system.secrets
  const tokens = await createTokens('gateway', JSON.stringify(keys.gateway), JSON.stringify(jwks))
  const { browser } = await known()
  const { body } = await browser.get<{ id: string }>('/api/auth/user')
  const caller = systemCaller('gateway', { brand: 'default', mode: 'test', requestId: 'test-request' })
  return tokens.mint('identity', { ...caller, userId: body.id, isAdmin: true })
}

describe('what is no session of ours signs nobody in', () => {
  const forged: [string, () => Promise<{ headers: Record<string, string>; query?: string }>][] = [
    ['no cookie', async () => ({ headers: {} })],
    ['an invented id', async () => ({ headers: cookie(Buffer.alloc(32, 7).toString('base64url')) })],
    [
      'an id with its first character changed',
      async () => {
        const { token } = await known()
        return { headers: cookie((token.startsWith('A') ? 'B' : 'A') + token.slice(1)) }
      },
    ],
    ['an id without its last character', async () => ({ headers: cookie((await known()).token.slice(0, -1)) })],
    ['two ids as one', async () => ({ headers: cookie((await known()).token + (await known()).token) })],
    ['the hash that is stored', async () => ({ headers: cookie(hashToken((await known()).token)) })],
    [
      'the handle by which a session is listed',
      async () => {
        const { body } = await (await known()).browser.get<{ id: string }[]>('/api/auth/sessions')
        return { headers: cookie(body[0]?.id ?? '') }
      },
    ],
    [
      'an unsigned token that names an administrator',
      async () => ({ headers: cookie(`${json({ alg: 'none', typ: 'JWT' })}.${json({ sub: 'admin', isAdmin: true })}.`) }),
    ],
    ['a token of the gateway to a service, as a cookie', async () => ({ headers: cookie(await internalToken()) })],
    ['a token of the gateway to a service, in its own header', async () => ({ headers: { [TOKEN_HEADER]: await internalToken() } })],
    ['an id in the authorization header', async () => ({ headers: { authorization: `Bearer ${(await known()).token}` } })],
    ['an id in the address', async () => ({ headers: {}, query: `?sid=${(await known()).token}` })],
    ['an id under another name', async () => ({ headers: { cookie: `SID=${(await known()).token}` } })],
  ]
  test.each(forged)('%s', async (_, make) => {
    const { headers, query } = await make()
    expect(await world.whoIs(headers, world.system.url, query)).toBeNull()
  })
})

describe('R-80: a session that has ended opens nothing, at either gateway', () => {
  const ended: [string, () => Promise<string>][] = [
    [
      'by signing out',
      async () => {
        const { browser, token } = await known()
        expect((await browser.post('/api/auth/logout')).status).toBe(200)
        return token
      },
    ],
    [
      'by signing in again in the same browser',
      async () => {
        const { browser, username, token } = await known()
        await world.signIn(username, PASSWORD, browser)
        return token
      },
    ],
    [
      'by somebody else signing in in the same browser',
      async () => {
        const { browser, token } = await known()
        const other = await world.registered()
        await world.signIn(other, PASSWORD, browser)
        expect(await world.whose(world.tokenOf(browser))).toBe(other)
        return token
      },
    ],
    [
      'by changing the password in it',
      async () => {
        const { browser, username, token } = await known()
        await changed(browser)
        expect(await world.whose(world.tokenOf(browser))).toBe(username)
        return token
      },
    ],
    [
      'by changing the password in another',
      async () => {
        const { username, token } = await known()
        await changed(await world.signIn(username))
        return token
      },
    ],
    [
      'by being ended from another, through the other gateway',
      async () => {
        const { username, token } = await known()
        const elsewhere = new Visitor(world.second)
        await world.signIn(username, PASSWORD, elsewhere)
        const { body } = await elsewhere.get<{ id: string; current: boolean }[]>('/api/auth/sessions')
        const handle = body.find(({ current }) => !current)?.id
        expect((await elsewhere.call('DELETE', `/api/auth/sessions/${handle}`)).status).toBe(200)
        return token
      },
    ],
    [
      'by signing out everywhere else',
      async () => {
        const { username, token } = await known()
        const here = await world.signIn(username)
        expect((await here.call('DELETE', '/api/auth/sessions')).status).toBe(200)
        expect(await world.whose(world.tokenOf(here))).toBe(username)
        return token
      },
    ],
    [
      'by an eleventh sign-in',
      async () => {
        const { username, token } = await known()
        for (let i = 0; i < 10; i++) await world.signIn(username)
        expect(await world.living(username)).toBe(10)
        return token
      },
    ],
    [
      'by the account being deleted',
      async () => {
        const { browser, token } = await known()
        expect((await browser.post('/api/auth/delete-account', { password: PASSWORD })).status).toBe(200)
        return token
      },
    ],
    [
      'by a right being given',
      async () => {
        const { username, token } = await known()
        await world.promote(username)
        return token
      },
    ],
    [
      'by a right being taken back',
      async () => {
        const username = await world.registered()
        const id = await world.promote(username)
        const staff = await world.signIn(username)
        expect((await staff.get('/api/admin/staff')).status).toBe(200)
        expect((await (await world.admin()).call('DELETE', `/api/admin/staff/${id}`)).status).toBe(200)
        expect((await staff.get('/api/admin/staff')).status).toBe(401)
        return world.tokenOf(staff)
      },
    ],
    [
      'by an administrator’s proof with the password, which begins another one',
      async () => {
        const admin = await world.admin()
        const token = world.tokenOf(admin)
        expect(await world.whose(token, world.second)).toBe('admin')
        expect((await admin.post('/api/admin/login', { password: world.system.secrets.adminPassword })).status).toBe(200)
        expect((await admin.get('/api/admin/staff')).status).toBe(200)
        return token
      },
    ],
    ['by a week without use', () => aged(world.registered(), { lastSeenAt: ago(7 * DAY), expiresAt: ago(1) })],
    ['by a month with use', () => aged(world.registered(), { createdAt: ago(30 * DAY), lastSeenAt: ago(MINUTE), expiresAt: ago(1) })],
  ]
  test.each(ended)('%s', async (_, end) => {
    const token = await end()
    expect(token).toHaveLength(43)
    expect([await world.whose(token), await world.whose(token, world.second)]).toEqual([null, null])
  })

  async function changed(browser: Visitor): Promise<void> {
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await browser.post('/api/auth/change-password', change)).status).toBe(200)
  }

  async function aged(username: Promise<string>, fields: Record<string, Date>): Promise<string> {
    const token = world.tokenOf(await world.signIn(await username))
    await world.age(token, fields)
    return token
  }
})

describe('R-80: how long one lasts', () => {
  const lifetimes: [string, 'traveller' | 'administrator', Record<string, Date>, number][] = [
    ['a traveller’s is a week longer with each use', 'traveller', { lastSeenAt: ago(6 * DAY) }, 7 * DAY],
    ['a traveller’s is never longer than a month', 'traveller', { createdAt: ago(29 * DAY), lastSeenAt: ago(HOUR) }, DAY],
    ['an administrator’s is half an hour longer with each use', 'administrator', { lastSeenAt: ago(20 * MINUTE) }, 30 * MINUTE],
    [
      'an administrator’s is never longer than eight hours',
      'administrator',
      { createdAt: ago(8 * HOUR - 10 * MINUTE), lastSeenAt: ago(2 * MINUTE) },
      10 * MINUTE,
    ],
  ]
  test.each(lifetimes)('%s', async (_, who, fields, left) => {
    const browser = who === 'administrator' ? await world.admin() : await world.signIn(await world.registered())
    const token = world.tokenOf(browser)
    await world.age(token, { ...fields, expiresAt: new Date(Date.now() + MINUTE) })
    expect(await world.whose(token)).not.toBeNull()
    const { expiresAt } = (await world.stored(token)) as unknown as { expiresAt: Date }
    expect(Math.round((expiresAt.getTime() - Date.now()) / MINUTE)).toBe(Math.round(left / MINUTE))
  })
})
