/**
 * I1 to I14: what must be true when everything has come to rest. Pure: judged from what the suppliers, the mailbox, the databases, the topics
 * and the visitors themselves have seen, never from the product's own counters.
 */
import { allTransitions } from '@passerelle/booking/domain/state'
import { toMinor, withMarkup } from '@passerelle/contracts/rules/money'
import type { Booking, Evidence, Published } from './evidence.ts'
import { distinct, type Finding, type Intent, mailsOf, none, type Order, SECOND, time, type View, viewOf } from './finding.ts'
import { promises } from './promises.ts'

const OPEN = ['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDERED', 'CAPTURE_FAILED', 'ORDER_FAILED', 'CANCEL_REQUESTED']
export const isOpen = ({ state }: Pick<Booking, 'state'>) => OPEN.includes(state)
const hasTicket = ({ state }: Booking) => ['CONFIRMED', 'COMPLETED', 'CANCEL_REQUESTED'].includes(state)
/** An order that cannot be paid is cancelled within this time after it is known to be there. */
const COMPENSATED_WITHIN_MS = 120_000
/** Every line, broken or not. */
export function judge(evidence: Evidence): Finding[] {
  const view = viewOf(evidence)
  return [
    ...moneyAndTickets(view),
    ...(evidence.topics ? eventsOnTopics(view, evidence.topics) : []),
    ...(evidence.whole ? mailsAndAccounts(view) : []),
    ...rest(view),
    ...(evidence.texts ? secrets(view, evidence.texts) : []),
    ...(evidence.journeys ? promises(view, evidence.journeys) : []),
  ]
}

function moneyAndTickets(view: View): Finding[] {
  const { bookings, intents, orders, captures, refunds, ordersOf, byId } = view
  const taken = intents.filter(({ captured }) => captured > 0)
  const refundedOf = Map.groupBy(refunds, ({ paymentIntent }) => paymentIntent)
  const failed = bookings.filter(({ state }) => state === 'FAILED')
  const hadOrder = (intent: Intent) =>
    ordersOf.get(view.bookingIdOf(intent))?.some((order) => {
      return time(order.created_at) <= time(intent.capturedAt) + SECOND && time(order.cancelled_at) >= time(intent.capturedAt)
    })
  const isExact = (booking: Booking) => {
    const intent = view.captured(booking)
    const { minor, currency } = booking.charge
    return !intent || (intent.captured === minor && intent.currency.toUpperCase() === currency && fromOrder(booking) === minor)
  }
  const fromOrder = ({ _id, markupPercent, charge }: Booking) => {
    const order = ordersOf.get(_id)?.[0]
    return order ? toMinor(withMarkup(order.total_amount, order.total_currency, markupPercent), charge.currency) : charge.minor
  }
  const isLate = (order: Order) => {
    const booking = byId.get(order.metadata.booking_id ?? '')
    if (booking && view.captured(booking)) return false
    return time(order.cancelled_at) - time(order.created_at) > view.settleMs + COMPENSATED_WITHIN_MS
  }
  return [
    none('I1', 'no capture without an order that is there', taken, (intent) => !hadOrder(intent)),
    distinct(
      'I2',
      'at most one capture of an intent',
      captures.map(({ paymentIntent }) => paymentIntent),
    ),
    distinct('I2', 'at most one captured intent of a booking', taken.map(view.bookingIdOf)),
    none('I2', 'at most one refund of an intent, and no more than was captured', intents, ({ id, refunded, captured }) => {
      return refunded > captured || (refundedOf.get(id)?.length ?? 0) > 1
    }),
    none('I3', 'at most one order of a booking', [...ordersOf], ([, list]) => list.length > 1),
    none('I3', 'every order belongs to a stored booking', [...ordersOf.keys()], (id) => !byId.has(id)),
    distinct(
      'I4',
      'one booking per payment',
      bookings.map(({ paymentId }) => paymentId),
    ),
    distinct(
      'I4',
      'one booking per idempotency key',
      bookings.map(({ idempotencyKey }) => idempotencyKey),
    ),
    none('I5', 'what is confirmed is captured and has a live order', bookings.filter(hasTicket), (booking) => {
      return !view.captured(booking) || view.captured(booking)?.refunded || !view.liveOrder(booking._id)
    }),
    none('I6', 'what failed has neither a capture nor a hold nor a live order', failed, ({ _id, paymentId }) => {
      const held = view.intentsOf.get(paymentId)?.some(({ captured, status }) => captured > 0 || status === 'requires_capture')
      return held || view.liveOrder(_id)
    }),
    none('I7', 'an order is captured, or cancelled in time', orders, isLate),
    none('I12', 'what was captured is the price: that of the order with the markup, rounded once', bookings, (one) => !isExact(one)),
  ]
}

function eventsOnTopics({ bookings, payments, users }: View, topics: readonly Published[]): Finding[] {
  const typesOf = new Map([...Map.groupBy(topics, ({ key }) => key)].map(([key, list]) => [key, new Set(list.map(({ type }) => type))]))
  const has = (key: string, name: string) => [1, 2].some((version) => typesOf.get(key)?.has(`travel.${name}.v${version}`))
  const due = bookings.flatMap(({ _id, history = [] }) =>
    history.slice(1).flatMap(({ state }, i) => {
      const row = allTransitions.find(({ from, to }) => from === history[i]?.state && to === state)
      return row?.event ? [{ key: _id, name: row.event as string }] : []
    }),
  )
  const refunded = payments.filter(({ state }) => state === 'refunded').map(({ _id }) => ({ key: _id, name: 'payment.refunded' }))
  // The first administrator is made without one.
  const made = users.filter(({ bookingId }) => bookingId !== null).map(({ _id }) => ({ key: _id, name: 'account.created' }))
  const first = [...new Map(topics.toReversed().map((one) => [one.id, one])).values()].toReversed()
  const byKey = [...Map.groupBy(first, ({ key }) => key)]
  const isAscending = (list: readonly Published[]) => list.every(({ sequence }, i) => i === 0 || sequence > (list[i - 1]?.sequence ?? 0))
  return [
    none('I8', 'every outcome that is stored is on its topic', [...due, ...refunded, ...made], ({ key, name }) => !has(key, name)),
    none('I8', 'the events of each aggregate came in order', byKey, ([, list]) => !isAscending(list)),
  ]
}

function mailsAndAccounts(view: View): Finding[] {
  const { bookings, users } = view
  // A mail may be handed over twice, under one Message-ID.
  const written = [...new Map(mailsOf(view).map((mail) => [mail.messageId, mail])).values()]
  const confirmed = bookings.filter(({ state, history }) => state === 'CONFIRMED' || history?.some((entry) => entry.state === 'CONFIRMED'))
  const told = new Set(written.filter(({ kind }) => kind === 'Booking confirmed').map(({ reference }) => reference))
  const accounts = new Set<string | null>(users.map(({ _id }) => _id))
  const waiting = new Set(users.flatMap(({ waitingBookings = [] }) => waitingBookings))
  const creations = (view.journeys ?? []).flatMap(({ email, answers }) =>
    answers.flatMap(({ booking }) => (booking?.accountCreated ? [`${email.toLowerCase()} ${booking.id}`] : [])),
  )
  return [
    distinct(
      'I9',
      'one mail of a kind per booking, by Message-ID',
      written.map(({ kind, reference }) => `${kind} ${reference}`),
    ),
    none('I9', 'every confirmed booking has its confirmation', confirmed, ({ reference }) => !told.has(reference)),
    distinct(
      'I10',
      'one account per address',
      users.map(({ emailKey }) => emailKey),
    ),
    none('I10', 'every confirmed booking belongs to an account, or waits for its address to be verified', confirmed, ({ _id, userId }) => {
      return !accounts.has(userId) && !waiting.has(_id)
    }),
    distinct(
      'I10',
      'an address is told once that an account was made',
      [...new Set(creations)].map((one) => one.split(' ')[0] ?? ''),
    ),
  ]
}

function rest({ bookings, intents, payments, users }: View): Finding[] {
  const stuck = (booking: Booking) => (isOpen(booking) && booking.state !== 'CANCEL_REQUESTED') || booking.state === 'NEEDS_ATTENTION'
  return [
    none('I8', 'no outbox keeps an event', [...bookings, ...payments, ...users], ({ outboxPending }) => outboxPending),
    none('I11', 'no booking is pending', bookings, (booking) => stuck(booking) || booking.state === 'CANCEL_REQUESTED'),
    none('I11', 'no amount is held', intents, ({ status }) => status === 'requires_capture'),
  ]
}

/** The numbers of test cards, of the passports that visitors give, and the name of the field that nobody may keep. */
const SECRET = /4242[ -]?4242[ -]?4242[ -]?4242|4000[ -]?0000[ -]?0000[ -]?0002|19KL5\d{2,}|"cvv"/

function secrets({ journeys }: View, texts: ReadonlyMap<string, string>): Finding[] {
  const passwords = new Set((journeys ?? []).flatMap(({ password }) => password ?? []))
  const holds = ([, text]: [string, string]) => SECRET.test(text) || (text.match(/[\w-]{12,}/g) ?? []).some((word) => passwords.has(word))
  const places = [...texts].filter(holds).map(([place]) => place)
  return [{ id: 'I13', what: 'no card, passport or password in any store, topic, mail or log', of: texts.size, violations: places }]
}
