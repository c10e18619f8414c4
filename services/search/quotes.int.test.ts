/** The price for a charge, and finding the flights again when the offer was booked by somebody else. */
import { Quote, type SeatChoice, type SeatMap } from '@passerelle/contracts/http/search'
import { addAmounts } from '@passerelle/contracts/rules/money'
import { clientOf, orderOf } from '@passerelle/simulators/duffel/test-client.fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anotherDay, type Bench, startSearchBench, supplierIdOf } from './search.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startSearchBench()
})
afterAll(() => bench?.stop())

const searches = async () => (await bench.ledger()).searches.length

/** Somebody else books the supplier offer behind this one. */
async function spend(id: string): Promise<void> {
  const duffel = clientOf(bench.simulator.url)
  const { data } = await duffel.offers.get(supplierIdOf(id))
  await duffel.orders.create(orderOf(data))
}

function freeSeat(map: SeatMap, passenger = 'pas_1', skip = 0): SeatChoice {
  const [segment] = map.segments
  const seats = segment?.cabins.flatMap((cabin) =>
    cabin.rows.flatMap((row) => row.sections.flatMap((section) => section.elements)).filter((element) => element.available),
  )
  const seat = seats?.filter((one) => one.available_services.some(({ passenger_id }) => passenger_id === passenger))[skip]
  if (!segment || !seat?.designator) throw new Error('no free seat')
  return { passengerId: passenger, seatId: seat.designator, segmentId: segment.segment_id }
}

describe('a quote', () => {
  it('is read at the supplier and tells what to charge and what to pay', async () => {
    const offer = await bench.anOffer()
    await bench.offer(offer.id)
    const quote = await bench.calls().quote({ params: { id: offer.id }, body: {} })
    expect(Quote.parse(quote)).toEqual(quote)
    expect(quote.supplier.offerId).toBe(supplierIdOf(offer.id))
    expect(quote.charge).toEqual({ amount: offer.price.total, currency: offer.price.currency })
    expect(quote.supplierCharge).toEqual({ amount: offer.total_amount, currency: offer.total_currency })
    expect(quote.shownTotal).toEqual(quote.charge)
  })

  it('without seats asks for no seat map', async () => {
    const { id } = await bench.anOffer()
    const before = (await bench.counts()).seatMaps
    await bench.calls().quote({ params: { id }, body: {} })
    expect((await bench.counts()).seatMaps).toBe(before)
  })

  it('an offer that nobody opened was not shown', async () => {
    const { id } = await bench.anOffer()
    expect((await bench.calls().quote({ params: { id }, body: {} })).shownTotal).toBeNull()
  })

  it('a price that moved is answered beside the one that was shown', async () => {
    const { id } = await bench.anOffer({ origin: 'LHR', destination: 'STN' })
    const { body: opened } = await bench.offer(id)
    const first = await bench.calls().quote({ params: { id }, body: {} })
    expect(first.shownTotal?.amount).toBe(opened.price.total)
    expect(first.supplierCharge.amount).toBe(addAmounts(opened.total_amount, '10.00'))
    const second = await bench.calls().quote({ params: { id }, body: {} })
    expect(second.shownTotal).toEqual(first.charge)
  })

  it('adds seats one by one, and the supplier takes exactly what it says', async () => {
    const { id } = await bench.anOffer({ adultsCount: 2 }, 'ZZ')
    const { body } = await bench.seatMaps(id)
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
    const { id } = await bench.anOffer({}, 'ZZ')
    const [map] = (await bench.seatMaps(id)).body.data
    if (!map) throw new Error('no map')
    const seat = freeSeat(map)
    await bench.control('cases', { case: 'seat-taken', offerId: supplierIdOf(id), designator: seat.seatId })
    const { status, body } = await bench.ask(`/internal/offers/${id}/quote`, { body: { seats: [seat] } })
    expect([status, body.error]).toEqual([409, 'SEAT_UNAVAILABLE'])
    expect(body.details).toEqual({ seats: [seat] })
  })

  it('an expired offer has no quote', async () => {
    const { id } = await bench.anOffer()
    await bench.control('cases', { case: 'offer-expired', offerId: supplierIdOf(id) })
    expect((await bench.ask(`/internal/offers/${id}/quote`, { body: {} })).body.error).toBe('OFFER_EXPIRED')
  })
})

describe('shopping again', () => {
  it('ABOOK-31, R-109: finds the same flights on a supplier offer of its own, under the id that the visitor knows', async () => {
    const offer = await bench.anOffer({ adultsCount: 1, childrenCount: 1 }, 'ZZ')
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
    const { id } = await bench.anOffer({}, 'ZZ')
    const [map] = (await bench.seatMaps(id)).body.data
    if (!map) throw new Error('no map')
    const seat = freeSeat(map)
    await spend(id)
    const again = await bench.calls().requote({ params: { id }, body: { seats: [seat] } })
    expect(again.seats).toMatchObject([{ ...seat, price: { amount: '25.00' } }])
  })

  it('R-109: a quote does so by itself when the supplier shows no seats of a booked offer any more', async () => {
    const { id } = await bench.anOffer({}, 'ZZ')
    const [map] = (await bench.seatMaps(id)).body.data
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
    const offer = await bench.anOffer({ origin: 'ORY', destination: 'NCE' })
    await bench.offer(offer.id)
    await bench.control('cases', { case: 'no-offers', route: 'ORY-NCE' })
    const { status, body } = await bench.ask(`/internal/offers/${offer.id}/requote`, { body: {} })
    expect([status, body.error]).toEqual([410, 'OFFER_EXPIRED'])
  })
})
