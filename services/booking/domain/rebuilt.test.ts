/** What a booking is made of again, and when it is not. */
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { describe, expect, test } from 'vitest'
import { quote } from './booking.fixture.ts'
import { toPublic } from './booking.ts'
import { paymentFor, rebuiltBooking, type SoldOrder, whyNotRebuilt } from './rebuilt.ts'
import { receiptLines } from './receipt.ts'

const { offer, supplier } = quote
const passenger = (supplierId: string, type: SoldOrder['passengers'][number]['type'], firstName: string) => ({
  ...{ supplierId, type, title: 'ms', gender: 'f' as const, firstName, lastName: 'Moreau' },
  ...{ email: 'ines@example.org', phone: '+33123456789', bornOn: '1988-06-15', frequentFlyer: null },
})
const order = (change: Partial<SoldOrder> = {}): SoldOrder => ({
  ...{ id: 'ord_1', offerId: 'off_1', airlineReference: 'ABC123', cancellable: true, cancelled: false },
  createdAt: new Date('2026-11-21T10:05:00Z'),
  total: { amount: '242.50', currency: 'EUR' },
  named: { bookingId: 'bk_1', reference: 'K7TM2PQX', paymentId: 'pay_1', brand: 'atlas.example' },
  ...{ owner: offer.owner, conditions: offer.conditions, slices: offer.slices, segments: supplier.segments },
  passengers: [passenger('pas_b', 'child', 'Zoe'), passenger('pas_a', 'adult', 'Ines')],
  seats: [{ designator: '12A', amount: '20.00', passenger: 'pas_a', segment: 'seg_a' }],
  tickets: [{ number: '0472100000001', passengers: ['pas_a'] }],
  ...change,
})
const entry = (change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ paymentId: null, namedPaymentId: 'pay_1', intentId: 'pi_1', bookingId: null, createdAt: '2026-11-21T10:05:00Z' },
  ...{ currency: 'EUR', capturedMinor: 29_800, refundedMinor: 0, recorded: null },
  ...change,
})
const now = new Date('2026-11-21T11:00:00Z')
const rebuilt = (change?: Partial<SoldOrder>) =>
  rebuiltBooking(order(change), {
    payment: { id: 'pay_1', minor: 29_800, currency: 'EUR', cardLast4: '4242' },
    mode: 'test',
    ...{ brand: 'atlas.example', providerId: '0123456789ABCDEFGHJK', requestId: 'r', now, leaseUntil: now },
    seal: (documents) => ({ documents: JSON.stringify(documents), documentKey: 'key' }),
  })

describe('a rebuilt booking', () => {
  test('has its ids, order, ticket, amounts and flights, adults first, and waits for the saga', () => {
    expect(rebuilt()).toMatchObject({
      ...{ _id: 'bk_1', reference: 'K7TM2PQX', providerId: 'K7TM2PQX89ABCDEFGHJK', state: 'ORDERED', open: true, brand: 'atlas.example' },
      ...{ orderId: 'ord_1', airlineReference: 'ABC123', paymentId: 'pay_1', cardLast4: '4242', captured: null },
      ...{ charge: { minor: 29_800, currency: 'EUR' }, supplierCharge: { amount: '242.50', currency: 'EUR' } },
      ...{ firstDeparture: new Date('2027-03-04T07:15:00Z'), lastArrival: new Date('2027-03-11T20:35:00Z') },
      offer: { total_amount: '222.50', conditions: offer.conditions },
      contact: { email: 'ines@example.org', firstName: 'Ines' },
      people: [
        { id: 'pas_1', firstName: 'Ines' },
        { id: 'pas_2', firstName: 'Zoe', type: 'child' },
      ],
      seats: [{ seatId: '12A', passengerId: 'pas_1', segmentId: 'seg_1_1' }],
      tickets: [{ number: '0472100000001', passengerIds: ['pas_1'] }],
    })
  })

  test('has neither account nor passport, and nobody is told again that it is pending', () => {
    const booking = rebuilt()
    expect(booking).toMatchObject({ userId: null, visitorId: null, pendingAnnouncedAt: booking.createdAt })
    expect(JSON.parse(booking.documents ?? '')[0]).toEqual({
      ...{ dateOfBirth: '1988-06-15', passportNumber: null, passportExpiryDate: null, passportIssuingCountry: null },
    })
  })

  test('is shown and has a receipt over the whole charge', () => {
    const booking = rebuilt()
    expect(toPublic({ ...booking, state: 'CONFIRMED' }, now)).toMatchObject({ status: 'confirmed', charged: { amount: '298.00' } })
    expect(
      receiptLines(booking)
        .map(({ amount }) => Number(amount))
        .reduce((sum, one) => sum + one),
    ).toBe(298)
  })
})

describe('the payment of an order', () => {
  test('is the one that the order names, or is recorded for its booking where it names none', () => {
    const others = [entry({ namedPaymentId: 'pay_2', intentId: 'pi_2' }), entry()]
    expect(paymentFor(order(), others)?.intentId).toBe('pi_1')
    const before = order({ named: { ...order().named, paymentId: null } })
    expect(paymentFor(before, others)).toBeUndefined()
    expect(paymentFor(before, [...others, entry({ bookingId: 'bk_1', intentId: 'pi_3' })])?.intentId).toBe('pi_3')
  })

  test('is none that was only held', () => {
    expect(paymentFor(order(), [entry({ capturedMinor: 0 })])).toBeUndefined()
  })
})

const judged: [string | null, Partial<SoldOrder>, LedgerEntry | undefined][] = [
  ['the order is cancelled', { cancelled: true }, entry()],
  ['the order names no booking of this system', { named: { ...order().named, bookingId: null } }, entry()],
  ['no captured payment is known for it', {}, undefined],
  ['all that was paid has gone back to the card', {}, entry({ refundedMinor: 29_800 })],
  ['its payment is that of booking bk_2', {}, entry({ bookingId: 'bk_2' })],
  [null, {}, entry({ bookingId: 'bk_1', refundedMinor: 100 })],
]
test.each(judged)('refused or not: %s', (reason, change, payment) => {
  expect(whyNotRebuilt(order(change), payment)).toBe(reason)
})
