import type { BookingAttempt, BookingCreated } from '@passerelle/contracts/http/booking'
import { describe, expect, it } from 'vitest'
import { booking } from './booking.fixture.ts'
import {
  type CheckoutEvent,
  type CheckoutState,
  checkoutReducer,
  isBusy,
  isOpen,
  NEW_CHECKOUT,
  type Phase,
  usableHold,
} from './checkout-state.ts'
import type { Failure } from './classify.ts'
import type { PassengerValues } from './passenger-form.ts'

const created: BookingCreated = { ...booking, accountCreated: false, accountInfo: null, emailContent: '' }
const total = { amount: '1613.00', currency: 'USD' }
const passengers = [{ id: 'pas_1', type: 'adult', firstName: 'Inès', lastName: 'Moreau' }] as PassengerValues[]
const seat = {
  passengerId: 'pas_1',
  seatId: '24A',
  segmentId: 'seg_1_1',
  cabinClass: 'economy',
  price: { amount: '31.00', currency: 'USD' },
}
const other = { ...seat, seatId: '25B', segmentId: 'seg_2_2' }

const entered: CheckoutEvent = { type: 'passengers-entered', passengers }
const press = (key: string, cardLast4: string | null = '4242'): CheckoutEvent => ({ type: 'pay-pressed', key, total, cardLast4 })
const held: CheckoutEvent = { type: 'held', payment: { paymentId: 'pay_1', real: true } }
const fails = (failure: Failure): CheckoutEvent => ({ type: 'failed', failure, now: 1_000_000 })
const unanswered = fails({ kind: 'payment', title: 'Payment Failed', message: 'm', answered: false, declined: false, retryAfter: null })
const declined = fails({ kind: 'payment', title: 'Card Payment Failed', message: 'm', answered: true, declined: true, retryAfter: null })
const lost = fails({ kind: 'unknown', message: 'm' })
const answer = (outcome: BookingAttempt['outcome'], failure: BookingAttempt['failure'] = null): BookingAttempt => ({
  outcome,
  booking: outcome === 'none' ? null : booking,
  failure,
})
const found = (one: BookingAttempt, final = false): CheckoutEvent => ({ type: 'outcome-found', answer: one, final })

const after = (...events: CheckoutEvent[]) => events.reduce(checkoutReducer, NEW_CHECKOUT)
const IN: Record<Phase, CheckoutState> = {
  editing: after(entered),
  authorising: after(entered, press('k1')),
  'action-required': after(entered, press('k1'), { type: 'action-asked' }),
  booking: after(entered, press('k1'), held),
  uncertain: after(entered, press('k1'), held, lost),
  done: after(entered, press('k1'), held, { type: 'booked', booking: created }),
}

describe('the phases of a checkout', () => {
  it('go from the form over the hold and the booking to the end', () => {
    for (const [phase, state] of Object.entries(IN)) expect(state.phase).toBe(phase)
    expect(IN.done.result).toEqual({ bookingId: created.id, created })
    expect(IN.done).toMatchObject({ hold: null, attempt: null })
  })

  it('PAY-18: are busy, and open to a question on leaving, exactly while something is under way', () => {
    const phases = (test: (state: CheckoutState) => boolean) =>
      Object.values(IN)
        .filter(test)
        .map(({ phase }) => phase)
    expect(phases(isBusy)).toEqual(['authorising', 'action-required', 'booking'])
    expect(phases(isOpen)).toEqual(['authorising', 'action-required', 'booking', 'uncertain'])
  })

  const taken: Record<CheckoutEvent['type'], { event: CheckoutEvent; changes: Phase[] }> = {
    'passengers-entered': { event: { type: 'passengers-entered', passengers: [] }, changes: ['editing'] },
    'seats-chosen': { event: { type: 'seats-chosen', seats: [seat] }, changes: ['editing'] },
    'seats-read': { event: { type: 'seats-read', flights: [] }, changes: ['editing'] },
    'seats-confirmed': { event: { type: 'seats-confirmed' }, changes: [] },
    'pay-pressed': { event: press('k2'), changes: ['editing', 'uncertain'] },
    'key-spent': { event: { type: 'key-spent', key: 'k2' }, changes: ['authorising'] },
    'action-asked': { event: { type: 'action-asked' }, changes: ['authorising'] },
    'action-taken': { event: { type: 'action-taken' }, changes: ['action-required'] },
    held: { event: held, changes: ['authorising'] },
    'check-failed': { event: { type: 'check-failed', message: 'm' }, changes: ['booking'] },
    booked: { event: { type: 'booked', booking: created }, changes: ['authorising', 'action-required', 'booking', 'uncertain'] },
    failed: { event: declined, changes: ['authorising', 'action-required', 'booking', 'uncertain'] },
    'outcome-found': { event: found(answer('confirmed')), changes: ['uncertain'] },
  }
  it.each(Object.entries(taken))('%s changes only the phases that it belongs to', (_, { event, changes }) => {
    const changed = Object.values(IN).filter((state) => checkoutReducer(state, event) !== state)
    expect(changed.map(({ phase }) => phase)).toEqual(changes)
  })

  it('a press without passengers, or without card and hold, does nothing', () => {
    expect(after(press('k1'))).toBe(NEW_CHECKOUT)
    expect(after(entered, press('k1', null)).phase).toBe('editing')
  })
})

describe('the key of an attempt', () => {
  it('R-26: stays the same while nobody knows whether the payment arrived, also after other steps', () => {
    const state = after(entered, press('k1'), unanswered, { type: 'seats-chosen', seats: [seat] }, entered, press('k2'))
    expect(state).toMatchObject({ phase: 'authorising', attempt: { key: 'k1' } })
  })

  it('R-26: stays the same while nobody knows whether the booking arrived', () => {
    expect(checkoutReducer(IN.uncertain, press('k2', null))).toMatchObject({
      phase: 'booking',
      attempt: { key: 'k1' },
      hold: { paymentId: 'pay_1' },
    })
  })

  it('is another one once the server knows it from another card', () => {
    expect(checkoutReducer(IN.authorising, { type: 'key-spent', key: 'k2' }).attempt?.key).toBe('k2')
  })

  it('PAY-14: is another one after every answer', () => {
    for (const failure of [
      declined,
      fails({ kind: 'refused', message: 'm' }),
      fails({ kind: 'price', charge: total }),
      fails({ kind: 'expired', gone: false }),
    ]) {
      const state = checkoutReducer(IN.booking, failure)
      expect(state).toMatchObject({ phase: 'editing', attempt: null, hold: null })
      expect(checkoutReducer(state, press('k2')).attempt?.key).toBe('k2')
    }
  })
})

describe('a hold', () => {
  it('serves again for the same total only', () => {
    const state = checkoutReducer(IN.booking, { type: 'check-failed', message: 'm' })
    expect(state).toMatchObject({ phase: 'editing', attempt: null, notice: { kind: 'failed', message: 'm' } })
    expect(usableHold(state, total)?.paymentId).toBe('pay_1')
    expect(usableHold(state, { ...total, amount: '1644.00' })).toBeNull()
    expect(checkoutReducer(state, press('k2', null))).toMatchObject({ phase: 'booking', attempt: { key: 'k2', withCard: false } })
    expect(checkoutReducer(state, press('k2'))).toMatchObject({ phase: 'authorising', hold: null })
  })

  it('that only the browser believes in is not kept, and the payment behind it stays open', () => {
    const stood = after(entered, press('k1'), { type: 'held', payment: { paymentId: 'test_payment_1', real: false } })
    expect(checkoutReducer(stood, { type: 'check-failed', message: 'm' })).toMatchObject({ hold: null, attempt: { key: 'k1' } })
    expect(checkoutReducer(stood, unanswered)).toMatchObject({ hold: null, attempt: { key: 'k1' } })
  })
})

describe('a failure', () => {
  it('PAY-13: of the card says which one, and stays until the next attempt', () => {
    const state = checkoutReducer(IN.authorising, declined)
    const notice = { kind: 'payment', title: 'Card Payment Failed', declined: true, cardLast4: '4242', retryAt: null }
    expect(state.notice).toMatchObject(notice)
    expect(checkoutReducer(checkoutReducer(state, { type: 'seats-confirmed' }), entered).notice).toMatchObject(notice)
    expect(checkoutReducer(state, press('k2')).notice).toBeNull()
  })

  it('by too many declined cards says when one can try again', () => {
    const stopped = fails({ kind: 'payment', title: 'Payment Failed', message: 'm', answered: true, declined: false, retryAfter: 60 })
    expect(checkoutReducer(IN.authorising, stopped).notice).toMatchObject({ retryAt: 1_060_000, declined: false })
  })

  it('by a seat that is gone takes that seat away and keeps the others', () => {
    const seated = after(entered, { type: 'seats-chosen', seats: [seat, other] }, press('k1'), held)
    const gone = { passengerId: 'pas_1', seatId: '24A', segmentId: 'seg_1_1' }
    const state = checkoutReducer(seated, fails({ kind: 'seats', message: 'm', seats: [gone] }))
    expect(state).toMatchObject({ phase: 'editing', seats: [other], hold: null, notice: { kind: 'seats', lost: [gone] } })
    expect(checkoutReducer(state, { type: 'seats-confirmed' }).notice).toBeNull()
    expect(checkoutReducer(seated, fails({ kind: 'seats', message: 'm', seats: null })).seats).toEqual([])
  })

  it('PAX-35: by a passenger names the fields and keeps the hold', () => {
    const issues = [{ path: 'passengers.0.title', message: 'needed' }]
    const state = checkoutReducer(IN.booking, fails({ kind: 'passengers', message: 'm', issues }))
    expect(state).toMatchObject({ hold: { paymentId: 'pay_1' }, attempt: null, notice: { problems: [{ index: 0, field: 'title' }] } })
    expect(checkoutReducer(state, entered).notice).toBeNull()
  })

  it('ABOOK-11: by the price keeps the one that was shown', () => {
    const charge = { amount: '1700.00', currency: 'USD' }
    const state = checkoutReducer(IN.booking, fails({ kind: 'price', charge }))
    expect(state.price).toEqual({ agreed: charge, before: total })
    expect(checkoutReducer(state, { type: 'seats-chosen', seats: [seat] }).price).toBeNull()
  })

  it('R-26: by a booking that exists leads to it', () => {
    expect(checkoutReducer(IN.booking, fails({ kind: 'booked', bookingId: 'bk_9' }))).toMatchObject({
      phase: 'done',
      result: { bookingId: 'bk_9', created: null },
    })
    expect(checkoutReducer(IN.booking, fails({ kind: 'exists', bookingId: 'bk_9' }))).toMatchObject({
      phase: 'editing',
      hold: null,
      notice: { kind: 'exists', bookingId: 'bk_9' },
    })
  })
})

describe('an answer that got lost', () => {
  it('is a booking when the server has one, confirmed or still pending', () => {
    for (const outcome of ['confirmed', 'pending'] as const) {
      expect(checkoutReducer(IN.uncertain, found(answer(outcome)))).toMatchObject({
        phase: 'done',
        result: { bookingId: booking.id, created: null },
      })
    }
  })

  it('is open while there is no booking yet, and over when there will be none', () => {
    expect(checkoutReducer(IN.uncertain, found(answer('none')))).toBe(IN.uncertain)
    expect(checkoutReducer(IN.uncertain, found(answer('none'), true))).toMatchObject({
      phase: 'editing',
      attempt: null,
      hold: null,
      notice: { kind: 'failed' },
    })
  })

  it('is a refusal with its reason when the airline refused', () => {
    const refused = answer('failed', { code: 'BOOKING_REFUSED', message: 'The airline refused it.' })
    expect(checkoutReducer(IN.uncertain, found(refused))).toMatchObject({
      phase: 'editing',
      notice: { kind: 'failed', message: 'The airline refused it.' },
    })
    expect(checkoutReducer(IN.uncertain, found(answer('cancelled'))).phase).toBe('editing')
  })
})
