import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, book, clientOf, freeSeats, isFrom, orderOf, pick, refusalOf, search, startBench } from './test-client.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
beforeEach(() => bench.control('reset', {}))
afterAll(() => bench.stop())

/** Whether the promise is still open after a moment in which a local answer would have come. */
const isOpen = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 150)),
  ])

describe('routes with a known behaviour', () => {
  const offersOf = async (from: string, to: string) => (await search(bench, { from, to })).offers
  const first = async (from: string, to: string) => pick(await search(bench, { from, to }))

  it('PVD to RAI finds nothing', async () => {
    expect(await offersOf('PVD', 'RAI')).toEqual([])
  })

  it('BTS to ABV sells no bags and shows no seats', async () => {
    const offer = await first('BTS', 'ABV')
    expect((await bench.duffel.offers.get(offer.id, { return_available_services: true })).data.available_services).toEqual([])
    expect((await bench.duffel.seatMaps.get({ offer_id: offer.id })).data).toEqual([])
  })

  it('STN to LHR times out', async () => {
    expect(await refusalOf(search(bench, { from: 'STN', to: 'LHR' }))).toEqual({ status: 504, codes: ['gateway_timeout_error'] })
  })

  it('LGW to LHR has offers that cannot be read or ordered', async () => {
    const offer = await first('LGW', 'LHR')
    expect(await refusalOf(bench.duffel.offers.get(offer.id))).toEqual({ status: 422, codes: ['offer_no_longer_available'] })
    expect((await refusalOf(book(bench, offer))).codes).toEqual(['offer_no_longer_available'])
  })

  it('LHR to STN costs 10.00 more on each reading; the old total is refused, the new one taken', async () => {
    const offer = await first('LHR', 'STN')
    const read = async () => (await bench.duffel.offers.get(offer.id)).data
    const [one, two] = [await read(), await read()]
    expect(Number(one.total_amount) - Number(offer.total_amount)).toBeCloseTo(10, 5)
    expect(Number(two.total_amount) - Number(offer.total_amount)).toBeCloseTo(20, 5)
    expect((await refusalOf(book(bench, one))).codes).toEqual(['payment_amount_does_not_match_order_amount'])
    expect((await book(bench, two)).total_amount).toBe(two.total_amount)
  })

  it('LTN to SYD refunds to airline credits', async () => {
    const offer = pick(
      await search(bench, { from: 'LTN', to: 'SYD', passengers: ['adult', 'adult'] }),
      (one) => isFrom('ZZ')(one) && one.conditions.refund_before_departure?.allowed === true,
    )
    const order = await book(bench, offer)
    const { data } = await bench.duffel.orderCancellations.create({ order_id: order.id })
    expect(data.refund_to).toBe('airline_credits')
    expect(data.airline_credits).toHaveLength(2)
    const sum = data.airline_credits.reduce((total, credit) => total + Number(credit.credit_amount), 0)
    expect(sum).toBeCloseTo(Number(data.refund_amount), 5)
  })
})

describe('named cases', () => {
  const aCase = (body: object) => bench.control('cases', body)
  const offerTo = async (to = 'LIS') => pick(await search(bench, { to }), isFrom('ZZ'))

  it('price-change raises the price at the next reading, or refuses the next order with price_changed', async () => {
    const one = await offerTo()
    await aCase({ case: 'price-change', offerId: one.id, amount: '15.50' })
    const { data: read } = await bench.duffel.offers.get(one.id)
    expect(Number(read.total_amount) - Number(one.total_amount)).toBeCloseTo(15.5, 5)
    expect((await bench.duffel.offers.get(one.id)).data.total_amount).toBe(read.total_amount)

    const two = await offerTo()
    await aCase({ case: 'price-change', route: 'CDG-LIS', at: 'order' })
    expect((await bench.duffel.offers.get(two.id)).data.total_amount).toBe(two.total_amount)
    expect((await refusalOf(book(bench, two))).codes).toEqual(['price_changed'])
    const { data: after } = await bench.duffel.offers.get(two.id)
    expect(Number(after.total_amount) - Number(two.total_amount)).toBeCloseTo(10, 5)
    expect((await book(bench, after)).total_amount).toBe(after.total_amount)
  })

  it('skip lets readings pass before the price falls', async () => {
    const offer = await offerTo()
    await aCase({ case: 'price-change', route: 'CDG-LIS', at: 'read', amount: '-5.00', skip: 1 })
    expect((await bench.duffel.offers.get(offer.id)).data.total_amount).toBe(offer.total_amount)
    expect(Number((await bench.duffel.offers.get(offer.id)).data.total_amount)).toBeCloseTo(Number(offer.total_amount) - 5, 5)
  })

  it('seat-taken takes a named seat of an offer at once, or the ordered seat in the last moment', async () => {
    const offer = await offerTo()
    const seats = async () => freeSeats((await bench.duffel.seatMaps.get({ offer_id: offer.id })).data[0]!, offer.passengers[0]!.id)
    const [named, wanted] = await seats()
    await aCase({ case: 'seat-taken', offerId: offer.id, designator: named!.designator })
    expect((await seats()).map(({ designator }) => designator)).not.toContain(named!.designator)
    const paid = { payments: [{ type: 'balance' as const, amount: (Number(offer.total_amount) + 20).toFixed(2), currency: 'EUR' }] }
    expect((await refusalOf(book(bench, offer, { services: [{ id: named!.id, quantity: 1 }], ...paid }))).codes).toEqual([
      'ancillary_service_not_available',
    ])
    await aCase({ case: 'seat-taken', route: 'CDG-LIS' })
    expect((await refusalOf(book(bench, offer, { services: [{ id: wanted!.id, quantity: 1 }], ...paid }))).codes).toEqual([
      'ancillary_service_not_available',
    ])
    expect((await seats()).map(({ designator }) => designator)).not.toContain(wanted!.designator)
    expect((await book(bench, offer)).services).toEqual([])
  })

  it('offer-gone and offer-expired lose an offer for good', async () => {
    const found = await search(bench)
    const [gone, expired, old] = found.offers
    await aCase({ case: 'offer-gone', offerId: gone!.id })
    expect((await refusalOf(bench.duffel.offers.get(gone!.id))).codes).toEqual(['offer_no_longer_available'])
    await aCase({ case: 'offer-expired', offerId: expired!.id, at: 'order' })
    expect((await bench.duffel.offers.get(expired!.id)).data.id).toBe(expired!.id)
    expect((await refusalOf(book(bench, expired!))).codes).toEqual(['offer_expired'])
    await aCase({ case: 'offer-expired', offerId: old!.id, as: 'payload' })
    const { data } = await bench.duffel.offers.get(old!.id)
    expect(Date.parse(data.expires_at)).toBeLessThan(Date.now())
  })

  it('order-202 answers 202 without an order, which appears when its time has come', async () => {
    const offer = await offerTo()
    await aCase({ case: 'order-202', appearsAfterSeconds: 60 })
    const answer = await bench.duffel.orders.create(orderOf(offer, { metadata: { booking_id: 'bk_202' } }))
    expect(answer.status).toBe(202)
    expect(answer.data.id).toBeUndefined()
    const list = async () => (await bench.duffel.orders.list({ offer_id: offer.id } as object)).data
    expect(await list()).toEqual([])
    const [order] = (await bench.ledger()).orders
    expect(order).toMatchObject({ offer_id: offer.id, metadata: { booking_id: 'bk_202' } })
    expect((await refusalOf(bench.duffel.orderCancellations.create({ order_id: order!.id }))).status).toBe(404)
    expect((await refusalOf(book(bench, offer))).codes).toEqual(['offer_request_already_booked'])
    await bench.control('clock', { advanceSeconds: 61 })
    expect((await list()).map(({ id, metadata }) => [id, metadata])).toEqual([[order!.id, { booking_id: 'bk_202' }]])
  })

  it('orders that hang, are cut or fail after the commit exist; those that fail before do not', async () => {
    const run = async (name: string) => {
      const offer = await offerTo()
      await aCase({ case: name })
      const work = book(bench, offer)
      const open = await isOpen(work)
      const made = (await bench.ledger()).orders.some((order) => order.offer_id === offer.id)
      return {
        open,
        made,
        end: open
          ? null
          : await work.then(
              () => 'created',
              (error: Error & { code?: string; status?: number }) => error.code ?? error.status,
            ),
      }
    }
    expect(await run('order-timeout-after-commit')).toEqual({ open: true, made: true, end: null })
    expect(await run('order-reset-after-commit')).toEqual({ open: false, made: true, end: 'ECONNRESET' })
    expect(await run('order-500-after-commit')).toEqual({ open: false, made: true, end: 500 })
    expect(await run('order-502-not-created')).toEqual({ open: false, made: false, end: 502 })
    expect(await run('order-503')).toEqual({ open: false, made: false, end: 503 })
    expect(await run('insufficient-balance')).toEqual({ open: false, made: false, end: 422 })
  })

  it('cancellations can be refused, grow stale, hang after the commit, and leave the refund unknown', async () => {
    const order = await book(bench, await offerTo())
    const quote = () => bench.duffel.orderCancellations.create({ order_id: order.id })
    await aCase({ case: 'cancel-refused' })
    expect((await refusalOf(quote())).codes).toEqual(['unsupported_action'])
    await aCase({ case: 'refund-unknown' })
    expect((await quote()).data).toMatchObject({ refund_amount: null, refund_currency: null })
    await aCase({ case: 'cancel-stale' })
    const { data: stale } = await quote()
    expect((await refusalOf(bench.duffel.orderCancellations.confirm(stale.id))).codes).toEqual(['order_cancellation_stale'])
    await aCase({ case: 'cancel-timeout-after-commit' })
    const { data: last } = await quote()
    expect(await isOpen(bench.duffel.orderCancellations.confirm(last.id))).toBe(true)
    expect((await bench.duffel.orders.list()).data[0]!.cancelled_at).not.toBeNull()
    expect((await bench.ledger()).cancellations.filter(({ confirmed_at }) => confirmed_at !== null)).toHaveLength(1)
  })

  it('no-offers empties the next search of its route', async () => {
    await aCase({ case: 'no-offers', route: 'CDG-LIS' })
    expect((await search(bench, { to: 'OPO' })).offers.length).toBeGreaterThan(0)
    expect((await search(bench)).offers).toEqual([])
    expect((await search(bench)).offers.length).toBeGreaterThan(0)
  })

  it('refuses cases that are not understood', async () => {
    for (const body of [
      {},
      { case: 'unheard-of' },
      { case: 'price-change', amount: 'ten' },
      { case: 'price-change', designator: '12A' },
      { case: 'order-202', seat: 'any' },
      { case: 'offer-gone', offerId: 'off_0000000000000000000000' },
      { case: 'order-202', times: 0 },
      { case: 'seat-taken', designator: '12A' },
    ])
      expect((await bench.control('cases', body)).status).toBe(400)
    expect((await bench.control('cases', { case: 'list' })).body).toEqual({ waiting: [] })
  })
})

describe('control', () => {
  it('keeps a ledger of searches, orders and counts', async () => {
    const found = await search(bench, { to: 'JFK', back: true, passengers: ['adult', 'child'], cabin: 'business' })
    const order = await book(bench, pick(found))
    const ledger = await bench.ledger()
    expect(ledger.searches).toMatchObject([{ route: 'CDG-JFK' }])
    expect(ledger.counts).toMatchObject({ offerRequests: 1, orders: 1, offerReads: 0 })
    expect(ledger.orders).toMatchObject([
      { id: order.id, booking_reference: order.booking_reference, total_amount: order.total_amount, cancelled_at: null },
    ])
  })

  it('strikes with faults: a 429, a page of HTML, and a cut after the commit', async () => {
    await bench.control('faults', { match: { method: 'GET', path: '/air/offers*' }, effect: 'status', status: 429, times: 1 })
    const [any] = (await search(bench)).offers
    expect(await refusalOf(bench.duffel.offers.get(any!.id))).toEqual({ status: 429, codes: ['rate_limit_exceeded'] })
    await bench.control('faults', { match: { path: '/air/offer_requests*' }, effect: 'html', times: 1 })
    await expect(search(bench)).rejects.toMatchObject({ status: 502, errors: undefined })
    const offer = pick(await search(bench), isFrom('ZZ'))
    await bench.control('faults', { match: { method: 'POST', path: '/air/orders' }, effect: 'reset-after-commit', times: 1 })
    await expect(book(bench, offer)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect((await bench.duffel.orders.list({ offer_id: offer.id } as object)).data).toHaveLength(1)
  })

  it('keeps offers, orders, seats, waiting cases and the clock over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'duffel-simulator-'))
    const dataFile = join(folder, 'duffel.sqlite')
    const before = await startBench({ dataFile })
    const found = await search(before)
    const [one, two] = [pick(found, isFrom('ZZ')), pick(await search(before), isFrom('ZZ'))]
    const order = await book(before, one, { metadata: { booking_id: 'bk_9' } })
    await before.control('clock', { advanceSeconds: 60 })
    await before.control('cases', { case: 'price-change', offerId: two.id })
    const ledger = await before.ledger()
    await before.stop()

    const after = await startBench({ dataFile })
    try {
      const duffel = clientOf(after.url)
      expect((await duffel.orders.list()).data).toMatchObject([{ id: order.id, metadata: { booking_id: 'bk_9' } }])
      const { data: read } = await duffel.offers.get(two.id)
      expect(Number(read.total_amount) - Number(two.total_amount)).toBeCloseTo(10, 5)
      expect({ ...read, total_amount: '', base_amount: '' }).toEqual({ ...two, total_amount: '', base_amount: '' })
      expect((await refusalOf(book(after, pick(found, isFrom('TP'))))).codes).toEqual(['offer_request_already_booked'])
      expect((await after.control('clock')).body).toMatchObject({ offsetSeconds: 60 })
      const { orders, searches } = await after.ledger()
      expect(orders).toEqual(ledger.orders)
      expect(searches).toEqual(ledger.searches)
      expect((await book(after, read)).id).not.toBe(order.id)
    } finally {
      await after.stop()
      rmSync(folder, { recursive: true })
    }
  })

  it('still has an order that it answered before it was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'duffel-simulator-'))
    const dataFile = join(folder, 'duffel.sqlite')
    const program = `
      const { startDuffelSimulator } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
      console.log((await startDuffelSimulator({ dataFile: ${JSON.stringify(dataFile)} })).url)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const duffel = clientOf(line.toString().trim())
    const found = await search({ ...bench, duffel })
    const order = await book({ ...bench, duffel }, pick(found, isFrom('ZZ')))
    child.kill('SIGKILL')
    await once(child, 'exit')

    const after = await startBench({ dataFile })
    try {
      expect((await after.duffel.orders.list()).data[0]!.booking_reference).toBe(order.booking_reference)
      expect((await after.ledger()).orders).toHaveLength(1)
    } finally {
      await after.stop()
      rmSync(folder, { recursive: true })
    }
  })

  it('forgets everything on reset', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    await book(bench, offer)
    await bench.control('reset', {})
    expect(await bench.ledger()).toMatchObject({ searches: [], orders: [], cancellations: [] })
    expect((await refusalOf(bench.duffel.offers.get(offer.id))).status).toBe(404)
  })
})
