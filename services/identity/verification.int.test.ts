/** An address that was typed is not an address that is owned: who gets bookings that were made with it. */
import type { AccountFromBooking } from '@passerelle/contracts/http/identity'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, eventually, sha256, type World } from './identity.fixture.ts'
import { openTown, type Person, person, type SignedIn, type Town } from './people.fixture.ts'
import { identityStore } from './store.ts'
import { verifyEmail } from './verification.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

const claim = (bookingId: string, caller: object = {}, at?: string): Promise<Answer<AccountFromBooking>> =>
  world.call('POST', '/internal/accounts/from-booking', { bookingId }, caller, at)
const verify = (token: string, caller: object = {}, at?: string) => world.call('POST', '/api/auth/verify-email', { token }, caller, at)
const send = (caller: object) => world.call('POST', '/api/auth/verify-email/send', undefined, caller)
const setPassword = (token: string, newPassword = 'Chosen-By-Me-12', at?: string) =>
  world.call('POST', '/api/auth/set-password', { token, newPassword }, {}, at)
const stored = async (email: string) => {
  const [user] = await world.collection('users').find({ emailKey: email.toLowerCase() }).toArray()
  return user
}
const user = (caller: object) => world.call('GET', '/api/auth/user', undefined, caller)

const SUBJECTS = { verify: 'Please confirm', waiting: 'Booking K7TM2P', welcome: 'Your account' }
const mails = (email: string, about: keyof typeof SUBJECTS, count = 1) =>
  eventually(`the mail "${SUBJECTS[about]}"`, async () => {
    const found = (await world.mailsTo(email)).filter((mail) => mail.subject.startsWith(SUBJECTS[about]))
    return found.length >= count && found
  })
const linkIn = (text: string, path: 'verify-email' | 'set-password') => new RegExp(`/${path}#([\\w-]+)`).exec(text)?.[1] ?? ''
const verifyLink = async (email: string, count = 1) => linkIn((await mails(email, 'verify', count)).at(-1)?.text ?? '', 'verify-email')
const joined = async (bookingId: string) =>
  (await world.published()).filter((one) => one.type === 'travel.account.booking-linked.v1' && one.data.bookingId === bookingId)
const join = (bookingId: string) =>
  eventually(`the joining of ${bookingId}`, async () => {
    const events = await joined(bookingId)
    return events.length > 0 && events
  })

/** Somebody who registered with an address and is signed in; whose address it is nobody knows. */
const registered = (): Promise<SignedIn> => town.signedIn()
const verified = async (): Promise<SignedIn> => {
  const who = await registered()
  expect((await verify(await verifyLink(who.user.email))).status).toBe(200)
  return who
}

describe('a registered account', () => {
  test('is not verified, and gets a mail with a link that verifies once and for 24 hours', async () => {
    const { user: one, userId, caller } = await registered()
    expect((await user(caller)).body).toMatchObject({ emailVerified: false })
    const [mail] = await mails(one.email, 'verify')
    expect(mail?.text).toContain('http://localhost:8080/verify-email#')
    const token = linkIn(mail?.text ?? '', 'verify-email')
    const [link] = await world.collection('links').find({ userId }).toArray()
    expect(link).toMatchObject({ _id: sha256(token), use: 'verify-email' })
    expect(link?.expiresAt.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    expect(await verify(token)).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect((await user(caller)).body).toMatchObject({ emailVerified: true })
    expect(await verify(token)).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
  })

  test('is not verified by an old link, one of another kind, or one that never was', async () => {
    const { user: one, userId } = await registered()
    const token = await verifyLink(one.email)
    expect((await setPassword(token)).status).toBe(410)
    expect((await verify('x'.repeat(43))).status).toBe(410)
    expect((await verify('short')).status).toBe(400)
    await world.collection('links').updateOne({ userId }, { $set: { expiresAt: new Date(Date.now() - 1) } })
    expect((await verify(token)).status).toBe(410)
    expect((await stored(one.email))?.emailVerifiedAt).toBeNull()
  })

  test('may ask for the mail again, five times a day, until it is verified', async () => {
    const { user: one, caller } = await registered()
    expect((await send({})).status).toBe(401)
    for (let i = 0; i < 5; i++) expect(await send(caller)).toMatchObject({ status: 200, body: { success: true } })
    const refused = await send(caller)
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const token = await verifyLink(one.email, 6)
    expect((await verify(token)).status).toBe(200)
    expect(await send(caller)).toMatchObject({ status: 200, body: { message: 'Your e-mail address is confirmed already.' } })
    expect(await mails(one.email, 'verify')).toHaveLength(6)
  })

  test('gets the mail because of the event in its own document, so that a crash loses neither', async () => {
    const one = person()
    const { body } = await town.register(one)
    await mails(one.email, 'verify')
    // The mail arrives before its sender has noted that it did.
    await eventually('the mail noted as sent', async () => {
      const mail = await world.collection('mails').findOne({ _id: `verify:${body.id}:created` as never })
      return mail?.state === 'sent'
    })
  })
})

describe('an account that is not verified', () => {
  test('R-44: does not get the booking of a guest with its address, by call or by event', async () => {
    const mallory = await registered()
    for (const ask of [claim, (bookingId: string) => world.confirm(bookingId)]) {
      const bookingId = world.book(mallory.user.email)
      await ask(bookingId)
      await eventually('the booking to wait', async () => (await stored(mallory.user.email))?.waitingBookings.includes(bookingId))
      expect(await joined(bookingId)).toEqual([])
    }
    const { body } = await claim(world.book(mallory.user.email))
    expect(body).toMatchObject({ accountCreated: false, userId: null, username: null, email: null, password: null, session: null })
  })

  test('R-43: made with a booking, keeps that booking alone, although its password was handed out', async () => {
    const email = person().email.toLowerCase()
    const first = await claim(world.book(email))
    expect(first.body).toMatchObject({ accountCreated: true, password: expect.any(String), session: expect.any(Object) })
    const caller = { userId: first.body.userId, sessionId: first.body.session?.session.sessionId ?? '' }
    expect((await user(caller)).body).toMatchObject({ emailVerified: false })
    const second = world.book(email)
    expect((await claim(second)).body.userId).toBeNull()
    expect(await stored(email)).toMatchObject({ linkedBookings: [], waitingBookings: [second] })
    const third = world.book(email)
    await world.confirm(third)
    await eventually('the booking to wait', async () => (await stored(email))?.waitingBookings.includes(third))
    expect([...(await joined(second)), ...(await joined(third))]).toEqual([])
  })

  test('the owner of its address gets one mail about a booking that waits, with a link that takes the account over', async () => {
    const mallory = await registered()
    const bookingId = world.book(mallory.user.email)
    await Promise.all([claim(bookingId), claim(bookingId), world.confirm(bookingId)])
    const [mail] = await mails(mallory.user.email, 'waiting')
    const token = linkIn(mail?.text ?? '', 'set-password')
    expect(mail?.text).not.toContain('verify-email#')
    const chosen = await setPassword(token)
    expect(chosen).toMatchObject({ status: 200, endedSessions: [mallory.sessionId] })
    expect(await town.lives(mallory.sessionId)).toBe(false)
    expect((await town.login(mallory.user.username, mallory.user.password)).status).toBe(401)
    expect(await join(bookingId)).toMatchObject([{ data: { userId: mallory.userId, bookingId } }])
    expect(await stored(mallory.user.email)).toMatchObject({
      emailVerifiedAt: expect.any(Date),
      waitingBookings: [],
      linkedBookings: [bookingId],
    })
    expect(await mails(mallory.user.email, 'waiting')).toHaveLength(1)
  })

  test('gets what waits when its owner, signed in to it, follows the link of the mail', async () => {
    const owner = await registered()
    const token = await verifyLink(owner.user.email)
    const bookingIds = [world.book(owner.user.email), world.book(owner.user.email)]
    for (const bookingId of bookingIds) await claim(bookingId)
    expect((await verify(token, owner.caller)).status).toBe(200)
    for (const bookingId of bookingIds) expect(await join(bookingId)).toHaveLength(1)
    expect((await user(owner.caller)).body).toMatchObject({ emailVerified: true })
    const later = world.book(owner.user.email)
    expect((await claim(later)).body.userId).toBe(owner.userId)
    expect(await join(later)).toHaveLength(1)
  })

  test('is not handed a waiting booking by its victim, who follows the link of its mail without being signed in to it', async () => {
    const mallory = await registered()
    const bookingId = world.book(mallory.user.email)
    await claim(bookingId)
    await send(mallory.caller)
    const token = await verifyLink(mallory.user.email, 2)
    const victim = await verified()
    for (const caller of [{}, victim.caller])
      expect(await verify(token, caller)).toMatchObject({
        status: 401,
        body: { error: 'NOT_AUTHENTICATED', message: 'Please sign in to this account first, then open the link again.' },
      })
    expect(await joined(bookingId)).toEqual([])
    expect((await verify(token, mallory.caller)).status).toBe(200)
  })

  test('is verified by the link of its welcome, and what waited joins', async () => {
    const email = person().email.toLowerCase()
    const first = await claim(world.book(email))
    const second = world.book(email)
    await claim(second)
    const [welcome] = await mails(email, 'welcome')
    expect((await setPassword(linkIn(welcome?.text ?? '', 'set-password'))).status).toBe(200)
    expect(await join(second)).toMatchObject([{ data: { userId: first.body.userId, bookingId: second } }])
    expect(await stored(email)).toMatchObject({ emailVerifiedAt: expect.any(Date), linkedBookings: [second] })
  })
})

describe('at the same time', () => {
  const guests = (one: Person, count: number) => Array.from({ length: count }, () => world.book(one.email))

  test('EVT-04: two processes, the event and the call: each booking waits once, and joins once', async () => {
    const other = await world.replica()
    const owner = await registered()
    const token = await verifyLink(owner.user.email)
    const bookingIds = guests(owner.user, 6)
    await Promise.all(bookingIds.flatMap((id) => [claim(id), claim(id, {}, other.url), world.confirm(id)]))
    const waiting = (await stored(owner.user.email))?.waitingBookings as string[]
    expect([...waiting].sort()).toEqual([...bookingIds].sort())
    const answers = await Promise.all([verify(token, owner.caller), verify(token, owner.caller, other.url)])
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0)
    for (const bookingId of bookingIds) expect(await join(bookingId)).toHaveLength(1)
    await other.stop()
  })

  test('bookings that come while the address is being verified all join, by whichever way', async () => {
    for (let round = 0; round < 3; round++) {
      const owner = await registered()
      const token = await verifyLink(owner.user.email)
      const bookingIds = guests(owner.user, 8)
      await Promise.all([verify(token, owner.caller), ...bookingIds.map((id) => claim(id))])
      for (const bookingId of bookingIds) expect(await join(bookingId)).toHaveLength(1)
      expect(await stored(owner.user.email)).toMatchObject({ waitingBookings: [] })
    }
  })
})

test('EVT-04: what was verified before a crash is published after it, and the link that was not dropped yet does nothing more', async () => {
  const owner = await registered()
  const token = await verifyLink(owner.user.email)
  const bookingId = world.book(owner.user.email)
  await claim(bookingId)
  await world.service.stop()
  const log = createLog('test', 'silent')
  const mongo = await connectMongo(world.environment.MONGO_URL ?? '', `${world.environment.NAMESPACE}identity`, log)
  const store = identityStore(mongo)
  // A process that writes the account and goes down before it drops the link or publishes anything.
  const crashing = { ...store, dropLink: async () => Promise.reject(new Error('gone')) }
  const caller = { ...owner.caller, requestId: 'crash' }
  await expect(verifyEmail(token, caller as never, { store: crashing } as never)).rejects.toThrow('gone')
  await mongo.close()
  expect(await joined(bookingId)).toEqual([])
  const next = await world.replica()
  expect(await join(bookingId)).toMatchObject([{ data: { userId: owner.userId, bookingId } }])
  expect((await verify(token, {}, next.url)).status).toBe(200)
  expect((await verify(token, {}, next.url)).status).toBe(410)
  expect(await joined(bookingId)).toHaveLength(1)
})
