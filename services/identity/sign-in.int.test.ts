/** Registering and signing in, over HTTP as the gateway calls it. */
import { createLog } from '@passerelle/kit/log'
import { start } from '@passerelle/kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type World } from './identity.fixture.ts'
import { anotherNetwork, openTown, person, type Town } from './people.fixture.ts'
import { identity } from './service.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

describe('who may call', () => {
  test('nobody without a token of ours for this service', async () => {
    const ask = async (headers: Record<string, string>) => (await fetch(`${world.service.url}/api/auth/user`, { headers })).status
    expect(await ask({})).toBe(401)
    expect(await ask({ 'x-internal-token': 'forged' })).toBe(401)
    expect(await ask(await world.headers({ userId: 'usr_1' }, 'booking'))).toBe(401)
    expect(await ask({ 'x-user-id': 'usr_1', cookie: `sid=${'x'.repeat(43)}` })).toBe(401)
  })
})

describe('registering', () => {
  test('AAUTH-04, R-71, R-81: makes an account, answers it, signs nobody in and grants nothing', async () => {
    const user = person({ isAdmin: true, passwordHash: 'x', _id: 'usr_mine' })
    const { status, body, session } = await town.register(user)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      username: user.username,
      email: user.email,
      firstName: 'Inès',
      lastName: 'Moreau',
      isAdmin: false,
      mustChangePassword: false,
      passwordChangedAt: null,
    })
    expect(body.id).not.toBe('usr_mine')
    expect(session).toBeNull()
    expect(await town.stored('users', body.id)).toMatchObject({
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      isAdmin: false,
    })
  })

  test('is published on the bus with ids only', async () => {
    const { body } = await town.register(person())
    expect(await town.eventsOf(body.id, 1)).toEqual([
      { type: 'travel.account.created.v1', key: body.id, data: { userId: body.id, bookingId: null } },
    ])
  })

  test('REG-10, R-81: a taken username or e-mail is refused in any case', async () => {
    const user = person()
    await town.register(user)
    expect(await town.register(person({ username: user.username.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { error: 'USERNAME_TAKEN', message: 'This username is already taken' },
    })
    expect(await town.register(person({ email: user.email.toLowerCase() }))).toMatchObject({
      status: 409,
      body: { error: 'EMAIL_TAKEN', message: 'An account with this email already exists' },
    })
  })

  test('REG-10: of twenty at once with one name, one gets it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => town.register(person({ username: 'wanted-by-all' }))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('AAUTH-06, REG-01 to REG-04: the server enforces the rules of the form', async () => {
    const message = async (change: object) => {
      const { status, body } = await town.register(person(change))
      expect(status).toBe(400)
      return body.message
    }
    expect(await message({ username: 'ab' })).toBe('Username must be at least 3 characters')
    expect(await message({ email: 'nobody' })).toBe('Please enter a valid email address')
    expect(await message({ firstName: ' ' })).toBe('First name is required')
    expect(await message({ lastName: undefined })).toBe('Last name is required')
    expect(await message({ password: '12345' })).toBe('Password must be at least 6 characters')
    expect(await message({ password: { $ne: null } })).toBe('Password must be at least 6 characters')
    expect((await town.register(person({ password: 'Zx9#kq' }))).status).toBe(201)
  })

  test('AAUTH-06: refuses the names of the account and the most common passwords, and says why', async () => {
    const message = async (more: object) => {
      const { status, body } = await town.register(person(more))
      expect(status).toBe(400)
      expect(body.issues).toEqual([{ path: 'password', message: body.message }])
      return body.message
    }
    const names = { username: 'UnusualName77', email: 'unusual.address77@example.org' }
    for (const password of ['UnusualName77', 'unusualname77', 'unusual.address77@example.org', 'Unusual.Address77'])
      expect(await message({ ...names, password })).toBe('Your password must not be your username or your e-mail address')
    for (const password of ['123456', 'password', 'P@ssw0rd', 'qwertyuiop', 'aaaaaaaa', 'abcdefgh'])
      expect(await message({ password })).toBe('This password is one of the most common ones. Please choose another')
  })

  test('AAUTH-06, R-63: the least length is a setting, and the message says the figure', async () => {
    const strict = await world.replica({ PASSWORD_MIN_REGISTER: '10' })
    const register = (password: string) => world.call('POST', '/api/auth/register', person({ password }), {}, strict.url)
    expect(await register('Zx9#kq12!')).toMatchObject({ status: 400, body: { message: 'Password must be at least 10 characters' } })
    expect((await register('Zx9#kq12!p')).status).toBe(201)
    await strict.stop()
  })

  test('R-64: the time of accepted terms is kept, and is no condition', async () => {
    const accepted = async (acceptedTerms?: boolean) => {
      const { body } = await town.register(person({ acceptedTerms }))
      return (await town.stored('users', body.id))?.acceptedTermsAt
    }
    expect(await accepted(true)).toBeInstanceOf(Date)
    expect(await accepted(false)).toBeNull()
    expect(await accepted()).toBeNull()
  })
})

describe('signing in', () => {
  test('AAUTH-03: by username or e-mail in any case; the gateway gets the token and only its hash is stored', async () => {
    const user = person()
    await town.register(user)
    for (const name of [user.username, user.username.toUpperCase(), user.email, user.email.toLowerCase(), ` ${user.username} `]) {
      const { status, body, session: opened } = await town.login(name, user.password)
      expect(status, name).toBe(200)
      expect(body).toMatchObject({ username: user.username })
      expect(opened?.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(JSON.stringify(body)).not.toContain(opened?.token)
      expect(await town.stored('sessions', opened?.id ?? '')).toMatchObject({ userId: body.id })
      expect(await town.stored('sessions', opened?.token ?? '')).toBeNull()
    }
  })

  test('R-80: the cookie may stay for 30 days, an administrator’s for 8 hours', async () => {
    const { user } = await town.signedIn()
    expect((await town.login(user.username, user.password)).session?.maxAgeSeconds).toBe(30 * 86_400)
    expect((await town.login('admin', ADMIN_PASSWORD)).session?.maxAgeSeconds).toBe(8 * 3600)
  })

  test('R-81: a wrong password and an unknown user get the same answer', async () => {
    const { user } = await town.signedIn()
    const wrong = await town.login(user.username, 'wrong')
    const unknown = await town.login('nobody-of-this-name', 'wrong')
    expect(wrong).toMatchObject({
      status: 401,
      body: { error: 'INVALID_CREDENTIALS', message: 'Invalid username or password' },
      session: null,
    })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect(unknown.status).toBe(wrong.status)
  })

  test('LOGIN-02, LOGIN-03: what is missing is named', async () => {
    expect((await town.login('', 'x')).body.message).toBe('Username is required')
    expect((await town.login('x', '')).body.message).toBe('Password is required')
  })

  test('R-67: is logged with the account and how it ended, signing out too, and without a name or a password', async () => {
    const lines: string[] = []
    const log = createLog('identity', 'info', { write: (line) => void lines.push(line) })
    const one = await start(identity, world.environment, { log })
    const { user, userId } = await town.signedIn()
    const login = (username: string, password: string) =>
      world.call('POST', '/api/auth/login', { username, password }, { ip: anotherNetwork() }, one.url)
    lines.length = 0
    expect((await login(user.username, 'secret-wrong')).status).toBe(401)
    expect((await login('secret-typed-into-the-name', 'secret-wrong')).status).toBe(401)
    const { session } = await login(user.username, user.password)
    await world.call('POST', '/api/auth/logout', undefined, { userId, sessionId: session?.id ?? '' }, one.url)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'a sign-in failed', userId, code: 'INVALID_CREDENTIALS', requestId: 'test-request', time: expect.any(String) },
      { msg: 'a sign-in failed', userId: null },
      { msg: 'somebody signed in', userId },
      { msg: 'somebody signed out', userId },
    ])
    expect(lines.join()).not.toMatch(new RegExp(`secret|${user.username}`, 'i'))
    await one.stop()
  })

  test('no session survives a sign-in: neither a guest’s nor one that was planted', async () => {
    const user = person()
    await town.register(user)
    const guest = (await world.call<{ session: { sessionId: string } }>('POST', '/internal/sessions')).body.session.sessionId
    expect(await town.lives(guest)).toBe(true)
    const opened = (await town.login(user.username, user.password, { sessionId: guest })).session
    expect(opened?.id).not.toBe(guest)
    expect(await town.lives(guest)).toBe(false)
    const mallory = await town.signedIn()
    const next = (await town.login(user.username, user.password, mallory.caller)).session
    expect(await town.lives(mallory.sessionId)).toBe(false)
    expect((await world.resolve(next?.id ?? '')).body.userId).not.toBe(mallory.userId)
  })

  test('a username that is somebody’s address does not stand in the way of its owner', async () => {
    const owner = person()
    expect((await town.register(person({ username: owner.email, password: 'of-mallory' }))).status).toBe(201)
    await town.register(owner)
    expect(await town.login(owner.email, owner.password)).toMatchObject({ status: 200, body: { username: owner.username } })
    expect((await town.login(owner.email, 'of-mallory')).status).toBe(401)
  })

  test('BRAND-20, R-74: an account of one brand signs in on another', async () => {
    const { user } = await town.signedIn()
    expect((await town.login(user.username, user.password, { brand: 'atlas.example' })).status).toBe(200)
  })
})

test('AAUTH-02: no answer of all these has held a hash or a password', () => {
  expect(world.answered.length).toBeGreaterThan(50)
  for (const text of world.answered) {
    expect(text).not.toMatch(/argon2|passwordHash|usernameKey|emailKey/)
    expect(text).not.toMatch(/secret-\d|Much-Longer|First-Admin/)
  }
})
