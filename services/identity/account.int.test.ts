/** What the owner of an account does with it: a forgotten password, sessions, a copy of the data, the end. */
import type { AccountData, SessionInfo } from '@passerelle/contracts/http/account'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, eventually, sha256, type World } from './identity.fixture.ts'
import { ago, anotherNetwork, MINUTE, openTown, person, type SignedIn, type Town } from './people.fixture.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

const NEW_PASSWORD = 'Chosen-By-Me-12'
const forgot = (email: string) => world.call('POST', '/api/auth/forgot-password', { email })
const setPassword = (token: string, newPassword = NEW_PASSWORD) => world.call('POST', '/api/auth/set-password', { token, newPassword })
const resetMails = (email: string, count = 1) =>
  eventually('the mail with the link', async () => {
    const found = (await world.mailsTo(email)).filter(({ subject }) => subject.startsWith('Choose a new password'))
    return found.length >= count && found
  })
const tokenIn = (text = '') => /\/set-password#([\w-]+)/.exec(text)?.[1] ?? ''
const sessionsOf = async (who: SignedIn) =>
  (await world.call<SessionInfo[]>('GET', '/api/auth/sessions', undefined, who.caller)).body as unknown as SessionInfo[]

describe('a forgotten password', () => {
  test('R-60: is replaced by a link that works once and for one hour, and ends every session', async () => {
    const who = await town.signedIn()
    const other = await town.again(who.user)
    await forgot(who.user.email.toUpperCase())
    const [mail] = await resetMails(who.user.email)
    expect(mail?.text).toContain(`Your username is ${who.user.username}.`)
    const token = tokenIn(mail?.text)
    const link = await world.collection('links').findOne({ _id: sha256(token) as never })
    expect(link).toMatchObject({ userId: who.userId, use: 'set-password' })
    expect(link?.expiresAt.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE)
    expect(link?.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(60 * MINUTE)
    const answers = await Promise.all([setPassword(token), setPassword(token, 'Somebody-Elses-34')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
    const done = answers.find(({ status }) => status === 200)
    expect(done?.endedSessions.sort()).toEqual([who.sessionId, other.sessionId].sort())
    expect([await town.lives(who.sessionId), await town.lives(other.sessionId)]).toEqual([false, false])
    expect((await town.login(who.user.username, who.user.password)).status).toBe(401)
    const chosen = answers[0].status === 200 ? NEW_PASSWORD : 'Somebody-Elses-34'
    expect((await town.login(who.user.username, chosen)).status).toBe(200)
    expect((await world.call('GET', '/api/auth/user', undefined, { userId: who.userId })).body).toMatchObject({ emailVerified: true })
  })

  test('R-60: is answered the same whether or not there is such an account', async () => {
    const who = await town.signedIn()
    const [known, unknown] = [await forgot(who.user.email), await forgot('nobody@example.org')]
    expect([known.status, known.body]).toEqual([200, unknown.body])
    expect(unknown.status).toBe(200)
    await resetMails(who.user.email)
    expect(await world.mailsTo('nobody@example.org')).toEqual([])
    expect(await forgot('no address')).toMatchObject({ status: 400, body: { message: 'Please enter a valid email address' } })
  })

  test('R-60: sends three mails in an hour at most, and still answers the same', async () => {
    const who = await town.signedIn()
    const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(who.user.email)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1)
    const due = () => world.collection('mails').countDocuments({ template: 'reset', subject: { $gt: who.userId, $lt: `${who.userId}~` } })
    await resetMails(who.user.email, Math.min(3, await due()))
    expect(await due()).toBeLessThanOrEqual(3)
    expect(await due()).toBeGreaterThan(0)
  })

  test('R-60: an hour later the link has expired', async () => {
    const who = await town.signedIn()
    await forgot(who.user.email)
    const token = tokenIn((await resetMails(who.user.email))[0]?.text)
    await world.collection('links').updateOne({ _id: sha256(token) as never }, { $set: { expiresAt: ago(1000) } })
    expect(await setPassword(token)).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
    expect(await town.lives(who.sessionId)).toBe(true)
  })
})

describe('sessions', () => {
  const loginWith = async (who: SignedIn, userAgent: string) => {
    const headers = { ...(await world.headers({ ip: anotherNetwork() })), 'content-type': 'application/json', 'user-agent': userAgent }
    const body = JSON.stringify({ username: who.user.username, password: who.user.password })
    return fetch(`${world.service.url}/api/auth/login`, { method: 'POST', headers, body })
  }

  test('are listed, this one first, with a device and without anything that opens them', async () => {
    const who = await town.signedIn()
    await town.age(who.sessionId, { lastSeenAt: ago(10 * MINUTE) })
    const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
    expect((await loginWith(who, browser)).status).toBe(200)
    const list = await sessionsOf(who)
    expect(list).toMatchObject([
      { current: true, device: null },
      { current: false, device: 'Chrome on Windows' },
    ])
    expect(Date.parse(list[0]?.lastSeenAt ?? '')).toBeLessThan(Date.parse(list[1]?.lastSeenAt ?? ''))
    expect(JSON.stringify(list)).not.toContain(who.sessionId)
    const kept = JSON.stringify(await world.collection('sessions').find({ userId: who.userId }).toArray())
    expect(kept).not.toContain('Mozilla')
    expect((await world.call('GET', '/api/auth/sessions')).status).toBe(401)
  })

  test('end one by one, and the gateway hears which', async () => {
    const who = await town.signedIn()
    const other = await town.again(who.user)
    const [, second] = await sessionsOf(who)
    const path = `/api/auth/sessions/${second?.id}`
    const ended = await world.call('DELETE', path, undefined, who.caller)
    expect(ended).toMatchObject({ status: 200, endedSessions: [other.sessionId], session: null })
    expect([await town.lives(who.sessionId), await town.lives(other.sessionId)]).toEqual([true, false])
    expect(await world.call('DELETE', path, undefined, who.caller)).toMatchObject({ status: 404, body: { error: 'SESSION_NOT_FOUND' } })
  })

  test('of somebody else cannot be ended', async () => {
    const [who, stranger] = [await town.signedIn(), await town.signedIn()]
    const [own] = await sessionsOf(stranger)
    expect((await world.call('DELETE', `/api/auth/sessions/${own?.id}`, undefined, who.caller)).status).toBe(404)
    expect((await world.call('DELETE', `/api/auth/sessions/${stranger.sessionId}`, undefined, who.caller)).status).toBe(400)
    expect(await town.lives(stranger.sessionId)).toBe(true)
  })

  test('of one’s own ends like a sign-out', async () => {
    const who = await town.signedIn()
    const [own] = await sessionsOf(who)
    const { headers } = await world.call('DELETE', `/api/auth/sessions/${own?.id}`, undefined, who.caller)
    expect(headers.get('x-internal-session')).toBe('ended')
    expect(await town.lives(who.sessionId)).toBe(false)
  })

  test('all others end at once', async () => {
    const who = await town.signedIn()
    const others = [await town.again(who.user), await town.again(who.user)]
    const ended = await world.call('DELETE', '/api/auth/sessions', undefined, who.caller)
    expect(ended.endedSessions.sort()).toEqual(others.map(({ sessionId }) => sessionId).sort())
    expect(ended.body.message).toBe('2 sessions have ended.')
    expect((await sessionsOf(who)).map(({ current }) => current)).toEqual([true])
  })
})

test('the copy of the data has the profile and the sessions, and neither hash nor session id', async () => {
  const who = await town.signedIn(person({ acceptedTerms: true }))
  const { body } = await world.call<AccountData>('GET', '/api/auth/export', undefined, who.caller)
  expect(body).toMatchObject({
    account: {
      username: who.user.username,
      email: who.user.email,
      emailVerified: false,
      acceptedTermsAt: expect.any(String),
      brand: 'default',
    },
    sessions: [{ device: null }],
    bookings: [],
    messages: [],
  })
  expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash/)
  expect(JSON.stringify(body)).not.toContain(who.sessionId)
})

describe('an account that its owner deletes', () => {
  const remove = (who: SignedIn, password = who.user.password) =>
    world.call('POST', '/api/auth/delete-account', { password }, { ...who.caller, ip: anotherNetwork() })

  test('needs the password', async () => {
    const who = await town.signedIn()
    expect(await remove(who, 'wrong')).toMatchObject({ status: 400, body: { error: 'PASSWORD_WRONG' } })
    expect((await world.call('GET', '/api/auth/user', undefined, who.caller)).status).toBe(200)
  })

  test('leaves nothing personal, ends every session and link, and says so on the bus by id alone', async () => {
    const who = await town.signedIn()
    const other = await town.again(who.user)
    await forgot(who.user.email)
    const token = tokenIn((await resetMails(who.user.email))[0]?.text)
    const { status, endedSessions, headers } = await remove(who)
    expect([status, headers.get('x-internal-session')]).toEqual([200, 'ended'])
    expect(endedSessions.sort()).toEqual([who.sessionId, other.sessionId].sort())
    expect((await setPassword(token)).status).toBe(410)
    const kept = JSON.stringify(await town.stored('users', who.userId))
    for (const personal of [who.user.username, who.user.email, 'Inès', 'Moreau', 'argon2']) expect(kept).not.toContain(personal)
    expect((await world.call('GET', '/api/auth/user', undefined, who.caller)).status).toBe(401)
    expect((await town.login(who.user.username, who.user.password)).status).toBe(401)
    const events = await town.eventsOf(who.userId, 2)
    expect(events.at(-1)).toMatchObject({ type: 'travel.account.erased.v1', data: { userId: who.userId } })
  })

  test('frees its name and address for a new one', async () => {
    const who = await town.signedIn()
    await remove(who)
    const next = await town.signedIn(who.user)
    expect(next.userId).not.toBe(who.userId)
  })

  test('is not made again by a late event of the booking that it came from', async () => {
    const bookingId = world.book('late@example.org')
    const made = await world.call<{ userId: string; password: string; username: string }>('POST', '/internal/accounts/from-booking', {
      bookingId,
    })
    const { userId, password, username } = made.body
    const opened = await town.login(username, password)
    const user = person({ username, email: 'late@example.org', password })
    const sessionId = opened.session?.id ?? ''
    expect((await remove({ user, userId, sessionId, caller: { userId, sessionId } })).status).toBe(200)
    expect((await world.call('POST', '/internal/accounts/from-booking', { bookingId })).status).toBe(404)
    expect(await world.collection('users').countDocuments({ emailKey: 'late@example.org' })).toBe(0)
  })

  test('is not one of an administrator', async () => {
    const { body, session } = await town.login('admin', ADMIN_PASSWORD)
    const caller = { userId: String(body.id), sessionId: session?.id ?? '', isAdmin: true }
    const answer = await world.call('POST', '/api/auth/delete-account', { password: ADMIN_PASSWORD }, { ...caller, ip: anotherNetwork() })
    expect(answer).toMatchObject({ status: 409, body: { error: 'ACCOUNT_IS_ADMIN' } })
  })
})

test('names of administrators are for administrators; a deleted account has none', async () => {
  const who = await town.signedIn()
  const path = `/api/admin/people?ids=${who.userId},usr_gone`
  expect((await world.call('GET', path, undefined, who.caller)).status).toBe(403)
  const { body } = await world.call('GET', path, undefined, { userId: 'usr_x', isAdmin: true })
  expect(body).toEqual([{ id: who.userId, username: who.user.username, name: 'Inès Moreau', isAdmin: false }])
  expect((await world.call('GET', '/api/admin/people?ids=$ne', undefined, { userId: 'usr_x', isAdmin: true })).status).toBe(400)
})

test('R-67: administrators read who proved to be one, who was refused and who got the role, newest first and page by page', async () => {
  const who = await town.signedIn()
  const { body: user, session } = await town.login('admin', ADMIN_PASSWORD)
  const admin = { userId: String(user.id), sessionId: session?.id ?? '', isAdmin: true, ip: anotherNetwork() }
  expect((await world.call('POST', '/api/admin/login', undefined, who.caller)).status).toBe(403)
  expect((await world.call('POST', '/api/admin/login', { password: ADMIN_PASSWORD }, admin)).status).toBe(200)

  const path = '/api/admin/access?limit=1'
  expect((await world.call('GET', path)).status).toBe(401)
  expect((await world.call('GET', path, undefined, who.caller)).status).toBe(403)
  const first = await world.call('GET', path, undefined, admin)
  expect(first.body).toMatchObject({ entries: [{ action: 'admin-verified', actor: user.id, userId: user.id }] })
  const second = await world.call('GET', `${path}&before=${first.body.next}`, undefined, admin)
  expect(second.body).toMatchObject({ entries: [{ action: 'admin-refused', actor: who.userId, userId: who.userId }] })
  expect((await world.call('GET', '/api/admin/access?before=usr_1', undefined, admin)).status).toBe(400)
})
