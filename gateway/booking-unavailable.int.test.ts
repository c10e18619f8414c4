/** What a visitor is told of bookings while their service is away. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOKING, everybodyIs, openWorld, TOKEN, type World } from './gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  everybodyIs(world.stubs.identity, { userId: 'usr_7' })
  await world.stubs.booking.stop()
})
afterAll(async () => {
  await world.stop()
})

const REASON = 'this part of the website is not available right now. Please try again in a moment.'

test.each([
  ['ABOOK-20: the list', 'GET', '/api/bookings', 'Unable to retrieve your bookings'],
  ['ABOOK-20: one booking', 'GET', '/api/bookings/bk_1', 'Unable to retrieve booking details'],
  ['ABOOK-25: a cancellation', 'POST', '/api/bookings/bk_1/cancel', 'Unable to cancel booking'],
  ['ABOOK-17: a new booking', 'POST', '/api/bookings', 'Unable to create booking'],
])('%s fails in its own words', async (_what, method, path, failure) => {
  const answer = await world.ask(path, { method, headers: { cookie: `sid=${TOKEN}away` }, ...(method === 'POST' && { json: BOOKING }) })
  expect(answer).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE', message: `${failure}: ${REASON}` } })
})
