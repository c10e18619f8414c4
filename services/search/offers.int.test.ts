import { FlightOffer, OfferVerification, Quote, type SearchResults, type SeatChoice, SeatMap } from '@passerelle/contracts/http/search'
import { addAmounts } from '@passerelle/contracts/rules/money'
import { clientOf, orderOf } from '@passerelle/simulators/duffel/test-client.fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anotherDay, type Bench, dayAfter, startSearchBench } from './search.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())

type Offer = SearchResults['offers'][number]

/** An offer of Duffel Airways, which always has seats, or the first of all. */
async function anOffer(more: Record<string, string | number> = {}, airline?: string): Promise<Offer> {
  const { body } = await bench.find({ origin: 'CDG', destination: 'LIS', departureDate: anotherDay(), limit: 100, ...more })
  const offer = body.offers.find((one) => !airline || one.owner.iata_code === airline)
  if (!offer) throw new Error('no such offer')
  return offer
}
const supplierIdOf = (id: string) => id.replace('oft_', 'off_')
const counts = async () => (await bench.ledger()).counts
const searches = async () => (await bench.ledger()).searches.length

/** Somebody else books the supplier offer behind this one. */
async function spend(id: string): Promise<void> {
  const duffel = clientOf(bench.simulator.url)
  const { data } = await duffel.offers.get(supplierIdOf(id))
  await duffel.orders.create(orderOf(data))
}

type Maps = { data: SeatMap[] }
const seatMaps = (id: string) => bench.ask<Maps>(`/api/flights/seatmaps/${id}`)

function freeSeat(map: SeatMap, passenger = 'pas_1', skip = 0): SeatChoice {
  const [segment] = map.segments
  const seats = segment?.cabins.flatMap((cabin) =>
    cabin.rows.flatMap((row) => row.sections.flatMap((section) => section.elements)).filter((element) => element.available),
  )
  const seat = seats?.filter((one) => one.available_services.some(({ passenger_id }) => passenger_id === passenger))[skip]
  if (!segment || !seat?.designator) throw new Error('no free seat')
  return { passengerId: passenger, seatId: seat.designator, segmentId: segment.segment_id }
}

describe('reading an offer', () => {
  it('ASRCH-20: answers the full offer with its services and their prices', async () => {
    const listed = await anOffer({}, 'ZZ')
    const { status, body } = await bench.offer(listed.id)
    expect(status).toBe(200)
    expect(FlightOffer.parse(body)).toEqual(body)
    expect({ ...body, available_services: [] }).toEqual(listed)
    expect(body.available_services[0]).toMatchObject({ name: 'Checked bag 23 kg', total_amount: '20.00', price: { amount: '25.00' } })
    expect(JSON.stringify(body)).not.toContain('off_')
  })

  it('many visitors of one offer on two replicas are one call', async () => {
    const { id } = await anOffer()
    const other = await bench.replica()
    const before = (await counts()).offerReads ?? 0
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => bench.ask(`/api/flights/offer/${id}`, { at: n % 2 ? other : bench.service })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(((await counts()).offerReads ?? 0) - before).toBe(1)
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
    const before = await counts()
    await bench.offer('oft_a_b')
    await seatMaps('nothing')
    expect(await counts()).toEqual(before)
  })

  it('R-70, AADM-09: an offer of the other mode has expired, for every call', async () => {
    const { id } = await anOffer()
    const live = id.replace('oft_', 'ofl_')
    expect([(await bench.offer(live)).status, (await bench.offer(id, { mode: 'live' })).status]).toEqual([410, 410])
    expect((await bench.ask(`/api/flights/verify-offer/${live}`)).status).toBe(410)
    expect((await seatMaps(live)).status).toBe(410)
    for (const call of ['quote', 'requote']) expect((await bench.ask(`/internal/offers/${live}/${call}`, { body: {} })).status).toBe(410)
  })

  it('an offer that the airline has withdrawn has expired', async () => {
    const { id } = await anOffer({ origin: 'LGW', destination: 'LHR' })
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
    const { id, expires_at } = await anOffer()
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
      const { id } = await anOffer()
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
    const { id } = await anOffer()
    await bench.fault('status', '/air/offers/*', { status: 500, times: 1 })
    expect([(await verify(id)).status, (await verify(id)).status]).toEqual([502, 200])
  })
})

describe('seat maps', () => {
  it('ASRCH-26: one map per slice, with our segments, passengers and prices', async () => {
    const { id } = await anOffer({ returnDate: dayAfter(122) }, 'ZZ')
    const { status, body } = await seatMaps(id)
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
    const { id } = await anOffer({ origin: 'BTS', destination: 'ABV' })
    expect(await seatMaps(id)).toMatchObject({ status: 200, body: { data: [] } })
  })

  it('ASRCH-27: a failure reads "Unable to retrieve seat maps: ..."', async () => {
    const { id } = await anOffer()
    await bench.fault('html', '/air/seat_maps', { times: 1 })
    const { status, body } = await seatMaps(id)
    expect([status, body.error]).toEqual([502, 'SEAT_MAPS_FAILED'])
    expect(body.message).toMatch(/^Unable to retrieve seat maps: /)
  })
})

describe('a quote', () => {
  it('is read at the supplier and tells what to charge and what to pay', async () => {
    const offer = await anOffer()
    await bench.offer(offer.id)
    const quote = await bench.calls().quote({ params: { id: offer.id }, body: {} })
    expect(Quote.parse(quote)).toEqual(quote)
    expect(quote.supplier.offerId).toBe(supplierIdOf(offer.id))
    expect(quote.charge).toEqual({ amount: offer.price.total, currency: offer.price.currency })
    expect(quote.supplierCharge).toEqual({ amount: offer.total_amount, currency: offer.total_currency })
    expect(quote.shownTotal).toEqual(quote.charge)
  })

  it('without seats asks for no seat map', async () => {
    const { id } = await anOffer()
    const before = (await counts()).seatMaps
    await bench.calls().quote({ params: { id }, body: {} })
    expect((await counts()).seatMaps).toBe(before)
  })

  it('an offer that nobody opened was not shown', async () => {
    const { id } = await anOffer()
    expect((await bench.calls().quote({ params: { id }, body: {} })).shownTotal).toBeNull()
  })

  it('a price that moved is told beside the one that was shown', async () => {
    const { id } = await anOffer({ origin: 'LHR', destination: 'STN' })
    const { body: opened } = await bench.offer(id)
    const first = await bench.calls().quote({ params: { id }, body: {} })
    expect(first.shownTotal?.amount).toBe(opened.price.total)
    expect(first.supplierCharge.amount).toBe(addAmounts(opened.total_amount, '10.00'))
    const second = await bench.calls().quote({ params: { id }, body: {} })
    expect(second.shownTotal).toEqual(first.charge)
  })

  it('adds seats one by one, and the supplier takes exactly what it says', async () => {
    const { id } = await anOffer({ adultsCount: 2 }, 'ZZ')
    const { body } = await seatMaps(id)
    const [map] = body.data
    if (!map) throw new Error('no map')
    const seats = [freeSeat(map, 'pas_1', 0), freeSeat(map, 'pas_2', 1)]
    const quote = await bench.calls().quote({ params: { id }, body: { seats } })
    expect(quote.seats.map(({ price }) => price.amount)).toEqual(['25.00', '25.00'])
    expect(quote.charge.amount).toBe(addAmounts(quote.offer.price.total, '50.00'))
    expect(quote.supplierCharge.amount).toBe(addAmounts(quote.supplier.total.amount, '40.00'))
    const duffel = clientOf(bench.simulator.url)
    const { data: offer } = await duffel.offers.get(quote.supplier.offerId)
    const { data: order } = await duffel.orders.create(
      orderOf(offer, {
        services: quote.supplier.services,
        payments: [{ type: 'balance', amount: quote.supplierCharge.amount, currency: quote.supplierCharge.currency }],
      }),
    )
    expect(order.total_amount).toBe(quote.supplierCharge.amount)
  })

  it('a seat that was taken meanwhile is refused and named', async () => {
    const { id } = await anOffer({}, 'ZZ')
    const [map] = (await seatMaps(id)).body.data
    if (!map) throw new Error('no map')
    const seat = freeSeat(map)
    await bench.control('cases', { case: 'seat-taken', offerId: supplierIdOf(id), designator: seat.seatId })
    const { status, body } = await bench.ask(`/internal/offers/${id}/quote`, { body: { seats: [seat] } })
    expect([status, body.error]).toEqual([409, 'SEAT_UNAVAILABLE'])
    expect(body.details).toEqual({ seats: [seat] })
  })

  it('an expired offer has no quote', async () => {
    const { id } = await anOffer()
    await bench.control('cases', { case: 'offer-expired', offerId: supplierIdOf(id) })
    expect((await bench.ask(`/internal/offers/${id}/quote`, { body: {} })).body.error).toBe('OFFER_EXPIRED')
  })
})

describe('shopping again', () => {
  it('ABOOK-31, R-109: finds the same flights on a supplier offer of its own, under the id that the visitor knows', async () => {
    const offer = await anOffer({ adultsCount: 1, childrenCount: 1 }, 'ZZ')
    const first = await bench.calls().quote({ params: { id: offer.id }, body: {} })
    await spend(offer.id)
    const again = await bench.calls().requote({ params: { id: offer.id }, body: {} })
    expect(again.offer.id).toBe(offer.id)
    expect(again.charge).toEqual(first.charge)
    expect(again.supplier.offerId).not.toBe(first.supplier.offerId)
    expect(again.offer.slices).toEqual(first.offer.slices)
    expect(again.supplier.passengers.map(({ id, type }) => [id, type])).toEqual(first.supplier.passengers.map(({ id, type }) => [id, type]))
    expect(again.supplier.passengers[0]?.supplierId).not.toBe(first.supplier.passengers[0]?.supplierId)
    await spend(again.supplier.offerId.replace('off_', 'oft_'))
  })

  it('R-109: seats are found again by their designators', async () => {
    const { id } = await anOffer({}, 'ZZ')
    const [map] = (await seatMaps(id)).body.data
    if (!map) throw new Error('no map')
    const seat = freeSeat(map)
    await spend(id)
    const again = await bench.calls().requote({ params: { id }, body: { seats: [seat] } })
    expect(again.seats).toMatchObject([{ ...seat, price: { amount: '25.00' } }])
  })

  it('R-109: a quote does so by itself when the supplier shows no seats of a booked offer any more', async () => {
    const { id } = await anOffer({}, 'ZZ')
    const [map] = (await seatMaps(id)).body.data
    if (!map) throw new Error('no map')
    const problem = { type: 'invalid_state_error', code: 'offer_request_already_booked', title: 'Booked', message: 'Booked.' }
    const body = { meta: { status: 422, request_id: 'F1' }, errors: [problem] }
    await bench.fault('status', '/air/seat_maps', { status: 422, body, times: 1 })
    const before = await searches()
    const quote = await bench.calls().quote({ params: { id }, body: { seats: [freeSeat(map)] } })
    expect(quote.supplier.offerId).not.toBe(supplierIdOf(id))
    expect([quote.offer.id, quote.seats.length, (await searches()) - before]).toEqual([id, 1, 1])
  })

  it('each gets a search of its own, and the list that visitors see stays as it was', async () => {
    const search = { origin: 'CDG', destination: 'LIS', departureDate: anotherDay() }
    const list = await bench.find(search)
    const id = list.body.offers[0]?.id ?? ''
    const before = await searches()
    const quotes = await Promise.all([1, 2].map(() => bench.calls().requote({ params: { id }, body: {} })))
    expect((await searches()) - before).toBe(2)
    expect(new Set(quotes.map(({ supplier }) => supplier.offerId)).size).toBe(2)
    expect((await bench.find(search)).body).toEqual(list.body)
  })

  it('flights that are not sold any more have expired', async () => {
    const offer = await anOffer({ origin: 'ORY', destination: 'NCE' })
    await bench.offer(offer.id)
    await bench.control('cases', { case: 'no-offers', route: 'ORY-NCE' })
    const { status, body } = await bench.ask(`/internal/offers/${offer.id}/requote`, { body: {} })
    expect([status, body.error]).toEqual([410, 'OFFER_EXPIRED'])
  })
})
