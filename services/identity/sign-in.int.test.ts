/** Registering and signing in, over HTTP as the gateway calls it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Answer, eventually, sha256, type World } from './identity.fixture.ts'
import { ago, anotherNetwork, MINUTE, openTown, person, type Town } from './people.fixture.ts'

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

describe('AAUTH-09: failed sign-ins', () => {
  const lastFailed = (userId: string, ip: string, lastAt: Date) =>
    world.collection('failures').updateOne({ _id: sha256(`${userId}|${ip}`) as never }, { $set: { lastAt } })
  const statuses = async (times: number, attempt: () => Promise<Answer>) => {
    const found: number[] = []
    for (let i = 0; i < times; i++) found.push((await attempt()).status)
    return found
  }

  test('slow the account down from that network, with Retry-After, even for the right password', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    expect(await statuses(7, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429, 429])
    const slowed = await town.login(user.username, user.password, { ip: `::ffff:${from.ip}` })
    expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await town.login(user.username, user.password, { ip: anotherNetwork() })).status).toBe(200)
  })

  test('count for the account, under whichever name it was tried', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    expect(await statuses(3, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401])
    expect(await statuses(4, () => town.login(user.email, 'wrong', from))).toEqual([401, 401, 429, 429])
  })

  test('slow down names that nobody has in the same way', async () => {
    const from = { ip: anotherNetwork() }
    expect(await statuses(6, () => town.login('ghost', 'x', from))).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('are forgotten when the right password comes in time, or after a quarter of an hour', async () => {
    const { user, userId } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    await statuses(4, () => town.login(user.username, 'wrong', from))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
    expect(await statuses(6, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, from.ip, ago(16 * MINUTE))
    expect(await statuses(6, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, from.ip, ago(10_000))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
  })

  const allFailed = (key: string, since: Date) =>
    world.collection('failures').updateOne({ _id: sha256(key) as never }, { $set: { since, lastAt: since } })

  test('of twenty accounts slow down every sign-in from that network, and no other', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => town.signedIn()))
    const from = { ip: anotherNetwork() }
    for (const { user } of people) expect((await town.login(user.username, 'Summer2026', from)).status).toBe(401)
    const { user } = await town.signedIn()
    const slowed = await town.login(user.username, user.password, from)
    expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
    expect(Number(slowed.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    expect((await town.login(user.username, user.password)).status).toBe(200)
    await allFailed(`network|${from.ip}`, ago(16 * MINUTE))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
  })

  test('do not add up with the sign-ins that succeed: a whole office signs in from one network', async () => {
    const people = await Promise.all(Array.from({ length: 25 }, () => town.signedIn()))
    const from = { ip: anotherNetwork() }
    const signIns = await Promise.all(people.map(({ user }) => town.login(user.username, user.password, from)))
    expect(signIns.map((answer) => answer.status)).toEqual(people.map(() => 200))
    expect((await town.login(people[0]?.user.username ?? '', 'wrong', from)).status).toBe(401)
  })

  describe('of one account from everywhere', () => {
    const attacked = async () => {
      const home = { ip: anotherNetwork() }
      const user = person()
      await town.register(user)
      const { body } = await town.login(user.username, user.password, home)
      for (let i = 0; i < 50; i++) expect((await town.login(user.username, 'wrong')).status, String(i)).toBe(401)
      return { user, userId: String(body.id), home }
    }

    test('slow it down by seconds and never lock it: a right password counts once the wait is over', async () => {
      const { user, userId } = await attacked()
      const slowed = await town.login(user.username, user.password)
      expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
      expect(Number(slowed.headers.get('retry-after'))).toBeLessThanOrEqual(10)
      const key = { _id: sha256(`account|${userId}`) as never }
      await world.collection('failures').updateOne(key, { $set: { lastAt: ago(11_000) } })
      expect((await town.login(user.username, user.password)).status).toBe(200)
    })

    test('do not slow its owner down where he has signed in before', async () => {
      const { user, home } = await attacked()
      expect((await town.login(user.username, user.password, home)).status).toBe(200)
    })

    test('R-100: are told to its owner by one mail, with ids alone in the queue', async () => {
      const { user, userId, home } = await attacked()
      await world.collection('failures').updateOne({ _id: sha256(`account|${userId}`) as never }, { $set: { lastAt: ago(11_000) } })
      expect((await town.login(user.username, 'wrong')).status).toBe(401)
      const warning = async () => (await world.mailsTo(user.email)).filter((mail) => mail.subject.startsWith('Somebody tries to sign in'))
      await eventually('the warning', async () => (await warning()).length === 1)
      expect((await town.login(user.username, 'wrong', home)).status).toBe(401)
      const queued = await world
        .collection('mails')
        .find({ template: 'many-failures', subject: { $regex: `^${userId}:` } })
        .toArray()
      expect(queued).toHaveLength(1)
      expect(JSON.stringify(queued)).not.toContain(user.username)
    })
  })

  test('forty at once get no more tries than forty in a row', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    const answers = await Promise.all(Array.from({ length: 40 }, () => town.login(user.username, 'wrong', from)))
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(35)
  })
})

test('AAUTH-02: no answer of all these has held a hash or a password', () => {
  expect(world.answered.length).toBeGreaterThan(100)
  for (const text of world.answered) {
    expect(text).not.toMatch(/argon2|passwordHash|usernameKey|emailKey/)
    expect(text).not.toMatch(/secret-\d|Much-Longer|First-Admin/)
  }
})
