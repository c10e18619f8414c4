/** Calls of the booking service. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { RetrieveBooking } from '../rules/retrieve-booking.ts'
import { BookingContact, BookingStatus } from './booking-contact.ts'
import { BookingData, ScheduleChange } from './booking-data.ts'
import { CardDetails } from './card.ts'
import { Amount, ById, CurrencyCode, Done, Id, Mode, Money } from './common.ts'
import { Passenger } from './passenger.ts'
import { AmountInput, CurrencyInput, PaymentMethodId } from './payment.ts'
import { Receipt } from './receipt.ts'
import { SeatChoice } from './search.ts'

const DETAILS_MISSING = 'Payment details are required for booking'

export const CreateBooking = z.object(
  {
    offerId: z.string('Offer ID is required for booking').min(1, 'Offer ID is required for booking').pipe(Id),
    passengers: z
      .array(Passenger, 'At least one passenger is required for booking')
      .min(1, 'At least one passenger is required for booking')
      .max(18),
    seats: z.array(SeatChoice).max(60).default([]),
    paymentDetails: z.object(
      {
        amount: AmountInput,
        currency: CurrencyInput,
        /** The payment of process-card; with it card fields are ignored. */
        paymentId: Id.optional(),
        cardDetails: CardDetails.optional(),
        paymentMethodId: PaymentMethodId.optional(),
      },
      DETAILS_MISSING,
    ),
  },
  'A booking request is required',
)
export type CreateBooking = z.output<typeof CreateBooking>

/**
 * What became of the money after a cancellation. card: `refund` says what goes back to the card. credit: the airline holds it for the
 * traveller as credit, `airlineCredit`, and the card gets nothing. operator: our team arranges the refund. none: nothing is refundable.
 */
export const RefundKind = z.enum(['card', 'credit', 'operator', 'none'])
export type RefundKind = z.infer<typeof RefundKind>

export const Booking = z.object({
  id: z.string(),
  status: BookingStatus,
  /** Ours, never the supplier's order id: its first 8 characters are the reference. */
  duffelBookingId: z.string(),
  bookingReference: z.string(),
  /** The airline's own locator, once there is one. */
  airlineReference: z.string().nullable(),
  createdAt: z.string(),
  brand: z.string(),
  /** What the card was charged, or will be when a pending booking is confirmed. */
  charged: Money,
  /** Whether that was taken from the card; then there is a receipt. */
  paid: z.boolean(),
  /** Of the card that pays; null for bookings of before it was kept. */
  cardLast4: z.string().nullable(),
  /** What goes back to the card, once it is on its way; null while it is not known or when the card gets nothing of it. */
  refund: z.object({ amount: Amount, currency: CurrencyCode, refundedAt: z.string().nullable() }).nullable(),
  /** null until the booking is cancelled. */
  refundKind: RefundKind.nullable(),
  /** null unless `refundKind` is credit and the airline has said how much. */
  airlineCredit: Money.nullable(),
  /** What cancelling now would give back; null when it cannot be cancelled. */
  cancellation: z.object({ refund: Money.nullable() }).nullable(),
  cancelRequested: z.boolean(),
  cancelledAt: z.string().nullable(),
  /** The last one; null: the airline has changed nothing. */
  scheduleChange: ScheduleChange.nullable(),
  bookingData: BookingData,
})
export type Booking = z.infer<typeof Booking>

export const AccountInfo = z.object({
  username: z.string(),
  email: z.string(),
  /** Only in the first answer to the request that made the account. */
  password: z.string().nullable(),
})
export type AccountInfo = z.infer<typeof AccountInfo>

export const BookingCreated = Booking.extend({
  accountCreated: z.boolean(),
  accountInfo: AccountInfo.nullable(),
  /** A plain-text preview of the confirmation e-mail, without password. */
  emailContent: z.string(),
})
export type BookingCreated = z.infer<typeof BookingCreated>

export const BookingCancelled = Done.extend({
  refund: Money.nullable(),
  refundKind: RefundKind.nullable(),
  airlineCredit: Money.nullable(),
  status: BookingStatus,
})
export type BookingCancelled = z.infer<typeof BookingCancelled>

/** What came of one checkout attempt, for a visitor who did not hear the answer. */
export const BookingAttempt = z.object({
  /** none: this attempt has led to no booking. 60 seconds after the attempt began that is final. */
  outcome: z.enum(['confirmed', 'pending', 'failed', 'cancelled', 'none']),
  booking: Booking.nullable(),
  /** Why nothing was booked. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type BookingAttempt = z.infer<typeof BookingAttempt>

/** The booking service's response to the gateway, which takes `contact` out: for identity, when a guest's booking is confirmed. */
export const BookingCreatedInternally = BookingCreated.extend({ contact: BookingContact.optional() })
export type BookingCreatedInternally = z.infer<typeof BookingCreatedInternally>

export const bookingApi = contract('booking', {
  createBooking: {
    ...addresses.booking.createBooking,
    access: 'public',
    summary: 'Book an offer; 202 while the airline has not answered yet',
    body: CreateBooking,
    response: BookingCreated,
    status: 201,
    errors: [
      'VALIDATION_ERROR',
      'OFFER_NOT_FOUND',
      'OFFER_EXPIRED',
      'PRICE_CHANGED',
      'SEAT_UNAVAILABLE',
      'PASSENGERS_MISMATCH',
      'PASSENGER_INCOMPLETE',
      'PAYMENT_AMOUNT_MISMATCH',
      'PAYMENT_UNKNOWN',
      'PAYMENT_NOT_USABLE',
      'CARD_DECLINED',
      'PAYMENT_ACTION_REQUIRED',
      'CARD_NOT_ACCEPTED',
      'RAW_CARD_REFUSED',
      'CARD_ATTEMPTS_STOPPED',
      'IDEMPOTENCY_KEY_REUSED',
      'BOOKING_EXISTS',
      'BOOKING_REFUSED',
      'BOOKING_FAILED',
      'PAYMENT_UNAVAILABLE',
      'RATE_LIMITED',
      'UPSTREAM_TIMEOUT',
    ],
    failure: 'Unable to create booking',
    limits: callsPer(60, { network: 30, session: 6 }),
    timeoutMs: 60_000,
  },
  listBookings: {
    ...addresses.booking.listBookings,
    access: 'user',
    summary: "The signed-in user's bookings, newest first",
    response: z.array(Booking),
    errors: ['NOT_AUTHENTICATED'],
    failure: 'Unable to retrieve your bookings',
  },
  getAttempt: {
    ...addresses.booking.getAttempt,
    access: 'guest',
    summary: 'What came of the checkout attempt that was sent with this Idempotency-Key, for the visitor who sent it',
    params: z.object({ key: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'The Idempotency-Key is not valid') }),
    response: BookingAttempt,
    errors: ['NOT_AUTHENTICATED', 'RATE_LIMITED'],
    failure: 'Unable to retrieve booking details',
    limits: callsPer(60, { network: 600, session: 120 }),
  },
  getBooking: {
    ...addresses.booking.getBooking,
    access: 'guest',
    summary: 'One booking, for its owner, an administrator or the session that made it (24 hours)',
    params: ById,
    response: Booking,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE'],
    failure: 'Unable to retrieve booking details',
  },
  getReceipt: {
    ...addresses.booking.getReceipt,
    access: 'guest',
    summary: 'The receipt of a booking that was paid, for those who may read the booking',
    params: ById,
    response: Receipt.extend({ booking: Booking }),
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE', 'RECEIPT_NOT_FOUND'],
    failure: 'Unable to retrieve the receipt',
  },
  cancelBooking: {
    ...addresses.booking.cancelBooking,
    access: 'guest',
    summary: 'Cancel a booking; asking twice cancels and refunds once',
    params: ById,
    response: BookingCancelled,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_NOT_CANCELLABLE', 'BOOKING_STATE', 'CANCEL_FAILED'],
    failure: 'Unable to cancel booking',
    limits: callsPer(60, { network: 30, session: 10 }),
    timeoutMs: 60_000,
  },
  quoteCancellation: {
    ...addresses.booking.quoteCancellation,
    access: 'guest',
    summary: 'Ask the airline what cancelling gives back where the fare does not say; for an hour the booking has it, and no less is taken',
    params: ById,
    response: Booking,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE'],
    limits: callsPer(60, { network: 30, session: 10 }),
    timeoutMs: 30_000,
  },
  acceptChange: {
    ...addresses.booking.acceptChange,
    access: 'guest',
    summary: "Accept the airline's new times, as they were shown; asking twice accepts once",
    params: ById,
    body: z.object({ changeId: Id }),
    response: Booking,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE', 'BOOKING_STATE', 'UPSTREAM_UNAVAILABLE'],
    failure: 'Unable to accept the new times',
    limits: callsPer(60, { network: 30, session: 10 }),
    timeoutMs: 60_000,
  },
  supplierNotice: {
    method: 'POST',
    path: '/api/bookings/notices/:mode',
    access: 'provider',
    summary: 'The flight supplier reports that something happened to an order, which is then read from it',
    params: z.object({ mode: Mode }),
    body: z.instanceof(Uint8Array),
    response: z.object({ received: z.boolean() }),
    errors: ['VALIDATION_ERROR'],
    rawBody: true,
  },
  retrieveBooking: {
    ...addresses.booking.retrieveBooking,
    access: 'public',
    summary: 'Find a booking by its reference and the e-mail it was made with',
    body: RetrieveBooking,
    response: Booking,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE', 'RATE_LIMITED'],
    failure: 'Unable to retrieve booking details',
    limits: callsPer(900, { network: 5, reference: 5 }),
  },
  getContact: {
    method: 'GET',
    path: '/internal/bookings/:id/contact',
    access: 'internal',
    callers: ['identity'],
    summary: 'Who to make an account for',
    params: ById,
    response: BookingContact,
    errors: ['BOOKING_NOT_FOUND'],
  },
})
