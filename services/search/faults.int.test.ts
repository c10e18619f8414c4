import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Quote } from '@passerelle/contracts/http/search'
import { startMongoEmulator } from '@passerelle/emulators/mongo/server'
import { startRedisEmulator } from '@passerelle/emulators/redis/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { supplierOffer } from './domain/supplier.fixture.ts'
import { anotherDay, type Bench, startSearchBench } from './search.fixture.ts'

const DEADLINE_MS = 2500

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench({ DUFFEL_SEARCH_DEADLINE_MS: String(DEADLINE_MS), DUFFEL_READ_DEADLINE_MS: String(DEADLINE_MS) })
})
afterAll(() => bench?.stop())
afterEach(async () => {
  await bench.control('faults', undefined, 'DELETE')
})

const criteria = () => ({ origin: 'CDG', destination: 'LIS', departureDate: anotherDay() })
const SEARCH = '/air/offer_requests/'

describe('a supplier in trouble', () => {
  const LATER = 'Unable to search flights. Please try again later.'
  it.each<[string, string, Record<string, unknown>, number, string, string]>([
    ['an error of its own', 'status', { status: 500 }, 502, 'SEARCH_FAILED', LATER],
    ['an error page of a proxy', 'html', {}, 502, 'SEARCH_FAILED', LATER],
    ['a success that is no JSON', 'html', { status: 200 }, 502, 'SEARCH_FAILED', LATER],
    ['no permission', 'status', { status: 403 }, 502, 'SEARCH_FAILED', 'Flight search failed with status: 403'],
    ['an address that is not there', 'status', { status: 404 }, 502, 'SEARCH_FAILED', 'Flight search failed with status: 404'],
    ['too many requests', 'status', { status: 429 }, 503, 'SEARCH_BUSY', LATER],
    ['a cut connection', 'reset', {}, 502, 'SEARCH_FAILED', LATER],
  ])('ASRCH-19, EVT-10: %s is told as such, and the next search works', async (_, effect, more, status, code, message) => {
    await bench.fault(effect, SEARCH, more)
    const search = criteria()
    const failed = await bench.find(search)
    expect([failed.status, failed.body.error]).toEqual([status, code])
    expect(failed.body.message).toBe(message)
    expect(failed.header('cache-control')).toBe('no-store')
    if (status === 503) expect(Number(failed.header('retry-after'))).toBeGreaterThan(0)
    await bench.control('faults', undefined, 'DELETE')
    expect((await bench.find(search)).status).toBe(200)
  })

  it('EVT-10: a supplier that never answers is given up after the deadline, once for everybody who waits', async () => {
    await bench.fault('hang', SEARCH)
    const search = criteria()
    const before = (await bench.ledger()).counts.offerRequests ?? 0
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.find(search)))
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(10).fill([502, 'SEARCH_FAILED']))
    expect(((await bench.ledger()).counts.offerRequests ?? 0) - before).toBe(1)
  })

  it('a connection that was cut once is asked again without the visitor noticing', async () => {
    await bench.fault('reset', SEARCH, { times: 1 })
    expect((await bench.find(criteria())).status).toBe(200)
  })

  it('a search that times out at the supplier fails', async () => {
    const { status, body } = await bench.find({ ...criteria(), origin: 'STN', destination: 'LHR' })
    expect([status, body.error]).toEqual([502, 'SEARCH_FAILED'])
  })

  it('an offer that was opened a moment ago can still be looked at, but not be verified or quoted', async () => {
    const { body } = await bench.find(criteria())
    const id = body.offers[0]?.id ?? ''
    const opened = await bench.offer(id)
    await bench.fault('status', '/air/offers/*', { status: 503 })
    const redis = await startRedisEmulator()
    // With a cache of its own it knows of the reading by the database only.
    const other = await bench.replica({ REDIS_URL: redis.url })
    await expect
      .poll(async () => (await bench.ask(`/api/flights/offer/${id}`, { at: other })).body, { timeout: 10_000 })
      .toEqual(opened.body)
    for (const path of [`/internal/offers/${id}/quote`, `/api/flights/verify-offer/${id}`]) {
      const refused = await bench.ask(path, { at: other, ...(path.endsWith('quote') && { body: {} }) })
      expect([refused.status, refused.body.error]).toEqual([502, 'OFFER_FAILED'])
    }
    await redis.stop()
  })

  it('an offer that nobody opened cannot be looked at', async () => {
    const { body } = await bench.find(criteria())
    await bench.fault('status', '/air/offers/*', { status: 503 })
    const other = body.offers[1]?.id ?? ''
    const failed = await bench.offer(other)
    expect([failed.status, failed.body.error]).toEqual([502, 'OFFER_FAILED'])
    expect(failed.body.message).toMatch(/^Unable to retrieve flight offer: /)
  })

  it('when it is down it is not asked again and again', async () => {
    await bench.fault('status', SEARCH, { status: 500 })
    for (let n = 0; n < 6; n++) await bench.find(criteria())
    const before = (await bench.ledger()).counts.offerRequests
    const refused = await bench.find(criteria())
    expect([refused.status, refused.body.error, refused.header('retry-after')]).toEqual([503, 'SEARCH_BUSY', '2'])
    expect((await bench.ledger()).counts.offerRequests).toBe(before)
  })
})

describe('more searches than the supplier is asked for at once', () => {
  it('wait in a short queue, and beyond it are told to come again', async () => {
    const narrow = await bench.replica({ DUFFEL_CONCURRENT: '1', DUFFEL_QUEUE: '1' })
    await bench.fault('delay', SEARCH, { ms: 150 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => bench.find(criteria(), { at: narrow })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 503, 503])
    const refused = answers.find(({ status }) => status === 503)
    expect([refused?.body.error, refused?.header('retry-after')]).toEqual(['SEARCH_BUSY', '2'])
  })
})

describe('without the shared cache', () => {
  it('EVT-08: searches and offers are still answered, with one supplier search per process', async () => {
    const redis = await startRedisEmulator()
    const alone = await bench.replica({ REDIS_URL: redis.url })
    const search = criteria()
    const first = await bench.find(search, { at: alone })
    await redis.stop()
    expect((await bench.find(search, { at: alone })).body).toEqual(first.body)
    const before = (await bench.ledger()).searches.length
    const other = criteria()
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.find(other, { at: alone })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await bench.ledger()).searches.length - before).toBe(1)
    const id = answers[0]?.body.offers[0]?.id ?? ''
    expect((await bench.ask(`/api/flights/offer/${id}`, { at: alone })).status).toBe(200)
    expect((await bench.ask(`/internal/offers/${id}/quote`, { at: alone, body: {} })).status).toBe(200)
  })
})

describe('without the database', () => {
  it('searches are answered, offers opened and quoted; only what was shown is not known', async () => {
    const mongo = await startMongoEmulator()
    const alone = await bench.replica({ MONGO_URL: mongo.url })
    await mongo.stop()
    const found = await bench.find(criteria(), { at: alone })
    expect(found.status).toBe(200)
    const id = found.body.offers[0]?.id ?? ''
    expect((await bench.ask(`/api/flights/offer/${id}`, { at: alone })).status).toBe(200)
    const quote = await bench.ask<Quote>(`/internal/offers/${id}/quote`, { at: alone, body: {} })
    expect([quote.status, quote.body.shownTotal]).toEqual([200, null])
  })
})

describe('answers that no real supplier should give', () => {
  let server: Server
  let body: unknown
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('offers that nobody could book are left out of a list, and live mode asks the live supplier', async () => {
    const expires_at = new Date(Date.now() + 1_800_000).toISOString()
    const good = supplierOffer({ id: 'off_0000Lgood', expires_at })
    body = {
      data: { offers: [good, { ...good, id: 'off_0000Lbad', slices: [] }, { ...good, id: 'off_0000Lodd', total_amount: 'free' }, null] },
    }
    const address = server.address() as AddressInfo
    const live = await bench.replica({ DUFFEL_LIVE_TOKEN: 'duffel_live_x', DUFFEL_LIVE_URL: `http://127.0.0.1:${address.port}` })
    const found = await bench.find(criteria(), { at: live, caller: { mode: 'live' } })
    expect(found.body.offers.map(({ id }) => id)).toEqual(['ofl_0000Lgood'])
  })

  it('an answer without offers is an empty list', async () => {
    body = { data: { offers: null } }
    const address = server.address() as AddressInfo
    const live = await bench.replica({ DUFFEL_LIVE_TOKEN: 'duffel_live_x', DUFFEL_LIVE_URL: `http://127.0.0.1:${address.port}` })
    expect((await bench.find(criteria(), { at: live, caller: { mode: 'live' } })).body.total_count).toBe(0)
  })

  it('without a live supplier there is no live search', async () => {
    const { status, body: answer } = await bench.find(criteria(), { caller: { mode: 'live' } })
    expect([status, answer.error]).toEqual([502, 'SEARCH_FAILED'])
  })
})
