/**
 * What must hold of a payment before a change is written: the part of the system's invariants I1 to I13 that one payment can show, and
 * the table of its states.
 */
import { paymentRefunded } from '@passerelle/contracts/events/payment'
import type { PaymentState } from '@passerelle/contracts/http/payment'
import { type Change, type Payment, refundedInAll } from './payment.ts'

const transitions: Record<PaymentState, readonly PaymentState[]> = {
  created: ['requires_action', 'authorised', 'captured', 'declined', 'abandoned'],
  requires_action: ['authorised', 'captured', 'declined', 'abandoned'],
  authorised: ['captured', 'voided', 'expired'],
  captured: ['refunded'],
  declined: [],
  voided: [],
  expired: [],
  abandoned: [],
  refunded: [],
}

export type Write = { before: Payment; after: Payment; event: Change['event'] }

const wasCaptured = ({ state }: Payment) => state === 'captured' || state === 'refunded'
const stays = (field: 'bookingId' | 'intentId') => (write: Write) =>
  write.before[field] === null || write.after[field] === write.before[field]

const rules: Record<string, (write: Write) => boolean> = {
  'transition is in the table': ({ before, after }) => after.state === before.state || transitions[before.state].includes(after.state),
  'I1 captured only for a booking': ({ before, after }) => wasCaptured(before) || !wasCaptured(after) || after.bookingId !== null,
  'I2 refund at most the captured amount': ({ after }) =>
    (after.refund?.amountMinor ?? 0) <= after.amountMinor && refundedInAll(after) <= after.amountMinor,
  'I2 refunded once': ({ before: { refund, refundedMinor }, after }) =>
    (!refund || (after.refund?.amountMinor === refund.amountMinor && after.refund.bookingId === refund.bookingId)) &&
    (refundedMinor === 0 || after.refundedMinor === refundedMinor),
  'I3 one intent': stays('intentId'),
  'I4 one booking': stays('bookingId'),
  'I6 no void after capture': ({ before, after }) => !wasCaptured(before) || after.release === null,
  'I8 refund leaves as an event': ({ before, after, event }) =>
    (before.state !== 'refunded' && after.state === 'refunded') === (event?.definition === paymentRefunded),
  'I12 amount stays': ({ before, after }) =>
    after.amountMinor === before.amountMinor &&
    after.currency === before.currency &&
    Number.isSafeInteger(after.amountMinor) &&
    after.amountMinor > 0,
  'I13 no card number': ({ after }) => after.cardLast4 === null || /^\d{4}$/.test(after.cardLast4),
}

/** The names of the rules that a change breaks. */
export function brokenRules(write: Write): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds(write) ? [] : [name]))
}
