/** Payments that were changed on the way to us: each is refused, and neither supplier has heard of one. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lisbon } from './searches.fixture.ts'
import { type Checkout, openTamperedWorld, paymentOf, shifted, type TamperedWorld } from './tampering.fixture.ts'
import { testCard } from './test-visitor.fixture.ts'

let world: TamperedWorld
let mine: Checkout
/** Another offer of the same search, at another price. */
let other: Checkout
beforeAll(async () => {
  world = await openTamperedWorld()
  const search = lisbon()
  mine = await world.checkout(search)
  other = await world.checkout(search, (offer) => offer.price.total !== mine.offer.price.total)
})
afterAll(async () => {
  await world.system.stop()
})

type Payment = ReturnType<typeof paymentOf>
type Change = (payment: Payment) => object | Promise<object>

const amount =
  (change: (given: string) => unknown): Change =>
  (payment) => ({ amount: change(payment.amount) })
const seat = async (more: object) => {
  const free = await mine.visitor.freeSeat(mine.offer, mine.offer.passengers[0]?.id ?? '')
  return { ...free, ...more }
}

const tampered: [string, Change, number, string][] = [
  ['one unit less', amount((given) => shifted(given, -100)), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['one unit more', amount((given) => shifted(given, 100)), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['the airline’s price without ours', () => ({ amount: mine.offer.total_amount }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['a hundredth of the price', amount((given) => shifted(String(Number(given) / 100), 0)), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['the smallest amount there is', amount(() => '0.01'), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['the largest amount there is', amount(() => '999999999999.99'), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['nothing', amount(() => 0), 400, 'VALIDATION_ERROR'],
  ['a negative amount', amount((given) => `-${given}`), 400, 'VALIDATION_ERROR'],
  ['a number beyond any amount', amount(() => 1e30), 400, 'VALIDATION_ERROR'],
  ['an amount in powers of ten', amount(() => '1e2'), 400, 'VALIDATION_ERROR'],
  ['an amount in hexadecimal', amount(() => '0x112'), 400, 'VALIDATION_ERROR'],
  ['an amount that is no number', amount(() => 'NaN'), 400, 'VALIDATION_ERROR'],
  ['an amount with blanks', amount((given) => ` ${given} `), 400, 'VALIDATION_ERROR'],
  ['an amount with a comma', amount((given) => given.replace('.', ',').concat(',0')), 400, 'VALIDATION_ERROR'],
  ['no amount', amount(() => null), 400, 'VALIDATION_ERROR'],
  ['a list of amounts', amount((given) => [given, '0.01']), 400, 'VALIDATION_ERROR'],
  ['an amount that asks the database', amount(() => ({ $gt: 0 })), 400, 'VALIDATION_ERROR'],
  ['another currency with the same figure', () => ({ currency: 'HUF' }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['a currency without decimals', () => ({ currency: 'JPY' }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['a currency that is none', () => ({ currency: 'XXX' }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['a currency that is too long', () => ({ currency: 'EURO' }), 400, 'VALIDATION_ERROR'],
  ['another offer’s price', () => ({ amount: other.offer.price.total }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['another offer at this price', () => ({ offerId: other.offer.id }), 422, 'PAYMENT_AMOUNT_MISMATCH'],
  ['an offer that nobody made', () => ({ offerId: 'off_0000000000000000000000' }), 404, 'OFFER_NOT_FOUND'],
  ['an offer that is an address', () => ({ offerId: '../internal/offers' }), 400, 'VALIDATION_ERROR'],
  [
    'a seat for nothing',
    async () => ({ seats: [await seat({ price: { amount: '0', currency: 'EUR' } })] }),
    422,
    'PAYMENT_AMOUNT_MISMATCH',
  ],
  [
    'a seat that makes it cheaper',
    async () => ({ seats: [await seat({ price: { amount: '-50', currency: 'EUR' } })] }),
    400,
    'VALIDATION_ERROR',
  ],
  ['a seat that is not on this flight', async () => ({ seats: [await seat({ seatId: '99Z' })] }), 409, 'SEAT_UNAVAILABLE'],
  ['a seat for a passenger of nobody', async () => ({ seats: [await seat({ passengerId: 'pas_nobody' })] }), 409, 'SEAT_UNAVAILABLE'],
  ['a seat on another flight', async () => ({ seats: [await seat({ segmentId: 'seg_elsewhere' })] }), 409, 'SEAT_UNAVAILABLE'],
  ['no card', () => ({ cardDetails: undefined }), 400, 'VALIDATION_ERROR'],
  ['a card and another one', () => ({ paymentMethodId: 'pm_card_visa' }), 400, 'VALIDATION_ERROR'],
  ['a card that is not one of the test', () => ({ cardDetails: { ...testCard, number: '4111 1111 1111 1111' } }), 422, 'CARD_NOT_ACCEPTED'],
  ['a card that has expired', () => ({ cardDetails: { ...testCard, expiryYear: '20' } }), 400, 'VALIDATION_ERROR'],
]

describe('R-15: a payment is refused when it has', () => {
  test.each(tampered)('%s', async (_, change, status, error) => {
    const body = { ...paymentOf(mine), ...(await change(paymentOf(mine))) }
    const answer = await mine.visitor.post('/api/payments/process-card', body, { 'idempotency-key': crypto.randomUUID() })
    expect(answer).toMatchObject({ status, body: { error, message: expect.any(String) } })
  })

  test('the price of a brand that is cheaper', async () => {
    const admin = await world.admin()
    for (const [brand, markupPercent] of Object.entries({ 'atlas.example': 2, 'aurora.example': 40 }))
      expect((await admin.call('PUT', `/api/admin/markups/${brand}`, { markupPercent })).status).toBe(200)
    // Every part of the gateway knows it this long after.
    await new Promise((done) => setTimeout(done, 3500))
    const cheap = await world.checkout(lisbon(), undefined, 'atlas.example')
    const { offer } = cheap
    cheap.visitor.cookies.set('brand', 'aurora.example')
    const dear = await cheap.visitor.get<FlightOffer>(`/api/flights/offer/${offer.id}`)
    expect(Number(dear.body.price.total)).toBeGreaterThan(Number(offer.price.total))
    const answer = await cheap.visitor.post('/api/payments/process-card', paymentOf(cheap))
    expect(answer).toMatchObject({
      status: expect.any(Number),
      body: { error: expect.stringMatching(/PAYMENT_AMOUNT_MISMATCH|PRICE_CHANGED/) },
    })
  })
})

test('R-15: nothing was ordered or captured by any of them', async () => {
  expect(tampered.length).toBeGreaterThan(30)
  expect(await world.effects()).toEqual({ orders: 0, captures: 0 })
})
