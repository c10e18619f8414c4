/** What administrators see of bookings, and what they do when one needs a person. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { paragraphs } from '../rules/text.ts'
import { AuditRecord, auditPage } from './admin.ts'
import { Booking } from './booking.ts'
import { Amount, ById, Id, Mode, Money } from './common.ts'
import { PaymentRecord } from './payment.ts'

/** The tabs of the list; each booking is in one of them. failed: nothing was booked. */
export const OfficeState = z.enum(['attention', 'pending', 'confirmed', 'completed', 'cancelled', 'failed'])
export type OfficeState = z.infer<typeof OfficeState>

/**
 * Why a booking needs a person. cancel-unanswered: the airline never said whether it cancelled. order-missing: it is to be cancelled and
 * has no order. ticket-unpaid: there is a ticket that the card did not pay. paid-without-ticket: the card paid and nothing was booked.
 * refund-by-hand: it is cancelled, and what the airline gives back cannot go to the card by itself. disputed: the cardholder disputes the
 * charge at the bank. dispute-lost: the bank gave the money back. refunded-elsewhere: somebody refunded it in the card provider's dashboard.
 */
export const AttentionReason = z.enum([
  'cancel-unanswered',
  'order-missing',
  'ticket-unpaid',
  'paid-without-ticket',
  'refund-by-hand',
  'disputed',
  'dispute-lost',
  'refunded-elsewhere',
])
export type AttentionReason = z.infer<typeof AttentionReason>

const Place = z.object({ code: z.string().nullable(), city: z.string().nullable() })

export const OfficeRow = z.object({
  id: z.string(),
  reference: z.string(),
  state: OfficeState,
  attention: z.object({ reason: AttentionReason, since: z.string() }).nullable(),
  brand: z.string(),
  createdAt: z.string(),
  /** Name of the contact; null once it is erased. */
  traveller: z.string().nullable(),
  travellers: z.int(),
  from: Place,
  to: Place,
  /** Local time of the first departure, without an offset. */
  departure: z.string(),
  charged: Money,
  /** Whether the card has paid it. */
  captured: z.boolean(),
  refunded: Money.nullable(),
})
export type OfficeRow = z.infer<typeof OfficeRow>

const OfficeCounts = z.record(OfficeState, z.int())
export type OfficeCounts = z.infer<typeof OfficeCounts>

export const OfficePage = z.object({
  bookings: z.array(OfficeRow),
  /** For `before` of the next page; null: there is none. */
  next: z.string().nullable(),
  /** Of all that is found, whatever state is asked for. */
  counts: OfficeCounts,
})
export type OfficePage = z.infer<typeof OfficePage>

/** How a booking that was settled outside this system ends. */
export const Ending = z.enum(['stands', 'ended'], 'Please say how it ends')
export type Ending = z.infer<typeof Ending>

/** What an administrator may do with it now. */
export const OfficeActions = z.object({
  retry: z.boolean(),
  /** `suggested`: what the fare gives back; null: not known. `most`: what can go back to the card. null: nothing can be cancelled here. */
  refund: z.object({ suggested: Money.nullable(), most: Money }).nullable(),
  settle: z.array(Ending),
})
export type OfficeActions = z.infer<typeof OfficeActions>

export const OfficeBooking = OfficeRow.extend({
  mode: Mode,
  /** As its traveller sees it. */
  booking: Booking,
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }).nullable(),
  userId: z.string().nullable(),
  orderId: z.string().nullable(),
  /** Electronic tickets, as the order named them when it was made. */
  tickets: z.array(z.object({ number: z.string(), passengerIds: z.array(z.string()) })),
  /** What the airline is paid. */
  supplierCharge: Money,
  markupPercent: z.number(),
  /** States that it came into, oldest first; `by` is the administrator whose work it was. */
  history: z.array(z.object({ at: z.string(), state: z.string(), by: z.string().nullable() })),
  /** Failed tries of what it is at. */
  tries: z.int(),
  /** null: the payment service did not answer, or knows no such payment. */
  payment: PaymentRecord.nullable(),
  mails: z.array(z.object({ template: z.string(), state: z.enum(['due', 'sent', 'given-up']), at: z.string() })),
  audit: z.array(AuditRecord),
  /** What went back to the cardholder without this system; null: nothing. */
  reversal: z.object({ refunded: Money, dispute: z.enum(['open', 'won', 'lost']).nullable(), disputed: Money, at: z.string() }).nullable(),
  actions: OfficeActions,
})
export type OfficeBooking = z.infer<typeof OfficeBooking>

const Reason = paragraphs(500, 'Please say why: whoever reads this next year was not there.')

const errors = ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'] as const
const action = {
  access: 'admin',
  byBrand: true,
  params: ById,
  response: OfficeBooking,
  errors: [...errors, 'BOOKING_NOT_FOUND', 'BOOKING_STATE', 'BOOKING_UNREADABLE'],
  limits: callsPer(60, { network: 600, session: 60 }),
  timeoutMs: 60_000,
} as const

/** What the list is asked for. */
const FIND = {
  state: OfficeState.optional(),
  /** A reference, or an e-mail address of the contact or a passenger. */
  q: z.string().trim().max(254).optional(),
  brandKey: z.string().max(253).optional(),
  /** Booked since. */
  since: z.iso.datetime('since must be a time').optional(),
}

/** Media type of the download. */
export const CSV = 'text/csv; charset=utf-8'

export const backOfficeApi = contract('booking', {
  listBookingAudit: {
    ...addresses.backOffice.listBookingAudit,
    access: 'admin',
    byBrand: true,
    summary: 'What administrators did with bookings, also what they were refused, newest first',
    ...auditPage,
    errors,
  },
  listOfficeBookings: {
    ...addresses.backOffice.listOfficeBookings,
    access: 'admin',
    byBrand: true,
    summary: 'Bookings of this mode, newest first; those that need a person by how long they have waited',
    query: z.object({
      ...FIND,
      before: Id.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    response: OfficePage,
    errors,
  },
  downloadOfficeBookings: {
    ...addresses.backOffice.downloadOfficeBookings,
    access: 'admin',
    byBrand: true,
    summary: 'All bookings that the list finds, as a table for a spreadsheet; recorded in the audit',
    query: z.object(FIND),
    response: z.string(),
    file: [CSV],
    errors,
    limits: callsPer(60, { network: 60, session: 6 }),
    timeoutMs: 60_000,
  },
  getOfficeBooking: {
    ...addresses.backOffice.getOfficeBooking,
    access: 'admin',
    byBrand: true,
    summary: 'One booking with its history, payment, mails and audit',
    params: ById,
    response: OfficeBooking,
    errors: [...errors, 'BOOKING_NOT_FOUND', 'BOOKING_UNREADABLE'],
  },
  retryBooking: {
    ...addresses.backOffice.retryBooking,
    ...action,
    summary: 'Try the step that failed once more; the same Idempotency-Key does it once',
  },
  refundBooking: {
    ...addresses.backOffice.refundBooking,
    ...action,
    summary: 'The airline has released the tickets: cancel the booking and refund the card; at once by several it is done once',
    body: z.object({
      reason: Reason,
      refund: Amount,
      released: z.literal(true, 'Please confirm that the airline has released the tickets'),
    }),
  },
  settleBooking: {
    ...addresses.backOffice.settleBooking,
    ...action,
    summary: 'It was settled outside this system: no money moves and the airline is not asked',
    body: z.object({ reason: Reason, ending: Ending }),
  },
})
