/** Registering, signing in, sessions, passwords and administrators, over HTTP as the gateway calls them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Answer, eventually, openWorld, sha256, type World } from './identity.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const MINUTE = 60_000
let people = 0
const person = (more: object = {}) => {
  const username = `Traveller${++people}`
  return { username, email: `${username}@Example.org`, firstName: 'Inès', lastName: 'Moreau', password: `secret-${people}`, ...more }
}
const register = (user: object) => world.call('POST', '/api/auth/register', user)
const login = (username: string, password: string, caller: object = {}) =>
  world.call('POST', '/api/auth/login', { username, password }, caller)

type SignedIn = { user: ReturnType<typeof person>; userId: string; sessionId: string; caller: { userId: string; sessionId: string } }
/** As the gateway introduces somebody who has just signed in. */
async function signedIn(user = person()): Promise<SignedIn> {
  await register(user)
  return again(user)
}
async function again(user: ReturnType<typeof person>): Promise<SignedIn> {
  const { body, session } = await login(user.username, user.password)
  const userId = String(body.id)
  const sessionId = session?.id ?? ''
  return { user, userId, sessionId, caller: { userId, sessionId } }
}
const lives = async (sessionId: string) => (await world.resolve(sessionId)).status === 200
const stored = (name: 'users' | 'sessions', id: unknown) => world.collection(name).findOne({ _id: id as never })
const session = (id: string) => stored('sessions', id)
const age = (id: string, fields: Record<string, Date>) => world.collection('sessions').updateOne({ _id: id as never }, { $set: fields })
const ago = (ms: number) => new Date(Date.now() - ms)

/** The events of one account, once there are as many. */
const published = (userId: unknown, count: number) =>
  eventually('the events', async () => {
    const events = (await world.published()).filter((event) => event.key === userId)
    return events.length >= count && events
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
    const { status, body, session } = await register(user)
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
    expect(await stored('users', body.id)).toMatchObject({
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      isAdmin: false,
    })
  })

  test('is told on the bus by ids alone', async () => {
    const { body } = await register(person())
    expect(await published(body.id, 1)).toEqual([
      { type: 'travel.account.created.v1', key: body.id, data: { userId: body.id, bookingId: null } },
    ])
  })

  test('REG-10, R-81: a taken username or e-mail is refused in any case', async () => {
    const user = person()
    await register(user)
    expect(await register(person({ username: user.username.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { error: 'USERNAME_TAKEN', message: 'This username is already taken' },
    })
    expect(await register(person({ email: user.email.toLowerCase() }))).toMatchObject({
      status: 409,
      body: { error: 'EMAIL_TAKEN', message: 'An account with this email already exists' },
    })
  })

  test('REG-10: of twenty at once with one name, one gets it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(person({ username: 'wanted-by-all' }))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('AAUTH-06, REG-01 to REG-04: the server enforces the rules of the form', async () => {
    const message = async (change: object) => {
      const { status, body } = await register(person(change))
      expect(status).toBe(400)
      return body.message
    }
    expect(await message({ username: 'ab' })).toBe('Username must be at least 3 characters')
    expect(await message({ email: 'nobody' })).toBe('Please enter a valid email address')
    expect(await message({ firstName: ' ' })).toBe('First name is required')
    expect(await message({ lastName: undefined })).toBe('Last name is required')
    expect(await message({ password: '12345' })).toBe('Password must be at least 6 characters')
    expect(await message({ password: { $ne: null } })).toBe('Password must be at least 6 characters')
    expect((await register(person({ password: '123456' }))).status).toBe(201)
  })

  test('R-64: the time of accepted terms is kept, and is no condition', async () => {
    const accepted = async (acceptedTerms?: boolean) => {
      const { body } = await register(person({ acceptedTerms }))
      return (await stored('users', body.id))?.acceptedTermsAt
    }
    expect(await accepted(true)).toBeInstanceOf(Date)
    expect(await accepted(false)).toBeNull()
    expect(await accepted()).toBeNull()
  })
})

describe('signing in', () => {
  test('AAUTH-03: by username or e-mail in any case; the token is told to the gateway and only its hash is kept', async () => {
    const user = person()
    await register(user)
    for (const name of [user.username, user.username.toUpperCase(), user.email, user.email.toLowerCase(), ` ${user.username} `]) {
      const { status, body, session: opened } = await login(name, user.password)
      expect(status, name).toBe(200)
      expect(body).toMatchObject({ username: user.username })
      expect(opened?.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(JSON.stringify(body)).not.toContain(opened?.token)
      expect(await session(opened?.id ?? '')).toMatchObject({ userId: body.id })
      expect(await session(opened?.token ?? '')).toBeNull()
    }
  })

  test('R-80: the cookie may stay for 30 days, an administrator’s for 8 hours', async () => {
    const { user } = await signedIn()
    expect((await login(user.username, user.password)).session?.maxAgeSeconds).toBe(30 * 86_400)
    expect((await login('admin', ADMIN_PASSWORD)).session?.maxAgeSeconds).toBe(8 * 3600)
  })

  test('R-81: a wrong password and an unknown user get the same answer', async () => {
    const { user } = await signedIn()
    const wrong = await login(user.username, 'wrong')
    const unknown = await login('nobody-of-this-name', 'wrong')
    expect(wrong).toMatchObject({
      status: 401,
      body: { error: 'INVALID_CREDENTIALS', message: 'Invalid username or password' },
      session: null,
    })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect(unknown.status).toBe(wrong.status)
  })

  test('LOGIN-02, LOGIN-03: what is missing is named', async () => {
    expect((await login('', 'x')).body.message).toBe('Username is required')
    expect((await login('x', '')).body.message).toBe('Password is required')
  })

  test('no session survives a sign-in: neither a guest’s nor one that was planted', async () => {
    const user = person()
    await register(user)
    const guest = (await world.call<{ session: { sessionId: string } }>('POST', '/internal/sessions')).body.session.sessionId
    expect(await lives(guest)).toBe(true)
    const opened = (await login(user.username, user.password, { sessionId: guest })).session
    expect(opened?.id).not.toBe(guest)
    expect(await lives(guest)).toBe(false)
    const mallory = await signedIn()
    const next = (await login(user.username, user.password, mallory.caller)).session
    expect(await lives(mallory.sessionId)).toBe(false)
    expect((await world.resolve(next?.id ?? '')).body.userId).not.toBe(mallory.userId)
  })

  test('a username that is somebody’s address does not stand in the way of its owner', async () => {
    const owner = person()
    expect((await register(person({ username: owner.email, password: 'of-mallory' }))).status).toBe(201)
    await register(owner)
    expect(await login(owner.email, owner.password)).toMatchObject({ status: 200, body: { username: owner.username } })
    expect((await login(owner.email, 'of-mallory')).status).toBe(401)
  })

  test('BRAND-20, R-74: an account of one brand signs in on another', async () => {
    const { user } = await signedIn()
    expect((await login(user.username, user.password, { brand: 'atlas.example' })).status).toBe(200)
  })
})

describe('AAUTH-09: failed sign-ins', () => {
  const lastFailed = (userId: string, lastAt: Date) =>
    world.collection('failures').updateOne({ _id: sha256(`${userId}|192.0.2`) as never }, { $set: { lastAt } })
  const statuses = async (times: number, attempt: () => Promise<Answer>) => {
    const found: number[] = []
    for (let i = 0; i < times; i++) found.push((await attempt()).status)
    return found
  }

  test('slow the account down from that network, with Retry-After, even for the right password', async () => {
    const { user } = await signedIn()
    const from = (ip: string) => ({ ip })
    expect(await statuses(7, () => login(user.username, 'wrong', from('192.0.2.1')))).toEqual([401, 401, 401, 401, 401, 429, 429])
    const slowed = await login(user.username, user.password, from('192.0.2.99'))
    expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login(user.username, user.password, from('198.51.100.1'))).status).toBe(200)
  })

  test('count for the account, under whichever name it was tried', async () => {
    const { user } = await signedIn()
    const from = { ip: '192.0.2.1' }
    expect(await statuses(3, () => login(user.username, 'wrong', from))).toEqual([401, 401, 401])
    expect(await statuses(4, () => login(user.email, 'wrong', from))).toEqual([401, 401, 429, 429])
  })

  test('slow down names that nobody has in the same way', async () => {
    expect(await statuses(6, () => login('ghost', 'x', { ip: '192.0.2.1' }))).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('are forgotten when the right password comes in time, or after a quarter of an hour', async () => {
    const { user, userId } = await signedIn()
    const from = { ip: '192.0.2.1' }
    await statuses(4, () => login(user.username, 'wrong', from))
    expect((await login(user.username, user.password, from)).status).toBe(200)
    expect(await statuses(6, () => login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, ago(16 * MINUTE))
    expect(await statuses(6, () => login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, ago(10_000))
    expect((await login(user.username, user.password, from)).status).toBe(200)
  })

  test('forty at once get no more tries than forty in a row', async () => {
    const { user } = await signedIn()
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(user.username, 'wrong', { ip: '192.0.2.1' })))
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(35)
  })
})

describe('sessions', () => {
  test('AAUTH-01: the signed-in user, or 401', async () => {
    const { user, caller } = await signedIn()
    expect(await world.call('GET', '/api/auth/user', undefined, caller)).toMatchObject({
      status: 200,
      body: {
        username: user.username,
        email: user.email,
        firstName: 'Inès',
        lastName: 'Moreau',
        isAdmin: false,
        createdAt: expect.any(String),
      },
    })
    expect(await world.call('GET', '/api/auth/user')).toMatchObject({ status: 401, body: { message: 'Not authenticated' } })
    expect((await world.call('GET', '/api/auth/user', undefined, { userId: 'usr_gone' })).status).toBe(401)
  })

  test('AAUTH-07, AAUTH-08: signing out ends the session, takes no body, and may be repeated', async () => {
    const { sessionId, caller } = await signedIn()
    const out = await world.call('POST', '/api/auth/logout', undefined, caller)
    expect(out).toMatchObject({ status: 200, body: { success: true } })
    expect(out.headers.get('x-internal-session')).toBe('ended')
    expect(await world.resolve(sessionId)).toMatchObject({ status: 401, body: { error: 'NOT_AUTHENTICATED' } })
    expect((await world.call('POST', '/api/auth/logout', undefined, caller)).status).toBe(200)
    expect((await world.call('POST', '/api/auth/logout')).status).toBe(200)
  })

  test('an idle session is over when its time is, swept or not', async () => {
    const { sessionId } = await signedIn()
    await age(sessionId, { expiresAt: ago(1) })
    expect(await lives(sessionId)).toBe(false)
  })

  test('R-80: being used moves its end forward, at most once a minute and never past 30 days', async () => {
    const { sessionId } = await signedIn()
    const before = await session(sessionId)
    expect((await world.resolve(sessionId)).body.expiresAt).toBe(before?.expiresAt?.toISOString())
    await age(sessionId, { lastSeenAt: ago(2 * MINUTE), expiresAt: new Date(Date.now() + MINUTE) })
    const { body } = await world.resolve(sessionId)
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect((await session(sessionId))?.expiresAt?.toISOString()).toBe(body.expiresAt)
    const createdAt = ago(29.5 * 86_400_000)
    await age(sessionId, { createdAt, lastSeenAt: ago(2 * MINUTE) })
    expect((await world.resolve(sessionId)).body.expiresAt).toBe(new Date(createdAt.getTime() + 30 * 86_400_000).toISOString())
  })

  test('a user has at most ten; the oldest goes', async () => {
    const first = await signedIn()
    const ids = [first.sessionId]
    for (let i = 0; i < 11; i++) ids.push((await again(first.user)).sessionId)
    const living = await Promise.all(ids.map(lives))
    expect(living).toEqual([false, false, ...Array.from({ length: 10 }, () => true)])
  })

  test('a guest’s session is nobody’s', async () => {
    const opened = await world.call<{ token: string; session: { sessionId: string; userId: null } }>('POST', '/internal/sessions')
    expect(opened.body.session).toMatchObject({ userId: null, isAdmin: false })
    expect((await world.resolve(opened.body.session.sessionId)).body).toMatchObject({ userId: null, isAdmin: false })
    expect((await world.call('GET', '/api/auth/user', undefined, { sessionId: opened.body.session.sessionId })).status).toBe(401)
  })
})

describe('changing the password', () => {
  const change = (who: SignedIn, currentPassword: string, newPassword: string) =>
    world.call('POST', '/api/auth/change-password', { currentPassword, newPassword }, who.caller)

  test('AAUTH-05, ACCT-14, R-65: the new one counts, every other session ends, and a new one begins', async () => {
    const one = await signedIn()
    const two = await again(one.user)
    const changed = await change(one, one.user.password, 'Much-Longer-1234')
    expect(changed).toMatchObject({ status: 200, body: { success: true, message: 'Your password has been updated' } })
    expect(changed.endedSessions.sort()).toEqual([one.sessionId, two.sessionId].sort())
    expect([await lives(one.sessionId), await lives(two.sessionId), await lives(changed.session?.id ?? '')]).toEqual([false, false, true])
    expect((await login(one.user.username, one.user.password)).status).toBe(401)
    const back = await login(one.user.username, 'Much-Longer-1234')
    expect(back).toMatchObject({ status: 200, body: { passwordChangedAt: expect.any(String) } })
    const events = await published(one.userId, 2)
    expect(events.map((event) => event.type)).toEqual(['travel.account.created.v1', 'travel.account.password-changed.v1'])
    expect(events[1]?.data).toEqual({ userId: one.userId })
  })

  test('AAUTH-05: needs a session and the current password', async () => {
    const who = await signedIn()
    expect((await change({ ...who, caller: {} as SignedIn['caller'] }, who.user.password, 'Much-Longer-1234')).status).toBe(401)
    expect(await change(who, 'wrong', 'Much-Longer-1234')).toMatchObject({
      status: 400,
      body: { error: 'PASSWORD_WRONG', message: 'Current password is incorrect' },
    })
    expect(await lives(who.sessionId)).toBe(true)
  })

  test('AAUTH-06, R-63: at least 12 characters with all four classes', async () => {
    const who = await signedIn()
    const message = async (password: string) => (await change(who, who.user.password, password)).body.message
    expect(await message('Short1!')).toBe('New password must be at least 12 characters')
    for (const weak of ['alllowercase1!', 'ALLUPPERCASE1!', 'NoDigitsHere!!', 'NoSpecials1234'])
      expect(await message(weak)).toMatch(/^Password must contain/)
    expect((await change(who, who.user.password, 'x'.repeat(257))).status).toBe(400)
    expect((await login(who.user.username, who.user.password)).status).toBe(200)
  })

  test('AAUTH-09: guessing the current one is slowed down', async () => {
    const who = await signedIn()
    const found: number[] = []
    for (let i = 0; i < 6; i++) found.push((await change(who, 'wrong', 'Much-Longer-1234')).status)
    expect(found).toEqual([400, 400, 400, 400, 400, 429])
  })

  test('of two different changes at once, one counts', async () => {
    const who = await signedIn()
    const answers = await Promise.all(['First-One-12345', 'Second-One-1234'].map((password) => change(who, who.user.password, password)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const signIns = await Promise.all(['First-One-12345', 'Second-One-1234'].map((password) => login(who.user.username, password)))
    expect(signIns.map((answer) => answer.status)).toEqual(answers.map((answer) => (answer.status === 200 ? 200 : 401)))
  })
})

describe('administrators', () => {
  const prove = (who: Pick<SignedIn, 'caller'>, body?: object) => world.call('POST', '/api/admin/login', body, who.caller)
  const admin = () => again(person({ username: 'admin', password: ADMIN_PASSWORD }))

  test('AADM-07, R-67: 401 signed out, 403 for others, 200 with a proof of the last 15 minutes', async () => {
    expect((await world.call('POST', '/api/admin/login')).status).toBe(401)
    expect(await prove(await signedIn())).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } })
    const who = await admin()
    expect(await prove(who)).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect((await prove(who, {})).status).toBe(200)
  })

  test('AADM-07: an older proof asks for the password, which renews it; asking without it does not', async () => {
    const who = await admin()
    const old = ago(15 * MINUTE + 1000)
    await age(who.sessionId, { adminProofAt: old })
    expect(await prove(who)).toMatchObject({ status: 401, body: { error: 'REAUTH_REQUIRED' } })
    expect((await session(who.sessionId))?.adminProofAt).toEqual(old)
    expect((await prove(who, { password: 'wrong' })).status).toBe(401)
    expect((await session(who.sessionId))?.adminProofAt).toEqual(old)
    const proven = await prove(who, { password: ADMIN_PASSWORD })
    expect(proven).toMatchObject({ status: 200, body: { success: true } })
    expect(proven.headers.get('x-internal-session')).toBe('changed')
    const proof = (await world.resolve(who.sessionId)).body.adminProofAt
    expect(Date.now() - Date.parse(proof ?? '')).toBeLessThan(MINUTE)
    expect((await prove(who)).status).toBe(200)
  })

  test('a recent proof is not prolonged by asking', async () => {
    const who = await admin()
    const proof = ago(14 * MINUTE)
    await age(who.sessionId, { adminProofAt: proof })
    expect((await prove(who)).status).toBe(200)
    expect((await session(who.sessionId))?.adminProofAt).toEqual(proof)
  })

  test('sessions end after 30 idle minutes', async () => {
    const who = await admin()
    const { body } = await world.resolve(who.sessionId)
    expect(body.isAdmin).toBe(true)
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(30 * MINUTE)
  })
})

test('AAUTH-02: no answer of all these has held a hash or a password', () => {
  expect(world.answered.length).toBeGreaterThan(200)
  for (const text of world.answered) {
    expect(text).not.toMatch(/argon2|passwordHash|usernameKey|emailKey/)
    expect(text).not.toMatch(/secret-\d|Much-Longer|First-Admin/)
  }
})
