/** Sessions, passwords and administrators, over HTTP as the gateway calls them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type World } from './identity.fixture.ts'
import { ago, MINUTE, openTown, person, type SignedIn, type Town } from './people.fixture.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

describe('sessions', () => {
  test('AAUTH-01: the signed-in user, or 401', async () => {
    const { user, caller } = await town.signedIn()
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
    const { sessionId, caller } = await town.signedIn()
    const out = await world.call('POST', '/api/auth/logout', undefined, caller)
    expect(out).toMatchObject({ status: 200, body: { success: true } })
    expect(out.headers.get('x-internal-session')).toBe('ended')
    expect(await world.resolve(sessionId)).toMatchObject({ status: 401, body: { error: 'NOT_AUTHENTICATED' } })
    expect((await world.call('POST', '/api/auth/logout', undefined, caller)).status).toBe(200)
    expect((await world.call('POST', '/api/auth/logout')).status).toBe(200)
  })

  test('an idle session is over when its time is, swept or not', async () => {
    const { sessionId } = await town.signedIn()
    await town.age(sessionId, { expiresAt: ago(1) })
    expect(await town.lives(sessionId)).toBe(false)
  })

  test('R-80: being used moves its end forward, at most once a minute and never past 30 days', async () => {
    const { sessionId } = await town.signedIn()
    const before = await town.stored('sessions', sessionId)
    expect((await world.resolve(sessionId)).body.expiresAt).toBe(before?.expiresAt?.toISOString())
    await town.age(sessionId, { lastSeenAt: ago(2 * MINUTE), expiresAt: new Date(Date.now() + MINUTE) })
    const { body } = await world.resolve(sessionId)
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect((await town.stored('sessions', sessionId))?.expiresAt?.toISOString()).toBe(body.expiresAt)
    const createdAt = ago(29.5 * 86_400_000)
    await town.age(sessionId, { createdAt, lastSeenAt: ago(2 * MINUTE) })
    expect((await world.resolve(sessionId)).body.expiresAt).toBe(new Date(createdAt.getTime() + 30 * 86_400_000).toISOString())
  })

  test('a user has at most ten; the oldest goes', async () => {
    const first = await town.signedIn()
    const ids = [first.sessionId]
    for (let i = 0; i < 11; i++) ids.push((await town.again(first.user)).sessionId)
    const living = await Promise.all(ids.map(town.lives))
    expect(living).toEqual([false, false, ...Array.from({ length: 10 }, () => true)])
    const next = await town.login(first.user.username, first.user.password)
    expect(next.endedSessions, 'the gateway gets their ids').toEqual([ids[2]])
  })

  test('a visitor without a session is given one, whoever has one keeps it', async () => {
    const opened = await world.call('POST', '/api/auth/guest-session')
    expect(opened).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect(JSON.stringify(opened.body)).not.toContain(opened.session?.token)
    const { body } = await world.resolve(opened.session?.id ?? '')
    expect(body).toMatchObject({ userId: null, isAdmin: false, visitorId: expect.any(String) })
    const again = await world.call('POST', '/api/auth/guest-session', undefined, { sessionId: opened.session?.id ?? '' })
    expect(again).toMatchObject({ status: 200, session: null })
    expect(await town.lives(opened.session?.id ?? '')).toBe(true)
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
    const one = await town.signedIn()
    const two = await town.again(one.user)
    const changed = await change(one, one.user.password, 'Much-Longer-1234')
    expect(changed).toMatchObject({ status: 200, body: { success: true, message: 'Your password has been updated' } })
    expect(changed.endedSessions.sort()).toEqual([one.sessionId, two.sessionId].sort())
    expect([await town.lives(one.sessionId), await town.lives(two.sessionId), await town.lives(changed.session?.id ?? '')]).toEqual([
      false,
      false,
      true,
    ])
    expect((await town.login(one.user.username, one.user.password)).status).toBe(401)
    const back = await town.login(one.user.username, 'Much-Longer-1234')
    expect(back).toMatchObject({ status: 200, body: { passwordChangedAt: expect.any(String) } })
  })

  test('AAUTH-05: needs a session and the current password', async () => {
    const who = await town.signedIn()
    expect((await change({ ...who, caller: {} as SignedIn['caller'] }, who.user.password, 'Much-Longer-1234')).status).toBe(401)
    expect(await change(who, 'wrong', 'Much-Longer-1234')).toMatchObject({
      status: 400,
      body: { error: 'PASSWORD_WRONG', message: 'Current password is incorrect' },
    })
    expect(await town.lives(who.sessionId)).toBe(true)
  })

  test('AAUTH-06, R-63: at least 12 characters with all four classes', async () => {
    const who = await town.signedIn()
    const message = async (password: string) => (await change(who, who.user.password, password)).body.message
    expect(await message('Short1!')).toBe('New password must be at least 12 characters')
    for (const weak of ['alllowercase1!', 'ALLUPPERCASE1!', 'NoDigitsHere!!', 'NoSpecials1234'])
      expect(await message(weak)).toMatch(/^Password must contain/)
    expect((await change(who, who.user.password, 'x'.repeat(257))).status).toBe(400)
    expect((await town.login(who.user.username, who.user.password)).status).toBe(200)
  })

  test('AAUTH-06: refuses the one that is there, the names of the account and common ones; nothing ends', async () => {
    const who = await town.signedIn(person({ username: 'Long-Username-1', email: 'Long-Address-12@example.org' }))
    const message = async (password: string, current = who.user.password) => {
      const { status, body } = await change(who, current, password)
      expect(status).toBe(400)
      expect(body.issues).toEqual([{ path: 'newPassword', message: body.message }])
      return body.message
    }
    for (const name of ['Long-Username-1', 'long-address-12@Example.org', 'Long-Address-12'])
      expect(await message(name)).toBe('Your password must not be your username or your e-mail address')
    expect(await message('Password123!')).toBe('This password is one of the most common ones. Please choose another')
    expect(await town.lives(who.sessionId)).toBe(true)
    const changed = await change(who, who.user.password, 'Much-Longer-1234')
    const now = { ...who, caller: { ...who.caller, sessionId: changed.session?.id ?? '' } }
    expect(await change(now, 'Much-Longer-1234', 'Much-Longer-1234')).toMatchObject({
      status: 400,
      body: { message: 'Your new password must not be the one that you have now' },
    })
  })

  test('AAUTH-09: guessing the current one is slowed down', async () => {
    const who = await town.signedIn()
    const found: number[] = []
    for (let i = 0; i < 6; i++) found.push((await change(who, 'wrong', 'Much-Longer-1234')).status)
    expect(found).toEqual([400, 400, 400, 400, 400, 429])
  })

  test('of two different changes at once, one counts', async () => {
    const who = await town.signedIn()
    const answers = await Promise.all(['First-One-12345', 'Second-One-1234'].map((password) => change(who, who.user.password, password)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const signIns = await Promise.all(['First-One-12345', 'Second-One-1234'].map((password) => town.login(who.user.username, password)))
    expect(signIns.map((answer) => answer.status)).toEqual(answers.map((answer) => (answer.status === 200 ? 200 : 401)))
  })
})

describe('administrators', () => {
  const prove = (who: Pick<SignedIn, 'caller'>, body?: object) => world.call('POST', '/api/admin/login', body, who.caller)
  const admin = () => town.again(person({ username: 'admin', password: ADMIN_PASSWORD }))

  test('AADM-07, R-67: 401 signed out, 403 for others, 200 with a proof of the last 15 minutes', async () => {
    expect((await world.call('POST', '/api/admin/login')).status).toBe(401)
    expect(await prove(await town.signedIn())).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } })
    const who = await admin()
    expect(await prove(who)).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect((await prove(who, {})).status).toBe(200)
  })

  test('AADM-07: an older proof asks for the password, which begins a session with a new one; asking without it does not', async () => {
    const who = await admin()
    const old = ago(15 * MINUTE + 1000)
    await town.age(who.sessionId, { adminProofAt: old })
    expect(await prove(who)).toMatchObject({ status: 401, body: { error: 'REAUTH_REQUIRED' } })
    expect((await town.stored('sessions', who.sessionId))?.adminProofAt).toEqual(old)
    expect((await prove(who, { password: 'wrong' })).status).toBe(401)
    expect((await town.stored('sessions', who.sessionId))?.adminProofAt).toEqual(old)
    const proven = await prove(who, { password: ADMIN_PASSWORD })
    expect(proven).toMatchObject({ status: 200, body: { success: true }, endedSessions: [who.sessionId] })
    expect(await town.lives(who.sessionId), 'the token from before').toBe(false)
    const sessionId = proven.session?.id ?? ''
    const proof = (await world.resolve(sessionId)).body.adminProofAt
    expect(Date.now() - Date.parse(proof ?? '')).toBeLessThan(MINUTE)
    expect((await prove({ caller: { ...who.caller, sessionId } })).status).toBe(200)
  })

  test('AADM-07, R-67: a proof that still holds is refreshed by asking without the password, and the gateway drops its copy', async () => {
    const who = await admin()
    await town.age(who.sessionId, { adminProofAt: ago(14 * MINUTE) })
    const proven = await prove(who)
    expect(proven).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect(proven.headers.get('x-internal-session')).toBe('changed')
    const { adminProofAt } = (await town.stored('sessions', who.sessionId)) as unknown as { adminProofAt: Date }
    expect(Date.now() - adminProofAt.getTime()).toBeLessThan(MINUTE)
  })

  test('AADM-07: the session’s own end bounds it, however often the proof is refreshed', async () => {
    const who = await admin()
    await prove(who)
    await town.age(who.sessionId, { createdAt: ago(8 * 60 * MINUTE), expiresAt: ago(1) })
    expect((await prove(who)).status).toBe(401)
  })

  test('R-67: every check is recorded, with who and how it ended', async () => {
    const [who, traveller] = [await admin(), await town.signedIn()]
    await prove(who)
    await prove(traveller)
    const recorded = (userId: string) => world.collection('audit').find({ userId }).sort({ at: -1 }).limit(1).toArray()
    expect(await recorded(who.userId)).toMatchObject([{ actor: who.userId, action: 'admin-verified', at: expect.any(Date) }])
    expect(await recorded(traveller.userId)).toMatchObject([
      { actor: traveller.userId, action: 'admin-refused', requestId: 'test-request' },
    ])
  })

  test('sessions end after 30 idle minutes', async () => {
    const who = await admin()
    const { body } = await world.resolve(who.sessionId)
    expect(body.isAdmin).toBe(true)
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(30 * MINUTE)
  })
})

test('AAUTH-02: no answer of all these has held a hash or a password', () => {
  expect(world.answered.length).toBeGreaterThan(60)
  for (const text of world.answered) {
    expect(text).not.toMatch(/argon2|passwordHash|usernameKey|emailKey/)
    expect(text).not.toMatch(/secret-\d|Much-Longer|First-Admin/)
  }
})
