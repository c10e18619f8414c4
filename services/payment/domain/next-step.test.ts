import { describe, expect, test } from 'vitest'
import { nextStep, refundRound, restUntil, retryAt } from './next-step.ts'
import { openPayment, type Payment } from './payment.ts'
import { providerKey, refundKey, spendKey, spendRefundKey } from './provider-key.ts'

const start = new Date('2026-11-20T10:00:00Z')
const holdMs = 900_000
const after = (ms: number) => new Date(start.getTime() + ms)
const about = {
  id: 'pay_1',
  source: 'visitor' as const,
  key: 'k',
  fingerprint: 'f',
  amountMinor: 100,
  currency: 'EUR',
  mode: 'test' as const,
  offerId: null,
  requestId: 'r',
  cardBrand: null,
  cardLast4: null,
  attemptBy: null,
  attemptUntil: null,
}
const payment = (more: Partial<Payment> = {}): Payment => ({ ...openPayment(about, start), intentId: 'pi_1', ...more })
const step = (more: Partial<Payment>, ms = 1000) => nextStep(payment(more), { now: after(ms), holdMs })
const release = { reason: 'asked' as const, at: start }
const refund = { bookingId: 'bk_1', amountMinor: 100, wantedAt: start, providerId: null, failed: false, spentKeys: 0 }

describe('the next step', () => {
  test('of a payment without an outcome: ask, and give up at the end of the hold', () => {
    expect(step({})).toBe('settle')
    expect(step({ intentId: null })).toBe('rest')
    expect(step({}, holdMs)).toBe('abandon')
    expect(step({ intentId: null }, holdMs)).toBe('abandon')
    expect(step({ release })).toBe('abandon')
  })

  test('of a hold: wait for its booking until the end, give back what is wanted back, ask after a hint', () => {
    expect(step({ state: 'authorised' })).toBe('rest')
    expect(step({ state: 'authorised' }, holdMs - 1)).toBe('rest')
    expect(step({ state: 'authorised' }, holdMs)).toBe('release')
    expect(step({ state: 'authorised', bookingId: 'bk_1' }, holdMs * 100)).toBe('rest')
    expect(step({ state: 'authorised', bookingId: 'bk_1', release })).toBe('void')
    expect(step({ state: 'authorised', bookingId: 'bk_1', recheckAt: after(0) })).toBe('settle')
    expect(step({ state: 'authorised', bookingId: 'bk_1', recheckAt: after(5000) })).toBe('rest')
  })

  test('of what was taken: refund what is wanted, unless it was refused for good', () => {
    expect(step({ state: 'captured' })).toBe('rest')
    expect(step({ state: 'captured', refund })).toBe('refund')
    expect(step({ state: 'captured', refund: { ...refund, failed: true } })).toBe('rest')
  })

  test('of a decline: close the intent when a confirmation may still be on its way', () => {
    const tries = { create: 1, confirm: 2, capture: 1, void: 1 }
    expect(step({ state: 'declined' })).toBe('rest')
    expect(step({ state: 'declined', tries })).toBe('close')
    expect(step({ state: 'declined', tries, closed: true })).toBe('rest')
  })

  test('of everything else: none, however old', () => {
    for (const state of ['voided', 'refunded', 'abandoned', 'expired'] as const)
      expect(step({ state, recheckAt: start }, holdMs * 100)).toBe('rest')
  })
})

test('a payment that rests is looked at again when its hold ends or a capture should be known, else never', () => {
  const claimed = payment({ state: 'authorised', bookingId: 'bk_1' })
  expect(restUntil(payment({ state: 'authorised' }), holdMs)).toEqual(after(holdMs))
  expect(restUntil(claimed, holdMs)).toBeNull()
  expect(restUntil({ ...claimed, recheckAt: after(60_000) }, holdMs)).toEqual(after(60_000))
  expect(restUntil(payment({ state: 'captured' }), holdMs)).toBeNull()
})

test('what failed is tried again after 1, 2, 4... seconds, at most a minute, and at the end of the hold at the latest', () => {
  const wait = (failures: number, ms: number) => retryAt(payment({ failures }), { now: after(ms), holdMs }).getTime() - start.getTime() - ms
  expect([0, 1, 2, 5, 6, 60].map((failures) => wait(failures, 0))).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000])
  expect(wait(6, holdMs - 5000)).toBe(5000)
  expect(wait(6, holdMs + 5000)).toBe(60_000)
})

describe('idempotency keys of provider calls', () => {
  test('follow from what the call is about', () => {
    const claimed = payment({ bookingId: 'bk_1' })
    expect((['create', 'confirm', 'capture', 'void'] as const).map((call) => providerKey(call, claimed))).toEqual([
      'pay:pay_1:create',
      'pay:pay_1:confirm',
      'cap:bk_1',
      'void:pay_1',
    ])
    expect(refundKey('bk_1', 1)).toBe('ref:bk_1:1')
  })

  test('a spent key is followed by a numbered one, for that call alone', () => {
    const claimed = payment({ bookingId: 'bk_1' })
    const next = { ...claimed, ...spendKey('capture', claimed).set }
    expect([providerKey('capture', next), providerKey('void', next)]).toEqual(['cap:bk_1:2', 'void:pay_1'])
  })

  test("a refund's key changes each day, and after a repeated failure only when time has shown that nothing came of it", () => {
    const hours = (count: number) => after(count * 3_600_000)
    expect([0, 23, 24, 49].map((count) => refundRound(refund, hours(count)))).toEqual([1, 1, 2, 3])
    expect(spendRefundKey({ refund }, after(59_000))).toBeNull()
    expect(spendRefundKey({ refund }, after(60_000))?.set.refund.spentKeys).toBe(1)
    expect(refundRound({ ...refund, spentKeys: 1 }, hours(1))).toBe(2)
  })
})
