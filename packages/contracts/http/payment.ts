/** Calls of the payment service. Card fields live for one request; the last four digits may be kept. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { CardDetails } from './card.ts'
import { ById, CurrencyCode, Id, Mode, Money } from './common.ts'
import { SeatChoice } from './seats.ts'

const AMOUNT_MISSING = 'Payment details are required for booking'

/** A number or a decimal string; kept as a decimal string. */
export const AmountInput = z
  .union([z.string(AMOUNT_MISSING), z.number(AMOUNT_MISSING)], AMOUNT_MISSING)
  .transform(String)
  .refine((amount) => /^\d{1,12}(\.\d{1,3})?$/.test(amount) && Number(amount) > 0, 'The payment amount must be a positive number')
export type AmountInput = z.infer<typeof AmountInput>

export const CurrencyInput = z
  .string(AMOUNT_MISSING)
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{3}$/, 'The payment currency is not valid'))
export type CurrencyInput = z.infer<typeof CurrencyInput>

/** A Stripe payment method made by the provider's hosted fields; what live mode sends instead of a card number. */
export const PaymentMethodId = z.string().regex(/^pm_[A-Za-z0-9_]{1,100}$/)
export type PaymentMethodId = z.infer<typeof PaymentMethodId>

const Card = { cardDetails: CardDetails.optional(), paymentMethodId: PaymentMethodId.optional() }

export const ProcessCard = z.object({
  amount: AmountInput,
  currency: CurrencyInput,
  ...Card,
  /** With it the server computes the charge; without it the booking that claims the hold has to cost what it holds. */
  offerId: Id.optional(),
  seats: z.array(SeatChoice).max(60).default([]),
})
export type ProcessCard = z.infer<typeof ProcessCard>

export const CardPayment = z.object({
  success: z.boolean(),
  paymentId: z.string().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
})
export type CardPayment = z.infer<typeof CardPayment>

/** Card fields of a booking without a paymentId, passed on in memory. */
export const Authorise = z.object({
  /** One per attempt; the same key never holds money twice. */
  key: z.string().min(8).max(200),
  charge: Money,
  offerId: Id,
  ...Card,
})
export type Authorise = z.infer<typeof Authorise>

export const PaymentState = z.enum([
  'created',
  'requires_action',
  'authorised',
  'captured',
  'voided',
  'refunded',
  'declined',
  'abandoned',
  'expired',
])
export type PaymentState = z.infer<typeof PaymentState>

/** What the booking service may know of a payment. Amounts in minor units. */
export const PaymentRecord = z.object({
  id: z.string(),
  state: PaymentState,
  amountMinor: z.int(),
  currency: CurrencyCode,
  mode: Mode,
  offerId: z.string().nullable(),
  bookingId: z.string().nullable(),
  refundedMinor: z.int(),
  cardLast4: z.string().nullable(),
  /** A capture was begun, and what came of it is not recorded yet. */
  capturing: z.boolean().optional(),
})
export type PaymentRecord = z.infer<typeof PaymentRecord>

/** One payment as the card provider keeps it, beside what was recorded of it here. Amounts in minor units. */
export const LedgerEntry = z.object({
  /** Null when this service has no such payment. */
  paymentId: z.string().nullable(),
  intentId: z.string(),
  bookingId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  currency: CurrencyCode,
  capturedMinor: z.int(),
  refundedMinor: z.int(),
  recorded: z.object({ capturedMinor: z.int(), refundedMinor: z.int() }).nullable(),
  /** Our name of it as the provider keeps it, also where this service has no such payment; absent from an earlier release. */
  namedPaymentId: z.string().nullable().optional(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const paymentApi = contract('payment', {
  processCard: {
    ...addresses.payment.processCard,
    access: 'public',
    summary: 'Hold the amount on the card; it is taken when the airline has confirmed',
    body: ProcessCard,
    response: CardPayment,
    errors: [
      'VALIDATION_ERROR',
      'CARD_DECLINED',
      'PAYMENT_ACTION_REQUIRED',
      'CARD_ATTEMPTS_STOPPED',
      'CARD_NOT_ACCEPTED',
      'RAW_CARD_REFUSED',
      'PAYMENT_AMOUNT_MISMATCH',
      'PRICE_CHANGED',
      'OFFER_EXPIRED',
      'OFFER_NOT_FOUND',
      'SEAT_UNAVAILABLE',
      'IDEMPOTENCY_KEY_REUSED',
      'PAYMENT_IN_PROGRESS',
      'PAYMENT_NOT_USABLE',
      'PAYMENT_UNAVAILABLE',
      'RATE_LIMITED',
    ],
    // An office shares one address: enough for its bookings, and far below what testing stolen cards needs. A question of the bank makes
    // two calls of one payment.
    limits: [...callsPer(3600, { network: 120 }), ...callsPer(900, { session: 10 })],
    timeoutMs: 40_000,
  },
  webhook: {
    method: 'POST',
    path: '/api/payments/webhook/:mode',
    access: 'provider',
    summary: 'The card provider reports that something happened; the state is then read from it',
    params: z.object({ mode: Mode }),
    body: z.instanceof(Uint8Array),
    response: z.object({ received: z.boolean() }),
    errors: ['VALIDATION_ERROR'],
    rawBody: true,
  },
  authorise: {
    method: 'POST',
    path: '/internal/payments',
    access: 'internal',
    callers: ['booking'],
    summary: 'Hold a charge for a booking that brought its card along',
    body: Authorise,
    response: PaymentRecord,
    errors: [
      'CARD_DECLINED',
      'PAYMENT_ACTION_REQUIRED',
      'CARD_ATTEMPTS_STOPPED',
      'CARD_NOT_ACCEPTED',
      'RAW_CARD_REFUSED',
      'IDEMPOTENCY_KEY_REUSED',
      'PAYMENT_IN_PROGRESS',
      'PAYMENT_NOT_USABLE',
      'PAYMENT_UNAVAILABLE',
      'RATE_LIMITED',
    ],
    timeoutMs: 40_000,
  },
  getPayment: {
    method: 'GET',
    path: '/internal/payments/:id',
    access: 'internal',
    callers: ['booking'],
    summary: 'A payment as this service recorded it',
    params: ById,
    response: PaymentRecord,
    errors: ['PAYMENT_UNKNOWN'],
  },
  ledger: {
    method: 'GET',
    path: '/internal/payment-ledger',
    access: 'internal',
    callers: ['booking'],
    summary: 'Payments that were made at the card provider in a span of time, in the mode of the call, a page at a time',
    query: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), after: z.string().max(255).optional() }),
    response: z.object({ entries: z.array(LedgerEntry), after: z.string().nullable() }),
    errors: ['PAYMENT_UNAVAILABLE'],
    timeoutMs: 40_000,
  },
  claim: {
    method: 'POST',
    path: '/internal/payments/:id/claim',
    access: 'internal',
    callers: ['booking'],
    summary: 'Tie a held payment to its booking, once; the same booking may ask again',
    params: ById,
    body: z.object({ bookingId: Id }),
    response: PaymentRecord,
    errors: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_USABLE'],
  },
  rebuild: {
    method: 'POST',
    path: '/internal/payments/:id/rebuild',
    access: 'internal',
    callers: ['booking'],
    summary: 'Record again what the provider has captured for a booking and a restored database does not know; safe to repeat',
    params: ById,
    body: z.object({ intentId: z.string().max(255), bookingId: Id }),
    response: PaymentRecord,
    errors: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_USABLE', 'PAYMENT_UNAVAILABLE'],
    timeoutMs: 40_000,
  },
  capture: {
    method: 'POST',
    path: '/internal/payments/:id/capture',
    access: 'internal',
    callers: ['booking'],
    summary: 'Take the held amount; safe to repeat',
    params: ById,
    response: PaymentRecord,
    errors: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_USABLE', 'PAYMENT_UNAVAILABLE'],
    timeoutMs: 40_000,
  },
  release: {
    method: 'POST',
    path: '/internal/payments/:id/release',
    access: 'internal',
    callers: ['booking'],
    summary: 'Give the held amount back; safe to repeat',
    params: ById,
    response: PaymentRecord,
    errors: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_USABLE', 'PAYMENT_UNAVAILABLE'],
    timeoutMs: 40_000,
  },
})
