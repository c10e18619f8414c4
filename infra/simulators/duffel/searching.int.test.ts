import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, freeSeats, inDays, isFrom, pick, refusalOf, search, startBench } from './test-client.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.stop())

const slice = (origin: string, destination: string, departure_date = inDays(40)) => ({ origin, destination, departure_date })

describe('searching through the real client', () => {
  it('finds exactly 245 offers from Paris to New York and back, each in Duffel form', async () => {
    const found = await search(bench, { to: 'JFK', back: true })
    expect(found.offers).toHaveLength(245)
    expect(found.id).toMatch(/^orq_0000[0-9A-Za-z]{18}$/)
    expect(found.live_mode).toBe(false)
    expect(new Set(found.offers.map(({ id }) => id)).size).toBe(245)
    for (const offer of found.offers) {
      expect(offer.id).toMatch(/^off_0000[0-9A-Za-z]{18}$/)
      expect('available_services' in offer).toBe(false)
      const cents = (text: string | null) => (text === null ? 0 : Number(text.replace('.', '')))
      expect(cents(offer.base_amount) + cents(offer.tax_amount)).toBe(cents(offer.total_amount))
      expect(offer.slices.map((one) => [one.origin.iata_code, one.destination.iata_code])).toEqual([
        ['CDG', 'JFK'],
        ['JFK', 'CDG'],
      ])
      for (const segment of offer.slices.flatMap((one) => one.segments)) {
        expect(segment.departing_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/)
        expect(segment.passengers.map(({ passenger_id }) => passenger_id)).toEqual(found.passengers.map(({ id }) => id))
      }
    }
  })

  it('gives the same flights and amounts for the same search, under new ids', async () => {
    const [one, two] = [await search(bench), await search(bench)]
    const content = (found: typeof one) =>
      found.offers
        .map(
          (offer) =>
            `${offer.total_amount} ${offer.slices[0]!.segments.map((one) => one.marketing_carrier_flight_number)} ${offer.slices[0]!.fare_brand_name}`,
        )
        .sort()
    expect(content(one)).toEqual(content(two))
    expect(one.passengers[0]!.id).not.toBe(two.passengers[0]!.id)
    const ids = new Set(one.offers.map(({ id }) => id))
    expect(two.offers.some(({ id }) => ids.has(id))).toBe(false)
  })

  it('refuses what is wrong with a search, all of it at once', async () => {
    const post = (body: object) =>
      refusalOf(
        bench.duffel.offerRequests.create({ cabin_class: 'economy', return_offers: true, ...body } as unknown as Parameters<
          typeof bench.duffel.offerRequests.create
        >[0]),
      )
    expect(await post({ slices: [], passengers: [] })).toEqual({ status: 422, codes: ['validation_required', 'validation_required'] })
    expect((await post({ slices: [slice('CDG', 'XXX')], passengers: [{ type: 'adult' }] })).codes).toEqual(['validation_inclusion'])
    expect((await post({ slices: [slice('CDG', 'CDG')], passengers: [{ type: 'adult' }] })).codes).toEqual(['validation_inclusion'])
    expect((await post({ slices: [slice('CDG', 'LIS', '2020-01-01')], passengers: [{ type: 'adult' }] })).codes).toEqual([
      'validation_inclusion',
    ])
    expect((await post({ slices: [slice('CDG', 'LIS', '2027-02-30')], passengers: [{ type: 'adult' }] })).codes).toEqual([
      'validation_format',
    ])
    expect(
      (await post({ slices: [slice('CDG', 'LIS', inDays(9)), slice('LIS', 'CDG', inDays(8))], passengers: [{ type: 'adult' }] })).status,
    ).toBe(422)
    expect((await post({ slices: [slice('CDG', 'LIS')], passengers: [{ type: 'adult', age: 30 }] })).codes).toEqual([
      'validation_inclusion',
    ])
    expect((await post({ slices: [slice('CDG', 'LIS')], passengers: [{}] })).codes).toEqual(['validation_required'])
    expect(
      (
        await post({
          slices: [slice('CDG', 'LIS')],
          passengers: [{ type: 'adult' }, { type: 'infant_without_seat' }, { type: 'infant_without_seat' }],
        })
      ).status,
    ).toBe(422)
    expect((await post({ slices: [slice('CDG', 'LIS')], passengers: Array(10).fill({ type: 'adult' }) })).codes).toEqual([
      'validation_length',
    ])
    expect(
      (await post({ slices: [slice('CDG', 'LIS')], passengers: [{ type: 'adult' }], cabin_class: 'cargo', max_connections: 3 })).codes,
    ).toHaveLength(2)
    expect(
      (await post({ slices: [{ ...slice('CDG', 'LIS'), flexible: true }], passengers: [{ type: 'adult' }], currency: 'EUR' })).codes,
    ).toEqual(['validation_inclusion', 'validation_inclusion'])
  })

  it('prices in yen without decimals from Japan, in pounds from Britain, in dollars from the United States', async () => {
    const totals = async (from: string, to: string) =>
      (await search(bench, { from, to })).offers.map((offer) => [offer.total_currency, offer.total_amount] as const)
    for (const [currency, amount] of await totals('HND', 'CTS')) {
      expect(currency).toBe('JPY')
      expect(amount).toMatch(/^\d+$/)
    }
    for (const [route, wanted] of [
      ['LHR-EDI', 'GBP'],
      ['JFK-LAX', 'USD'],
      ['CDG-JFK', 'EUR'],
    ] as const) {
      const [from, to] = route.split('-') as [string, string]
      for (const [currency, amount] of await totals(from, to)) {
        expect(currency).toBe(wanted)
        expect(amount).toMatch(/^\d+\.\d\d$/)
      }
    }
  })

  it('reads one offer, with extra bags when they are asked for', async () => {
    const offer = pick(await search(bench, { back: true, passengers: ['adult', 'infant_without_seat'] }), isFrom('ZZ'))
    const plain = await bench.duffel.offers.get(offer.id)
    expect(plain.data).toEqual(offer)
    const { data } = await bench.duffel.offers.get(offer.id, { return_available_services: true })
    expect(data.available_services).toHaveLength(2)
    expect(data.available_services[0]).toMatchObject({
      type: 'baggage',
      maximum_quantity: 1,
      total_amount: '20.00',
      passenger_ids: [offer.passengers[0]!.id],
    })
    expect(data.available_services.flatMap(({ segment_ids }) => segment_ids)).toEqual(
      offer.slices.flatMap((one) => one.segments.map(({ id }) => id)),
    )
  })

  it('answers unknown offers with 404 not_found', async () => {
    for (const id of ['off_0000000000000000000000', 'off_x'])
      expect(await refusalOf(bench.duffel.offers.get(id))).toEqual({ status: 404, codes: ['not_found'] })
  })

  it('has a seat map for each segment, with a service for each passenger who can sit there', async () => {
    const offer = pick(await search(bench, { passengers: ['adult', 'child', 'infant_without_seat'] }), isFrom('ZZ'))
    const { data } = await bench.duffel.seatMaps.get({ offer_id: offer.id })
    expect(data.map(({ segment_id }) => segment_id)).toEqual(offer.slices.flatMap((one) => one.segments.map(({ id }) => id)))
    const [adult, child, infant] = offer.passengers.map(({ id }) => freeSeats(data[0]!, id).length)
    expect(adult).toBe(76)
    expect(child).toBeGreaterThan(50)
    expect(infant).toBe(0)
  })
})

describe('the envelope', () => {
  const call = (headers: Record<string, string>, path = '/air/orders', init: RequestInit = {}) =>
    fetch(`${bench.url}${path}`, { ...init, headers })
  const good = { authorization: 'Bearer duffel_test_x', 'duffel-version': 'v2', 'content-type': 'application/json' }
  const code = async (answer: Response) => {
    const body = (await answer.json()) as { errors: { code: string }[]; meta: { status: number; request_id: string } }
    expect(body.meta).toEqual({ status: answer.status, request_id: answer.headers.get('x-request-id') })
    return [answer.status, body.errors[0]!.code]
  }

  it('carries the allowance and a request id on every answer', async () => {
    const answer = await call(good)
    expect(Number(answer.headers.get('ratelimit-remaining'))).toBeLessThan(Number(answer.headers.get('ratelimit-limit')))
    expect(Date.parse(answer.headers.get('ratelimit-reset')!)).toBeGreaterThan(Date.now())
    expect(answer.headers.get('x-request-id')).toMatch(/^F\w{19}$/)
  })

  it('refuses requests without a test token, without the version, or without the data wrapper', async () => {
    expect(await code(await call({ 'duffel-version': 'v2' }))).toEqual([401, 'missing_authorization_header'])
    expect(await code(await call({ ...good, authorization: 'Basic x' }))).toEqual([401, 'invalid_authorization_header'])
    expect(await code(await call({ ...good, authorization: 'Bearer undefined' }))).toEqual([401, 'access_token_not_found'])
    expect(await code(await call({ ...good, authorization: 'Bearer duffel_live_x' }))).toEqual([401, 'access_token_not_found'])
    expect(await code(await call({ authorization: good.authorization }))).toEqual([400, 'missing_version_header'])
    expect(await code(await call({ ...good, 'duffel-version': 'v1' }))).toEqual([400, 'unsupported_version'])
    const post = (body: string, headers: Record<string, string> = good) => call(headers, '/air/orders', { method: 'POST', body })
    expect(await code(await post('{}'))).toEqual([400, 'missing_data_param'])
    expect(await code(await post('{"data": []}'))).toEqual([400, 'malformed_data_param'])
    expect(await code(await post('{"data": '))).toEqual([400, 'bad_request'])
    expect(await code(await post('data', { ...good, 'content-type': 'text/plain' }))).toEqual([400, 'missing_content_type_header'])
    for (const path of ['/air/airlines', '/air/order_change_requests/ocr_1', '/places/suggestions'])
      expect(await code(await call(good, path))).toEqual([501, 'not_simulated'])
  })
})
