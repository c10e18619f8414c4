/** POST /api/bookings with a body that the gateway refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOOKING, openWorld, type World } from '../gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

describe('a body that cannot be a booking', () => {
  const calls = [
    ['{"a":', 'application/json', 400, 'MALFORMED_JSON'],
    ['{}', 'application/json', 400, 'VALIDATION_ERROR'],
    ['', 'application/json', 400, 'VALIDATION_ERROR'],
    [JSON.stringify(BOOKING), 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [JSON.stringify({ ...BOOKING, note: 'x'.repeat(40_000) }), 'application/json', 413, 'BODY_TOO_LARGE'],
  ] as const

  test.each(calls)('%.20s as %s opens no session and reaches no service', async (body, type, status, error) => {
    const refused = await world.ask('/api/bookings', { method: 'POST', body, headers: { 'content-type': type } })
    expect(refused).toMatchObject({ status, body: { error, message: expect.any(String), requestId: expect.any(String) }, cookies: [] })
    expect([...world.stubs.booking.received, ...world.stubs.identity.received]).toEqual([])
  })

  test('ABOOK-03: is refused with the product’s message', async () => {
    const refused = await world.ask('/api/bookings', { method: 'POST', json: {} })
    expect(refused.body.message).toBe('Offer ID is required for booking')
  })
})
