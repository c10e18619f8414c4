/** What administrators do with a booking that needs a person. Each is one compare-and-set, so that of several at once one does it. */
import { AppError } from '@passerelle/contracts/error'
import { bookingCancelled, bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'
import type { AuditAction } from '@passerelle/contracts/http/admin'
import type { Ending } from '@passerelle/contracts/http/back-office'
import { fromMinor } from '@passerelle/contracts/rules/money'
import type { OutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import { CANCEL_TRIES, chosenRefund, endings, isAboutReversal, owesConfirmation, retryState } from '../domain/attention.ts'
import type { BookingRecord } from '../domain/booking.ts'
import { isOpen, type SagaState } from '../domain/state.ts'
import type { Change } from '../store.ts'
import { createEvent } from '../transition.ts'

/** What is written. `state` null: it stays as it is. `goesOn`: the saga takes the booking from there. `to`: what it is called in the audit; null: the state that the saga comes to. */
export type Move = { state: SagaState | null; change: Change; events: OutboxEvent[]; goesOn: boolean; to: string | null }

/** `decide` reads the booking as it is now. @throws AppError BOOKING_STATE when its state does not allow it, VALIDATION_ERROR */
export type Operation = { action: AuditAction; note?: string; decide(booking: BookingRecord): Move }

/** Once, and not for minutes: the administrator waits for the airline's answer, and without one the case goes on. */
export const retry: Operation = {
  action: 'booking-retried',
  decide(booking) {
    const state = retryState(booking)
    return { state, change: { tries: CANCEL_TRIES - 1 }, events: [], goesOn: true, to: null }
  },
}

/** The airline has released the tickets, as it told a person. */
export function refund(amount: string, reason: string): Operation {
  return {
    action: 'booking-cancelled',
    note: reason,
    decide(booking) {
      const minor = chosenRefund(booking, amount, now())
      const { currency } = booking.charge
      const to = `refund of ${fromMinor(minor, currency)} ${currency}`
      return { ...cancelled(booking, minor), to }
    },
  }
}

function cancelled(booking: BookingRecord, minor: number): Omit<Move, 'to'> {
  const { paymentId, charge, orderId, orderCancelledAt, cancelledAt, failure } = booking
  const released = { orderCancelledAt: orderId ? (orderCancelledAt ?? now()) : orderCancelledAt }
  if (booking.attention?.reason === 'paid-without-ticket') {
    // The payment service gives back all that it has captured for a booking that failed.
    const events = [createEvent(booking, bookingFailed, { paymentId, reason: failure?.code ?? 'BOOKING_FAILED' })]
    return { state: 'FAILED', change: released, events, goesOn: false }
  }
  if (booking.attention?.reason === 'ticket-unpaid') {
    const change = { ...released, failure: failure ?? { code: 'BOOKING_FAILED' as const } }
    return { state: 'ORDER_FAILED', change, events: [], goesOn: true }
  }
  const refunded = { kind: minor > 0 ? ('card' as const) : ('none' as const), minor, credit: null, refundedAt: null }
  const change = { ...released, cancelledAt: cancelledAt ?? now(), cancelNote: null, refund: refunded }
  const events = [createEvent(booking, bookingCancelled, { paymentId, refundMinor: minor, currency: charge.currency })]
  return { state: 'ORDER_CANCELLED', change, events, goesOn: false }
}

/** Settled outside this system: nothing is sent to the airline and no money moves. */
export function settle(ending: Ending, reason: string): Operation {
  return {
    action: 'booking-settled',
    note: reason,
    decide(booking) {
      if (!endings(booking).includes(ending)) throw new AppError('BOOKING_STATE')
      if (isAboutReversal(booking)) {
        const reversal = booking.reversal && { ...booking.reversal, seen: true }
        return { state: null, change: { reversal, attention: null, attentionSince: null }, events: [], goesOn: false, to: 'seen' }
      }
      if (ending === 'stands') return stands(booking)
      const at = now()
      const by = { kind: 'operator' as const, minor: 0, credit: null, ...booking.refund, refundedAt: at }
      const change = { refund: by, cancelledAt: booking.cancelledAt ?? at }
      return { state: 'REFUNDED', change, events: [], goesOn: false, to: 'cancelled and refunded elsewhere' }
    },
  }
}

/** A traveller who was never told of the confirmation is told now; whoever had asked to cancel has been answered by a person. */
function stands(booking: BookingRecord): Move {
  const { paymentId, userId, charge } = booking
  const told = { paymentId, userId, amountMinor: charge.minor, currency: charge.currency }
  const events = owesConfirmation(booking) ? [createEvent(booking, bookingConfirmed, told)] : []
  const change = { failure: null, pendingCancellation: false }
  return { state: 'CONFIRMED', change, events, goesOn: false, to: 'the booking stands' }
}

/** Whoever takes an open booking over may begin at once. */
export const leaseOf = (state: SagaState | null): Change => (state && isOpen(state) ? { leaseUntil: new Date(0) } : {})
