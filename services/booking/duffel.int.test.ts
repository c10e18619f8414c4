/** The adapter to the flight supplier: what each answer of the supplier's means for a booking. */
import { createMetrics } from '@passerelle/kit/metrics'
import { type Bench, isFrom, orderOf, pick, search, startBench } from '@passerelle/simulators/duffel/test-client.fixture'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderRequest } from './domain/order.ts'
import { duffelSupplier, type Supplier } from './duffel.ts'

const SYSTEM = 'https://flights.example'
const DEADLINES = { orderMs: 2000, readMs: 2000 }

let bench: Bench
let supplier: Supplier
let bookings = 0

beforeAll(async () => {
  bench = await startBench()
  supplier = duffelSupplier('duffel_test_simulator', bench.url, createMetrics('booking'), DEADLINES)
})
afterAll(async () => {
  await bench.stop()
})
beforeEach(async () => {
  await bench.control('cases', { case: 'clear' })
})

async function bringAbout(name: string, more: object = {}): Promise<void> {
  const { status, body } = await bench.control('cases', { case: name, ...more })
  expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) })
}

/** An order for a booking of its own, on an airline that gives back all but 40.00. */
async function request(airline = 'ZZ', system = SYSTEM, places: { from?: string; to?: string } = {}): Promise<OrderRequest> {
  const offer = pick(await search(bench, places), isFrom(airline))
  const { selected_offers, payments, passengers } = orderOf(offer)
  const metadata = { booking_id: `bk_${++bookings}`, reference: 'K7TM2PQX', system }
  return { selected_offers, payments, passengers, services: [], metadata } as unknown as OrderRequest
}

async function ordered(airline?: string, places?: { from: string; to: string }) {
  const wanted = await request(airline, SYSTEM, places)
  const outcome = await supplier.order(wanted)
  if (outcome.kind !== 'ordered') throw new Error(outcome.kind)
  return { wanted, bookingId: wanted.metadata.booking_id ?? '', offerId: wanted.selected_offers[0] ?? '', order: outcome.order }
}

const made = async (wanted: OrderRequest) =>
  (await bench.ledger()).orders.filter((order) => order.metadata.booking_id === wanted.metadata.booking_id).length

describe('an order', () => {
  test('is made, and found again by its booking and offer', async () => {
    const { order, bookingId, offerId } = await ordered()
    expect(order).toMatchObject({
      id: expect.stringMatching(/^ord_/),
      airlineReference: expect.stringMatching(/^\w{6}$/),
      cancelled: false,
      tickets: [{ number: expect.stringMatching(/^\d{13}$/), passengers: [expect.stringMatching(/^pas_/)] }],
    })
    expect(await supplier.find(bookingId, offerId)).toEqual(order)
    expect(await supplier.find('bk_of_nobody', offerId)).toBeNull()
  })

  test.each([
    ['ABOOK-16: is only accepted', 'order-202', 1],
    ['C10: times out after it was made', 'order-timeout-after-commit', 1],
    ['C9: is cut off after it was made', 'order-reset-after-commit', 1],
    ['C10: fails with 500 after it was made', 'order-500-after-commit', 1],
    ['C10: fails with 502 and nothing said', 'order-502-unknown', 0],
  ])('that %s leaves it open whether it exists', async (_what, name, count) => {
    const wanted = await request()
    await bringAbout(name)
    expect(await supplier.order(wanted)).toMatchObject({ kind: 'unknown' })
    expect(await made(wanted)).toBe(count)
  })

  test.each([
    ['ABOOK-10: of an offer that is gone', 'offer-gone', { kind: 'rejected', code: 'OFFER_EXPIRED' }],
    ['ABOOK-11: at another price', 'price-change', { kind: 'repriced' }],
    ['that the airline says it has not made', 'order-502-not-created', { kind: 'rejected', code: 'BOOKING_FAILED' }],
    ['while the supplier is overloaded', 'order-503', { kind: 'rejected', code: 'BOOKING_FAILED' }],
    ['without money on the account', 'insufficient-balance', { kind: 'rejected' }],
  ])('%s is refused for good, and nothing was ordered', async (_what, name, outcome) => {
    const wanted = await request()
    const parts: Record<string, object> = { 'price-change': { amount: '10.00', at: 'order' }, 'offer-gone': { at: 'order' } }
    await bringAbout(name, parts[name])
    expect(await supplier.order(wanted)).toMatchObject(outcome)
    expect(await made(wanted)).toBe(0)
  })

  test('to a supplier that refuses the connection was never sent', async () => {
    const nobody = duffelSupplier('duffel_test_simulator', 'http://127.0.0.1:9', createMetrics('booking'), DEADLINES)
    expect(await nobody.order(await request())).toMatchObject({ kind: 'rejected', code: 'BOOKING_FAILED' })
  })
})

test('the orders of the last day are those of this system alone, over as many pages as there are', async () => {
  const mine = [await ordered(), await ordered()]
  const foreign = await request('ZZ', 'https://another.example')
  await supplier.order(foreign)
  const found = await supplier.madeSince(new Date(Date.now() - 86_400_000), SYSTEM)
  expect(found.map(({ bookingId }) => bookingId)).toEqual(expect.arrayContaining(mine.map(({ bookingId }) => bookingId)))
  expect(found.map(({ bookingId }) => bookingId)).not.toContain(foreign.metadata.booking_id)
  expect(await supplier.madeSince(new Date(Date.now() + 60_000), SYSTEM)).toEqual([])
})

describe('a cancellation', () => {
  test('ABOOK-24: is quoted and confirmed; once more it answers the same', async () => {
    const { order, bookingId, offerId } = await ordered()
    const first = await supplier.cancel(order.id, null)
    expect(first).toMatchObject({
      kind: 'cancelled',
      refund: { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'EUR', to: 'balance', credits: [] },
    })
    expect(await supplier.cancel(order.id, null)).toEqual(first)
    expect(await supplier.find(bookingId, offerId)).toMatchObject({ cancelled: true })
  })

  test('C22: that gives back less than was promised is not confirmed', async () => {
    const { order, bookingId, offerId } = await ordered()
    expect(await supplier.cancel(order.id, () => false)).toMatchObject({ kind: 'worse' })
    expect(await supplier.find(bookingId, offerId)).toMatchObject({ cancelled: false })
  })

  test('ABOOK-25: that the airline refuses is reported as refused', async () => {
    const { order } = await ordered()
    await bringAbout('cancel-refused')
    expect(await supplier.cancel(order.id, null)).toMatchObject({ kind: 'refused' })
  })

  test('C22: whose quote has gone stale is asked for again', async () => {
    const { order } = await ordered()
    await bringAbout('cancel-stale')
    await expect(supplier.cancel(order.id, null)).rejects.toThrow()
    expect(await supplier.cancel(order.id, null)).toMatchObject({ kind: 'cancelled' })
  })

  test('C23: whose answer is lost has happened, and says so the next time', async () => {
    const { order } = await ordered()
    await bringAbout('cancel-timeout-after-commit')
    await expect(supplier.cancel(order.id, null)).rejects.toThrow()
    expect(await supplier.cancel(order.id, null)).toMatchObject({
      kind: 'cancelled',
      refund: { amount: expect.any(String), to: 'balance' },
    })
  })

  test('of which the airline does not say what comes back is cancelled all the same', async () => {
    const { order } = await ordered()
    await bringAbout('refund-unknown')
    expect(await supplier.cancel(order.id, () => true)).toMatchObject({ kind: 'cancelled', refund: { amount: null, currency: null } })
  })

  test('that gives credit, another currency or an odd figure is reported as the airline says it', async () => {
    const figures = { refundAmount: '12.345', refundCurrency: 'USD', refundTo: 'voucher' }
    const { order } = await ordered()
    await bringAbout('refund-figures', figures)
    const quoted: unknown[] = []
    const accepts = (refund: unknown) => quoted.push(refund) > 0
    const said = { amount: '12.345', currency: 'USD', to: 'voucher', credits: [] }
    expect(await supplier.cancel(order.id, accepts)).toEqual({ kind: 'cancelled', refund: said })
    expect(quoted).toEqual([said])
  })

  test('to a place that pays in airline credits says so, with the credit of each passenger', async () => {
    const { order } = await ordered('ZZ', { from: 'LTN', to: 'SYD' })
    const outcome = await supplier.cancel(order.id, null)
    expect(outcome).toMatchObject({
      kind: 'cancelled',
      refund: { to: 'airline_credits', credits: [{ credit_amount: expect.any(String) }] },
    })
  })
})
