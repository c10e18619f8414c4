/** What must hold, read from the ledgers, the stores and the topics. */
import type { System } from './system.ts'
import { SECRETS } from './visitors.ts'

const OPEN = new Set(['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDERED', 'CAPTURE_FAILED', 'ORDER_FAILED', 'CANCEL_REQUESTED'])

/** What can never be mended. */
export function breaches({ outside: { ledgers }, bookings, bus }: System): string[] {
  const found = [...ledgers.breaches]
  const { intents, orders } = ledgers
  for (const { id, captures, refunds, amountMinor } of intents) {
    if (captures.length > 1) found.push(`I2 ${id} was captured ${captures.length} times`)
    if (refunds.length > 1) found.push(`I2 ${id} was refunded ${refunds.length} times`)
    if (refunds.reduce((sum, one) => sum + one.amountMinor, 0) > amountMinor) found.push(`I2 more was refunded of ${id} than captured`)
  }
  for (const [bookingId, list] of Map.groupBy(orders, (order) => order.bookingId))
    if (list.length > 1) found.push(`I3 booking ${bookingId} has ${list.length} orders`)
  for (const field of ['paymentId', 'idempotencyKey'] as const)
    for (const [value, list] of Map.groupBy(bookings, (booking) => booking[field]))
      if (list.length > 1) found.push(`I4 ${list.length} bookings have the ${field} ${value}`)
  for (const [key, list] of Map.groupBy(bus.messages(), (message) => String(message.key))) {
    const sequences = [...new Set(list.map(({ headers }) => Number(headers?.ce_sequence)))]
    if (sequences.some((sequence, at) => sequence < (sequences[at - 1] ?? 0)))
      found.push(`I8 events of ${key} were first published in the order ${sequences}`)
  }
  for (const [about, list] of Map.groupBy(ledgers.mails, ({ key }) => key.split(':').slice(0, 3).join(':')))
    if (!about.startsWith('mail:attention') && new Set(list.map(({ key }) => key)).size > 1)
      found.push(`I9 ${about} was sent under several keys`)
  for (const group of bus.deadLetters) found.push(`I8 an event went to the dead letters of ${group}`)
  return found
}

/** The event of an end, and the mail that every traveller gets of it. */
const TOLD: Partial<Record<string, [event: string, mail: string | null]>> = {
  CONFIRMED: ['travel.booking.confirmed.v1', 'confirmed'],
  FAILED: ['travel.booking.failed.v1', null],
  ORDER_CANCELLED: ['travel.booking.cancelled.v1', 'cancelled'],
  REFUNDED: ['travel.booking.cancelled.v1', 'cancelled'],
}

/** What must be so when everything has come to rest. */
export function unsettled(system: System): string[] {
  const { bookings, payments, bus, databases } = system
  const { ledgers } = system.outside
  const found: string[] = []
  const intentOf = new Map(ledgers.intents.map((intent) => [intent.paymentId, intent]))
  const events = bus.messages()
  const heard = (key: string, type: string) =>
    events.filter((message) => String(message.key) === key && String(message.headers?.ce_type) === type)
  const mails = databases.all<{ _id: string; state: string }>('booking', 'mails')
  for (const { _id, state, paymentId, charge, outboxPending, refund, pendingCancellation } of bookings) {
    const say = (what: string) => found.push(`${what} (booking ${_id}, ${state})`)
    const intent = intentOf.get(paymentId)
    const orders = ledgers.orders.filter((order) => order.bookingId === _id)
    const live = orders.filter((order) => order.cancelledAt === null)
    const captured = (intent?.captures.length ?? 0) > 0
    if (OPEN.has(state)) say('I11 it is still open')
    if (state === 'CONFIRMED' && pendingCancellation) say('I11 its cancellation was asked for and not decided')
    if (outboxPending) say('I8 its events are not published')
    if (state === 'CONFIRMED' && (live.length !== 1 || !captured))
      say(`I5 it has ${live.length} live orders and is ${captured ? '' : 'not '}captured`)
    if (state === 'CONFIRMED' && captured && intent?.refunds.length) say('I5 it was refunded')
    if (state === 'FAILED' && (live.length > 0 || captured))
      say(`I6 it has ${live.length} live orders and is ${captured ? '' : 'not '}captured`)
    if (state === 'FAILED' && intent?.status === 'requires_capture') say('I6 its hold is still there')
    if (['ORDER_CANCELLED', 'REFUNDED'].includes(state) && live.length > 0) say('I7 its order is still alive')
    if (
      state === 'ORDER_CANCELLED' &&
      refund?.kind === 'card' &&
      refund.minor > 0 &&
      !system.alarms.some((alarm) => alarm.includes('refund'))
    )
      say('I7 its refund is not recorded')
    const given = intent?.refunds.reduce((sum, one) => sum + one.amountMinor, 0) ?? 0
    if (state === 'REFUNDED' && given !== refund?.minor) say(`I2 ${given} was refunded instead of ${refund?.minor}`)
    const keeps = state === 'CANCEL_REQUESTED' || ((state === 'ORDER_CANCELLED' || state === 'REFUNDED') && refund !== null)
    if (captured && live.length === 0 && !keeps) say('I1 it is captured and has no live order')
    if (captured && intent?.amountMinor !== charge.minor) say('I12 another amount was captured')
    const told = TOLD[state]
    if (told?.[0] && heard(_id, told[0]).length === 0) say(`I8 ${told[0]} was never published`)
    if (told?.[1] && !ledgers.mails.some(({ key }) => key === `mail:${told[1]}:${_id}`)) say(`I9 the mail "${told[1]}" was never sent`)
  }
  for (const [bookingId, list] of Map.groupBy(
    ledgers.orders.filter(({ cancelledAt }) => cancelledAt === null),
    (order) => order.bookingId,
  ))
    if (!bookings.some(({ _id }) => _id === bookingId)) found.push(`I7 ${list[0]?.id} belongs to no booking`)
  for (const { _id, state, bookingId, outboxPending } of payments) {
    const intent = intentOf.get(_id)
    const held = intent?.status === 'requires_capture'
    if (held && !bookings.some((booking) => booking._id === bookingId && booking.state === 'NEEDS_ATTENTION'))
      found.push(`I11 payment ${_id} (${state}) still holds money for ${bookingId}`)
    if (outboxPending) found.push(`I8 events of payment ${_id} are not published`)
  }
  for (const { _id, state } of mails) if (state === 'due') found.push(`I9 the mail ${_id} is still due`)
  if (!bus.isIdle()) found.push('I8 there are events that nobody has handled')
  return found
}

/** I13: what no store, event or mail may hold. */
export function secretsKept({ databases, bus, outside: { ledgers } }: System): string[] {
  const everything = JSON.stringify([databases.everything(), bus.messages().map(({ value }) => String(value)), ledgers.mails])
  return SECRETS.filter((secret) => everything.includes(secret)).map((secret) => `I13 ${secret.slice(0, 4)}... is kept`)
}
