/** What the gateway's memory does with an answer, as the public tests of HTTP caches ask it: twice the same question, once or twice answered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, openWorld, type World } from './gateway.fixture.ts'

let world: World
let headers: Record<string, string | string[]>
let status: number
let answered = 0
let asked = 0

beforeAll(async () => {
  world = await openWorld()
  world.stubs.search.handlers['GET /api/flights/search'] = (_, response) => {
    response.status(status).set(headers).json({ answer: ++answered })
  }
  // So that brand and mode are known.
  await world.ask('/api/flights/offer/oft_1')
})
afterAll(() => world.stop())

/** Another question each time, so that no case finds the answer of another. */
const another = () =>
  `/api/flights/search?origin=CDG&destination=JFK&departureDate=2099-03-04&adultsCount=${(++asked % 9) + 1}&page=${asked + 1}`
async function twice(given: Record<string, string | string[]>, first: Ask = {}, second: Ask = first, code = 200) {
  headers = { vary: 'accept-encoding', ...given }
  status = code
  const path = another()
  return [await world.ask(path, first), await world.ask(path, second)] as const
}
const isReused = ([one, two]: Awaited<ReturnType<typeof twice>>) => one.text === two.text
const PUBLIC = { 'cache-control': 'public, max-age=3600' }
const gzip: Ask = { headers: { 'accept-encoding': 'gzip' } }

describe('is used again', () => {
  test.each<[string, Record<string, string | string[]>, Ask, Ask]>([
    ['a fresh answer', PUBLIC, {}, {}],
    ['one with a date that has passed in Expires', { ...PUBLIC, expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, {}, {}],
    ['one whose directives come in two lines', { 'cache-control': ['public', 'max-age=3600'] }, {}, {}],
    ['one for another visitor with cookies of his own', PUBLIC, { headers: { cookie: 'a=1' } }, { headers: { cookie: 'a=2' } }],
    ['one for a visitor of another language, which it does not vary by', PUBLIC, {}, { headers: { 'accept-language': 'fr' } }],
    ['one of the same encoding, however that is asked for', PUBLIC, gzip, { headers: { 'accept-encoding': ' GZIP , deflate' } }],
  ])('%s', async (_, given, first, second) => {
    expect(isReused(await twice(given, first, second))).toBe(true)
  })
})

describe('is not used again', () => {
  test.each<[string, Record<string, string | string[]>, Ask, Ask]>([
    ['one without a time', { 'cache-control': 'public' }, {}, {}],
    ['one whose time is over at once', { 'cache-control': 'public, max-age=0' }, {}, {}],
    ['one that may not be stored', { 'cache-control': 'public, max-age=3600, no-store' }, {}, {}],
    ['one that has to be asked about', { 'cache-control': 'public, max-age=3600, no-cache' }, {}, {}],
    ['one for this visitor', { 'cache-control': 'private, max-age=3600' }, {}, {}],
    ['one that varies by all', { ...PUBLIC, vary: '*' }, {}, {}],
    ['one that varies by cookie', { ...PUBLIC, vary: 'accept-encoding, cookie' }, {}, {}],
    ['one of another encoding', PUBLIC, {}, gzip],
    ['one that was asked for with no-store', PUBLIC, { headers: { 'cache-control': 'no-store' } }, {}],
    ['one for who asks with no-cache', PUBLIC, {}, { headers: { 'cache-control': 'no-cache' } }],
    ['one for who asks with max-age=0', PUBLIC, {}, { headers: { 'cache-control': 'max-age=0' } }],
    ['one for who asks with Pragma', PUBLIC, {}, { headers: { pragma: 'no-cache' } }],
    ['one for who asks with HEAD', PUBLIC, { method: 'HEAD' }, {}],
  ])('%s', async (_, given, first, second) => {
    expect(isReused(await twice(given, first, second))).toBe(false)
  })

  test.each([400, 404, 429, 500, 503])('one of status %i', async (code) => {
    expect(isReused(await twice(PUBLIC, {}, {}, code))).toBe(false)
  })
})

test('an answer from memory tells its age and keeps its date, its type and its ETag', async () => {
  const [one, two] = await twice({ ...PUBLIC, age: '7' })
  expect(Number(two.headers.age)).toBeGreaterThanOrEqual(7)
  for (const name of ['content-type', 'cache-control', 'vary', 'etag']) expect(two.headers[name], name).toBe(one.headers[name])
  const known = String(one.headers.etag)
  const path = another()
  await world.ask(path)
  const unchanged = await world.ask(path, {
    headers: { 'if-none-match': (await world.ask(path)).headers.etag as string, 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  })
  expect(unchanged).toMatchObject({
    status: 304,
    text: '',
    headers: { etag: expect.any(String), 'cache-control': PUBLIC['cache-control'] },
  })
  expect(unchanged.headers.etag).not.toBe(known)
})

test('the prices of days are kept like a search, for ten seconds, whatever the order of the question, and count as no search', async () => {
  let calendars = 0
  world.stubs.search.handlers['GET /api/flights/calendar'] = (_, response) => {
    calendars += 1
    response.set('cache-control', 'public, max-age=10').json({ days: [] })
  }
  const first = await world.ask('/api/flights/calendar?origin=CDG&destination=JFK&from=2099-03-01&nights=7')
  const second = await world.ask('/api/flights/calendar?nights=7&days=7&from=2099-03-01&destination=jfk&origin=CDG')
  expect([first.status, second.status, calendars]).toEqual([200, 200, 1])
  expect(second.headers['cache-status']).toMatch(/^passerelle; hit; ttl=(\d|10)$/)
  expect((await world.ask('/api/flights/calendar?origin=CDG&destination=JFK&from=2099-03-01')).headers['x-cache']).not.toBe('hit')
  expect((await world.ask('/api/flights/calendar?origin=CDG&destination=JFK')).status).toBe(200)
  expect(calendars).toBe(3)
})
