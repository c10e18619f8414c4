import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { describe, expect, test } from 'vitest'
import type { Reversal } from './booking.ts'
import { differencesOf, type ReconciledBooking, type ReconciledOrder } from './reconciliation.ts'

const from = new Date('2026-11-21T00:00:00Z')
const to = new Date('2026-11-22T00:00:00Z')
const now = new Date('2026-11-22T02:00:00Z')
const noon = new Date('2026-11-21T12:00:00Z')

const booking = (changes: Partial<ReconciledBooking> = {}): ReconciledBooking => ({
  _id: 'bk_1',
  reference: 'ABCD2345',
  state: 'CONFIRMED',
  createdAt: noon,
  orderId: 'ord_1',
  paymentId: 'pay_1',
  charge: { minor: 12_300, currency: 'EUR' },
  supplierCharge: { amount: '100.00', currency: 'EUR' },
  refund: null,
  cancelledAt: null,
  ...changes,
})
const order = (changes: Partial<ReconciledOrder> = {}): ReconciledOrder => ({
  id: 'ord_1',
  bookingId: 'bk_1',
  cancelled: false,
  createdAt: noon,
  total: { amount: '100.00', currency: 'EUR' },
  ...changes,
})
const payment = (capturedMinor = 12_300, refundedMinor = 0, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  paymentId: 'pay_1',
  intentId: 'pi_1',
  bookingId: 'bk_1',
  createdAt: noon.toISOString(),
  currency: 'EUR',
  capturedMinor,
  refundedMinor,
  recorded: { capturedMinor, refundedMinor },
  ...changes,
})
const refund = (minor: number, kind: 'card' | 'credit' = 'card') => ({ kind, minor, credit: null, refundedAt: noon })
const reversal = (changes: Partial<Reversal>): Reversal => ({
  ...{ refundedMinor: 0, refundedAt: noon, dispute: null, disputedMinor: 0, at: noon, seen: true },
  ...changes,
})
const disputed = (dispute: Reversal['dispute']) => reversal({ dispute, disputedMinor: 12_300 })
const cancelled = { state: 'REFUNDED', cancelledAt: noon, refund: refund(10_000) } as const

type Day = { bookings: ReconciledBooking[]; orders: ReconciledOrder[]; payments: LedgerEntry[] }
const kinds = (day: Day) => differencesOf({ from, to, now, ...day }).map(({ kind }) => kind)

describe('a healthy day has no difference', () => {
  test.each<[string, Day]>([
    ['a confirmed booking', { bookings: [booking()], orders: [order()], payments: [payment()] }],
    ['a completed one', { bookings: [booking({ state: 'COMPLETED' })], orders: [order()], payments: [payment()] }],
    ['a cancelled one', { bookings: [booking(cancelled)], orders: [order({ cancelled: true })], payments: [payment(12_300, 10_000)] }],
    [
      'one that the airline gave credits for',
      {
        bookings: [booking({ ...cancelled, refund: refund(0, 'credit') })],
        orders: [order({ cancelled: true })],
        payments: [payment()],
      },
    ],
    ['a failed one', { bookings: [booking({ state: 'FAILED', orderId: null })], orders: [], payments: [payment(0)] }],
    [
      'a failed one whose amount was given back',
      { bookings: [booking({ state: 'FAILED', orderId: null })], orders: [], payments: [payment(12_300, 12_300)] },
    ],
    ['a hold that no booking claimed', { bookings: [], orders: [], payments: [payment(0, 0, { bookingId: null })] }],
    [
      'a booking made before midnight whose order came after it',
      {
        bookings: [booking({ createdAt: new Date('2026-11-21T23:59:59Z') })],
        orders: [order({ createdAt: new Date('2026-11-22T00:00:01Z') })],
        payments: [payment(12_300, 0, { createdAt: '2026-11-21T23:58:00.000Z' })],
      },
    ],
    [
      'what lies around it is another day’s',
      {
        bookings: [booking({ createdAt: new Date('2026-11-22T00:30:00Z') })],
        orders: [order({ createdAt: new Date('2026-11-22T00:30:00Z'), bookingId: 'bk_unknown' })],
        payments: [payment(500, 0, { createdAt: '2026-11-20T23:30:00.000Z', bookingId: null })],
      },
    ],
    [
      'one of which a part was refunded in the dashboard',
      { bookings: [booking({ reversal: reversal({ refundedMinor: 500 }) })], orders: [order()], payments: [payment(12_300, 500)] },
    ],
    [
      'one that was refunded by hand and then cancelled',
      {
        bookings: [booking({ ...cancelled, reversal: reversal({ refundedMinor: 5000 }) })],
        orders: [order({ cancelled: true })],
        payments: [payment(12_300, 12_300)],
      },
    ],
    ['one whose charge is disputed', { bookings: [booking({ reversal: disputed('open') })], orders: [order()], payments: [payment()] }],
    [
      'a cancelled one whose refund waits for the bank’s decision',
      {
        bookings: [booking({ ...cancelled, cancelledAt: from, reversal: disputed('open') })],
        orders: [order({ cancelled: true })],
        payments: [payment()],
      },
    ],
    [
      'a failed one whose dispute was lost',
      { bookings: [booking({ state: 'FAILED', orderId: null, reversal: disputed('lost') })], orders: [], payments: [payment()] },
    ],
    [
      'an outcome that has been open for a few minutes',
      { bookings: [booking({ state: 'ORDER_UNKNOWN', createdAt: new Date(now.getTime() - 60_000) })], orders: [], payments: [] },
    ],
  ])('%s', (_what, day) => expect(kinds(day)).toEqual([]))
})

describe('each kind of difference is found', () => {
  const healthy = { bookings: [booking()], orders: [order()], payments: [payment()] }
  test.each<[ReturnType<typeof kinds>, Partial<Day>]>([
    [['order-without-booking', 'payment-without-booking'], { bookings: [] }],
    [['order-of-failed-booking'], { bookings: [booking({ state: 'FAILED', orderId: null })], payments: [payment(0)] }],
    [['order-not-cancelled'], { bookings: [booking(cancelled)], payments: [payment(12_300, 10_000)] }],
    [['second-order'], { orders: [order(), order({ id: 'ord_2' })] }],
    [['order-costs-more'], { orders: [order({ total: { amount: '100.01', currency: 'EUR' } })] }],
    [['order-missing'], { orders: [] }],
    [['order-cancelled-by-airline'], { orders: [order({ cancelled: true })] }],
    [['not-captured'], { payments: [payment(0)] }],
    [['not-captured'], { payments: [] }],
    [['captured-another-amount'], { payments: [payment(12_301)] }],
    [['captured-another-amount'], { payments: [payment(12_300, 0, { currency: 'USD' })] }],
    [['refund-unexpected'], { payments: [payment(12_300, 1)] }],
    [['refund-unexpected'], { bookings: [booking({ reversal: reversal({ refundedMinor: 500 }) })], payments: [payment(12_300, 501)] }],
    [
      ['refund-missing'],
      { bookings: [booking({ ...cancelled, reversal: disputed('won') })], orders: [order({ cancelled: true })], payments: [payment()] },
    ],
    [['refund-missing'], { bookings: [booking(cancelled)], orders: [order({ cancelled: true })] }],
    [
      ['refund-of-another-amount'],
      { bookings: [booking(cancelled)], orders: [order({ cancelled: true })], payments: [payment(12_300, 9999)] },
    ],
    [['charged-without-ticket'], { bookings: [booking({ state: 'FAILED', orderId: null })], orders: [] }],
    [['payment-unknown'], { payments: [payment(), payment(500, 0, { intentId: 'pi_2', paymentId: null, recorded: null })] }],
    [['payment-recorded-otherwise'], { payments: [payment(12_300, 0, { recorded: { capturedMinor: 0, refundedMinor: 0 } })] }],
    [['undecided-too-long'], { bookings: [booking({ state: 'NEEDS_ATTENTION' })] }],
  ])('%j', (expected, changes) => expect(kinds({ ...healthy, ...changes })).toEqual(expected))
})

test('a difference names what it is about, in words that hold nothing personal', () => {
  const [difference] = differencesOf({ from, to, now, bookings: [booking()], orders: [order()], payments: [payment(12_301)] })
  expect(difference).toEqual({
    kind: 'captured-another-amount',
    bookingId: 'bk_1',
    reference: 'ABCD2345',
    orderId: 'ord_1',
    intentId: 'pi_1',
    found: 'EUR 12301 captured, EUR 12300 charged',
  })
})
