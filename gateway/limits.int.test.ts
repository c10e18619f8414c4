/** EVT-16, R-81: how often a visitor may call, with Redis and without. */
import { freePort } from '@passerelle/local/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, ask, type Answer as DoorAnswer, everybodyIs, openWorld, TOKEN, type World } from './gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})

const login: Ask = { method: 'POST', json: { username: 'a', password: 'b' } }
const retrieve: Ask = { method: 'POST', json: { reference: 'K7TM2PQX', email: 'a@example.org' } }
const pay: Ask = { method: 'POST', json: {} }
async function times(count: number, url: string, path: string, options: Ask): Promise<DoorAnswer[]> {
  const answers: DoorAnswer[] = []
  for (let i = 0; i < count; i++) answers.push(await ask(url, path, options))
  return answers
}
const statuses = (answers: DoorAnswer[]) => answers.map((answer) => answer.status)
/** Each gateway of a test has a network of its own, so that no two tests share a count. */
let networks = 0
async function limited(factor: number, more: Record<string, string> = {}) {
  const { url } = await world.another({ RATE_LIMIT_FACTOR: String(factor), TRUSTED_HOPS: '1', ...more })
  const from = `198.51.100.${++networks}`
  const as = (options: Ask, ip = from): Ask => ({ ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })
  return { url, as }
}

describe.each([
  ['with Redis', async () => ({})],
  ['with Redis away, counted here', async () => ({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })],
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
    expect(statuses(await times(3, url, '/api/bookings/retrieve', as(retrieve)))).toEqual([200, 429, 429])
    expect(world.stubs.booking.received).toHaveLength(1)
  })

  test('somebody at another address is not held up', async () => {
    const { url, as } = await limited(0.2, await environment())
    expect(statuses(await times(2, url, '/api/bookings/retrieve', as(retrieve)))).toEqual([200, 429])
    expect(statuses(await times(1, url, '/api/bookings/retrieve', as(retrieve, '203.0.113.77')))).toEqual([200])
  })

  test('a limit of sessions counts a session wherever it is, and visitors without one by address', async () => {
    const { url, as } = await limited(1 / 15, await environment())
    everybodyIs(world.stubs.identity, { userId: 'usr_7' })
    const signedIn = (name: string): Ask => ({ ...pay, headers: { cookie: `sid=${TOKEN}${networks}${name}` } })
    const card = '/api/payments/process-card'
    expect(statuses(await times(2, url, card, as(signedIn('a'))))).toEqual([200, 200])
    expect(statuses(await times(1, url, card, as(signedIn('a'), '203.0.113.5')))).toEqual([429])
    expect(statuses(await times(1, url, card, as(signedIn('b'))))).toEqual([200])
    expect(statuses(await times(3, url, card, as(pay)))).toEqual([200, 200, 429])
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
    ['/api/bookings/retrieve', retrieve],
  ]
  for (const [path, options] of calls) expect((await ask(url, path, as(options))).headers.ratelimit, path).toBeDefined()
})
