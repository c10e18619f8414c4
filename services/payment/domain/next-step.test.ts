import { describe, expect, test } from 'vitest'
import { LONGEST_BACKOFF_MS, OPERATION_MS, UNRESOLVED_MS } from './deadlines.ts'
import { nextStep, refundRound, restUntil, retryAt } from './next-step.ts'
import { newPayment, type Payment } from './payment.ts'
import { providerKey, refundKey, rotateIdempotencyKey, rotateRefundKey } from './provider-key.ts'

const start = new Date('2026-11-20T10:00:00Z')
const [holdMs, idleMs, challengeMs] = [900_000, 120_000, 600_000]
const times = { holdMs, idleMs, challengeMs }
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
  visitorId: 'v_1',
  userId: null,
  requestId: 'r',
  cardBrand: null,
  cardLast4: null,
  attemptBy: null,
  attemptUntil: null,
}
const payment = (more: Partial<Payment> = {}): Payment => ({ ...newPayment(about, start), intentId: 'pi_1', ...more })
const step = (more: Partial<Payment>, ms = 1000) => nextStep(payment(more), { ...times, now: after(ms) })
const release = { reason: 'asked' as const, at: start }
const refund = { bookingId: 'bk_1', amountMinor: 100, wantedAt: start, providerId: null, failed: false, keyRotations: 0 }

describe('the next step', () => {
  test('of a payment without an outcome: ask, and give up when its visitor has not tried again for a while', () => {
    expect(step({})).toBe('read')
    expect(step({ intentId: null })).toBe('rest')
    expect(step({}, UNRESOLVED_MS - 1)).toBe('read')
    expect(step({}, UNRESOLVED_MS)).toBe('abandon')
    expect(step({ intentId: null }, UNRESOLVED_MS)).toBe('abandon')
    expect(step({ lastSeenAt: after(40_000) }, UNRESOLVED_MS)).toBe('read')
    expect(step({ release })).toBe('abandon')
  })

  test('R-22: of a question of the bank: wait for the answer until its end, ask after an event', () => {
    const state = 'requires_action'
    expect([step({ state }, challengeMs - 1), step({ state }, challengeMs)]).toEqual(['rest', 'abandon'])
    expect(step({ state, lastSeenAt: after(holdMs - 1000) }, holdMs)).toBe('abandon')
    expect(step({ state, release })).toBe('abandon')
    expect([step({ state, recheckAt: after(0) }), step({ state, recheckAt: after(5000) })]).toEqual(['read', 'rest'])
  })

  test('of a hold: wait for its booking until the end, void what is to be released, ask after an event', () => {
    expect(step({ state: 'authorised' })).toBe('rest')
    expect(step({ state: 'authorised' }, idleMs - 1)).toBe('rest')
    expect(step({ state: 'authorised' }, idleMs)).toBe('release')
    expect(step({ state: 'authorised', bookingId: 'bk_1' }, holdMs * 100)).toBe('rest')
    expect(step({ state: 'authorised', bookingId: 'bk_1', release })).toBe('void')
    expect(step({ state: 'authorised', bookingId: 'bk_1', recheckAt: after(0) })).toBe('read')
    expect(step({ state: 'authorised', bookingId: 'bk_1', recheckAt: after(5000) })).toBe('rest')
  })

  test('of what was taken: refund what is wanted, unless it was refused for good', () => {
    expect(step({ state: 'captured' })).toBe('rest')
    expect(step({ state: 'captured', refund })).toBe('refund')
    expect(step({ state: 'captured', refund: { ...refund, failed: true } })).toBe('rest')
  })

  test('of a decline: close the intent when a confirmation may still be on its way', () => {
    const keyGeneration = { create: 1, confirm: 2, capture: 1, void: 1 }
    expect(step({ state: 'declined' })).toBe('rest')
    expect(step({ state: 'declined', keyGeneration })).toBe('close')
    expect(step({ state: 'declined', keyGeneration, closed: true })).toBe('rest')
  })

  test('of everything else: none, however old', () => {
    for (const state of ['voided', 'refunded', 'abandoned', 'expired'] as const)
      expect(step({ state, recheckAt: start }, holdMs * 100)).toBe('rest')
  })
})

test('R-23: an unclaimed hold ends two minutes after the last sign of its visitor, and after 15 minutes at the latest', () => {
  const seen = (ms: number, at: number) => step({ state: 'authorised', lastSeenAt: after(ms) }, at)
  expect([seen(60_000, idleMs), seen(60_000, 60_000 + idleMs)]).toEqual(['rest', 'release'])
  expect([seen(holdMs - 1000, holdMs - 1), seen(holdMs - 1000, holdMs)]).toEqual(['rest', 'release'])
})

test('a payment that rests is looked at again when its hold ends or a capture should be known, else never', () => {
  const claimed = payment({ state: 'authorised', bookingId: 'bk_1' })
  expect(restUntil(payment(), times)).toEqual(after(UNRESOLVED_MS))
  expect(restUntil(payment({ state: 'requires_action' }), times)).toEqual(after(challengeMs))
  expect(restUntil(payment({ state: 'authorised' }), times)).toEqual(after(idleMs))
  expect(restUntil(claimed, times)).toBeNull()
  expect(restUntil({ ...claimed, recheckAt: after(60_000) }, times)).toEqual(after(60_000))
  expect(restUntil(payment({ state: 'authorised', recheckAt: after(60_000) }), times)).toEqual(after(60_000))
  expect(restUntil(payment({ state: 'captured' }), times)).toBeNull()
})

test('what failed is tried again after 1, 2, 4... seconds, at most half a minute, and at the end of the hold at the latest', () => {
  const authorised = { state: 'authorised' as const }
  const wait = (failures: number, ms: number) =>
    retryAt(payment({ ...authorised, failures }), { ...times, now: after(ms) }).getTime() - start.getTime() - ms
  expect([0, 1, 2, 4, 5, 60].map((failures) => wait(failures, 0))).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
  expect(wait(6, idleMs - 5000)).toBe(5000)
  expect(wait(6, idleMs + 5000)).toBe(30_000)
})

test('whatever a killed process has left is looked at again within a minute of its end', () => {
  const [longestAnswerMs, minute] = [22_000, 60_000]
  // An attempt on a card, a capture or void by a request or a worker, and the pause after a failure.
  for (const figure of [UNRESOLVED_MS, OPERATION_MS, LONGEST_BACKOFF_MS]) expect(figure).toBeLessThan(minute)
  expect(longestAnswerMs).toBeLessThan(UNRESOLVED_MS)
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
    const next = { ...claimed, ...rotateIdempotencyKey('capture', claimed).set }
    expect([providerKey('capture', next), providerKey('void', next)]).toEqual(['cap:bk_1:2', 'void:pay_1'])
  })

  test("a refund's key changes each day, and after a repeated failure only when time has shown that nothing came of it", () => {
    const hours = (count: number) => after(count * 3_600_000)
    expect([0, 23, 24, 49].map((count) => refundRound(refund, hours(count)))).toEqual([1, 1, 2, 3])
    expect(rotateRefundKey({ refund }, after(59_000))).toBeNull()
    expect(rotateRefundKey({ refund }, after(60_000))?.set.refund.keyRotations).toBe(1)
    expect(refundRound({ ...refund, keyRotations: 1 }, hours(1))).toBe(2)
  })
})
