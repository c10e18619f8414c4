import { SearchResults } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anotherDay, type Bench, dayAfter, startSearchBench } from './search.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())

const criteria = (more: Record<string, string | number> = {}) => ({
  origin: 'CDG',
  destination: 'LIS',
  departureDate: anotherDay(),
  ...more,
})
const supplierSearches = async () => (await bench.ledger()).searches.length

describe('a search', () => {
  it('ASRCH-02: GET answers offers in our shape and how many there are', async () => {
    const { status, body, header } = await bench.find(criteria({ adultsCount: 2, childrenCount: 1, infantsCount: 1 }))
    expect(status).toBe(200)
    expect(SearchResults.parse(body)).toEqual(body)
    expect(body.offers.length).toBe(Math.min(30, body.total_count))
    expect(body.total_count).toBeGreaterThan(10)
    expect(body.offers[0]?.passengers.map(({ type }) => type)).toEqual(['adult', 'adult', 'child', 'infant_without_seat'])
    expect(header('content-type')).toContain('application/json')
    const totals = body.offers.map((offer) => Number(offer.total_amount))
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  })

  it('ASRCH-01, ASRCH-03, FORM-37, R-07: POST finds the same offers as GET, with one supplier search for both', async () => {
    const before = await supplierSearches()
    const search = { ...criteria(), returnDate: '', cabinClass: 'economy', adultsCount: 1, childrenCount: 0, infantsCount: 0 }
    const posted = await bench.ask<SearchResults>('/api/flights/search', { body: search })
    const got = await bench.find({ origin: 'cdg', destination: 'lis', departureDate: search.departureDate, adultsCount: '1' })
    expect(got.body).toEqual(posted.body)
    expect([posted.header('x-cache'), got.header('x-cache')]).toEqual(['miss', 'hit'])
    expect((await supplierSearches()) - before).toBe(1)
  })

  it('ASRCH-15, ASRCH-18: the second time it comes from the cache and says so, with its age', async () => {
    const search = criteria({ returnDate: dayAfter(120), cabinClass: 'business' })
    const first = await bench.find(search)
    const second = await bench.find(search)
    expect([first.header('x-cache'), second.header('x-cache')]).toEqual(['miss', 'hit'])
    expect(Number(second.header('age'))).toBeGreaterThanOrEqual(0)
    expect(second.header('cache-control')).toMatch(/^public, max-age=(30|2\d)$/)
    expect(second.body).toEqual(first.body)
    expect(first.body.offers[0]?.slices).toHaveLength(2)
  })

  it('ASRCH-14: 245 offers in pages of 30, 100, 100, 100 come without a repetition or a hole', async () => {
    const search = criteria({ origin: 'LHR', destination: 'JFK', returnDate: dayAfter(121) })
    const pages = [await bench.find(search)]
    for (const page of [1, 2, 3]) pages.push(await bench.find({ ...search, page, limit: 100 }))
    expect(pages.map(({ body }) => [body.offers.length, body.total_count])).toEqual([
      [30, 245],
      [100, 245],
      [100, 245],
      [45, 245],
    ])
    expect(new Set(pages.map(({ body }) => body.search_id)).size).toBe(1)
    const ids = pages.slice(1).flatMap(({ body }) => body.offers.map(({ id }) => id))
    expect(new Set(ids).size).toBe(245)
    expect(pages[0]?.body.offers.map(({ id }) => id)).toEqual(ids.slice(0, 30))
  })

  it('wishes are carried out on the whole set of 245, counted, and cost no supplier search', async () => {
    const search = criteria({ origin: 'LHR', destination: 'JFK', returnDate: dayAfter(122) })
    const whole = (await bench.find({ ...search, facets: 'yes' })).body
    const before = await supplierSearches()
    const direct = (await bench.find({ ...search, stops: '0', sort: 'duration-asc', facets: 'yes' })).body
    expect(SearchResults.parse(direct)).toEqual(direct)
    expect(whole.facets?.total).toBe(245)
    expect(direct.total_count).toBe(whole.facets?.stops[0])
    expect(direct.total_count).toBeLessThan(245)
    expect(direct.offers.every(({ slices }) => slices.every(({ segments }) => segments.length === 1))).toBe(true)
    expect(direct.offers[0]?.id).toBe(direct.facets?.fastest?.id)
    expect(direct.search_id).not.toBe(whole.search_id)
    expect(await supplierSearches()).toBe(before)
    const { status, body } = await bench.find({ ...search, sort: 'nicest' })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('sort must be one of price-asc')])
  })

  it('ASRCH-12, ASRCH-13: the limit is capped at 100, a page past the end is empty, and a page that is none is refused', async () => {
    const search = criteria({ origin: 'LHR', destination: 'JFK' })
    const { body } = await bench.find({ ...search, limit: 5000 })
    expect(body.offers).toHaveLength(100)
    const past = await bench.find({ ...search, page: 999 })
    expect([past.body.offers, past.body.total_count]).toEqual([[], body.total_count])
    for (const wrong of [{ page: 0 }, { page: -1 }, { page: 'x' }, { limit: 0 }, { page: 1.5 }]) {
      expect((await bench.find({ ...search, ...wrong } as never)).status).toBe(400)
    }
  })

  it('a page is compressed for a client that takes it, and is the same page', async () => {
    const search = criteria({ origin: 'LHR', destination: 'JFK' })
    const ways = ['identity', 'gzip', 'br', 'br, gzip', 'gzip;q=0, identity']
    const pages = []
    for (const way of ways) pages.push(await bench.find(search, { headers: { 'accept-encoding': way } }))
    expect(pages.map(({ header }) => header('content-encoding'))).toEqual([null, 'gzip', 'br', 'br', null])
    expect(pages.map(({ header }) => header('vary')?.toLowerCase())).toEqual(ways.map(() => 'accept-encoding'))
    for (const { body } of pages) expect(body).toEqual(pages[0]?.body)
    const [plain = 0, gzip = 0, brotli = 0] = pages.map(({ header }) => Number(header('content-length')))
    expect(gzip).toBeLessThan(plain / 5)
    expect(brotli).toBeLessThanOrEqual(gzip)
  })

  it('every brand is shown its own price from the same search', async () => {
    const search = criteria()
    const usual = await bench.find(search)
    const lower = await bench.find(search, { caller: { brand: 'atlas.example', markupPercent: 10 } })
    expect(lower.header('x-cache')).toBe('hit')
    const [a, b] = [usual.body.offers[0], lower.body.offers[0]]
    expect([a?.id, a?.total_amount]).toEqual([b?.id, b?.total_amount])
    expect([a?.price.markupPercent, b?.price.markupPercent]).toEqual([23, 10])
    expect(Number(a?.price.total)).toBeGreaterThan(Number(b?.price.total))
  })

  it('no offers is an answer, not an error', async () => {
    const { status, body } = await bench.find(criteria({ origin: 'PVD', destination: 'RAI' }))
    expect([status, body.offers, body.total_count]).toEqual([200, [], 0])
  })
})

describe('searches that are refused', () => {
  const search = { origin: 'CDG', destination: 'LIS', departureDate: dayAfter(40) }
  it.each<[string, Record<string, string | number>, string?]>([
    ['ASRCH-04: no origin', { ...search, origin: '' }, 'Missing required flight search parameters'],
    ['ASRCH-04: no date', { origin: 'CDG', destination: 'LIS' }, 'Missing required flight search parameters'],
    ['ASRCH-05: a code of four letters', { ...search, origin: 'PARI' }, 'Please select an origin airport'],
    ['ASRCH-06: the same place', { ...search, destination: 'cdg' }, 'Origin and destination cannot be the same'],
    ['ASRCH-07: a date in the past', { ...search, departureDate: dayAfter(-2) }, 'Departure date cannot be in the past'],
    ['ASRCH-07: an impossible date', { ...search, departureDate: '2099-02-30' }],
    ['ASRCH-08: back before there', { ...search, returnDate: dayAfter(39) }, 'Return date must be after departure date'],
    ['ASRCH-09: an unknown cabin', { ...search, cabinClass: 'luxury' }],
    ['ASRCH-10: nobody', { ...search, adultsCount: 0 }, 'At least 1 adult is required'],
    ['ASRCH-10: ten children', { ...search, childrenCount: 10 }],
    ['ASRCH-11: more infants than adults', { ...search, infantsCount: 2 }, 'Each infant must travel with an adult'],
    ['ASRCH-11: ten seats', { ...search, adultsCount: 5, childrenCount: 5 }],
  ])('%s answers 400', async (_, query, message) => {
    const before = await supplierSearches()
    const got = await bench.find(query)
    const posted = await bench.ask('/api/flights/search', { body: query })
    expect([got.status, posted.status]).toEqual([400, 400])
    expect(got.body).toMatchObject({ error: 'VALIDATION_ERROR', requestId: 'test-request' })
    if (message) expect([got.body.message, posted.body.message]).toEqual([message, message])
    expect(await supplierSearches()).toBe(before)
  })

  it('today is not in the past', async () => {
    expect((await bench.find({ ...search, origin: 'JFK', destination: 'LAX', departureDate: dayAfter(0) })).status).not.toBe(400)
  })

  it('ASRCH-19: what the supplier does not accept is answered with its reason', async () => {
    const { status, body } = await bench.find({ ...search, origin: 'QQQ' })
    expect([status, body.error]).toEqual([422, 'SEARCH_REFUSED'])
    expect(body.message).toMatch(/^Unable to search flights: .+origin/)
  })
})

describe('many at once', () => {
  it('ASRCH-16: fifty equal searches are one supplier search', async () => {
    const before = await supplierSearches()
    const search = criteria({ origin: 'FRA', destination: 'JFK' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.find(search)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.search_id)).size).toBe(1)
    expect((await supplierSearches()) - before).toBe(1)
  })

  it('ASRCH-16: fifty equal searches over two replicas are one supplier search', async () => {
    const other = await bench.replica()
    const before = await supplierSearches()
    const search = criteria({ origin: 'MAD', destination: 'JFK' })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => bench.find(search, { at: n % 2 === 0 ? bench.service : other })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.search_id)).size).toBe(1)
    expect((await supplierSearches()) - before).toBe(1)
  })

  it('R-93: a refresh soon after a search does not ask the supplier again', async () => {
    const search = criteria()
    await bench.find(search)
    const before = await supplierSearches()
    const { header } = await bench.find(search, { headers: { 'cache-control': 'no-cache' } })
    expect([header('x-cache'), await supplierSearches()]).toEqual(['hit', before])
  })

  it('a replica that starts later answers from the shared cache', async () => {
    const search = criteria({ origin: 'AMS', destination: 'FCO' })
    const first = await bench.find(search)
    const late = await bench.replica()
    const before = await supplierSearches()
    const second = await bench.find(search, { at: late })
    expect([second.header('x-cache'), second.body]).toEqual(['hit', first.body])
    expect(await supplierSearches()).toBe(before)
  })
})
