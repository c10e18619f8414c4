/** What searches may cost, through the whole service: budgets that replicas share, and searches per order. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anotherDay, type Bench, startSearchBench } from './search.fixture.ts'

let bench: Bench
let networks = 0
/** The supplier's live account: the simulator, which knows test tokens alone. */
const liveAccount = createServer(async (request, response) => {
  const chunks = await request.toArray()
  const answer = await fetch(bench.simulator.url + request.url, {
    method: request.method ?? 'GET',
    headers: { 'duffel-version': 'v2', 'content-type': 'application/json', authorization: 'Bearer duffel_test_simulator' },
    body: Buffer.concat(chunks),
  })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
})
beforeAll(async () => {
  bench = await startSearchBench()
  await new Promise<void>((listening) => liveAccount.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await bench?.stop()
  liveAccount.close()
})
const liveUrl = () => `http://127.0.0.1:${(liveAccount.address() as AddressInfo).port}`

const TRIP = { origin: 'CDG', destination: 'LIS' }
const another = () => ({ ...TRIP, departureDate: anotherDay() })
const live = async (environment: Record<string, string>) =>
  bench.replica({
    RATE_LIMIT_FACTOR: '1',
    DUFFEL_LIVE_TOKEN: 'duffel_live_simulator',
    DUFFEL_LIVE_URL: liveUrl(),
    ...environment,
  })
/** Each visitor comes from a network of their own. */
const find = (at: Awaited<ReturnType<typeof live>>, search: Record<string, string>, more: Record<string, unknown> = {}) =>
  bench.find(search, { at, caller: { ip: `198.51.100.${++networks}`, ...more } })
const metric = async (at: { adminUrl: string }, name: string) => {
  const text = await (await fetch(`${at.adminUrl}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith(`${name}{`))
}

it('replicas share the budget of a brand; beyond it new searches are told to wait, and known ones are answered', async () => {
  const environment = { BRAND_SEARCHES_PER_DAY: '3' }
  const [first, second] = [await live(environment), await live(environment)]
  const brand = { brand: 'frugal.example' }
  const known = another()
  expect((await find(first, known, brand)).status).toBe(200)
  expect((await find(first, another(), brand)).status).toBe(200)
  // Counts join in batches of a tenth of a second; this replica learns of the others with its own first one.
  expect((await find(second, another(), brand)).status).toBe(200)
  await expect
    .poll(async () => {
      const { status, body, header } = await find(second, another(), brand)
      return [status, body.error, Number(header('retry-after')) > 0, body.message]
    })
    .toEqual([
      429,
      'SEARCH_LIMITED',
      true,
      'Unable to search flights: too many travellers are searching right now. Please try again in a few minutes.',
    ])
  for (const at of [first, second]) {
    const answer = await find(at, known, brand)
    expect([answer.status, answer.header('x-cache')]).toEqual([200, 'hit'])
  }
  expect((await find(second, another(), { brand: 'other.example' })).status).toBe(200)
  expect(await metric(second, 'search_refused_total')).toEqual([expect.stringMatching(/account="test",reason="brand-day".* [1-9]/)])
})

it('searches beyond what orders pay for are slowed on the live account, and an order lets them go on', async () => {
  const guarded = await live({ FREE_SEARCHES: '4', SEARCHES_PER_ORDER: '1000', SEARCHES_PER_MINUTE: '10' })
  const mode = { mode: 'live' as const }
  for (let n = 0; n < 4; n++) expect((await find(guarded, another(), mode)).status).toBe(200)
  // The counts are written every five seconds, and read as often.
  const used = async () => Number((await metric(guarded, 'search_look_to_book_used_ratio')).join().split(' ').at(-1))
  await expect.poll(used, { timeout: 25_000 }).toBe(1)
  // A tenth of ten in a minute is left.
  const slowed: (string | undefined)[] = []
  for (let n = 0; n < 4; n++) slowed.push((await find(guarded, another(), mode)).body.error)
  expect(slowed.filter((error) => error === 'SEARCH_LIMITED').length).toBeGreaterThanOrEqual(3)
  expect((await find(guarded, another())).status).toBe(200)

  const ordered = await bench.ask('/internal/orders', { at: guarded, body: {}, caller: { actor: 'booking', ...mode } })
  expect(ordered.status).toBe(200)
  await expect.poll(used, { timeout: 25_000 }).toBeLessThan(0.8)
  expect((await find(guarded, another(), mode)).status).toBe(200)
})

it('one address has its share of an account’s day and no more', async () => {
  const shared = await live({ SEARCHES_PER_DAY: '40', NETWORK_SEARCHES_SHARE: '0.05' })
  const caller = { ip: '2001:db8:7::1' }
  const known = another()
  expect((await bench.find(known, { at: shared, caller })).status).toBe(200)
  expect((await bench.find(another(), { at: shared, caller })).status).toBe(200)
  const { status, body, header } = await bench.find(another(), { at: shared, caller: { ip: '2001:db8:7::2' } })
  expect([status, body.error, Number(header('retry-after'))]).toEqual([429, 'RATE_LIMITED', 3600])
  expect((await bench.find(known, { at: shared, caller })).status).toBe(200)
  expect((await find(shared, another())).status).toBe(200)
})
