/** For tests: a small world in which everything is well. One booking is confirmed, one cancelled and refunded, one failed after "pending". */
import type { Evidence } from './evidence.ts'
import type { Answer, Journey } from './journeys.ts'

const BEGAN = Date.parse('2026-11-22T10:00:00Z')
const at = (seconds: number) => new Date(BEGAN + seconds * 1000)
const iso = (seconds: number) => at(seconds).toISOString()

type States = Evidence['bookings'][number]['state'][]
const ENDS: Record<'one' | 'two' | 'three', States> = {
  one: ['REQUESTED', 'ORDERING', 'ORDERED', 'CONFIRMED'],
  two: ['REQUESTED', 'ORDERING', 'ORDERED', 'CONFIRMED', 'CANCEL_REQUESTED', 'ORDER_CANCELLED', 'REFUNDED'],
  three: ['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDER_FAILED', 'FAILED'],
}
const names = Object.keys(ENDS) as (keyof typeof ENDS)[]
const reference = (name: string) => name.toUpperCase().padEnd(8, 'X')

const booking = (name: keyof typeof ENDS): Evidence['bookings'][number] => ({
  ...{ _id: `bk_${name}`, state: ENDS[name].at(-1)!, reference: reference(name), idempotencyKey: `key ${name}`, paymentId: `pay_${name}` },
  ...{ userId: name === 'three' ? null : `usr_${name}`, createdAt: at(0), charge: { minor: 12300, currency: 'EUR' }, markupPercent: 23 },
  ...{ supplierCharge: { amount: '100.00', currency: 'EUR' }, pendingAnnouncedAt: name === 'three' ? at(4) : null, refund: null },
  history: ENDS[name].map((state, i) => ({ at: at(i), state })),
})
const mail = (subject: string, name: string, seconds: number, text = '') => ({
  ...{ subject: `${subject}: ${reference(name)} - Passerelle`, text, messageId: `<${subject} ${name}>`, receivedAt: iso(seconds) },
})
const shown = (name: string, status: string) => ({ id: `bk_${name}`, status, bookingReference: reference(name) })
const told = (name: string, seconds: number, status: number, state: string | null, more: Partial<Answer> = {}): Answer => ({
  ...{ asked: at(seconds - 1).getTime(), at: at(seconds).getTime(), step: 'book', status, error: null, text: '' },
  booking: state === null ? null : shown(name, state),
  ...more,
})
const journey = (name: string, answers: Answer[]): Journey => ({
  ...{
    email: `${name}@example.org`,
    password: `Secret-of-${name}`,
    price: { amount: '123.00', currency: 'EUR' },
    paymentId: `pay_${name}`,
  },
  ...{ booked: answers[0]?.booking ?? null, answers, failures: [], failedAt: null, ms: 1 },
})
const published = (key: string, ...types: string[]) =>
  types.map((type, i) => ({ id: `${key} ${i}`, type: `travel.${type}.v1`, key, sequence: i + 1 }))

/** A new one for each test, to be broken. */
export function healthyEvidence(): Evidence {
  const intent = (name: string, captured: boolean) => ({
    ...{ id: `pi_${name}`, amount: 12300, currency: 'eur', captured: captured ? 12300 : 0, refunded: name === 'two' ? 8000 : 0 },
    ...{ status: captured ? 'succeeded' : 'canceled', metadata: { payment_id: `pay_${name}` }, authorisedAt: iso(0) },
    ...{ capturedAt: captured ? iso(3) : null, canceledAt: captured ? null : iso(4) },
  })
  const order = (name: string) => ({
    ...{
      id: `ord_${name}`,
      total_amount: '100.00',
      total_currency: 'EUR',
      metadata: { booking_id: `bk_${name}` } as Record<string, string>,
    },
    ...{ created_at: iso(2), cancelled_at: name === 'two' ? iso(20) : null },
  })
  return {
    bookings: names.map(booking),
    payments: names.map((name) => ({
      ...{ _id: `pay_${name}`, bookingId: `bk_${name}` },
      state: { one: 'captured', two: 'refunded', three: 'voided' }[name],
    })),
    users: ['one', 'two'].map((name) => ({ _id: `usr_${name}`, emailKey: `${name}@example.org`, bookingId: `bk_${name}` })),
    mails: [],
    orders: ['one', 'two'].map(order),
    intents: [intent('one', true), intent('two', true), intent('three', false)],
    captures: [{ paymentIntent: 'pi_one' }, { paymentIntent: 'pi_two' }],
    refunds: [{ paymentIntent: 'pi_two' }],
    messages: [
      mail('Booking confirmed', 'one', 5),
      mail('Booking confirmed', 'two', 5),
      mail('Booking cancelled', 'two', 25),
      mail('We are confirming your booking', 'three', 5),
      mail('Booking not completed', 'three', 30, 'Your card was not charged: the €123 that was held is released.'),
    ],
    webhooks: {},
    cardCalls: {},
    topics: [
      ...published('bk_one', 'booking.confirmed'),
      ...published('bk_two', 'booking.confirmed', 'booking.cancelled'),
      ...published('bk_three', 'booking.pending', 'booking.failed'),
      ...published('pay_two', 'payment.refunded'),
      ...published('usr_one', 'account.created'),
      ...published('usr_two', 'account.created'),
    ],
    texts: new Map([['MongoDB booking.bookings', '{"cardLast4":"4242"}']]),
    journeys: [
      journey('one', [told('one', 5, 201, 'confirmed', { booking: { ...shown('one', 'confirmed'), accountCreated: true } })]),
      journey('two', [told('two', 5, 201, 'confirmed')]),
      journey('three', [told('three', 5, 202, 'pending'), told('three', 30, 200, 'cancelled', { step: 'read' })]),
    ],
    whole: true,
    settleMs: 15_000,
  }
}
