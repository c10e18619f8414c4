import { FlightOffer, OfferVerification, SeatMap } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, dayAfter, startSearchBench, supplierIdOf } from './search.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())

describe('reading an offer', () => {
  it('ASRCH-20: answers the full offer with its services and their prices', async () => {
    const listed = await bench.anOffer({}, 'ZZ')
    const { status, body } = await bench.offer(listed.id)
    expect(status).toBe(200)
    expect(FlightOffer.parse(body)).toEqual(body)
    expect({ ...body, available_services: [] }).toEqual(listed)
    expect(body.available_services[0]).toMatchObject({ name: 'Checked bag 23 kg', total_amount: '20.00', price: { amount: '25.00' } })
    expect(JSON.stringify(body)).not.toContain('off_')
  })

  it('many visitors of one offer on two replicas are one call', async () => {
    const { id } = await bench.anOffer()
    const other = await bench.replica()
    const before = (await bench.counts()).offerReads ?? 0
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => bench.ask(`/api/flights/offer/${id}`, { at: n % 2 ? other : bench.service })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(((await bench.counts()).offerReads ?? 0) - before).toBe(1)
  })

  it.each(['oft_0000unknown', 'off_0000A', 'oft_', 'nothing', 'oft_..%2Forders'])(
    'ASRCH-25: %s answers 404 "does not exist"',
    async (id) => {
      const { status, body } = await bench.offer(id)
      if (id.includes('%')) return expect(status).toBe(400)
      expect([status, body.error]).toEqual([404, 'OFFER_NOT_FOUND'])
      expect(body.message).toMatch(/^Unable to retrieve flight offer: .*does not exist/)
    },
  )

  it('an id that is none never reaches the supplier', async () => {
    const before = await bench.counts()
    await bench.offer('oft_a_b')
    await bench.seatMaps('nothing')
    expect(await bench.counts()).toEqual(before)
  })

  it('R-70, AADM-09: an offer of the other mode has expired, for every call', async () => {
    const { id } = await bench.anOffer()
    const live = id.replace('oft_', 'ofl_')
    expect([(await bench.offer(live)).status, (await bench.offer(id, { mode: 'live' })).status]).toEqual([410, 410])
    expect((await bench.ask(`/api/flights/verify-offer/${live}`)).status).toBe(410)
    expect((await bench.seatMaps(live)).status).toBe(410)
    for (const call of ['quote', 'requote']) expect((await bench.ask(`/internal/offers/${live}/${call}`, { body: {} })).status).toBe(410)
  })

  it('an offer that the airline has withdrawn has expired', async () => {
    const { id } = await bench.anOffer({ origin: 'LGW', destination: 'LHR' })
    const { status, body } = await bench.offer(id)
    expect([status, body.error, body.message]).toEqual([
      410,
      'OFFER_EXPIRED',
      'This flight offer has expired. Please select another flight.',
    ])
  })
})

describe('verifying an offer', () => {
  const verify = (id: string) => bench.ask<OfferVerification>(`/api/flights/verify-offer/${id}`)

  it('ASRCH-28, OFFER-01, OFFER-03: a good offer is valid and tells its whole minutes', async () => {
    const { id, expires_at } = await bench.anOffer()
    const { status, body } = await verify(id)
    expect(status).toBe(200)
    expect(OfferVerification.parse(body)).toEqual(body)
    expect(body).toMatchObject({ valid: true, error: null, offer_id: id, expires_at })
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    expect([Math.floor(minutes), Math.ceil(minutes)]).toContain(body.minutes_remaining)
  })

  it.each(['error', 'payload'])(
    'ASRCH-29, OFFER-02, OFFER-07: an expired offer answers 410, when the supplier tells it by %s',
    async (as) => {
      const { id } = await bench.anOffer()
      await bench.control('cases', { case: 'offer-expired', offerId: supplierIdOf(id), as })
      const { status, body } = await verify(id)
      expect(status).toBe(410)
      expect(body).toMatchObject({
        valid: false,
        error: 'OFFER_EXPIRED',
        message: 'This flight offer has expired. Please select another flight.',
        requestId: 'test-request',
        offer_id: id,
        minutes_remaining: 0,
      })
      if (as === 'payload') expect(Date.parse(body.expires_at ?? '')).toBeLessThan(Date.now())
    },
  )

  it('ASRCH-25: an unknown offer answers 404 as a verification', async () => {
    const { status, body } = await verify('oft_0000unknown')
    expect(status).toBe(404)
    expect(body).toMatchObject({ valid: false, error: 'OFFER_NOT_FOUND', offer_id: 'oft_0000unknown', minutes_remaining: null })
  })

  it('OFFER-08: a supplier that fails is no expiry', async () => {
    const { id } = await bench.anOffer()
    await bench.fault('status', '/air/offers/*', { status: 500, times: 1 })
    expect([(await verify(id)).status, (await verify(id)).status]).toEqual([502, 200])
  })
})

describe('seat maps', () => {
  it('ASRCH-26: one map per slice, with our segments, passengers and prices', async () => {
    const { id } = await bench.anOffer({ returnDate: dayAfter(122) }, 'ZZ')
    const { status, body } = await bench.seatMaps(id)
    expect(status).toBe(200)
    expect(body.data.map((map) => SeatMap.parse(map))).toEqual(body.data)
    expect(body.data.map(({ slice_id }) => slice_id)).toEqual(['sli_1', 'sli_2'])
    const seat = body.data[0]?.cabins[0]?.rows
      .flatMap((row) => row.sections.flatMap((section) => section.elements))
      .find(({ available }) => available)
    expect(seat?.available_services[0]).toMatchObject({ passenger_id: 'pas_1', total_amount: '20.00', price: { amount: '25.00' } })
    expect(JSON.stringify(body)).not.toMatch(/ase_|seg_0000|pas_0000/)
  })

  it('an airline without seat maps answers an empty list', async () => {
    const { id } = await bench.anOffer({ origin: 'BTS', destination: 'ABV' })
    expect(await bench.seatMaps(id)).toMatchObject({ status: 200, body: { data: [] } })
  })

  it('ASRCH-27: a failure reads "Unable to retrieve seat maps: ..."', async () => {
    const { id } = await bench.anOffer()
    await bench.fault('html', '/air/seat_maps', { times: 1 })
    const { status, body } = await bench.seatMaps(id)
    expect([status, body.error]).toEqual([502, 'SEAT_MAPS_FAILED'])
    expect(body.message).toMatch(/^Unable to retrieve seat maps: /)
  })
})
