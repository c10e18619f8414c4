/** Calls of the booking service. */
import { z } from 'zod'
import { contract } from '../route.ts'
import { CardDetails } from '../rules/card.ts'
import { Passenger } from '../rules/passengers.ts'
import { Amount, ById, CurrencyCode, Done, Id, Money, PassengerType } from './common.ts'
import { AmountInput, CurrencyInput, PaymentMethodId } from './payment.ts'
import { SeatChoice, Slice } from './search.ts'

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

export const BookingStatus = z.enum(['pending', 'confirmed', 'completed', 'cancelled'])
export type BookingStatus = z.infer<typeof BookingStatus>

export const BookedPassenger = z.object({
  id: z.string(),
  given_name: z.string(),
  family_name: z.string(),
  type: PassengerType,
})
export type BookedPassenger = z.infer<typeof BookedPassenger>

export const CancellationOption = z.object({
  type: z.literal('refund'),
  penalty_amount: Amount.nullable(),
  penalty_currency: CurrencyCode.nullable(),
})
export type CancellationOption = z.infer<typeof CancellationOption>

export const BookingData = z.object({
  slices: z.array(Slice),
  passengers: z.array(BookedPassenger),
  /** A non-empty list means that the booking can be cancelled. */
  conditions: z.object({ cancellation_options: z.array(CancellationOption) }),
  /** The supplier's amount; what the customer paid is `charged`. */
  total_amount: Amount,
  total_currency: CurrencyCode,
  seats: z.array(z.object({ passengerId: z.string(), segmentId: z.string(), seatId: z.string(), price: Money.nullable() })),
})
export type BookingData = z.infer<typeof BookingData>

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
  /** Set once money is on its way back. */
  refund: z.object({ amount: Amount, currency: CurrencyCode, refundedAt: z.string().nullable() }).nullable(),
  /** What cancelling now would give back; null when it cannot be cancelled. */
  cancellation: z.object({ refund: Money.nullable() }).nullable(),
  cancelRequested: z.boolean(),
  cancelledAt: z.string().nullable(),
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

export const BookingCancelled = Done.extend({ refund: Money.nullable(), status: BookingStatus })
export type BookingCancelled = z.infer<typeof BookingCancelled>

/** For identity, so that no name or address travels in an event. */
export const BookingContact = z.object({
  bookingId: z.string(),
  reference: z.string(),
  brand: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  userId: z.string().nullable(),
  status: BookingStatus,
})
export type BookingContact = z.infer<typeof BookingContact>

export const bookingApi = contract('booking', {
  createBooking: {
    method: 'POST',
    path: '/api/bookings',
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
      'CARD_NOT_ACCEPTED',
      'RAW_CARD_REFUSED',
      'IDEMPOTENCY_KEY_REUSED',
      'BOOKING_REFUSED',
      'BOOKING_FAILED',
      'PAYMENT_UNAVAILABLE',
      'RATE_LIMITED',
    ],
    limits: [{ max: 60, seconds: 60, by: 'session' }],
    timeoutMs: 140_000,
  },
  listBookings: {
    method: 'GET',
    path: '/api/bookings',
    access: 'user',
    summary: "The signed-in user's bookings, newest first",
    response: z.array(Booking),
    errors: ['NOT_AUTHENTICATED'],
  },
  getBooking: {
    method: 'GET',
    path: '/api/bookings/:id',
    access: 'guest',
    summary: 'One booking, for its owner, an administrator or the session that made it (24 hours)',
    params: ById,
    response: Booking,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND'],
  },
  cancelBooking: {
    method: 'POST',
    path: '/api/bookings/:id/cancel',
    access: 'guest',
    summary: 'Cancel a booking; asking twice cancels and refunds once',
    params: ById,
    response: BookingCancelled,
    errors: ['NOT_AUTHENTICATED', 'BOOKING_NOT_FOUND', 'BOOKING_NOT_CANCELLABLE', 'BOOKING_STATE', 'CANCEL_FAILED'],
    limits: [{ max: 30, seconds: 60, by: 'session' }],
    timeoutMs: 140_000,
  },
  retrieveBooking: {
    method: 'POST',
    path: '/api/bookings/retrieve',
    access: 'public',
    summary: 'Find a booking by its reference and the e-mail it was made with',
    body: z.object({ reference: z.string().trim().min(6).max(20), email: z.email() }),
    response: Booking,
    errors: ['BOOKING_NOT_FOUND', 'RATE_LIMITED'],
    limits: [{ max: 5, seconds: 900, by: 'ip' }],
  },
  getContact: {
    method: 'GET',
    path: '/internal/bookings/:id/contact',
    access: 'internal',
    summary: 'Who to make an account for',
    params: ById,
    response: BookingContact,
    errors: ['BOOKING_NOT_FOUND'],
  },
  attachUser: {
    method: 'PUT',
    path: '/internal/bookings/:id/user',
    access: 'internal',
    summary: 'The booking belongs to this account; safe to repeat',
    params: ById,
    body: z.object({ userId: Id }),
    response: Done,
    errors: ['BOOKING_NOT_FOUND'],
  },
})
