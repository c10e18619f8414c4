/** One network cannot keep the supplier for itself. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { anotherDay, type Bench, dayAfter, startSearchBench } from './search.fixture.ts'

/** With room to spare below the integration tests' own limit. */
const SLOW_MS = 8000
const SEARCH = '/air/offer_requests/'
const GREEDY = '203.0.113.66'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())
afterEach(async () => {
  await bench.control('faults', undefined, 'DELETE')
})

/** A search that nobody has made before. */
const searches = Array.from({ length: 200 }, (_, n) => ({
  origin: ['CDG', 'FRA', 'MAD', 'AMS'][n % 4] ?? 'CDG',
  destination: 'LIS',
  departureDate: dayAfter(40 + Math.floor(n / 4)),
}))
const another = () => searches.shift() ?? { origin: 'CDG', destination: 'LIS', departureDate: anotherDay() }
const findFrom = (ip: string, search = another()) => bench.find(search, { caller: { ip } })

describe('a supplier that takes eight seconds for a search', () => {
  it('answers ten other addresses while one sends all that it may, and a booking that has to shop again', async () => {
    const { body } = await findFrom('192.0.2.1')
    const offer = body.offers[0]?.id ?? ''
    await bench.fault('delay', SEARCH, { ms: SLOW_MS })

    const first = another()
    const greedy = Array.from({ length: 120 }, (_, n) => findFrom(GREEDY, n === 0 ? first : another()))
    const refusals: unknown[] = []
    for (const answer of greedy)
      void answer.then(({ status, body: { error }, header }) => refusals.push([status, error, header('retry-after')]))
    // Five are under way, 25 wait, and the rest is told so before the first is answered.
    await expect.poll(() => refusals, { timeout: 5000 }).toEqual(Array(90).fill([503, 'SEARCH_BUSY', '2']))

    const others = Array.from({ length: 10 }, (_, n) => findFrom(`198.51.100.${n + 1}`))
    const joined = findFrom('198.51.100.20', first)
    const shopped = bench.ask(`/internal/offers/${offer}/requote`, { body: {} })
    expect((await Promise.all([...others, joined, shopped])).map(({ status }) => status)).toEqual(Array(12).fill(200))
    await bench.control('faults', undefined, 'DELETE')
    await Promise.all(greedy)
  })
})

describe('new searches of one address', () => {
  it('come at a measured pace, whatever the gateway lets through, and nobody else is held up', async () => {
    const metered = await bench.replica({ RATE_LIMIT_FACTOR: '1' })
    const find = (ip: string, search = another()) => bench.find(search, { at: metered, caller: { ip } })
    const known = another()
    expect((await find('2001:db8:1:2::1', known)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 45 }, (_, n) => find(`2001:db8:1:2::${n + 1}`)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body.error).toBe('RATE_LIMITED')
    expect(Number(refused[0]?.header('retry-after'))).toBeGreaterThan(0)
    // What is known costs the supplier nothing, so it costs nothing here.
    expect((await find('2001:db8:1:2::1', known)).status).toBe(200)
    expect((await find('2001:db8:1:3::1')).status).toBe(200)
  })
})

describe('failures that one address brings about', () => {
  it('do not switch the search off for the others', async () => {
    const doomed = () => bench.find({ ...another(), origin: 'STN', destination: 'LHR' }, { caller: { ip: GREEDY } })
    for (let n = 0; n < 6; n++) expect((await doomed()).status).toBeGreaterThanOrEqual(502)
    expect((await doomed()).body.error).toBe('SEARCH_BUSY')
    expect((await findFrom('198.51.100.30')).status).toBe(200)
  })
})
