/** The account of a guest's booking: through the event, through the gateway's call, and through both at once. */
import type { NewSession } from '@passerelle/contracts/http/identity'
import { ChangePassword } from '@passerelle/contracts/http/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { address, type GuestWorld, linkIn, openGuestWorld } from './guests.fixture.ts'
import { eventually } from './identity.fixture.ts'

let { world, claim, login, setPassword, mails } = {} as GuestWorld
beforeAll(async () => {
  ;({ world, claim, login, setPassword, mails } = await openGuestWorld())
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  world.neighbours.away = false
  world.neighbours.held = null
})

const usersWith = (email: string) => world.collection('users').find({ emailKey: email }).toArray()
const event = (type: string, bookingId: string) =>
  eventually(`${type} of ${bookingId}`, async () => {
    const found = (await world.published()).filter((one) => one.type === `travel.${type}.v1` && one.data.bookingId === bookingId)
    return found.length > 0 && found
  })

describe('a guest with an unknown e-mail', () => {
  test('R-43, R-45: gets an account with a made-up password, is signed in, and gets the password once', async () => {
    const email = address()
    const bookingId = world.book(email)
    const { status, body } = await claim(bookingId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ accountCreated: true, username: email.split('@')[0], email })
    expect(ChangePassword.shape.newPassword.safeParse(body.password).success).toBe(true)
    expect((await world.resolve(body.session?.session.sessionId ?? '')).body.userId).toBe(body.userId)
    const signedIn = await login(email, body.password ?? '')
    expect(signedIn).toMatchObject({ status: 200, body: { id: body.userId, firstName: 'Inès', mustChangePassword: true } })
    const again = await claim(bookingId)
    expect(again.body).toMatchObject({ accountCreated: true, username: body.username, password: null, session: null })
    expect(await event('account.created', bookingId)).toMatchObject([{ data: { userId: body.userId, bookingId } }])
  })

  test('the guest’s session keepsGuestSession as a guest’s for ten minutes, so that a lost answer can be asked for again', async () => {
    const { sessionId, visitorId } = (await world.call<NewSession>('POST', '/internal/sessions')).body.session
    const { body } = await claim(world.book(address()), { sessionId, visitorId })
    expect((await world.resolve(body.session?.session.sessionId ?? '')).body).toMatchObject({ userId: body.userId, visitorId })
    const lingering = await world.resolve(sessionId)
    expect(lingering.body).toMatchObject({ userId: null, visitorId })
    const left = Date.parse(lingering.body.expiresAt) - Date.now()
    expect(left).toBeLessThanOrEqual(10 * 60_000)
    const fiveMinutesAgo = new Date(Date.now() - 5 * 60_000)
    await world.collection('sessions').updateOne({ _id: sessionId as never }, { $set: { lastSeenAt: fiveMinutesAgo } })
    expect((await world.resolve(sessionId)).body.expiresAt).toBe(lingering.body.expiresAt)
  })

  test('R-45, R-74: is welcomed by mail in the name of the brand, with a link and without a password', async () => {
    const email = address()
    const { body } = await claim(world.book(email, { brand: 'fly.agency.com' }))
    const [mail] = await mails(email, 'Your account')
    expect(mail).toMatchObject({ subject: 'Your account - Brand fly.agency.com', from: { name: 'Brand fly.agency.com' } })
    expect(mail?.text).toContain(`Your username is ${body.username}.`)
    expect(mail?.text).toContain('https://fly.agency.com/set-password#')
    expect(mail?.text).not.toContain(body.password)
  })

  test('usernames that are taken become unique, however many want one', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => claim(world.book(`info@travel${i}.example.org`))))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 15 }, () => 200))
    expect(new Set(answers.map((answer) => answer.body.username)).size).toBe(15)
    for (const { body } of answers) expect(body.username).toMatch(/^info\d*$/)
  })

  test('EVT-04: twenty calls and three deliveries of the event at once: one account, one password, one mail', async () => {
    for (let round = 0; round < 3; round++) {
      const email = address()
      const bookingId = world.book(email)
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => claim(bookingId))),
        ...Array.from({ length: 3 }, () => world.confirm(bookingId)),
      ])
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(new Set(answers.map((answer) => answer.body.userId)).size).toBe(1)
      const told = answers.filter((answer) => answer.body.password !== null)
      expect(told).toHaveLength(1)
      expect(answers.filter((answer) => answer.body.session !== null)).toEqual(told)
      expect((await login(email, told[0]?.body.password ?? '')).status).toBe(200)
      expect(await usersWith(email)).toHaveLength(1)
      expect(await event('account.created', bookingId)).toHaveLength(1)
      expect(await mails(email, 'Your account')).toHaveLength(1)
    }
  })

  test('EVT-09, R-46: gets it through the event alone, without a password, and may choose one with the link', async () => {
    const email = address()
    const bookingId = world.book(email)
    await world.confirm(bookingId)
    const [mail] = await mails(email, 'Your account')
    const [user] = await usersWith(email)
    expect(user).toMatchObject({ bookingId, passwordTold: false })
    expect(user?.passwordHash ?? null).toBeNull()
    expect((await login(email, '')).status).toBe(400)
    expect((await login(email, 'anything')).status).toBe(401)
    expect((await setPassword(linkIn(mail?.text ?? ''))).status).toBe(200)
    expect(await login(email, 'Chosen-By-Me-12')).toMatchObject({ status: 200, body: { mustChangePassword: false } })
    expect((await claim(bookingId)).body).toMatchObject({ password: null, session: null })
  })

  test('still gets the password from the call that comes after the event', async () => {
    const email = address()
    const bookingId = world.book(email)
    await world.confirm(bookingId)
    await mails(email, 'Your account')
    const { body } = await claim(bookingId)
    expect(body).toMatchObject({ accountCreated: true, password: expect.any(String), session: expect.any(Object) })
    expect((await login(email, body.password ?? '')).status).toBe(200)
  })

  test('R-46: a call that was given up tells nobody a password; a later one does', async () => {
    const email = address()
    const bookingId = world.book(email)
    const held = Promise.withResolvers<void>()
    world.neighbours.held = held.promise
    const gone = new AbortController()
    const headers = { ...(await world.headers()), 'content-type': 'application/json' }
    const url = `${world.service.url}/internal/accounts/from-booking`
    const call = fetch(url, { method: 'POST', headers, body: JSON.stringify({ bookingId }), signal: gone.signal })
    await world.resolve('0'.repeat(64))
    gone.abort()
    await expect(call).rejects.toThrow('aborted')
    // Answers to two more requests show that the service has seen the first one go.
    for (let i = 0; i < 2; i++) await world.resolve('0'.repeat(64))
    held.resolve()
    await mails(email, 'Your account')
    const [user] = await usersWith(email)
    expect(user).toMatchObject({ passwordTold: false })
    expect(user?.passwordHash ?? null).toBeNull()
    expect(await world.collection('sessions').countDocuments({ userId: user?._id })).toBe(0)
    const { body } = await claim(bookingId)
    expect(body).toMatchObject({ accountCreated: true, password: expect.any(String), session: expect.any(Object) })
  })

  test('the account follows when the booking service is back', async () => {
    const email = address()
    const bookingId = world.book(email)
    world.neighbours.away = true
    expect(await claim(bookingId)).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE' } })
    await world.confirm(bookingId)
    expect(await usersWith(email)).toEqual([])
    world.neighbours.away = false
    await eventually('the account', async () => (await usersWith(email)).length === 1)
    expect(await mails(email, 'Your account')).toHaveLength(1)
  })
})

describe('R-44: a guest with the verified e-mail of an account', () => {
  /** The account of a first booking, whose owner has used the link of its welcome. */
  async function verified() {
    const email = address()
    const owner = await claim(world.book(email))
    const [mail] = await mails(email, 'Your account')
    expect((await setPassword(linkIn(mail?.text ?? ''))).status).toBe(200)
    return { email, userId: owner.body.userId }
  }

  test('is not signed in and learns nothing of it; the booking joins that account and its owner gets a mail', async () => {
    const { email, userId } = await verified()
    const bookingId = world.book(email.toUpperCase())
    const { body } = await claim(bookingId)
    expect(body).toEqual({
      accountCreated: false,
      userId,
      username: null,
      email: null,
      password: null,
      session: null,
      endedSessions: [],
    })
    expect(await event('account.booking-linked', bookingId)).toMatchObject([{ data: { userId, bookingId } }])
    const [notice] = await mails(email, 'Booking K7TM2P')
    expect(notice?.text).toContain('You already have an account with this e-mail address')
    expect(await usersWith(email)).toHaveLength(1)
  })

  test('EVT-04: repeated by event and by call, it is linked once and mailed once', async () => {
    const { email } = await verified()
    const bookingId = world.book(email)
    await Promise.all([...Array.from({ length: 10 }, () => claim(bookingId)), ...Array.from({ length: 3 }, () => world.confirm(bookingId))])
    await event('account.booking-linked', bookingId)
    // Mails that are due together are sent together: either may arrive first.
    await Promise.all([mails(email, 'Your account'), mails(email, 'Booking K7TM2P')])
    const [user] = await usersWith(email)
    expect(user?.linkedBookings).toEqual([bookingId])
    expect(await world.mailsTo(email)).toHaveLength(2)
    expect(await event('account.booking-linked', bookingId)).toHaveLength(1)
  })
})

describe('a first booking with a new e-mail', () => {
  test('two at once: one makes the account, the other waits for it to be verified', async () => {
    for (let round = 0; round < 5; round++) {
      const email = address()
      const answers = await Promise.all([world.book(email), world.book(email)].map((id) => claim(id)))
      expect(answers.map((answer) => answer.body.accountCreated).sort()).toEqual([false, true])
      expect(answers.filter((answer) => answer.body.userId === null)).toHaveLength(1)
      const told = answers.filter((answer) => answer.body.password !== null)
      expect(told).toHaveLength(1)
      expect((await login(email, told[0]?.body.password ?? '')).status).toBe(200)
      expect(await usersWith(email)).toHaveLength(1)
    }
  })
})

describe('no account', () => {
  test('CONF-10: is made for a booking of somebody who was signed in', async () => {
    const email = address()
    const bookingId = world.book(email, { userId: 'usr_owner' })
    expect(await claim(bookingId)).toMatchObject({ status: 404, body: { error: 'BOOKING_NOT_FOUND' } })
    await world.confirm(bookingId, 'usr_owner')
    const later = world.book(address())
    await world.confirm(later)
    await event('account.created', later)
    expect(await usersWith(email)).toEqual([])
  })

  test('is made for a booking that does not exist', async () => {
    expect((await claim('bk_none')).status).toBe(404)
    expect((await world.call('POST', '/internal/accounts/from-booking', { bookingId: { $ne: null } })).status).toBe(400)
  })
})

test('R-45: a made-up password is kept nowhere in clear', async () => {
  const told = world.answered.flatMap((text) => /"password":"([^"]+)"/.exec(text)?.[1] ?? [])
  expect(told.length).toBeGreaterThan(10)
  const everything = JSON.stringify([
    ...(await Promise.all((['users', 'sessions', 'links', 'failures'] as const).map((name) => world.collection(name).find({}).toArray()))),
    await world.published(),
    await (await fetch(`${world.mailbox.url}/_sim/ledger`)).json(),
  ])
  for (const password of told) expect(everything).not.toContain(JSON.stringify(password).slice(1, -1))
})
