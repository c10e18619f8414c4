/** What a failed payment or booking call means for the visitor. Codes decide first, words of the message only where there is no code. */
import { ApiError, TransportError } from '@passerelle/contracts/client'
import type { Issue } from '@passerelle/contracts/error'
import type { Money } from '@passerelle/contracts/http/common'
import type { CardPayment } from '@passerelle/contracts/http/payment'
import type { SeatChoice } from '@passerelle/contracts/http/search'
import { isAmount } from '@passerelle/contracts/rules/money'
import { QuestionLeft } from './bank-question.ts'
import { readFailure } from './failure-words.ts'

export type SeatRefused = Pick<SeatChoice, 'passengerId' | 'seatId' | 'segmentId'>

export type Failure =
  /** Another card may be tried. `answered` false: nobody knows whether the hold exists. `declined`: the bank said no to this card. */
  | { kind: 'payment'; title: PaymentTitle; message: string; answered: boolean; declined: boolean; retryAfter: number | null }
  | { kind: 'expired'; gone: boolean }
  | { kind: 'price'; charge: Money }
  /** `seats` null: the airline did not say which. */
  | { kind: 'seats'; message: string; seats: SeatRefused[] | null }
  | { kind: 'passengers'; message: string; issues: Issue[] }
  /** There is a booking for this payment already. */
  | { kind: 'booked'; bookingId: string }
  /** These passengers have this flight already, by a booking of another visitor or account; this payment was not taken. */
  | { kind: 'exists'; bookingId: string }
  /** Certainly no booking. */
  | { kind: 'refused'; message: string }
  /** A booking may exist: only the same request may be sent again. */
  | { kind: 'unknown'; message: string }

type PaymentTitle = 'Card Payment Failed' | 'Payment Failed' | 'Payment Error'

export const BOOKING_FAILED = { title: 'Booking Failed', description: 'Something went wrong. Please try again.' }
export const CARD_DECLINED = 'Your card was declined.'
export const NO_BOOKING_RECEIVED = 'No booking information received from server'
const UNREACHABLE = 'The payment could not be processed right now. Please try again.'
const NOT_CONFIRMED = 'Your bank did not get your confirmation. Nothing was charged.'
const UNEXPECTED = 'Something unexpected happened while paying. Please try again.'

/** Codes by which the payment service says no to this card. */
const DECLINED = new Set(['CARD_DECLINED', 'CARD_NOT_ACCEPTED'])
const PAYMENT_CODES = new Set([
  'CARD_DECLINED',
  'CARD_NOT_ACCEPTED',
  'RAW_CARD_REFUSED',
  'PAYMENT_UNKNOWN',
  'PAYMENT_NOT_USABLE',
  'PAYMENT_UNAVAILABLE',
])
/** Answers of the way there, not of the service: the request may have arrived. */
const UNCERTAIN_CODES = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR'])

/** The amount the server would charge, where it told one. */
function chargeIn(error: ApiError): Money | null {
  const { amount, currency } = (error.body?.details ?? {}) as Partial<Money>
  return isAmount(amount) && typeof currency === 'string' ? { amount, currency } : null
}

function seatsIn(error: ApiError): SeatRefused[] | null {
  const seats = error.body?.details?.seats
  return Array.isArray(seats) && seats.length > 0 ? (seats as SeatRefused[]) : null
}

function payment(
  title: PaymentTitle,
  message: string,
  more: { answered?: boolean; declined?: boolean; retryAfter?: number | null } = {},
): Failure {
  return { kind: 'payment', title, message, answered: true, declined: false, retryAfter: null, ...more }
}

/** What both calls say about the offer, its price and its seats. */
function aboutOffer(error: ApiError): Failure | null {
  const charge = chargeIn(error)
  switch (error.code) {
    case 'OFFER_EXPIRED':
      return { kind: 'expired', gone: false }
    case 'OFFER_NOT_FOUND':
      return { kind: 'expired', gone: true }
    case 'PRICE_CHANGED':
    case 'PAYMENT_AMOUNT_MISMATCH':
      return charge ? { kind: 'price', charge } : { kind: 'refused', message: error.displayMessage }
    case 'SEAT_UNAVAILABLE':
      return { kind: 'seats', message: error.displayMessage, seats: seatsIn(error) }
    default:
      return null
  }
}

/** A success answer of process-card that holds no payment. */
export function classifyDecline(answer: CardPayment): Failure {
  const message = answer.message || answer.error
  if (answer.success) return payment('Payment Error', UNEXPECTED)
  return payment('Card Payment Failed', message || CARD_DECLINED, { declined: true })
}

/** An exception of process-card. */
export function classifyPaymentError(error: unknown): Failure {
  if (error instanceof QuestionLeft) return payment('Payment Failed', NOT_CONFIRMED)
  if (error instanceof TransportError && error.reason === 'no-response') return payment('Payment Failed', UNREACHABLE, { answered: false })
  if (!(error instanceof ApiError)) return payment('Payment Error', UNEXPECTED, { answered: false })
  const known = aboutOffer(error)
  if (known) return known
  if (error.code === 'PAYMENT_ACTION_REQUIRED') return payment('Payment Failed', NOT_CONFIRMED)
  if (error.status === 402 || DECLINED.has(error.code ?? ''))
    return payment('Card Payment Failed', error.displayMessage, { declined: true })
  if (error.code === 'CARD_ATTEMPTS_STOPPED') return payment('Payment Failed', error.displayMessage, { retryAfter: error.retryAfter })
  const answered = error.code !== null && !UNCERTAIN_CODES.has(error.code) && error.code !== 'PAYMENT_IN_PROGRESS'
  if (error.code === null && readFailure(error.displayMessage, 'payment') === 'expiry') return { kind: 'expired', gone: false }
  return payment('Payment Failed', error.code === null ? UNREACHABLE : error.displayMessage, { answered })
}

/** An exception of POST /api/bookings. */
export function classifyBookingError(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { kind: 'unknown', message: error instanceof Error ? error.message : BOOKING_FAILED.description }
  const { code, status, displayMessage: message, body } = error
  const known = aboutOffer(error)
  if (known) return known
  const issues = (body?.issues ?? []).filter((issue) => issue.path.startsWith('passengers'))
  if (issues.length > 0 || code === 'PASSENGERS_MISMATCH' || code === 'PASSENGER_INCOMPLETE') return { kind: 'passengers', message, issues }
  const bookingId = body?.details?.bookingId
  if (code === 'PAYMENT_NOT_USABLE' && typeof bookingId === 'string') return { kind: 'booked', bookingId }
  if (code === 'BOOKING_EXISTS' && typeof bookingId === 'string') return { kind: 'exists', bookingId }
  if (code && PAYMENT_CODES.has(code)) {
    const declined = DECLINED.has(code)
    return payment(declined ? 'Card Payment Failed' : 'Payment Failed', message, { declined })
  }
  if (code && !UNCERTAIN_CODES.has(code) && code !== 'PAYMENT_IN_PROGRESS') return { kind: 'refused', message }
  if (code === null && status < 500) {
    const words = readFailure(message, 'booking')
    if (words === 'expiry') return { kind: 'expired', gone: /does not exist/i.test(message) }
    return words === 'payment' ? payment('Payment Failed', message) : { kind: 'refused', message: BOOKING_FAILED.description }
  }
  return { kind: 'unknown', message: code === null ? BOOKING_FAILED.description : message }
}

/** Whether a failed payment call counts as a success: only for a missing session or an unreachable server, only where the server itself said "test". */
export function countsAsTestSuccess(error: unknown, saidTest: boolean): boolean {
  if (!saidTest) return false
  if (error instanceof TransportError) return error.reason === 'no-response'
  return error instanceof ApiError && error.status === 401
}
