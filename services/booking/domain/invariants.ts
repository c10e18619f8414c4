/**
 * What must hold of a booking's money and ticket before a transition is written: the part of the system's invariants I1 to I13 that one
 * booking can show. Evidence (the captured amount, the airline's cancellation) is asked for at the transition that brings it.
 */
import { compareAmounts } from '@passerelle/contracts/rules/money'
import type { BookingRecord } from './booking.ts'
import { eventOf, isOpen, mayBecome } from './state.ts'

type Transition = {
  before: BookingRecord
  after: BookingRecord
  events: readonly { name: string; key: string; sequence: number }[]
  now: Date
}

const LONGEST_WAIT_MS = 120_000
/** No phone number and no amount is as long. */
const LONG_NUMBER = /\d(?:[ -]?\d){12}/

const sameMoney = (one: BookingRecord['captured'], other: BookingRecord['captured']) =>
  one?.minor === other?.minor && one?.currency === other?.currency

/** Nothing of it has gone to the card: a person decides how much does. */
const isLeftOpen = ({ kind, minor }: NonNullable<BookingRecord['refund']>) => kind === 'operator' && minor === 0

const rules: Record<string, (transition: Transition) => boolean> = {
  'transition is in the table': ({ before, after }) => mayBecome(before.state, after.state),
  'I1 captured only with an order': ({ after }) => !after.captured || after.orderId !== null,
  'I2 captured once': ({ before, after }) => !before.captured || sameMoney(before.captured, after.captured),
  'I2 refund at most the charge': ({ after }) => !after.refund || (after.refund.minor >= 0 && after.refund.minor <= after.charge.minor),
  'I2 refunded once': ({ before, after }) =>
    !before.refund || (before.refund.refundedAt === null && (after.refund?.minor === before.refund.minor || isLeftOpen(before.refund))),
  'I3 one order': ({ before, after }) =>
    (before.orderId === null || after.orderId === before.orderId) && !(after.state === 'ORDERING' && after.orderId),
  'I4 payment stays': ({ before, after }) => after.paymentId === before.paymentId,
  'I5 confirmed with ticket and capture': ({ before, after }) =>
    after.state !== 'CONFIRMED' ||
    (after.orderId !== null && !after.orderCancelledAt && (before.state !== 'ORDERED' || Boolean(after.captured))),
  'I6 failed without capture': ({ after }) => !['ORDER_FAILED', 'FAILED'].includes(after.state) || !after.captured,
  'I6 ended without a ticket': ({ before, after }) =>
    !(
      ['CAPTURE_FAILED', 'CANCEL_REQUESTED', 'NEEDS_ATTENTION'].includes(before.state) &&
      ['ORDER_FAILED', 'ORDER_CANCELLED'].includes(after.state)
    ) ||
    after.orderId === null ||
    Boolean(after.orderCancelledAt),
  'I7 open booking is due': ({ after, now }) => !isOpen(after.state) || after.nextAt.getTime() <= now.getTime() + LONGEST_WAIT_MS,
  'I8 outcome leaves as an event': ({ before, after, events }) => {
    const needed = eventOf(before.state, after.state)
    return needed === null || events.some(({ name }) => name === needed)
  },
  'I8 events in order': ({ before, events }) => events.every(({ key, sequence }) => key === before._id && sequence === before.version + 1),
  'I12 charge stays': ({ before, after }) =>
    sameMoney(after.charge, before.charge) && (!after.captured || sameMoney(after.captured, after.charge)),
  'I12 order costs no more than quoted': ({ before, after }) =>
    after.supplierCharge.currency === before.supplierCharge.currency &&
    compareAmounts(after.supplierCharge.amount, before.supplierCharge.amount) <= 0,
  'I13 no card or document number': ({ after }) => !LONG_NUMBER.test(after.failure?.message ?? ''),
}

/** The names of the rules that a transition breaks. */
export function brokenRules(transition: Transition): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds(transition) ? [] : [name]))
}
