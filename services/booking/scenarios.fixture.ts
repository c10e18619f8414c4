/** For tests of the saga: how the airline, the payment service and the search may treat a booking, and the state in which it then ends. */
import type { Conditions } from './conditions.fixture.ts'
import type { BookingRecord } from './domain/booking.ts'
import type { SagaState } from './domain/state.ts'

export type Scenario = {
  name: string
  around?: Partial<Conditions>
  from?: Partial<BookingRecord>
  ends: SagaState
  as?: Partial<BookingRecord>
}

const pending = { state: 'ORDER_UNKNOWN', attempts: 1, sendBefore: new Date(0), settleBy: new Date('2100-01-01') } as const
const cancelling = { state: 'CANCEL_REQUESTED', orderId: 'its own' } as const

export const scenarios: Scenario[] = [
  { name: 'all goes well', ends: 'CONFIRMED' },
  { name: 'the answer to the order is lost', around: { order: ['lost'] }, ends: 'CONFIRMED' },
  { name: 'ABOOK-16: the order appears a minute later', around: { order: ['late'] }, ends: 'CONFIRMED' },
  { name: 'ABOOK-16: the order never appears', around: { order: ['never'] }, ends: 'FAILED', as: { failure: { code: 'BOOKING_FAILED' } } },
  { name: 'ABOOK-16: the visitor has been told "pending" before the airline answers', from: { answerBy: new Date(0) }, ends: 'CONFIRMED' },
  {
    name: 'ABOOK-16: the visitor has been told "pending", and then the answer is lost',
    around: { order: ['lost'] },
    from: { answerBy: new Date(0) },
    ends: 'CONFIRMED',
  },
  {
    name: 'ABOOK-16: the visitor has been told "pending", and then the airline refuses',
    around: { order: ['refused'] },
    from: { answerBy: new Date(0) },
    ends: 'FAILED',
  },
  { name: 'ABOOK-15: the airline refuses', around: { order: ['refused'] }, ends: 'FAILED' },
  {
    name: 'R-109: the supplier offer is spent, and the same flights are had again',
    around: { order: ['offer-used', 'made'] },
    ends: 'CONFIRMED',
  },
  {
    name: 'every supplier offer is spent',
    around: { order: ['offer-used'] },
    ends: 'FAILED',
    as: { attempts: 3, failure: { code: 'OFFER_EXPIRED' } },
  },
  {
    name: 'ABOOK-12: a seat is taken when the order arrives, and the seat map says which',
    around: { order: ['seat-taken'], price: 'seat-taken' },
    ends: 'FAILED',
    as: {
      failure: {
        code: 'SEAT_UNAVAILABLE',
        message: 'Seat 12A on TP439 from Paris to Lisbon (passenger 1) has just been taken. Please choose another seat.',
        details: {
          seats: [{ passengerId: 'pas_1', segmentId: 'seg_1_1', seatId: '12A', flight: 'TP439 from Paris to Lisbon', passenger: 1 }],
        },
      },
    },
  },
  {
    name: 'ABOOK-12: a seat is taken, and which cannot be known',
    around: { order: ['seat-taken'] },
    ends: 'FAILED',
    as: { failure: { code: 'SEAT_UNAVAILABLE' } },
  },
  {
    name: 'ABOOK-11: the flights cost more by now',
    around: { order: ['repriced'], price: 'other' },
    ends: 'FAILED',
    as: { failure: { code: 'PRICE_CHANGED', details: { amount: '301.00', currency: 'EUR' } } },
  },
  { name: 'ABOOK-10: the flights are gone by now', around: { order: ['offer-used'], price: 'gone' }, ends: 'FAILED' },
  {
    name: 'ABOOK-10: the airline says at the order that the offer is gone',
    around: { order: ['gone'] },
    ends: 'FAILED',
    as: { failure: { code: 'OFFER_EXPIRED' } },
  },
  { name: 'the payment service is away for a while', around: { capture: ['away', 'away', 'captured'] }, ends: 'CONFIRMED' },
  { name: 'C14: the hold has expired: the ticket is given back', around: { capture: ['expired'] }, ends: 'FAILED' },
  {
    name: 'C14: the hold has expired and the airline keeps the ticket: an operator must look',
    around: { capture: ['expired'], cancel: ['refused'] },
    ends: 'NEEDS_ATTENTION',
  },
  { name: 'R-52: it is cancelled before it was ordered', from: { pendingCancellation: true }, ends: 'FAILED' },
  {
    name: 'R-52: it is cancelled while the outcome is open',
    from: { ...pending, orderId: 'its own', pendingCancellation: true },
    ends: 'FAILED',
  },
  {
    name: 'R-52: it is cancelled while the outcome is open, and the airline keeps the ticket',
    around: { cancel: ['refused'] },
    from: { ...pending, orderId: 'its own', pendingCancellation: true },
    ends: 'CONFIRMED',
    as: { pendingCancellation: false, cancelNote: 'refused' },
  },
  {
    name: 'ABOOK-24: a confirmed one is cancelled',
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { kind: 'card', minor: 18_250, credit: null, refundedAt: null } },
  },
  {
    name: 'ABOOK-24: the airline gives credit instead of money',
    around: { refund: { to: 'airline_credits' } },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { kind: 'credit', minor: 0, credit: { amount: '182.50', currency: 'EUR' }, refundedAt: null } },
  },
  {
    name: 'ABOOK-24: the airline gives another currency back: an operator must look',
    around: { refund: { currency: 'USD' } },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { kind: 'operator', minor: 0, credit: null, refundedAt: null } },
  },
  {
    name: 'ABOOK-24: the airline gives back a figure that nobody can pay: an operator must look',
    around: { refund: { amount: '182.505' } },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { kind: 'operator', minor: 0, credit: null, refundedAt: null } },
  },
  {
    name: 'ABOOK-24: the airline does not say what it gives back: an operator must look',
    around: { refund: { amount: null, currency: null, to: null } },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
    as: { refund: { kind: 'operator', minor: 0, credit: null, refundedAt: null } },
  },
  {
    name: 'the airline does not answer to the cancellation at first',
    around: { cancel: ['away', 'cancelled'] },
    from: cancelling,
    ends: 'ORDER_CANCELLED',
  },
  {
    name: 'ABOOK-25: the airline refuses to cancel',
    around: { cancel: ['refused'] },
    from: cancelling,
    ends: 'CONFIRMED',
    as: { cancelNote: 'refused' },
  },
  {
    name: 'C22: the airline would give back less by now',
    around: { cancel: ['worse'] },
    from: cancelling,
    ends: 'CONFIRMED',
    as: { cancelNote: 'worse' },
  },
]
