import { describe, expect, test } from 'vitest'
import { type BookingEnd, endBooking, endWithRefund } from './booking-end.ts'
import { moment, now, payment } from './payment.fixture.ts'
import type { Payment } from './payment.ts'
import { applyOutcome, markRefunded } from './transitions.ts'

describe('the end of a booking', () => {
  const cancelled = (refundMinor: number): BookingEnd => ({ reason: 'booking-cancelled', bookingId: 'bk_1', refundMinor, currency: 'EUR' })
  const captured = payment({ state: 'captured', bookingId: 'bk_1' })

  test('of what was taken, the refund is wanted, once', () => {
    const change = endBooking(captured, cancelled(20_000), now)
    expect(change?.set.refund).toMatchObject({ bookingId: 'bk_1', amountMinor: 20_000, failed: false })
    expect(endBooking({ ...captured, ...change?.set } as Payment, cancelled(20_000), now)).toBeNull()
    expect(endBooking(captured, cancelled(0), now)).toBeNull()
  })

  const impossible: [why: string, about: Partial<Payment>, end: Partial<BookingEnd>, reason: string][] = [
    ['more than was captured', {}, { refundMinor: 27_401 }, 'more-than-captured'],
    ['another currency', {}, { currency: 'USD' }, 'another-currency'],
    ["another booking's payment", { bookingId: 'bk_2' }, {}, 'another-booking'],
    ['a payment of which nothing was captured', { state: 'voided' }, {}, 'nothing-captured'],
    [
      'another amount than was refunded already',
      { refund: { bookingId: 'bk_1', amountMinor: 5, wantedAt: now, providerId: 're_1', failed: false, keyRotations: 0 } },
      {},
      'refunded-already',
    ],
  ]
  test.each(impossible)('a refund of %s is put on record for an operator, once, and never made smaller', (_why, about, end, reason) => {
    const subject = { ...captured, ...about }
    const { change, refused } = endWithRefund(subject, { ...cancelled(20_000), ...end }, now)
    expect(refused).toMatchObject({ reason, bookingId: 'bk_1' })
    expect(change?.set).toEqual({ refusedRefunds: [refused] })
    const again = endWithRefund({ ...subject, ...change?.set } as Payment, { ...cancelled(20_000), ...end }, now)
    expect(again.change).toBeNull()
  })

  test('an impossible refund does not keep a hold from being voided', () => {
    const { change } = endWithRefund(payment({ state: 'authorised', bookingId: 'bk_1' }), { ...cancelled(1), currency: 'USD' }, now)
    expect(change?.set).toMatchObject({ release: { reason: 'booking-cancelled' }, refusedRefunds: [{ reason: 'another-currency' }] })
  })

  test('a refund of exactly what was captured is made as asked', () => {
    expect(endWithRefund(captured, cancelled(27_400), now)).toMatchObject({
      change: { set: { refund: { amountMinor: 27_400 } } },
      refused: null,
    })
    expect(endWithRefund(payment({ state: 'voided' }), cancelled(0), now)).toEqual({ change: null, refused: null })
  })

  test('a hold is voided; the refund is noted too, for a capture that nobody recorded', () => {
    const hold = payment({ state: 'authorised', bookingId: 'bk_1' })
    const noted = { ...hold, ...endBooking(hold, cancelled(20_000), now)?.set } as Payment
    expect([noted.release?.reason, noted.refund?.amountMinor]).toEqual(['booking-cancelled', 20_000])
    const taken = { ...noted, ...applyOutcome(noted, { kind: 'captured', cardSummary: null }, moment)?.set } as Payment
    expect([taken.state, taken.release, taken.dueAt]).toEqual(['captured', null, now])
    expect(markRefunded(taken, 're_1')?.set).toMatchObject({ state: 'refunded', refundedMinor: 20_000 })
  })

  test("another booking's end is nothing to this payment", () =>
    expect(endBooking({ ...captured, bookingId: 'bk_2' }, cancelled(1), now)).toBeNull())
})
