import { AppError } from '@passerelle/contracts/error'
import type { PaymentState } from '@passerelle/contracts/http/payment'
import { PaymentState as States } from '@passerelle/contracts/http/payment'
import { describe, expect, test } from 'vitest'
import { type Outcome, outcomeOf } from './intent.ts'
import { nextStep, restUntil } from './next-step.ts'
import { at, moment, now, payment } from './payment.fixture.ts'
import type { Change, Payment } from './payment.ts'
import {
  applyOutcome,
  applyWebhook,
  claimFor,
  markRefunded,
  recordActivity,
  releaseUnclaimed,
  releaseUnresolved,
  requestRelease,
  startCapture,
} from './transitions.ts'

const later = at(60_000).now
const codeOf = (work: () => Change | null) => {
  try {
    return work()
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}
const stateAfter = (about: Partial<Payment>, outcome: Outcome) => applyOutcome(payment(about), outcome, moment)?.set.state ?? null

describe('what the provider says', () => {
  test.each([
    ['requires_capture', null, 'authorised'],
    ['succeeded', null, 'captured'],
    ['canceled', null, 'cancelled'],
    ['requires_payment_method', { code: 'card_declined', declineCode: 'lost_card' }, 'declined'],
    ['requires_payment_method', null, 'open'],
    ['requires_confirmation', null, 'open'],
    ['requires_action', null, 'action'],
    ['processing', null, 'open'],
    ['something_new', null, 'open'],
  ])('%s with error %j means %s', (status, error, kind) =>
    expect(outcomeOf({ id: 'pi_1', status, error, cardSummary: null, clientSecret: null }).kind).toBe(kind),
  )

  test('an open payment follows it', () => {
    expect(stateAfter({}, { kind: 'authorised', cardSummary: null })).toBe('authorised')
    expect(stateAfter({}, { kind: 'declined', reason: 'lost_card' })).toBe('declined')
    expect(stateAfter({}, { kind: 'cancelled' })).toBe('abandoned')
    expect(stateAfter({}, { kind: 'open' })).toBeNull()
  })

  test('R-22: the bank asks its customer: the payment waits for the answer, which is then its outcome', () => {
    const asked = applyOutcome(payment(), { kind: 'action' }, moment)
    expect(asked?.set).toMatchObject({ state: 'requires_action', attemptUntil: null, dueAt: at(600_000).now })
    const waiting = { ...payment(), ...asked?.set } as Payment
    expect(applyOutcome(waiting, { kind: 'action' }, at(5000))).toBeNull()
    expect(applyOutcome(waiting, { kind: 'open' }, moment)).toBeNull()
    const answered = (outcome: Outcome) => applyOutcome(waiting, outcome, at(300_000))?.set
    expect(answered({ kind: 'declined', reason: 'x' })).toMatchObject({ state: 'declined' })
    expect(answered({ kind: 'cancelled' })).toMatchObject({ state: 'abandoned' })
    // However long the answer took, the hold now waits for its booking as any other.
    expect(answered({ kind: 'authorised', cardSummary: null })).toMatchObject({ state: 'authorised', dueAt: at(420_000).now })
  })

  test('R-22: a question that nobody answers is withdrawn, and no attempt may begin after that', () => {
    const waiting = payment({ state: 'requires_action', attemptUntil: null })
    expect(releaseUnresolved(waiting, at(599_999))).toBeNull()
    expect(releaseUnresolved(waiting, at(600_000))?.set.release).toMatchObject({ reason: 'no-outcome' })
    expect(releaseUnresolved({ ...waiting, attemptUntil: at(601_000).now }, at(600_000))).toBeNull()
  })

  test('a hold is captured, voided because that was asked for, or gone without our doing', () => {
    const release = { reason: 'asked' as const, at: now }
    expect(stateAfter({ state: 'authorised', bookingId: 'bk_1' }, { kind: 'captured', cardSummary: null })).toBe('captured')
    expect(stateAfter({ state: 'authorised', release }, { kind: 'cancelled' })).toBe('voided')
    expect(stateAfter({ state: 'authorised' }, { kind: 'cancelled' })).toBe('expired')
    expect(stateAfter({ state: 'authorised' }, { kind: 'authorised', cardSummary: null })).toBeNull()
  })

  test('I1: a capture that no booking has claimed is noted once, and the payment stays a hold that rests', () => {
    for (const state of ['created', 'authorised'] as const) {
      const change = applyOutcome(payment({ state }), { kind: 'captured', cardSummary: null }, moment)
      expect(change?.set).toMatchObject({ state: 'authorised', unclaimedCaptureAt: now, dueAt: null })
      const noted = { ...payment({ state }), ...change?.set } as Payment
      expect(applyOutcome(noted, { kind: 'captured', cardSummary: null }, moment)).toBeNull()
      expect([nextStep(noted, at(900_000)), restUntil(noted, moment)]).toEqual(['rest', null])
    }
  })

  test('nothing it says changes a payment that is at its end, nor un-takes what was taken', () => {
    const ends: PaymentState[] = ['captured', 'voided', 'refunded', 'declined', 'abandoned', 'expired']
    const outcomes: Outcome[] = [
      { kind: 'authorised', cardSummary: null },
      { kind: 'captured', cardSummary: null },
      { kind: 'cancelled' },
      { kind: 'declined', reason: 'x' },
      { kind: 'open' },
    ]
    for (const state of ends) for (const outcome of outcomes) expect(stateAfter({ state }, outcome), `${state} ${outcome.kind}`).toBeNull()
  })

  test('an authorisation is due for release at the end of its hold, counted from the start of the payment', () => {
    const change = applyOutcome(payment(), { kind: 'authorised', cardSummary: null }, { ...moment, now: later })
    expect(change?.set.dueAt).toEqual(at(120_000).now)
  })

  test("a decline frees a booking's key and keeps a visitor's", () => {
    const declined = (source: Payment['source']) => applyOutcome(payment({ source }), { kind: 'declined', reason: 'x' }, moment)?.set.key
    expect(declined('booking')).toBe('visitor:abc#pay_1')
    expect(declined('visitor')).toBeUndefined()
  })

  test('what is kept of the card comes from the provider only where it was not known', () => {
    const cardSummary = { brand: 'mastercard', last4: '4444' }
    expect(applyOutcome(payment(), { kind: 'authorised', cardSummary }, moment)?.set).toMatchObject({
      cardBrand: 'visa',
      cardLast4: '4242',
    })
    expect(applyOutcome(payment({ cardBrand: null, cardLast4: null }), { kind: 'authorised', cardSummary }, moment)?.set).toMatchObject({
      cardBrand: 'mastercard',
      cardLast4: '4444',
    })
  })
})

describe('claiming', () => {
  const authorised = payment({ state: 'authorised' })
  test('ties a hold to one booking and takes it off the sweep', () => {
    expect(claimFor(authorised, 'bk_1')).toEqual({ set: { bookingId: 'bk_1', dueAt: null } })
    expect(claimFor({ ...authorised, bookingId: 'bk_1' }, 'bk_1')).toBeNull()
    expect(codeOf(() => claimFor({ ...authorised, bookingId: 'bk_2' }, 'bk_1'))).toBe('PAYMENT_NOT_USABLE')
  })

  test('is for holds only', () => {
    for (const state of States.options.filter((one) => one !== 'authorised'))
      expect(
        codeOf(() => claimFor(payment({ state }), 'bk_1')),
        state,
      ).toBe('PAYMENT_NOT_USABLE')
    expect(codeOf(() => claimFor({ ...authorised, release: { reason: 'no-booking', at: now } }, 'bk_1'))).toBe('PAYMENT_NOT_USABLE')
  })

  test('the sweep leaves a claimed hold alone', () => {
    expect(releaseUnclaimed({ ...authorised, bookingId: 'bk_1' }, at(900_000))).toBeNull()
    expect(releaseUnclaimed(authorised, at(120_000))?.set.release).toEqual({ reason: 'no-booking', at: at(120_000).now })
  })

  test('a sign of the visitor that comes just before the sweep keeps the hold', () => {
    const seen = { ...authorised, ...recordActivity(authorised, at(119_000))?.set } as Payment
    expect(seen.dueAt).toEqual(at(239_000).now)
    expect(releaseUnclaimed(seen, at(120_000))).toBeNull()
    expect(releaseUnclaimed(seen, at(239_000))).not.toBeNull()
  })

  test('signs that follow closely are one, and one that changes nothing is none', () => {
    expect(recordActivity(authorised, at(11_000))).toBeNull()
    expect(recordActivity(authorised, at(12_000))).not.toBeNull()
    for (const about of [{ bookingId: 'bk_1' }, { release: { reason: 'no-booking' as const, at: now } }, { state: 'captured' as const }])
      expect(recordActivity({ ...authorised, ...about }, at(60_000))).toBeNull()
  })

  test('an attempt without an outcome is given up unless its visitor tries again', () => {
    const waiting = payment({ attemptUntil: null })
    expect(releaseUnresolved(waiting, at(44_999))).toBeNull()
    expect(releaseUnresolved(waiting, at(45_000))?.set.release?.reason).toBe('no-outcome')
    expect(releaseUnresolved({ ...waiting, lastSeenAt: at(30_000).now }, at(45_000))).toBeNull()
    expect(releaseUnresolved({ ...waiting, attemptUntil: at(60_000).now }, at(45_000))).toBeNull()
  })
})

describe('capture and release', () => {
  test('only a claimed hold that nobody wants back is taken', () => {
    const claimed = payment({ state: 'authorised', bookingId: 'bk_1' })
    expect(startCapture(claimed, later)).toEqual({ set: { recheckAt: later, dueAt: later } })
    expect(startCapture({ ...claimed, state: 'captured' }, later)).toBeNull()
    for (const wrong of [
      { bookingId: null },
      { release: { reason: 'asked' as const, at: now } },
      { state: 'voided' as const },
      { state: 'expired' as const },
    ])
      expect(codeOf(() => startCapture({ ...claimed, ...wrong }, later))).toBe('PAYMENT_NOT_USABLE')
  })

  test('what was taken is not released, what is gone needs no release', () => {
    expect(codeOf(() => requestRelease(payment({ state: 'captured' }), 'asked', now, later))).toBe('PAYMENT_NOT_USABLE')
    for (const state of ['voided', 'expired', 'declined', 'abandoned'] as const)
      expect(requestRelease(payment({ state }), 'asked', now, later)).toBeNull()
  })
})

describe('C25: an event of the provider', () => {
  const event = { id: 'evt_1', type: 'payment_intent.canceled' }
  const later = at(1000).now

  test('makes the payment be read once', () => {
    const held = payment({ state: 'authorised' })
    const noted = { ...held, ...applyWebhook(held, event, now)?.set } as Payment
    expect(noted).toMatchObject({ recheckAt: now, dueAt: now, webhookEvents: ['evt_1'] })
    expect(applyWebhook(noted, event, now)).toBeNull()
  })

  test('of what the state shows already needs no look, and of anything else does', () => {
    const held = payment({ state: 'authorised' })
    expect(applyWebhook(held, { ...event, type: 'payment_intent.amount_capturable_updated' }, now)).toBeNull()
    expect(applyWebhook(held, event, now)).not.toBeNull()
    const declined = payment({ state: 'declined' })
    expect(applyWebhook(declined, { ...event, type: 'payment_intent.payment_failed' }, now)).toBeNull()
    // A hold on a card that was declined before has to be found and cancelled.
    expect(applyWebhook(declined, { ...event, type: 'payment_intent.amount_capturable_updated' }, now)).not.toBeNull()
  })

  test('cannot change a state that is final', () => {
    for (const state of ['captured', 'refunded', 'voided', 'expired', 'abandoned'] as const)
      expect(applyWebhook(payment({ state }), event, now)).toBeNull()
  })

  test('is left to the request that is at work, until that should have ended', () => {
    const confirming = payment({ state: 'created', attemptUntil: later })
    const capturing = payment({ state: 'authorised', recheckAt: later })
    expect([applyWebhook(confirming, event, now), applyWebhook(capturing, event, now)]).toEqual([null, null])
    expect(applyWebhook(confirming, event, later)).not.toBeNull()
    expect(applyWebhook(capturing, event, later)).not.toBeNull()
  })
})

test('a refund carries its event, with the amount that went back', () => {
  const refund = { bookingId: 'bk_1', amountMinor: 5000, wantedAt: now, providerId: null, failed: false, keyRotations: 0 }
  const { event } = markRefunded(payment({ state: 'captured', bookingId: 'bk_1', refund }), 're_1') ?? {}
  expect([event?.definition.name, event?.data]).toEqual([
    'payment.refunded',
    { paymentId: 'pay_1', bookingId: 'bk_1', amountMinor: 5000, currency: 'EUR', mode: 'test' },
  ])
})
