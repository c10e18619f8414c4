/** The airline in memory does what the supplier's simulator does over its own client: what follows holds of both. */
import type { OrderRequest } from '@passerelle/booking/domain/order'
import { duffelSupplier, type Supplier } from '@passerelle/booking/duffel'
import { createMetrics } from '@passerelle/kit/metrics'
import { type Bench, isFrom, orderOf, pick, search, startBench } from '@passerelle/simulators/duffel/test-client.fixture'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryAirline } from './airline.ts'
import { Ledgers } from './ledgers.ts'

const SYSTEM = 'https://flights.example'
type Opened = {
  supplier: Supplier
  request(): Promise<OrderRequest>
  next(how: 'refused' | 'late' | 'error, made' | 'gone' | 'repriced'): Promise<void>
}

let bench: Bench
let count = 0
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.stop())

const metadata = () => ({ booking_id: `bk_${++count}`, reference: 'K7TM2PQX', system: SYSTEM })

function inMemory(): Opened {
  const behaviour: string[] = []
  const tools = { ledgers: new Ledgers(), now: Date.now, behaviourAt: () => behaviour.shift(), onOrder: () => {} }
  const names = {
    refused: 'refused',
    late: 'accepted, comes late',
    'error, made': 'unknown error, made',
    gone: 'gone',
    repriced: 'repriced',
  }
  return {
    supplier: memoryAirline(tools),
    async request() {
      const about = {
        selected_offers: [`off_${count}`],
        payments: [{ type: 'balance', amount: '222.50', currency: 'EUR' }],
        services: [],
        passengers: [],
      }
      return { ...about, metadata: metadata() } as OrderRequest
    },
    next: async (how) => void behaviour.push(names[how]),
  }
}

function ofSimulator(): Opened {
  const cases = {
    refused: { case: 'cancel-refused' },
    late: { case: 'order-202', appearsAfterSeconds: 600 },
    'error, made': { case: 'order-500-after-commit' },
    gone: { case: 'offer-gone', at: 'order' },
    repriced: { case: 'price-change', amount: '10.00', at: 'order' },
  }
  return {
    supplier: duffelSupplier('duffel_test_simulator', bench.url, createMetrics('booking'), { orderMs: 2000, readMs: 2000 }),
    async request() {
      const { selected_offers, payments, passengers } = orderOf(pick(await search(bench), isFrom('ZZ')))
      return { selected_offers, payments, passengers, services: [], metadata: metadata() } as unknown as OrderRequest
    },
    next: async (how) => void (await bench.control('cases', cases[how])),
  }
}

describe.each([
  ['in memory', inMemory],
  ['of the simulator', ofSimulator],
])('the airline %s', (_where, open) => {
  const { supplier, request, next } = (() => {
    let opened: Opened | undefined
    const get = () => (opened ??= open())
    return {
      supplier: new Proxy({} as Supplier, { get: (_target, name: keyof Supplier) => get().supplier[name] }),
      request: () => get().request(),
      next: (how: Parameters<Opened['next']>[0]) => get().next(how),
    }
  })()
  const ordered = async () => {
    const wanted = await request()
    const outcome = await supplier.order(wanted)
    if (outcome.kind !== 'ordered') throw new Error(outcome.kind)
    return { wanted, order: outcome.order, bookingId: wanted.metadata.booking_id ?? '', offerId: wanted.selected_offers[0] ?? '' }
  }

  test('makes an order, and finds it by its booking and offer', async () => {
    const { order, bookingId, offerId } = await ordered()
    expect(order).toMatchObject({
      id: expect.stringMatching(/^ord_/),
      airlineReference: expect.any(String),
      cancellable: true,
      cancelled: false,
    })
    expect(await supplier.find(bookingId, offerId)).toEqual(order)
    expect(await supplier.find('bk_of_nobody', offerId)).toBeNull()
  })

  test('orders an offer once', async () => {
    const { wanted } = await ordered()
    expect(await supplier.order({ ...wanted, metadata: metadata() })).toEqual({ kind: 'offer-used' })
  })

  test('leaves it open after an error whether there is an order, which is found', async () => {
    const wanted = await request()
    await next('error, made')
    expect(await supplier.order(wanted)).toMatchObject({ kind: 'unknown' })
    expect(await supplier.find(wanted.metadata.booking_id ?? '', wanted.selected_offers[0] ?? '')).toMatchObject({ cancelled: false })
  })

  test('may accept an order that is not found yet', async () => {
    const wanted = await request()
    await next('late')
    expect(await supplier.order(wanted)).toMatchObject({ kind: 'unknown' })
    expect(await supplier.find(wanted.metadata.booking_id ?? '', wanted.selected_offers[0] ?? '')).toBeNull()
  })

  test.each([
    ['gone', { kind: 'rejected', code: 'OFFER_EXPIRED' }],
    ['repriced', { kind: 'repriced' }],
  ] as const)('makes no order of an offer that is %s', async (how, outcome) => {
    const wanted = await request()
    await next(how)
    expect(await supplier.order(wanted)).toMatchObject(outcome)
    expect(await supplier.find(wanted.metadata.booking_id ?? '', wanted.selected_offers[0] ?? '')).toBeNull()
  })

  test('cancels an order once, with the same refund each time it is asked', async () => {
    const { order, bookingId, offerId } = await ordered()
    const first = await supplier.cancel(order.id, null)
    expect(first).toMatchObject({
      kind: 'cancelled',
      refund: { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'EUR', to: 'balance', credits: [] },
    })
    expect(await supplier.cancel(order.id, null)).toEqual(first)
    expect(await supplier.find(bookingId, offerId)).toMatchObject({ id: order.id, cancelled: true, cancellable: false })
  })

  test('cancels nothing when its quote is not accepted, when it refuses, and when there is no such order', async () => {
    const { order, bookingId, offerId } = await ordered()
    expect(await supplier.cancel(order.id, () => false)).toEqual({ kind: 'worse' })
    await next('refused')
    expect(await supplier.cancel(order.id, null)).toMatchObject({ kind: 'refused' })
    expect(await supplier.cancel('ord_of_nobody', null)).toMatchObject({ kind: 'refused' })
    expect(await supplier.find(bookingId, offerId)).toMatchObject({ cancelled: false })
  })

  test('lists the orders of this system since a moment', async () => {
    const { order, bookingId } = await ordered()
    const found = await supplier.madeSince(new Date(Date.now() - 60_000), SYSTEM)
    expect(found.find(({ id }) => id === order.id)).toMatchObject({ bookingId, cancelled: false, total: { currency: 'EUR' } })
    expect(await supplier.madeSince(new Date(Date.now() - 60_000), 'https://another.example')).toEqual([])
    expect(await supplier.madeSince(new Date(Date.now() + 60_000), SYSTEM)).toEqual([])
  })
})
