/** GET /api/auth/export: one file from three services. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { everybodyIs, openWorld, TOKEN, type World } from '../gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const account = (emailVerified: boolean) => ({
  exportedAt: '2026-11-22T10:00:00.000Z',
  account: { id: 'usr_1', email: 'ines@example.org', emailVerified },
  sessions: [],
  bookings: [],
  messages: [],
})
const headers = { cookie: `sid=${TOKEN}` }

beforeEach(() => {
  const { identity, booking, brand } = world.stubs
  everybodyIs(identity, { userId: 'usr_1' })
  identity.handlers['GET /api/auth/export'] = (_, response) => response.json(account(true))
  booking.handlers['GET /api/bookings'] = (_, response) => response.json([{ id: 'bk_1' }])
  brand.handlers['POST /internal/messages/of'] = (_, response) => response.json([{ id: 'msg_1' }])
  brand.received = []
  booking.received = []
})

test('the copy of an account’s data is a file with its bookings and messages, for its owner', async () => {
  const answer = await world.ask('/api/auth/export', { headers })
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-disposition': 'attachment; filename="my-data.json"', 'cache-control': 'no-store' },
    body: { account: { id: 'usr_1' }, bookings: [{ id: 'bk_1' }], messages: [{ id: 'msg_1' }] },
  })
  expect(world.stubs.booking.received[0]?.caller).toMatchObject({ userId: 'usr_1' })
  expect(world.stubs.brand.received.find(({ method }) => method === 'POST')?.body).toBe('{"email":"ines@example.org"}')
})

test('messages are not in it before the address is confirmed: they may be somebody else’s', async () => {
  world.stubs.identity.handlers['GET /api/auth/export'] = (_, response) => response.json(account(false))
  expect((await world.ask('/api/auth/export', { headers })).body).toMatchObject({ messages: [], bookings: [{ id: 'bk_1' }] })
  expect(world.stubs.brand.received.filter(({ method }) => method === 'POST')).toEqual([])
})

test('it is refused as identity refuses it, and a service that is away makes no half a file', async () => {
  world.stubs.identity.handlers['GET /api/auth/export'] = (_, response) =>
    response.status(401).json({ error: 'NOT_AUTHENTICATED', message: 'Not authenticated', requestId: 'r' })
  expect(await world.ask('/api/auth/export', { headers })).toMatchObject({ status: 401, body: { error: 'NOT_AUTHENTICATED' } })
  world.stubs.identity.handlers['GET /api/auth/export'] = (_, response) => response.json(account(true))
  world.stubs.booking.handlers['GET /api/bookings'] = (_, response) => response.status(500).json({ error: 'INTERNAL_ERROR' })
  const half = await world.ask('/api/auth/export', { headers })
  expect(half.status).toBe(503)
  expect(half.headers['content-disposition']).toBeUndefined()
})
