/** What the back office calls states, cases and mails. */
import type { AttentionReason, OfficeBooking, OfficeRow, OfficeState } from '@passerelle/contracts/http/back-office'
import type { Money } from '@passerelle/contracts/http/common'
import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { countNoun } from '../../../lib/format/people.ts'

export const STATES: Record<OfficeState, string> = {
  attention: 'Needs attention',
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

export const exact = ({ amount, currency }: Money) => formatExactMoney(amount, currency)

/** What is wrong, in a line, and what it means for the money. */
export function caseWords(reason: AttentionReason, { charged }: Pick<OfficeRow, 'charged'>): { title: string; detail: string } {
  const paid = exact(charged)
  switch (reason) {
    case 'cancel-unanswered':
      return {
        title: 'The airline has not confirmed the cancellation',
        detail: `It was asked until it was time to stop and gave no clear answer. The seats may still be held, and ${paid} is still charged.`,
      }
    case 'order-missing':
      return {
        title: 'There is no order to cancel',
        detail: `The booking is to be cancelled and names no order at the airline. ${paid} is charged.`,
      }
    case 'ticket-unpaid':
      return {
        title: 'Ticketed, but the card could not be charged',
        detail: `The airline keeps the ticket, and the hold of ${paid} is gone.`,
      }
    case 'paid-without-ticket':
      return {
        title: 'Charged, but the booking failed',
        detail: `The card paid ${paid} and there is no ticket. Refund it, or book by hand.`,
      }
    case 'refund-by-hand':
      return {
        title: 'Cancelled, and the refund is open',
        detail: `What the airline gives back cannot go to the card by itself. ${paid} was charged.`,
      }
    case 'disputed':
      return {
        title: 'The cardholder disputes the charge',
        detail: `The bank has taken back what it disputes of ${paid} until it decides. Answer it in the card provider’s dashboard.`,
      }
    case 'dispute-lost':
      return {
        title: 'The dispute was lost',
        detail: `The bank has given the cardholder back what was disputed of ${paid}. The booking is as it was.`,
      }
    case 'refunded-elsewhere':
      return {
        title: 'Refunded in the card provider’s dashboard',
        detail: `Somebody has refunded a part of ${paid}, or all of it, there. The booking is as it was.`,
      }
  }
}

/** What trying again does, where it can be tried. */
export const RETRY_WORDS: Partial<Record<AttentionReason, { title: string; detail: string; button: string }>> = {
  'cancel-unanswered': {
    title: 'Ask the airline again',
    detail: 'Once. If the airline confirms, the refund and the mail follow by themselves.',
    button: 'Ask again',
  },
  'ticket-unpaid': {
    title: 'Ask the airline again',
    detail: 'Once, to take the ticket back. If it does, the booking ends and nothing is charged.',
    button: 'Ask again',
  },
  'paid-without-ticket': {
    title: 'Try the release again',
    detail: 'Once. If the card was not charged after all, the hold is released and the booking ends.',
    button: 'Try again',
  },
}

const HISTORY: Record<string, string> = {
  REQUESTED: 'Requested',
  ORDERING: 'Order sent to the airline',
  ORDER_UNKNOWN: 'The airline did not answer clearly',
  ORDERED: 'Ticketed',
  CAPTURE_FAILED: 'The ticket is to be taken back',
  ORDER_FAILED: 'Nothing was booked',
  FAILED: 'Ended without a booking',
  CONFIRMED: 'Confirmed, card charged',
  CANCEL_REQUESTED: 'Cancellation sent to the airline',
  ORDER_CANCELLED: 'Cancelled at the airline',
  REFUNDED: 'Refunded',
  COMPLETED: 'Completed',
  NEEDS_ATTENTION: 'Needs attention',
  SCHEDULE_CHANGED: 'The airline has changed the times',
  CHANGE_ACCEPTED: 'The traveller has accepted the new times',
}

export const historyWords = (state: string): string => HISTORY[state] ?? state

const AFTER: Record<AttentionReason, readonly string[]> = {
  'cancel-unanswered': ['Airline confirms the cancellation', 'Refund to the card', 'Cancellation mail'],
  'order-missing': ['Refund to the card', 'Cancellation mail'],
  'ticket-unpaid': ['Airline takes the ticket back', 'Booking ends'],
  'paid-without-ticket': ['Refund to the card', 'Booking ends'],
  'refund-by-hand': ['Refund'],
  disputed: ['The bank decides'],
  'dispute-lost': [],
  'refunded-elsewhere': [],
}

/** What has still to happen. */
export const openSteps = ({ attention }: Pick<OfficeRow, 'attention'>): readonly string[] => (attention ? AFTER[attention.reason] : [])

export const MAILS: Record<string, string> = {
  confirmed: 'Booking confirmed',
  pending: 'We are confirming your booking',
  cancelled: 'Booking cancelled',
  rescheduled: 'Your flight times have changed',
  failed: 'Booking not completed',
  attention: 'To the agency: needs attention',
}
export const MAIL_STATES = { due: 'Waits', sent: 'Sent', 'given-up': 'Not sent' } as const

const PAYMENTS: Partial<Record<NonNullable<OfficeBooking['payment']>['state'], string>> = {
  created: 'Being held',
  requires_action: 'Waits for the bank',
  authorised: 'Held, not charged',
  captured: 'Charged',
  voided: 'Released',
  refunded: 'Refunded',
  declined: 'Declined',
  abandoned: 'Given up',
  expired: 'Hold lapsed',
}

export const DISPUTES = { open: 'Disputed, not decided', won: 'Dispute won', lost: 'Dispute lost' } as const

export const paymentWords = (payment: OfficeBooking['payment']): string =>
  payment ? (PAYMENTS[payment.state] ?? payment.state) : 'Not known now'

/** "Paris to New York". */
export function routeWords({ from, to }: Pick<OfficeRow, 'from' | 'to'>): string {
  return `${from.city ?? from.code ?? 'N/A'} to ${to.city ?? to.code ?? 'N/A'}`
}

export const travellerWords = ({ traveller }: Pick<OfficeRow, 'traveller'>): string => traveller ?? 'Erased'

/** "2 h 35 min", "1 day 3 h", of the time since an instant. */
export function waitWords(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return [countNoun(days, 'day'), hours > 0 && `${hours} h`].filter(Boolean).join(' ')
  if (hours > 0) return [`${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ')
  return `${minutes} min`
}
