/** Bookings that were changed on the way to us, with payments that are others', used, too small or none: each is refused and orders nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lisbon } from './searches.fixture.ts'
import { bookingOf, type Checkout, type Effects, openTamperedWorld, paymentOf, shifted, type TamperedWorld } from './tampering.fixture.ts'
import { type Answer, eventually, party, testCard, Visitor } from './test-visitor.fixture.ts'

let world: TamperedWorld
let before: Effects
beforeAll(async () => {
  world = await openTamperedWorld()
})
afterAll(async () => {
  await world.system.stop()
})
beforeEach(async () => {
  before = await world.effects()
})

type Booking = ReturnType<typeof bookingOf>
type Refusal = [title: string, change: (booking: Booking, about: Checkout) => object | Promise<object>, status: number, error: string]

const send = ({ visitor }: Pick<Checkout, 'visitor'>, body: object, headers: Record<string, string> = {}) =>
  visitor.post('/api/bookings', body, { 'idempotency-key': crypto.randomUUID(), ...headers })

async function expectRefusal(answer: Answer, status: number, error: string, orders = 0): Promise<void> {
  expect(answer).toMatchObject({ status, body: { error, message: expect.any(String) } })
  expect(await world.effects()).toEqual({ orders: before.orders + orders, captures: before.captures + orders })
}

const details =
  (change: (given: Booking['paymentDetails']) => object): Refusal[1] =>
  (booking) => ({
    paymentDetails: { ...booking.paymentDetails, ...change(booking.paymentDetails) },
  })
const passengers =
  (change: (given: Record<string, unknown>[]) => object[]): Refusal[1] =>
  (booking) => ({
    passengers: change(booking.passengers),
  })
const seat = async ({ visitor, offer }: Checkout, more: object = {}) => ({
  ...(await visitor.freeSeat(offer, offer.passengers[0]?.id ?? '')),
  ...more,
})

describe('R-15, ABOOK-13: a booking with a good hold is refused when it has', () => {
  const tampered: Refusal[] = [
    ['one unit less', details(({ amount }) => ({ amount: shifted(String(amount), -100) })), 422, 'PAYMENT_AMOUNT_MISMATCH'],
    ['a negative amount', details(({ amount }) => ({ amount: `-${amount}` })), 400, 'VALIDATION_ERROR'],
    ['no amount', details(() => ({ amount: 0 })), 400, 'VALIDATION_ERROR'],
    ['an amount beyond any', details(() => ({ amount: 1e30 })), 400, 'VALIDATION_ERROR'],
    ['another currency', details(() => ({ currency: 'HUF' })), 422, 'PAYMENT_AMOUNT_MISMATCH'],
    [
      'the airline’s price without ours',
      (booking, { offer }) => details(() => ({ amount: offer.total_amount }))(booking, { offer } as Checkout),
      422,
      'PAYMENT_AMOUNT_MISMATCH',
    ],
    [
      'a word that it is paid, and no payment',
      details(() => ({ paymentId: undefined, status: 'captured', success: true })),
      422,
      'PAYMENT_UNKNOWN',
    ],
    ['a payment that nobody made', details(() => ({ paymentId: 'pay_0000000000000000' })), 422, 'PAYMENT_UNKNOWN'],
    ['a payment of the card provider’s', details(() => ({ paymentId: 'pi_1' })), 422, 'PAYMENT_UNKNOWN'],
    ['a payment that asks the database', details(() => ({ paymentId: { $ne: null } })), 400, 'VALIDATION_ERROR'],
    ['a seat that was not paid for', async (_, about) => ({ seats: [await seat(about)] }), 409, 'PRICE_CHANGED'],
    [
      'a seat for nothing',
      async (_, about) => ({ seats: [await seat(about, { price: { amount: '0', currency: 'EUR' } })] }),
      409,
      'PRICE_CHANGED',
    ],
    ['a seat that is not on this flight', async (_, about) => ({ seats: [await seat(about, { seatId: '99Z' })] }), 409, 'SEAT_UNAVAILABLE'],
    ['one passenger more', passengers((all) => [...all, { ...all[0], firstName: 'Claire' }]), 422, 'PASSENGERS_MISMATCH'],
    ['no passenger', passengers(() => []), 400, 'VALIDATION_ERROR'],
    ['a child in an adult’s place', passengers((all) => all.map((one) => ({ ...one, type: 'child' }))), 422, 'PASSENGERS_MISMATCH'],
    ['a passenger of another offer', passengers((all) => all.map((one) => ({ ...one, id: 'pas_nobody' }))), 422, 'PASSENGERS_MISMATCH'],
    ['an offer that nobody made', () => ({ offerId: 'off_0000000000000000000000' }), 404, 'OFFER_NOT_FOUND'],
    ['no offer', () => ({ offerId: '' }), 400, 'VALIDATION_ERROR'],
  ]
  test.each(tampered)('%s', async (_, change, status, error) => {
    const about = await world.checkout()
    const booking = bookingOf(about, await world.held(about))
    await expectRefusal(await send(about, { ...booking, ...(await change(booking, about)) }), status, error)
  })
})

describe('R-15, ABOOK-13: no booking is made with', () => {
  test('a hold of another visitor', async () => {
    const [mine, theirs] = [await world.checkout(), await world.checkout()]
    const paymentId = await world.held(theirs)
    await expectRefusal(await send(mine, bookingOf({ ...mine, offer: theirs.offer }, paymentId)), 422, 'PAYMENT_UNKNOWN')
  })

  test('a hold for another offer', async () => {
    const search = lisbon()
    const mine = await world.checkout(search)
    const paymentId = await world.held(mine)
    const offer = await mine.visitor.offer(search, ({ price }) => price.total !== mine.offer.price.total)
    await expectRefusal(await send(mine, bookingOf({ ...mine, offer }, paymentId)), 422, 'PAYMENT_UNKNOWN')
  })

  test('a hold for no offer, and less than the price', async () => {
    const mine = await world.checkout()
    const paid = await mine.visitor.post('/api/payments/process-card', { ...paymentOf(mine), amount: '1.00', offerId: undefined })
    expect(paid.status).toBe(200)
    await expectRefusal(await send(mine, bookingOf(mine, String(paid.body.paymentId))), 422, 'PAYMENT_AMOUNT_MISMATCH')
  })

  test('the payment of a booking that there is', async () => {
    const first = await world.booked(await world.checkout())
    const body = { ...bookingOf(first, first.paymentId), passengers: party(first.offer) }
    const found = await send(first, body)
    expect([found.status, found.body.error]).toEqual([409, 'PAYMENT_NOT_USABLE'])
    await expectRefusal(found, 409, 'PAYMENT_NOT_USABLE', 1)
  })

  test('the payment of a booking that there is, by somebody else', async () => {
    const [first, mine] = [await world.booked(await world.checkout()), await world.checkout()]
    await expectRefusal(await send(mine, bookingOf({ ...mine, offer: first.offer }, first.paymentId)), 422, 'PAYMENT_UNKNOWN', 1)
  })

  test('a payment that was given back', async () => {
    const refundable = await world.checkout(lisbon(), ({ conditions, owner }) => conditions.refundable && owner.iata_code === 'ZZ')
    const first = await world.booked(refundable)
    expect((await first.visitor.post(`/api/bookings/${first.id}/cancel`)).status).toBe(200)
    await eventually(
      'the refund',
      async () => (await first.visitor.get<{ refund?: { refundedAt?: string } }>(`/api/bookings/${first.id}`)).body.refund?.refundedAt,
    )
    await expectRefusal(await send(first, bookingOf(first, first.paymentId)), 409, 'PAYMENT_NOT_USABLE', 1)
  })

  test('the key of an earlier booking and another body', async () => {
    const first = await world.booked(await world.checkout())
    const again = { ...bookingOf(first, first.paymentId), passengers: party(first.offer) }
    await expectRefusal(await send(first, again, { 'idempotency-key': first.key }), 422, 'IDEMPOTENCY_KEY_REUSED', 1)
  })

  test('a card that was declined', async () => {
    const mine = await world.checkout()
    const card = { ...testCard, number: '4000 0000 0000 9995' }
    expect((await mine.visitor.pay(mine.offer, { card })).status).toBe(402)
    const booking = bookingOf(mine, '')
    await expectRefusal(
      await send(mine, { ...booking, paymentDetails: { ...booking.paymentDetails, paymentId: undefined, cardDetails: card } }),
      402,
      'CARD_DECLINED',
    )
  })

  test('a hold of another brand, where the price is another', async () => {
    const admin = await world.admin()
    for (const [brand, markupPercent] of Object.entries({ 'atlas.example': 2, 'aurora.example': 40 }))
      expect((await admin.call('PUT', `/api/admin/markups/${brand}`, { markupPercent })).status).toBe(200)
    // Every part of the gateway knows it this long after.
    await new Promise((done) => setTimeout(done, 3500))
    const mine = await world.checkout(lisbon(), undefined, 'atlas.example')
    const paymentId = await world.held(mine)
    mine.visitor.cookies.set('brand', 'aurora.example')
    const answer = await send(mine, bookingOf(mine, paymentId))
    expect([409, 422]).toContain(answer.status)
    await expectRefusal(answer, answer.status, answer.status === 409 ? 'PRICE_CHANGED' : 'PAYMENT_AMOUNT_MISMATCH')
  })
})

describe('a step that is not the visitor’s is not taken by', () => {
  const steps: [string, string, string, object | undefined, number, string][] = [
    ['taking the money', 'POST', '/internal/payments/pay_1/capture', undefined, 404, 'NOT_FOUND'],
    ['tying a hold to a booking', 'POST', '/internal/payments/pay_1/claim', { bookingId: 'bk_1' }, 404, 'NOT_FOUND'],
    ['capturing under an address of the API', 'POST', '/api/payments/capture', { paymentId: 'pay_1' }, 404, 'NOT_FOUND'],
    [
      'a notice of the card provider that nobody signed',
      'POST',
      '/api/payments/webhook/test',
      { type: 'payment_intent.succeeded' },
      400,
      'VALIDATION_ERROR',
    ],
    ['switching the mode', 'POST', '/api/admin/settings', { enableLiveMode: true }, 401, 'NOT_AUTHENTICATED'],
    ['lowering the markup', 'PUT', '/api/admin/markups/default', { markupPercent: 0 }, 401, 'NOT_AUTHENTICATED'],
    ['confirming a booking', 'PUT', '/api/bookings/bk_1', { status: 'confirmed' }, 405, 'METHOD_NOT_ALLOWED'],
  ]
  test.each(steps)('%s', async (_, method, path, body, status, error) => {
    const visitor = await new Visitor(world.system.url).known()
    await expectRefusal(await visitor.call(method, path, body), status, error)
  })

  test('cancelling another’s booking', async () => {
    const first = await world.booked(await world.checkout())
    const stranger = await new Visitor(world.system.url).known()
    await expectRefusal(await stranger.post(`/api/bookings/${first.id}/cancel`), 404, 'BOOKING_NOT_FOUND', 1)
    expect((await first.visitor.get<{ status: string }>(`/api/bookings/${first.id}`)).body.status).toBe('confirmed')
  })
})

test('R-22: a hold of test mode books nothing in live mode, nor does a test card', async () => {
  const mine = await world.checkout()
  const paymentId = await world.held(mine)
  const admin = await world.admin()
  expect((await admin.post('/api/admin/settings', { enableLiveMode: true })).status).toBe(200)
  await eventually('live mode', async () => (await admin.get<{ mode: string }>('/api/system/mode')).body.mode === 'live')
  await new Promise((done) => setTimeout(done, 3500))
  const answer = await send(mine, bookingOf(mine, paymentId))
  expect([404, 410, 422]).toContain(answer.status)
  await expectRefusal(answer, answer.status, String(answer.body.error))
  const now = await world.checkout()
  await expectRefusal(await send(now, bookingOf(now, paymentId)), 422, 'PAYMENT_UNKNOWN')
  await expectRefusal(await now.visitor.post('/api/payments/process-card', paymentOf(now)), 402, 'CARD_DECLINED')
})
