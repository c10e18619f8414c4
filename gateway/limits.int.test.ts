/** EVT-16, R-81: how often a visitor may call, with Redis and without. */
import { freePort } from '@passerelle/servers/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Ask,
  ask,
  BOOKING,
  CARD_PAYMENT,
  type Answer as DoorAnswer,
  everybodyIs,
  openWorld,
  RETRIEVAL,
  TOKEN,
  type World,
} from './gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const login: Ask = { method: 'POST', json: { username: 'a', password: 'b' } }
let references = 0
/** Of a booking that nobody has asked for before. */
const retrieve = (): Ask => ({ method: 'POST', json: { ...RETRIEVAL, reference: `K7TM2P${String(++references).padStart(2, '0')}` } })
const pay: Ask = { method: 'POST', json: CARD_PAYMENT }
async function times(count: number, url: string, path: string, options: Ask | (() => Ask)): Promise<DoorAnswer[]> {
  const answers: DoorAnswer[] = []
  for (let i = 0; i < count; i++) answers.push(await ask(url, path, typeof options === 'function' ? options() : options))
  return answers
}
const statuses = (answers: DoorAnswer[]) => answers.map((answer) => answer.status)
/** Each gateway of a test has a network of its own, so that no two tests share a count. */
let networks = 0
const anotherNetwork = () => `198.51.100.${++networks}`
async function limited(factor: number, more: Record<string, string> = {}) {
  const { url } = await world.another({ RATE_LIMIT_FACTOR: String(factor), TRUSTED_HOPS: '1', ...more })
  const from = anotherNetwork()
  const as = (options: Ask, ip = from): Ask => ({ ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })
  return { url, as }
}

describe.each([
  ['with Redis', async () => ({})],
  ['with Redis unavailable, counted in the process', async () => ({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })],
])('%s', (_, environment) => {
  test('one call too many: 429 with Retry-After, and the count in RateLimit', async () => {
    const { url, as } = await limited(0.05, await environment())
    const answers = await times(4, url, '/api/auth/login', as(login))
    expect(statuses(answers)).toEqual([200, 200, 200, 429])
    expect(answers.map((answer) => /^limit=3, remaining=(\d+), reset=\d+$/.exec(String(answer.headers.ratelimit))?.[1])).toEqual([
      '2',
      '1',
      '0',
      '0',
    ])
    const last = answers[3]
    expect(last).toMatchObject({ body: { error: 'RATE_LIMITED', message: expect.any(String), requestId: expect.any(String) } })
    const wait = Number(last?.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
  })

  test('the refused call reaches no service', async () => {
    const { url, as } = await limited(0.2, await environment())
    world.stubs.booking.received = []
    expect(statuses(await times(3, url, '/api/bookings/retrieve', () => as(retrieve())))).toEqual([200, 429, 429])
    expect(world.stubs.booking.received).toHaveLength(1)
  })

  test('a visitor at another address is not limited', async () => {
    const { url, as } = await limited(0.2, await environment())
    expect(statuses(await times(2, url, '/api/bookings/retrieve', () => as(retrieve())))).toEqual([200, 429])
    expect(statuses(await times(1, url, '/api/bookings/retrieve', () => as(retrieve(), anotherNetwork())))).toEqual([200])
  })

  test('EVT-16: a reference is limited for all visitors together, however it is written', async () => {
    const { url, as } = await limited(0.4, await environment())
    const [mine, other] = [retrieve(), retrieve()]
    const written = (reference: string) => ({ ...mine, json: { ...(mine.json as object), reference } })
    const { reference } = mine.json as { reference: string }
    for (const one of [written(reference), written(` ${reference.toLowerCase()} `)])
      expect(statuses(await times(1, url, '/api/bookings/retrieve', as(one, anotherNetwork())))).toEqual([200])
    expect(statuses(await times(1, url, '/api/bookings/retrieve', as(mine, anotherNetwork())))).toEqual([429])
    expect(statuses(await times(1, url, '/api/bookings/retrieve', as(other, anotherNetwork())))).toEqual([200])
  })

  test('a limit of sessions counts a session wherever it is, and visitors without one by network', async () => {
    const { url, as } = await limited(0.2, await environment())
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    const signedIn = (name: string): Ask => ({ ...pay, headers: { cookie: `sid=${TOKEN}${networks}${name}` } })
    const card = '/api/payments/process-card'
    expect(statuses(await times(2, url, card, as(signedIn('a'))))).toEqual([200, 200])
    expect(statuses(await times(1, url, card, as(signedIn('a'), anotherNetwork())))).toEqual([429])
    expect(statuses(await times(1, url, card, as(signedIn('b'))))).toEqual([200])
    expect(statuses(await times(3, url, card, as(pay)))).toEqual([200, 200, 429])
  })

  test('EVT-16: dropping the cookie after each call, or getting a new session each time, does not avoid the limit', async () => {
    const { url, as } = await limited(0.2, await environment())
    const anybody = (i: number): Ask => ({ method: 'POST', json: BOOKING, headers: { cookie: `sid=${TOKEN}${networks}x${i}` } })
    everybodyIs(world.stubs.identity, { userId: null })
    const found: number[] = []
    for (let i = 0; i < 8; i++) found.push((await ask(url, '/api/bookings', as(anybody(i)))).status)
    expect(found).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })

  test('a refused body counts, too', async () => {
    const { url, as } = await limited(0.1, await environment())
    const empty: Ask = { method: 'POST', json: {} }
    expect(statuses(await times(5, url, '/api/bookings', as(empty)))).toEqual([400, 429, 429, 429, 429])
  })

  test('neighbours in one IPv6 /64 are one network', async () => {
    const { url, as } = await limited(0.2, await environment())
    const prefix = `2001:db8:${networks.toString(16)}:${process.pid.toString(16).slice(-4)}`
    const from = (host: string) => times(1, url, '/api/bookings/retrieve', () => as(retrieve(), `${prefix}:${host}`))
    expect(statuses([...(await from(':1')), ...(await from('aaaa:bbbb:cccc:2'))])).toEqual([200, 429])
  })
})

describe('a guest session', () => {
  const open = (more: Ask = {}): Ask => ({ method: 'POST', ...more })
  const path = '/api/auth/guest-session'

  test('is limited by network', async () => {
    const { url, as } = await limited(1 / 60)
    expect(statuses(await times(3, url, path, as(open())))).toEqual([200, 200, 429])
  })

  test('is not opened in place of one that cannot be verified right now', async () => {
    const { url, as } = await limited(1)
    world.stubs.identity.received = []
    world.stubs.identity.handlers['GET /internal/sessions/*'] = (_, response) => response.socket?.destroy()
    const answer = await ask(url, path, as(open({ headers: { cookie: `sid=${TOKEN}${networks}away` } })))
    expect(answer).toMatchObject({ status: 503, body: { error: 'UPSTREAM_UNAVAILABLE' }, cookies: [] })
    expect(world.stubs.identity.received.filter((one) => one.method === 'POST')).toEqual([])
  })
})

test('two gateways count together', async () => {
  const one = await limited(0.05)
  const two = await limited(0.05)
  const together = one.as(login)
  const first = statuses(await times(4, one.url, '/api/auth/login', together))
  const second = statuses(await times(4, two.url, '/api/auth/login', together))
  expect(first).toEqual([200, 200, 200, 429])
  // Alone it would have let three through; Redis may be late for one of them, not for all.
  expect(second.filter((status) => status === 200).length).toBeLessThan(3)
})

test('search, payment, sign-in and retrieving are among the calls that are limited', async () => {
  const { url, as } = await limited(1)
  const calls: [string, Ask][] = [
    ['/api/flights/search?origin=CDG', {}],
    ['/api/payments/process-card', pay],
    ['/api/auth/login', login],
    ['/api/auth/register', login],
    ['/api/bookings/retrieve', retrieve()],
    ['/api/bookings', { method: 'POST', json: BOOKING }],
    ['/api/flights/offer/oft_1', {}],
    ['/api/flights/seatmaps/oft_1', {}],
    ['/api/flights/verify-offer/oft_1', {}],
  ]
  for (const [path, options] of calls) expect((await ask(url, path, as(options))).headers.ratelimit, path).toBeDefined()
})
