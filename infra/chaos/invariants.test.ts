import { expect, test } from 'vitest'
import { healthyEvidence } from './evidence.fixture.ts'
import type { Evidence } from './evidence.ts'
import { judge } from './invariants.ts'

const broken = (evidence: Evidence) => judge(evidence).filter(({ violations }) => violations.length > 0)

test('nothing is found where everything is well, and every invariant is asked', () => {
  const found = judge(healthyEvidence())
  expect(found.filter(({ violations }) => violations.length > 0)).toEqual([])
  const ids = new Set(found.map(({ id }) => id))
  for (let i = 1; i <= 14; i++) expect(ids).toContain(`I${i}`)
  expect(found.filter(({ of }) => of === 0).map(({ what }) => what)).toEqual([])
})

type Break = (evidence: Evidence) => unknown
const order = (evidence: Evidence, i = 0) => evidence.orders[i]!
const intent = (evidence: Evidence, i = 0) => evidence.intents[i]!
const booking = (evidence: Evidence, i = 0) => evidence.bookings[i]!
const answer = (evidence: Evidence, journey: number, i = 0) => evidence.journeys![journey]!.answers[i]!
const text = (evidence: Evidence, place: string, words: string) => (evidence.texts as Map<string, string>).set(place, words)

/** One violation of each kind, and the line that has to find it. */
const violations: [id: string, what: string, seed: Break][] = [
  ['I1', 'money is captured and there is no order', (e) => e.orders.shift()],
  ['I1', 'money is captured before there is an order', (e) => Object.assign(order(e), { created_at: '2026-11-22T10:00:06Z' })],
  ['I1', 'money is captured after the order was cancelled', (e) => Object.assign(order(e), { cancelled_at: '2026-11-22T10:00:02Z' })],
  ['I2', 'an intent is captured twice', (e) => e.captures.push({ paymentIntent: 'pi_one' })],
  ['I2', 'two intents of a booking are captured', (e) => e.intents.push({ ...intent(e), id: 'pi_other' })],
  ['I2', 'a payment is refunded twice', (e) => e.refunds.push({ paymentIntent: 'pi_two' })],
  ['I2', 'more is refunded than was captured', (e) => Object.assign(intent(e, 1), { refunded: 12_301 })],
  ['I3', 'a booking has two orders', (e) => e.orders.push({ ...order(e), id: 'ord_again' })],
  ['I3', 'an order belongs to no booking', (e) => e.orders.push({ ...order(e), metadata: { booking_id: 'bk_lost' } })],
  ['I4', 'a payment pays for two bookings', (e) => Object.assign(booking(e, 1), { paymentId: 'pay_one' })],
  ['I4', 'two bookings have one idempotency key', (e) => Object.assign(booking(e, 1), { idempotencyKey: 'key one' })],
  ['I4', 'a visitor is answered with two bookings', (e) => e.journeys![0]!.answers.push(answer(e, 1))],
  ['I5', 'a confirmed booking is not captured', (e) => Object.assign(intent(e), { captured: 0, capturedAt: null })],
  ['I5', 'a confirmed booking has no live order', (e) => Object.assign(order(e), { cancelled_at: '2026-11-22T10:01:00Z' })],
  ['I6', 'a failed booking has a live order', (e) => e.orders.push({ ...order(e), metadata: { booking_id: 'bk_three' } })],
  ['I6', 'a failed booking was captured', (e) => Object.assign(intent(e, 2), { captured: 12_300, capturedAt: '2026-11-22T10:00:03Z' })],
  ['I6', 'the amount of a failed booking is still held', (e) => Object.assign(intent(e, 2), { status: 'requires_capture' })],
  ['I7', 'an order without a payment stays', (e) => e.orders.push({ ...order(e), metadata: { booking_id: 'bk_three' } })],
  [
    'I7',
    'an order without a payment is cancelled too late',
    (e) => e.orders.push({ ...order(e), metadata: { booking_id: 'bk_three' }, cancelled_at: '2026-11-22T10:02:18Z' }),
  ],
  ['I8', 'an outcome was never published', (e) => e.topics!.shift()],
  ['I8', 'a refund was never published', (e) => Object.assign(e, { topics: e.topics!.filter(({ key }) => key !== 'pay_two') })],
  ['I8', 'events of a booking came in another order', (e) => e.topics!.splice(1, 2, e.topics![2]!, e.topics![1]!)],
  ['I8', 'an outbox still has an event', (e) => Object.assign(booking(e), { outboxPending: true })],
  ['I9', 'two mails of one kind', (e) => e.messages.push({ ...e.messages[0]!, messageId: '<another>' })],
  ['I9', 'no confirmation was written', (e) => e.messages.shift()],
  ['I10', 'two accounts for one address', (e) => Object.assign(e.users[1]!, { emailKey: 'one@example.org' })],
  ['I10', 'a confirmed booking without an account', (e) => Object.assign(booking(e), { userId: null })],
  [
    'I10',
    'somebody with an account is told that one was made',
    (e) => {
      for (const i of [0, 1]) Object.assign(answer(e, i).booking!, { accountCreated: true })
      e.journeys![1]!.email = e.journeys![0]!.email
    },
  ],
  ['I11', 'a booking is pending', (e) => Object.assign(booking(e, 2), { state: 'ORDER_UNKNOWN' })],
  ['I11', 'a booking needs a person', (e) => Object.assign(booking(e, 2), { state: 'NEEDS_ATTENTION' })],
  ['I11', 'an amount is held for nobody', (e) => e.intents.push({ ...intent(e, 2), id: 'pi_left', status: 'requires_capture' })],
  ['I12', 'another amount was captured than was shown', (e) => Object.assign(intent(e), { captured: 12_400 })],
  ['I12', 'the price is not that of the order with the markup', (e) => Object.assign(order(e), { total_amount: '101.00' })],
  ['I13', 'a card number is kept', (e) => text(e, 'log payment', 'card 4242 4242 4242 4242')],
  ['I13', 'a passport is published', (e) => text(e, 'Kafka booking.events', '{"passportNumber":"19KL5107"}')],
  ['I13', 'a password is kept', (e) => text(e, 'MongoDB identity.users', '{"password":"Secret-of-one"}')],
  [
    'I14',
    '"not charged" was said of a card that had been charged',
    (e) =>
      e.journeys![0]!.answers.splice(0, 0, { ...answer(e, 0), at: Date.parse('2026-11-22T10:00:10Z'), text: 'Your card was not charged.' }),
  ],
  [
    'I14',
    '"not charged" was said and the card charged afterwards, unasked',
    (e) =>
      e.journeys![0]!.answers.push({
        ...answer(e, 0),
        at: Date.parse('2026-11-22T10:00:01Z'),
        text: 'Your card was not charged.',
        booking: null,
      }),
  ],
  [
    'I14',
    'a mail said "not charged" of a card that was charged',
    (e) => Object.assign(e.messages[0]!, { text: 'Your card was not charged' }),
  ],
  ['I14', '"booked" was answered without a ticket', (e) => Object.assign(order(e), { created_at: '2026-11-22T10:00:06Z' })],
  ['I14', '"booked" was answered before it was paid', (e) => Object.assign(intent(e), { capturedAt: '2026-11-22T10:00:08Z' })],
  ['I14', 'a mail said "booked" before there was a ticket', (e) => Object.assign(e.messages[1]!, { receivedAt: '2026-11-22T10:00:01Z' })],
  [
    'I14',
    '"pending" was never followed by an end',
    (e) => {
      e.messages.pop()
      e.journeys![2]!.answers.pop()
    },
  ],
  ['told', 'an acknowledged booking is not stored', (e) => e.bookings.shift()],
  ['told', 'it is stored at another price', (e) => Object.assign(booking(e), { charge: { minor: 12_301, currency: 'EUR' } })],
  ['told', 'an acknowledged payment is not stored', (e) => e.payments.shift()],
]

test.each(violations)('%s is found broken: %s', (id, _what, seed) => {
  const evidence = healthyEvidence()
  seed(evidence)
  expect(broken(evidence).map((finding) => finding.id)).toContain(id)
})
