import { AppError } from '@passerelle/contracts/error'
import type { PaymentState } from '@passerelle/contracts/http/payment'
import { PaymentState as States } from '@passerelle/contracts/http/payment'
import { describe, expect, test } from 'vitest'
import { type Outcome, outcomeOf } from './intent.ts'
import { type Change, openPayment, type Payment } from './payment.ts'
import {
  applyOutcome,
  type BookingEnd,
  claimFor,
  endBooking,
  giveUpWaiting,
  markRefunded,
  startCapture,
  takeHint,
  wantRelease,
} from './transitions.ts'

const now = new Date('2026-11-20T10:00:00Z')
const moment = { now, holdMs: 900_000 }
const later = new Date(now.getTime() + 60_000)

const payment = (more: Partial<Payment> = {}): Payment => ({
  ...openPayment(
    {
      id: 'pay_1',
      source: 'visitor',
      key: 'visitor:abc',
      fingerprint: 'f',
      amountMinor: 27_400,
      currency: 'EUR',
      mode: 'test',
      offerId: null,
      requestId: 'req_1',
      cardBrand: 'visa',
      cardLast4: '4242',
      attemptBy: 'me',
      attemptUntil: later,
    },
    now,
  ),
  intentId: 'pi_1',
  ...more,
})
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
    ['requires_capture', null, 'held'],
    ['succeeded', null, 'taken'],
    ['canceled', null, 'gone'],
    ['requires_payment_method', { code: 'card_declined', declineCode: 'lost_card' }, 'declined'],
    ['requires_payment_method', null, 'open'],
    ['requires_confirmation', null, 'open'],
    ['requires_action', null, 'open'],
    ['processing', null, 'open'],
    ['something_new', null, 'open'],
  ])('%s with error %j means %s', (status, error, kind) => expect(outcomeOf({ id: 'pi_1', status, error, face: null }).kind).toBe(kind))

  test('an open payment follows it', () => {
    expect(stateAfter({}, { kind: 'held', face: null })).toBe('authorised')
    expect(stateAfter({}, { kind: 'declined', reason: 'lost_card' })).toBe('declined')
    expect(stateAfter({}, { kind: 'gone' })).toBe('abandoned')
    expect(stateAfter({}, { kind: 'open' })).toBeNull()
  })

  test('a hold is taken, given back because that was wanted, or gone without our doing', () => {
    const release = { reason: 'asked' as const, at: now }
    expect(stateAfter({ state: 'authorised' }, { kind: 'taken', face: null })).toBe('captured')
    expect(stateAfter({ state: 'authorised', release }, { kind: 'gone' })).toBe('voided')
    expect(stateAfter({ state: 'authorised' }, { kind: 'gone' })).toBe('expired')
    expect(stateAfter({ state: 'authorised' }, { kind: 'held', face: null })).toBeNull()
  })

  test('nothing it says changes a payment that is at its end, nor un-takes what was taken', () => {
    const ends: PaymentState[] = ['captured', 'voided', 'refunded', 'declined', 'abandoned', 'expired']
    const outcomes: Outcome[] = [
      { kind: 'held', face: null },
      { kind: 'taken', face: null },
      { kind: 'gone' },
      { kind: 'declined', reason: 'x' },
      { kind: 'open' },
    ]
    for (const state of ends) for (const outcome of outcomes) expect(stateAfter({ state }, outcome), `${state} ${outcome.kind}`).toBeNull()
  })

  test('an authorisation is due for release at the end of its hold, counted from the start of the payment', () => {
    const change = applyOutcome(payment(), { kind: 'held', face: null }, { ...moment, now: later })
    expect(change?.set.dueAt).toEqual(new Date(now.getTime() + 900_000))
  })

  test("a decline frees a booking's key and keeps a visitor's", () => {
    const declined = (source: Payment['source']) => applyOutcome(payment({ source }), { kind: 'declined', reason: 'x' }, moment)?.set.key
    expect(declined('booking')).toBe('visitor:abc#pay_1')
    expect(declined('visitor')).toBeUndefined()
  })

  test('the face of the card comes from the provider only where it was not known', () => {
    const face = { brand: 'mastercard', last4: '4444' }
    expect(applyOutcome(payment(), { kind: 'held', face }, moment)?.set).toMatchObject({ cardBrand: 'visa', cardLast4: '4242' })
    expect(applyOutcome(payment({ cardBrand: null, cardLast4: null }), { kind: 'held', face }, moment)?.set).toMatchObject({
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
    expect(giveUpWaiting({ ...authorised, bookingId: 'bk_1' }, now)).toBeNull()
    expect(giveUpWaiting(authorised, now)?.set.release).toEqual({ reason: 'no-booking', at: now })
  })
})

describe('taking and giving back', () => {
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
    expect(codeOf(() => wantRelease(payment({ state: 'captured' }), 'asked', now, later))).toBe('PAYMENT_NOT_USABLE')
    for (const state of ['voided', 'expired', 'declined', 'abandoned'] as const)
      expect(wantRelease(payment({ state }), 'asked', now, later)).toBeNull()
  })
})

describe('the end of a booking', () => {
  const cancelled = (refundMinor: number): BookingEnd => ({ reason: 'booking-cancelled', bookingId: 'bk_1', refundMinor })
  const captured = payment({ state: 'captured', bookingId: 'bk_1' })

  test('of what was taken, the refund is wanted, once', () => {
    const change = endBooking(captured, cancelled(20_000), now)
    expect(change?.set.refund).toMatchObject({ bookingId: 'bk_1', amountMinor: 20_000, failed: false })
    expect(endBooking({ ...captured, ...change?.set } as Payment, cancelled(20_000), now)).toBeNull()
    expect(endBooking(captured, cancelled(0), now)).toBeNull()
  })

  test('never more than was taken', () => expect(endBooking(captured, cancelled(99_999), now)?.set.refund?.amountMinor).toBe(27_400))

  test('a hold is given back whole; the refund is noted too, for a capture that nobody recorded', () => {
    const hold = payment({ state: 'authorised', bookingId: 'bk_1' })
    const noted = { ...hold, ...endBooking(hold, cancelled(20_000), now)?.set } as Payment
    expect([noted.release?.reason, noted.refund?.amountMinor]).toEqual(['booking-cancelled', 20_000])
    const taken = { ...noted, ...applyOutcome(noted, { kind: 'taken', face: null }, moment)?.set } as Payment
    expect([taken.state, taken.release, taken.dueAt]).toEqual(['captured', null, now])
    expect(markRefunded(taken, 're_1')?.set).toMatchObject({ state: 'refunded', refundedMinor: 20_000 })
  })

  test("another booking's end is nothing to this payment", () =>
    expect(endBooking({ ...captured, bookingId: 'bk_2' }, cancelled(1), now)).toBeNull())
})

describe('C25: a hint of the provider', () => {
  const hint = { id: 'evt_1', type: 'payment_intent.canceled' }
  const later = new Date(now.getTime() + 1000)

  test('is heeded once', () => {
    const held = payment({ state: 'authorised' })
    const heard = { ...held, ...takeHint(held, hint, now)?.set } as Payment
    expect(heard).toMatchObject({ recheckAt: now, dueAt: now, hints: ['evt_1'] })
    expect(takeHint(heard, hint, now)).toBeNull()
  })

  test('of what the state shows already needs no look, and of anything else does', () => {
    const held = payment({ state: 'authorised' })
    expect(takeHint(held, { ...hint, type: 'payment_intent.amount_capturable_updated' }, now)).toBeNull()
    expect(takeHint(held, hint, now)).not.toBeNull()
    const declined = payment({ state: 'declined' })
    expect(takeHint(declined, { ...hint, type: 'payment_intent.payment_failed' }, now)).toBeNull()
    // A hold on a card that was declined before has to be found and cancelled.
    expect(takeHint(declined, { ...hint, type: 'payment_intent.amount_capturable_updated' }, now)).not.toBeNull()
  })

  test('cannot change a state that is final', () => {
    for (const state of ['captured', 'refunded', 'voided', 'expired', 'abandoned'] as const)
      expect(takeHint(payment({ state }), hint, now)).toBeNull()
  })

  test('is left to the request that is at work, until that should have ended', () => {
    const confirming = payment({ state: 'created', attemptUntil: later })
    const capturing = payment({ state: 'authorised', recheckAt: later })
    expect([takeHint(confirming, hint, now), takeHint(capturing, hint, now)]).toEqual([null, null])
    expect(takeHint(confirming, hint, later)).not.toBeNull()
    expect(takeHint(capturing, hint, later)).not.toBeNull()
  })
})

test('every change of state of a payment that the bus must know of carries its event', () => {
  const told = (change: Change | null) => change?.event?.definition.name
  const hold = payment({ state: 'authorised' })
  expect(told(applyOutcome(payment(), { kind: 'held', face: null }, moment))).toBe('payment.authorised')
  expect(told(applyOutcome(payment(), { kind: 'declined', reason: 'x' }, moment))).toBe('payment.declined')
  expect(told(applyOutcome(hold, { kind: 'taken', face: null }, moment))).toBe('payment.captured')
  expect(told(applyOutcome(hold, { kind: 'gone' }, moment))).toBe('payment.voided')
  expect(told(applyOutcome(payment(), { kind: 'gone' }, moment))).toBeUndefined()
})
