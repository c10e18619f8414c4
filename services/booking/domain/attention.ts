/** Cases that need a person: when one begins, for how long it goes on, and what may be done about it. */
import { AppError } from '@passerelle/contracts/error'
import type { AttentionReason, Ending, OfficeActions } from '@passerelle/contracts/http/back-office'
import { fromMinor, toMinor } from '@passerelle/contracts/rules/money'
import { type Attention, type BookingRecord, type Reversal, refundable } from './booking.ts'
import { isOpen, type SagaState } from './state.ts'

/** After so many tries, about eight minutes, an airline that does not answer a cancellation is a person's matter. */
export const CANCEL_TRIES = 36

const REASONS: Partial<Record<SagaState, AttentionReason>> = {
  CANCEL_REQUESTED: 'cancel-unanswered',
  CAPTURE_FAILED: 'ticket-unpaid',
  ORDER_FAILED: 'paid-without-ticket',
}

/** Where trying again goes on. */
const RETRIED: Partial<Record<AttentionReason, SagaState>> = {
  'cancel-unanswered': 'CANCEL_REQUESTED',
  'ticket-unpaid': 'CAPTURE_FAILED',
  'paid-without-ticket': 'ORDER_FAILED',
}

type Case = Pick<BookingRecord, 'attention' | 'attentionSince'>

/** The case of a booking after a transition. While it is tried again the case is set aside; when that fails it goes on, with its mail sent. */
export function caseAfter(before: BookingRecord, after: Pick<BookingRecord, 'state' | 'refund' | 'orderId'>, now: Date): Case {
  const reason = reasonAfter(before, after) ?? (isOpen(after.state) && isOfSaga(before.attention) ? null : reversalReason(before))
  if (reason) return caseOf(reason, before, now)
  return { attention: isOpen(after.state) ? (before.attention ?? null) : null, attentionSince: null }
}

function caseOf(reason: AttentionReason, before: BookingRecord, now: Date): Case {
  const attention = before.attention?.reason === reason ? before.attention : { reason, since: now, told: false }
  return { attention, attentionSince: attention.since }
}

const ABOUT_MONEY: readonly AttentionReason[] = ['disputed', 'dispute-lost', 'refunded-elsewhere']
const isOfSaga = (attention: Attention | null | undefined): boolean => attention != null && !ABOUT_MONEY.includes(attention.reason)

/** What went back without this system, until an administrator has looked at it. A dispute that was won needs nobody. */
function reversalReason({ reversal }: Pick<BookingRecord, 'reversal'>): AttentionReason | null {
  if (!reversal || reversal.seen) return null
  if (reversal.dispute === 'open') return 'disputed'
  if (reversal.dispute === 'lost') return 'dispute-lost'
  return reversal.refundedMinor > 0 ? 'refunded-elsewhere' : null
}

/** The case of a booking after money went back without this system; a case of its saga goes on. */
export function caseAfterReversal(before: BookingRecord, reversal: Reversal, now: Date): Case {
  if (isOfSaga(before.attention)) return { attention: before.attention ?? null, attentionSince: before.attentionSince ?? null }
  const reason = reversalReason({ reversal })
  return reason ? caseOf(reason, before, now) : { attention: null, attentionSince: null }
}

/** Whether the case is about money that went back without this system. */
export const isAboutReversal = ({ attention, attentionSince }: Case): boolean =>
  Boolean(attention && attentionSince && ABOUT_MONEY.includes(attention.reason))

function reasonAfter(before: BookingRecord, { state, refund, orderId }: Pick<BookingRecord, 'state' | 'refund' | 'orderId'>) {
  if (state === 'ORDER_CANCELLED') return refund?.kind === 'operator' && !refund.refundedAt ? 'refund-by-hand' : null
  if (state !== 'NEEDS_ATTENTION') return null
  if (before.state === 'CANCEL_REQUESTED' && !orderId) return 'order-missing'
  return REASONS[before.state] ?? 'cancel-unanswered'
}

/** The case of a booking from before cases were kept; null: it needs nobody. */
export function earlierCase(booking: BookingRecord): Attention | null {
  const { state, refund, orderId, orderCancelledAt, captured, openSince, createdAt } = booking
  const since = openSince ?? createdAt
  if (state === 'ORDER_CANCELLED') {
    return refund?.kind === 'operator' && !refund.refundedAt ? { reason: 'refund-by-hand', since, told: false } : null
  }
  if (state !== 'NEEDS_ATTENTION') return null
  if (captured) return { reason: orderId ? 'cancel-unanswered' : 'order-missing', since, told: false }
  return { reason: orderId && !orderCancelledAt ? 'ticket-unpaid' : 'paid-without-ticket', since, told: false }
}

/** Where trying again leads. @throws AppError BOOKING_STATE */
export function retryState(booking: BookingRecord): SagaState {
  const state = booking.state === 'NEEDS_ATTENTION' && booking.attention && RETRIED[booking.attention.reason]
  if (!state) throw new AppError('BOOKING_STATE')
  return state
}

/** What the card may get back, in minor units of the charge: what the fare says, if it says so, and the most. */
export function refundRange(booking: BookingRecord, now: Date): { suggested: number | null; most: number } | null {
  const { attention, attentionSince, charge, firstDeparture, refund } = booking
  if (!attention || !attentionSince) return null
  switch (attention.reason) {
    case 'ticket-unpaid':
      return { suggested: 0, most: 0 }
    case 'paid-without-ticket':
      return { suggested: charge.minor, most: charge.minor }
    case 'disputed':
    case 'dispute-lost':
    case 'refunded-elsewhere':
      return null
    case 'refund-by-hand':
      return refund?.minor === 0 && booking.captured ? { suggested: null, most: charge.minor } : null
    default: {
      // The traveller had asked before the departure, whatever the clock says now.
      const { refundMinor } = refundable(booking, firstDeparture > now ? now : new Date(0))
      return { suggested: refundMinor, most: charge.minor }
    }
  }
}

/** The refund that an administrator asks for, in minor units. @throws AppError BOOKING_STATE, VALIDATION_ERROR */
export function chosenRefund(booking: BookingRecord, amount: string, now: Date): number {
  const range = refundRange(booking, now)
  if (!range) throw new AppError('BOOKING_STATE')
  const least = booking.attention?.reason === 'paid-without-ticket' ? range.most : 0
  const minor = minorOf(amount, booking.charge.currency)
  if (minor === null || minor < least || minor > range.most) {
    const { currency } = booking.charge
    const message = `The refund has to be between ${fromMinor(least, currency)} and ${fromMinor(range.most, currency)} ${currency}`
    throw new AppError('VALIDATION_ERROR', { message, issues: [{ path: 'refund', message }] })
  }
  return minor
}

function minorOf(amount: string, currency: string): number | null {
  try {
    return toMinor(amount, currency)
  } catch {
    return null
  }
}

/** How it may be said to have ended outside this system. */
export function endings(booking: BookingRecord): Ending[] {
  const { state, attentionSince, orderId, orderCancelledAt } = booking
  if (!attentionSince) return []
  if (isAboutReversal(booking)) return [['CONFIRMED', 'COMPLETED', 'CANCEL_REQUESTED'].includes(state) ? 'stands' : 'ended']
  return state === 'NEEDS_ATTENTION' && orderId && !orderCancelledAt ? ['stands', 'ended'] : ['ended']
}

/** Its traveller was never told that it is confirmed: it came to a person before it was paid. */
export const owesConfirmation = ({ captured, history }: BookingRecord): boolean =>
  !captured && !history?.some(({ state }) => state === 'CONFIRMED')

export function actionsOf(booking: BookingRecord, now: Date): OfficeActions {
  const range = refundRange(booking, now)
  const { currency } = booking.charge
  const money = (minor: number) => ({ amount: fromMinor(minor, currency), currency })
  return {
    retry: booking.state === 'NEEDS_ATTENTION' && booking.attention?.reason !== 'order-missing',
    refund: range && { suggested: range.suggested === null ? null : money(range.suggested), most: money(range.most) },
    settle: endings(booking),
  }
}
