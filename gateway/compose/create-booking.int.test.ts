/** POST /api/bookings: one answer from booking and identity, whichever of the two is slow, away or odd. */
import { hashToken } from '@passerelle/kit/auth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BOOKING, everybodyIs, type Handler, openWorld, TOKEN, type World } from '../gateway.fixture.ts'
import { ACCOUNT, account, GUEST, opened } from './account.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const booked = { id: 'bk_1', status: 'confirmed', accountCreated: false, accountInfo: null, bookingReference: 'K7TM2PQX' }
const cookieOf = (token: string) => `sid=${token}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`
const answer =
  (status: number, body: object): Handler =>
  (_, response) =>
    response.status(status).json(body)

let unknownSession: Handler | undefined
beforeEach(() => {
  const { booking, identity } = world.stubs
  unknownSession ??= identity.handlers['GET /internal/sessions/*']
  booking.received = []
  identity.received = []
  booking.handlers = {
    'POST /api/bookings': answer(201, booked),
  }
  identity.handlers = {
    'GET /internal/sessions/*': unknownSession ?? answer(401, {}),
    'POST /internal/sessions': answer(200, opened(GUEST, null)),
    'POST /internal/accounts/from-booking': answer(200, account()),
  }
})
const starts: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const start of starts.splice(0)) await start()
})
const away = async (name: 'booking' | 'identity') => {
  await world.stubs[name].stop()
  starts.push(() => world.stubs[name].start())
}

const book = (headers: Record<string, string> = {}) => world.ask('/api/bookings', { method: 'POST', json: BOOKING, headers })
const paths = (name: 'booking' | 'identity') => world.stubs[name].received.map((one) => `${one.method} ${one.path}`)

describe('a guest', () => {
  test('R-43: is booked as a guest’s session, then signed in to the account that was made, and told its password', async () => {
    const done = await book({ 'idempotency-key': 'key-1', 'user-agent': 'Firefox/133.0' })
    expect(done).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } })
    expect(done.body).toEqual({
      ...booked,
      accountCreated: true,
      accountInfo: { username: 'ines', email: 'ines@example.org', password: 'Made-Up-By-Us-12' },
    })
    expect(done.cookies).toEqual([cookieOf(ACCOUNT)])
    const [request, ...others] = world.stubs.booking.received
    expect(JSON.parse(request?.body ?? '')).toEqual(BOOKING)
    expect(request).toMatchObject({
      headers: { 'idempotency-key': 'key-1' },
      caller: { userId: null, sessionId: hashToken(GUEST) },
    })
    expect(others).toEqual([])
    expect(paths('identity')).toEqual(['POST /internal/sessions', 'POST /internal/accounts/from-booking'])
    expect(world.stubs.identity.received[1]).toMatchObject({
      body: '{"bookingId":"bk_1"}',
      headers: { 'user-agent': 'Firefox/133.0' },
      caller: { sessionId: hashToken(GUEST) },
    })
  })

  test('is signed in, and sessions that end by it are over at once', async () => {
    const oldest = `${TOKEN}oldest`
    const known = () => world.ask('/api/auth/user', { headers: { cookie: `sid=${oldest}` } })
    everybodyIs(world.stubs.identity, { userId: 'usr_new' })
    await known()
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(200, account({ endedSessions: [hashToken(oldest)] }))
    await book()
    world.stubs.identity.handlers['GET /internal/sessions/*'] = unknownSession ?? answer(401, {})
    await known()
    expect(world.stubs.identity.received.at(-1)).toMatchObject({ path: '/api/auth/user', caller: { userId: null } })
  })

  test('with a session of his own keeps it for the booking', async () => {
    everybodyIs(world.stubs.identity, { userId: null })
    await book({ cookie: `sid=${TOKEN}own` })
    expect(world.stubs.booking.received[0]?.caller.sessionId).toBe(hashToken(`${TOKEN}own`))
    expect(paths('identity')).not.toContain('POST /internal/sessions')
  })

  test('R-44: with the e-mail of an account learns nothing and is not signed in', async () => {
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(
      200,
      account({ accountCreated: false, username: null, email: null, password: null, session: null }),
    )
    const done = await book()
    expect(done.body).toEqual(booked)
    expect(done.cookies).toEqual([cookieOf(GUEST)])
  })

  test('R-45: a repeat tells the account without its password', async () => {
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(200, account({ password: null, session: null }))
    expect((await book()).body.accountInfo).toEqual({ username: 'ines', email: 'ines@example.org', password: null })
  })

  test('while the booking is pending there is no account yet', async () => {
    world.stubs.booking.handlers['POST /api/bookings'] = answer(202, { ...booked, status: 'pending' })
    expect(await book()).toMatchObject({ status: 202, body: { status: 'pending', accountCreated: false } })
    expect(paths('identity')).toEqual(['POST /internal/sessions'])
  })
})

describe('somebody signed in', () => {
  test('CONF-10: gets no account and keeps the session', async () => {
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    const done = await book({ cookie: `sid=${TOKEN}seven` })
    expect(done).toMatchObject({ status: 201, body: booked, cookies: [] })
    expect(world.stubs.booking.received[0]?.caller).toMatchObject({ userId: 'usr_7', sessionId: hashToken(`${TOKEN}seven`) })
    expect(paths('identity').filter((path) => path.startsWith('POST'))).toEqual([])
  })

  test('while identity is unavailable keeps the cookie, books without it, and no account is created', async () => {
    await away('identity')
    const done = await book({ cookie: `sid=${TOKEN}eight` })
    expect(done).toMatchObject({ status: 201, body: booked, cookies: [] })
    expect(world.stubs.booking.received[0]?.caller).toMatchObject({ userId: null, sessionId: null })
  })

  test('gets 503 with Retry-After while identity is unavailable and the owner of the authorisation is unknown', async () => {
    await away('identity')
    world.stubs.booking.handlers['POST /api/bookings'] = (_, response) =>
      void response.status(422).json({ error: 'PAYMENT_UNKNOWN', message: 'This payment is not known.', requestId: 'r' })
    const done = await book({ cookie: `sid=${TOKEN}ten` })
    expect(done).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE' }, headers: { 'retry-after': '2' } })
    expect((await book({})).status).toBe(422)
  })

  test('keeps the cookie also when identity is back in between', async () => {
    world.stubs.identity.handlers['GET /internal/sessions/*'] = (_, response) => response.socket?.destroy()
    const done = await book({ cookie: `sid=${TOKEN}nine` })
    expect(done).toMatchObject({ status: 201, body: booked, cookies: [] })
    expect(paths('identity').filter((path) => path.startsWith('POST'))).toEqual([])
  })
})

describe('EVT-09, R-46: with identity', () => {
  test('unavailable a guest books all the same; the account follows by event', async () => {
    await away('identity')
    expect(await book()).toMatchObject({ status: 201, body: booked, cookies: [] })
    expect(world.stubs.booking.received[0]?.caller.sessionId).toBeNull()
  })

  test('failing after the booking, the booking stands', async () => {
    for (const [status, body] of [
      [500, { error: 'INTERNAL_ERROR', message: 'x', requestId: '' }],
      [404, { error: 'BOOKING_NOT_FOUND', message: 'x', requestId: '' }],
    ] as const) {
      world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(status, body)
      expect(await book()).toMatchObject({ status: 201, body: booked, cookies: [cookieOf(GUEST)] })
    }
  })

  test('silent, the visitor waits a bounded time and identity sees that the call was aborted', async () => {
    const gone = Promise.withResolvers<void>()
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = (_, response) => {
      response.once('close', () => gone.resolve())
    }
    expect(await book()).toMatchObject({ status: 201, body: booked, cookies: [cookieOf(GUEST)] })
    await gone.promise
  })

  test('silent from the start, the booking is made without a session', async () => {
    world.stubs.identity.handlers['POST /internal/sessions'] = () => undefined
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(503, {
      error: 'UPSTREAM_UNAVAILABLE',
      message: '',
      requestId: '',
    })
    expect(await book()).toMatchObject({ status: 201, body: booked, cookies: [] })
  })
})

describe('the booking service', () => {
  test('gives the contact of a guest to identity, and no visitor gets it', async () => {
    const contact = {
      bookingId: 'bk_1',
      reference: 'K7TM2PQX',
      brand: 'default',
      email: 'ines@example.org',
      firstName: 'Ines',
      lastName: 'Moreau',
    }
    world.stubs.booking.handlers['POST /api/bookings'] = answer(201, {
      ...booked,
      contact: { ...contact, userId: null, status: 'confirmed' },
    })
    const { body } = await book()
    expect(body).not.toHaveProperty('contact')
    const asked = world.stubs.identity.received.find(({ path }) => path === '/internal/accounts/from-booking')
    expect(JSON.parse(asked?.body ?? '')).toEqual({ bookingId: 'bk_1', contact: { ...contact, userId: null, status: 'confirmed' } })
  })

  test.each([
    [400, 'VALIDATION_ERROR'],
    [402, 'CARD_DECLINED'],
    [409, 'PRICE_CHANGED'],
    [422, 'BOOKING_REFUSED'],
    [502, 'BOOKING_FAILED'],
  ])('refusing with %i is passed on, and makes no account', async (status, error) => {
    const body = { error, message: 'In words.', requestId: 'r', details: { amount: '1.00' } }
    world.stubs.booking.handlers['POST /api/bookings'] = (_, response) => response.status(status).set('retry-after', '3').json(body)
    expect(await book()).toMatchObject({ status, body, headers: { 'retry-after': '3', 'cache-control': 'no-store' } })
    expect(paths('identity')).not.toContain('POST /internal/accounts/from-booking')
  })

  test('away: 503 JSON', async () => {
    await away('booking')
    expect(await book()).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE', requestId: expect.any(String) } })
  })

  test('closing the connection, or answering with a page: 503 JSON', async () => {
    for (const handler of [
      (request) => request.socket.destroy(),
      (_, response) => response.status(500).type('html').send('<h1>secret</h1>'),
      (_, response) => response.status(201).type('html').send('<h1>secret</h1>'),
    ] as Handler[]) {
      world.stubs.booking.handlers['POST /api/bookings'] = handler
      const failed = await book()
      expect(failed).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE' } })
      expect(failed.text).not.toContain('secret')
    }
  })

  test('keeps what it says about a repeat', async () => {
    world.stubs.booking.handlers['POST /api/bookings'] = (_, response) =>
      response.status(200).set({ 'idempotent-replayed': 'true' }).json(booked)
    expect(await book()).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    world.stubs.booking.handlers['POST /api/bookings'] = (_, response) =>
      response.status(409).set('retry-after', '1').json({ error: 'PAYMENT_IN_PROGRESS', message: 'x', requestId: '' })
    expect(await book()).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
  })
})

describe('a booking that joins no account yet', () => {
  test('stays with the visitor that made it when the address is an account’s that was not verified', async () => {
    world.stubs.identity.handlers['POST /internal/accounts/from-booking'] = answer(
      200,
      account({ accountCreated: false, userId: null, username: null, email: null, password: null, session: null }),
    )
    expect(await book()).toMatchObject({ status: 201, body: booked, cookies: [cookieOf(GUEST)] })
    expect(paths('booking')).toEqual(['POST /api/bookings'])
  })
})
