/** A booking as it is stored, and as the public sees it. */

import { type ErrorCode, errorCatalogue } from '@passerelle/contracts/error'
import type { AttentionReason } from '@passerelle/contracts/http/back-office'
import type { Booking, BookingAttempt } from '@passerelle/contracts/http/booking'
import type { Money, PassengerType } from '@passerelle/contracts/http/common'
import type { FlightOffer, Quote } from '@passerelle/contracts/http/search'
import { REFERENCE_LENGTH } from '@passerelle/contracts/rules/booking-reference'
import { instantOf } from '@passerelle/contracts/rules/local-time'
import { compareAmounts, fromMinor, subtractAmounts, toMinor } from '@passerelle/contracts/rules/money'
import { ticketName } from '@passerelle/contracts/rules/passengers'
import { openChange, publicChange, type ScheduleChange } from './schedule.ts'
import { publicStatus, type SagaState } from './state.ts'

/** One passenger without documents: those are sealed apart. */
export type BookedPerson = {
  id: string
  type: PassengerType
  title: string
  gender: 'm' | 'f'
  /** As typed, for the traveller's eyes. */
  firstName: string
  lastName: string
  email: string
  /** E.164. */
  phone: string
  /** Of the number that is sealed with the documents: the airline, and its last characters for the traveller's eyes. */
  frequentFlyer?: { airline: string; ending: string } | null
}

/** `minor` goes back to the card, in the charge's currency: 0 unless the kind is card. `credit` is set when the kind is credit. */
export type RefundDue = { kind: 'card' | 'credit' | 'operator' | 'none'; minor: number; credit: Money | null }

/** A state that it came into, or what the airline and its traveller did meanwhile; `by`: user id of the administrator whose work it was. */
export type HistoryEntry = { at: Date; state: SagaState | 'SCHEDULE_CHANGED' | 'CHANGE_ACCEPTED'; by?: string }

/** Why a booking needs a person. `told`: the mail to the staff is in the queue. */
export type Attention = { reason: AttentionReason; since: Date; told: boolean }

/**
 * What went back to the cardholder without this system, in minor units of the charge: refunds made in the card provider's dashboard, and a
 * dispute at the bank. `seen`: an administrator has looked at it as it is now.
 */
export type Reversal = {
  refundedMinor: number
  refundedAt: Date | null
  dispute: 'open' | 'won' | 'lost' | null
  disputedMinor: number
  at: Date
  seen: boolean
}

export type Failure = { code: ErrorCode; message?: string; details?: Record<string, unknown> }

export type BookingRecord = {
  _id: string
  version: number
  state: SagaState
  /** Ours; its first 8 characters are the reference. */
  providerId: string
  reference: string
  /** A keyed hash of the attempt's key and of its visitor or account. */
  idempotencyKey: string
  /** A keyed hash of everything in the request but the card; null once the documents are destroyed. */
  requestHash: string | null
  /** A keyed hash of offer and passengers. One booking with a ticket, or on the way to one, has it; null for all others. */
  passengersKey: string | null
  /** Later attempts of the same visitor that were answered with this booking. */
  furtherAttempts: { key: string; requestHash: string }[]
  paymentId: string
  /** Absent in bookings of before it was kept. */
  cardLast4?: string | null
  /** Whose browser made it. */
  visitorId: string | null
  userId: string | null
  brand: string
  markupPercent: number
  mode: 'test' | 'live'
  requestId: string
  createdAt: Date
  /** Until when the visitor's request waits for the outcome; then the visitor is told "pending". */
  answerBy: Date
  /** When booking.pending was written; null: not yet. */
  pendingAnnouncedAt: Date | null
  contact: { email: string; phone: string; firstName: string; lastName: string }
  people: BookedPerson[]
  /** Addresses of contact and passengers in lower case, for whoever looks for a booking; absent in bookings of before it was kept. */
  emails?: string[]
  /** Birth dates and passports, sealed with a key of this booking's own. */
  documents: string | null
  documentKey: string | null
  /** Without its price in bookings of before receipts. */
  offer: Pick<FlightOffer, 'id' | 'slices' | 'conditions' | 'total_amount' | 'total_currency' | 'owner'> &
    Partial<Pick<FlightOffer, 'price' | 'emissions_kg'>>
  supplier: Quote['supplier']
  seats: Quote['seats']
  charge: { minor: number; currency: string }
  supplierCharge: Money
  lastArrival: Date
  firstDeparture: Date
  /** What the payment service answered to the capture. */
  captured: { minor: number; currency: string } | null
  /** The supplier's order. */
  orderId: string | null
  /** When the supplier confirmed that this order is cancelled. */
  orderCancelledAt: Date | null
  airlineReference: string | null
  /** As the order named them when it was made; absent in bookings of before they were kept. */
  tickets?: { number: string; passengerIds: string[] }[]
  /** False when the airline's order says that it cannot be cancelled. */
  orderCancellable: boolean
  /** How often an order was sent (each for another supplier offer). */
  attempts: number
  sendBefore: Date | null
  settleBy: Date | null
  open: boolean
  /** When it was opened again after it had come to rest; absent: it is open since it was made. */
  openSince?: Date
  nextAt: Date
  leaseUntil: Date
  /** Attempts at the present state's step that failed. */
  tries: number
  /** A cancellation that was asked for while the outcome was open. */
  pendingCancellation: boolean
  cancelNote: string | null
  cancelledAt: Date | null
  refund: (RefundDue & { refundedAt: Date | null }) | null
  /** What the airline said that cancelling gives back to the card, about the flights as they were changed then; absent: it was not asked. */
  quote?: { changeId: string | null; minor: number; at: Date } | null
  /** Oldest first; absent: the airline has changed nothing. */
  scheduleChanges?: ScheduleChange[]
  /** The supplier has told of something: its order is read from then on. */
  noticeAt?: Date | null
  /** Absent: nothing went back without this system. */
  reversal?: Reversal | null
  failure: Failure | null
  /** Oldest first; absent in bookings of before it was kept. */
  history?: HistoryEntry[]
  /** Why it needs a person, also while it is tried again; absent in bookings of before it was kept. */
  attention?: Attention | null
  /** Since when it waits for one; null: it does not. */
  attentionSince?: Date | null
  /** Of what administrators did with it: the same key does nothing again. */
  operatorKeys?: string[]
}

/** What cancelling gives back: the refundable part of the supplier's amount; the markup is the agency's fee and is not returned. */
export function refundable(booking: BookingRecord, now: Date): { allowed: boolean; refundMinor: number | null } {
  const { allowed, refundMinor } = refundByFare(booking, now)
  return { allowed, refundMinor: allowed ? (refundMinor ?? quotedMinor(booking, now)) : null }
}

/** An airline's quote holds for an hour. */
const QUOTE_MS = 3_600_000

function quotedMinor(booking: BookingRecord, now: Date): number | null {
  const { quote } = booking
  if (!quote || now.getTime() >= quote.at.getTime() + QUOTE_MS || quote.changeId !== (openChange(booking)?.id ?? null)) return null
  return quote.minor
}

/** `refundMinor`: null where only the airline can say. */
export function refundByFare(booking: BookingRecord, now: Date): { allowed: boolean; refundMinor: number | null } {
  // The airline has changed its times: whatever the fare says, it says itself what it gives back.
  if (openChange(booking)?.canCancel && booking.firstDeparture > now) return { allowed: true, refundMinor: null }
  const { refund } = booking.offer.conditions
  if (!refund?.allowed || !booking.orderCancellable || booking.firstDeparture <= now) return { allowed: false, refundMinor: null }
  const currency = booking.charge.currency
  if (!refund.penalty) return { allowed: true, refundMinor: null }
  if (refund.penalty.currency !== currency) return { allowed: true, refundMinor: null }
  return { allowed: true, refundMinor: cappedRefund(booking, subtractAmounts(booking.supplierCharge.amount, refund.penalty.amount)) }
}

/** Never more than was paid, never less than nothing. */
export function cappedRefund(booking: BookingRecord, supplierRefund: string): number {
  if (supplierRefund.startsWith('-') || compareAmounts(supplierRefund, '0') <= 0) return 0
  return Math.min(booking.charge.minor, toMinor(supplierRefund, booking.charge.currency))
}

/** With names and seats of the passengers, never with documents or addresses. */
export function toPublic(booking: BookingRecord, now: Date): Booking {
  const { currency } = booking.charge
  const backToCard = refundInAll(booking)
  const cancel = refundable(booking, now)
  const cancellable = booking.state === 'CONFIRMED' && cancel.allowed
  const refund = booking.offer.conditions.refund
  return {
    id: booking._id,
    status: publicStatus(booking.state, booking.lastArrival, now),
    duffelBookingId: booking.providerId,
    bookingReference: booking.reference,
    airlineReference: booking.airlineReference,
    createdAt: booking.createdAt.toISOString(),
    brand: booking.brand,
    charged: { amount: fromMinor(booking.charge.minor, currency), currency },
    paid: booking.captured !== null,
    cardLast4: booking.cardLast4 ?? null,
    refund: backToCard,
    refundKind: booking.refund?.kind ?? null,
    airlineCredit: booking.refund?.credit ?? null,
    cancellation: cancellable
      ? { refund: cancel.refundMinor === null ? null : { amount: fromMinor(cancel.refundMinor, currency), currency } }
      : null,
    cancelRequested: booking.pendingCancellation || booking.state === 'CANCEL_REQUESTED',
    cancelledAt: booking.cancelledAt?.toISOString() ?? null,
    scheduleChange: publicChange(booking),
    bookingData: {
      slices: booking.offer.slices,
      ...(booking.offer.emissions_kg !== undefined && { emissions_kg: booking.offer.emissions_kg }),
      passengers: booking.people.map((person) => ({
        id: person.id,
        given_name: person.firstName,
        family_name: person.lastName,
        type: person.type,
        ticketName: nameOnTicket(person),
        ...(person.frequentFlyer && { frequentFlyer: person.frequentFlyer }),
      })),
      conditions: {
        cancellation_options: openChange(booking)?.canCancel
          ? [{ type: 'refund', penalty_amount: null, penalty_currency: null }]
          : refund?.allowed && booking.orderCancellable
            ? [{ type: 'refund', penalty_amount: refund.penalty?.amount ?? null, penalty_currency: refund.penalty?.currency ?? null }]
            : [],
        changeable: booking.offer.conditions.changeable,
      },
      total_amount: booking.offer.total_amount,
      total_currency: booking.offer.total_currency,
      seats: booking.seats.map(({ passengerId, segmentId, seatId, price }) => ({ passengerId, segmentId, seatId, price })),
    },
  }
}

/** What goes back to the card; null when the refund takes another way. */
export function cardRefund({ refund, charge }: BookingRecord): Money | null {
  if (!refund || refund.kind === 'credit' || refund.kind === 'operator') return null
  return { amount: fromMinor(refund.minor, charge.currency), currency: charge.currency }
}

/** With what was refunded by hand, and never more than was paid. When several went back, the last one tells the time. */
function refundInAll(booking: BookingRecord): Booking['refund'] {
  const { reversal, charge, refund } = booking
  const own = cardRefund(booking)
  if (!reversal?.refundedMinor) return own && { ...own, refundedAt: refund?.refundedAt?.toISOString() ?? null }
  const ownMinor = own ? (refund?.minor ?? 0) : 0
  const minor = Math.min(charge.minor, ownMinor + reversal.refundedMinor)
  const waits = ownMinor > 0 && minor > reversal.refundedMinor && !refund?.refundedAt
  const at = Math.max(Number(refund?.refundedAt ?? 0), Number(reversal.refundedAt ?? reversal.at))
  return { amount: fromMinor(minor, charge.currency), currency: charge.currency, refundedAt: waits ? null : new Date(at).toISOString() }
}

/** null when the ticket has the name as it was typed. */
function nameOnTicket({ firstName, lastName }: BookedPerson): { given_name: string; family_name: string } | null {
  const [given, family] = [ticketName(firstName), ticketName(lastName)]
  if (!given || !family || (!given.changed && !family.changed)) return null
  return { given_name: given.text, family_name: family.text }
}

/** First take-off and last landing as instants. */
export function flightTimes(slices: FlightOffer['slices']): { firstDeparture: Date; lastArrival: Date } {
  const segments = slices.flatMap((slice) => slice.segments)
  const first = segments[0]
  const last = segments.at(-1)
  if (!first || !last) throw new RangeError('an offer without flights')
  return {
    firstDeparture: new Date(instantOf(first.departing_at, first.origin.time_zone)),
    lastArrival: new Date(instantOf(last.arriving_at, last.destination.time_zone)),
  }
}

/** What became of a checkout attempt, for a visitor who did not get the answer; `booking` is the one that it has led to. */
export function attemptOutcome(booking: Pick<BookingRecord, 'state' | 'pendingCancellation'> | null): BookingAttempt['outcome'] {
  if (!booking) return 'none'
  if (hasFailed(booking.state)) return booking.pendingCancellation ? 'cancelled' : 'failed'
  // The attempt led to a confirmed booking, whether or not the flight has landed since.
  const status = publicStatus(booking.state, new Date(0), new Date(0))
  return status === 'completed' ? 'confirmed' : status
}

/** null unless nothing was booked. */
export function failureText({ state, failure }: Pick<BookingRecord, 'state' | 'failure'>): BookingAttempt['failure'] {
  if (!hasFailed(state) || !failure) return null
  return { code: failure.code, message: failure.message ?? errorCatalogue[failure.code][1] }
}

const hasFailed = (state: SagaState): boolean => state === 'FAILED' || state === 'ORDER_FAILED'

/** The addresses by which somebody may look for a booking, in lower case. */
export function emailsOf({ contact, people }: Pick<BookingRecord, 'contact' | 'people'>): string[] {
  const all = [contact.email, ...(people ?? []).map(({ email }) => email)].map((email) => (email ?? '').toLowerCase())
  return [...new Set(all.filter(Boolean))]
}

/** Failed bookings are not listed, unless the traveller had asked to cancel: then they look for it under Cancelled. */
export function isListed(booking: BookingRecord): boolean {
  return booking.state !== 'FAILED' || booking.pendingCancellation
}

export function referenceOf(providerId: string): string {
  return providerId.slice(0, REFERENCE_LENGTH)
}
