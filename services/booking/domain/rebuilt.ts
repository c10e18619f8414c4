/**
 * A booking made again from the supplier's order and the card provider's payment, after a restore of a copy that has it not. What neither of
 * them keeps is not made up: passports, the account, the markup, seats' prices for the customer and names as they were typed.
 */
import type { Money } from '@passerelle/contracts/http/common'
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { REFERENCE_LENGTH } from '@passerelle/contracts/rules/booking-reference'
import { numberEnding } from '@passerelle/contracts/rules/frequent-flyer'
import { addAmounts, subtractAmounts } from '@passerelle/contracts/rules/money'
import { adultsFirst } from '@passerelle/contracts/rules/passengers'
import { type BookedPerson, type BookingRecord, flightTimes } from './booking.ts'
import { type SupplierOrder, ticketsOf } from './order.ts'
import type { PersonalDocuments } from './passengers.ts'

/** A whole order as the supplier has it. Ids of passengers and segments are the supplier's; `segments` has ours beside them. */
export type SoldOrder = SupplierOrder & {
  offerId: string
  createdAt: Date
  total: Money
  /** What this system wrote into it; null in orders of before it was written. */
  named: { bookingId: string | null; reference: string | null; paymentId: string | null; brand: string | null }
  owner: BookingRecord['offer']['owner']
  conditions: BookingRecord['offer']['conditions']
  slices: BookingRecord['offer']['slices']
  segments: { id: string; supplierId: string }[]
  passengers: (Omit<BookedPerson, 'id' | 'frequentFlyer'> & {
    supplierId: string
    bornOn: string
    frequentFlyer: { airline: string; number: string } | null
  })[]
  seats: { designator: string; amount: string; passenger: string; segment: string }[]
}

/** The captured payment of an order: the one that the order names, else the one that is recorded for its booking. */
export function paymentFor({ named }: Pick<SoldOrder, 'named'>, payments: readonly LedgerEntry[]): LedgerEntry | undefined {
  const captured = payments.filter(({ capturedMinor }) => capturedMinor > 0)
  return (
    captured.find(({ paymentId, namedPaymentId }) => named.paymentId !== null && named.paymentId === (namedPaymentId ?? paymentId)) ??
    captured.find(({ bookingId }) => named.paymentId === null && bookingId !== null && bookingId === named.bookingId)
  )
}

/** Why no booking is made of it; null: one may be. */
export function whyNotRebuilt(order: Pick<SoldOrder, 'cancelled' | 'named'>, payment: LedgerEntry | undefined): string | null {
  const { bookingId, reference } = order.named
  if (order.cancelled) return 'the order is cancelled'
  if (!bookingId || reference?.length !== REFERENCE_LENGTH) return 'the order names no booking of this system'
  if (!payment) return 'no captured payment is known for it'
  if (payment.refundedMinor >= payment.capturedMinor) return 'all that was paid has gone back to the card'
  if (payment.bookingId !== null && payment.bookingId !== bookingId) return `its payment is that of booking ${payment.bookingId}`
  return null
}

type About = {
  payment: { id: string; minor: number; currency: string; cardLast4: string | null }
  mode: BookingRecord['mode']
  brand: string
  /** The last part of a provider id: only the first is known. */
  providerId: string
  requestId: string
  now: Date
  leaseUntil: Date
  seal(documents: PersonalDocuments): { documents: string; documentKey: string }
}

/** In ORDERED, from which the saga finds its capture and confirms it. */
export function rebuiltBooking(order: SoldOrder, { payment, now, leaseUntil, seal, ...about }: About): BookingRecord {
  const passengers = adultsFirst(order.passengers).map((passenger, at) => ({ ...passenger, id: `pas_${at + 1}` }))
  const supplier: BookingRecord['supplier'] = {
    offerId: order.offerId,
    total: order.total,
    passengers: passengers.map(({ id, supplierId, type }) => ({ id, supplierId, type })),
    segments: order.segments,
    services: [],
    identityDocuments: { required: false, passportSupported: false },
  }
  const { bookingId, reference } = order.named
  const contact = passengers[0]
  const { createdAt } = order
  const record = {
    _id: bookingId ?? '',
    version: 1,
    state: 'ORDERED' as const,
    providerId: (reference ?? '') + about.providerId.slice(REFERENCE_LENGTH),
    reference: reference ?? '',
    idempotencyKey: `rebuilt:${bookingId}`,
    requestHash: null,
    passengersKey: null,
    furtherAttempts: [],
    paymentId: payment.id,
    cardLast4: payment.cardLast4,
    visitorId: null,
    userId: null,
    brand: about.brand,
    markupPercent: 0,
    mode: about.mode,
    requestId: about.requestId,
    createdAt,
    answerBy: createdAt,
    // Its visitor was answered long ago.
    pendingAnnouncedAt: createdAt,
    contact: {
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
      firstName: contact?.firstName ?? '',
      lastName: contact?.lastName ?? '',
    },
    people: passengers.map(({ id, type, title, gender, firstName, lastName, email, phone, frequentFlyer }) => ({
      ...{ id, type, title, gender, firstName, lastName, email, phone },
      ...(frequentFlyer && { frequentFlyer: { airline: frequentFlyer.airline, ending: numberEnding(frequentFlyer.number) } }),
    })),
    ...seal(passengers.map(documentsOf)),
    offer: {
      id: 'unknown',
      slices: order.slices,
      conditions: order.conditions,
      total_amount: subtractAmounts(order.total.amount, addAmounts('0', ...order.seats.map(({ amount }) => amount))),
      total_currency: order.total.currency,
      owner: order.owner,
    },
    supplier,
    seats: order.seats.map(({ designator, amount, passenger, segment }) => ({
      passengerId: passengers.find(({ supplierId }) => supplierId === passenger)?.id ?? '',
      seatId: designator,
      segmentId: order.segments.find(({ supplierId }) => supplierId === segment)?.id ?? '',
      price: { amount, currency: order.total.currency },
      supplierAmount: amount,
    })),
    charge: { minor: payment.minor, currency: payment.currency },
    supplierCharge: order.total,
    ...flightTimes(order.slices),
    captured: null,
    orderId: order.id,
    orderCancelledAt: null,
    airlineReference: order.airlineReference,
    orderCancellable: order.cancellable,
    attempts: 1,
    sendBefore: null,
    settleBy: null,
    open: true,
    openSince: now,
    nextAt: now,
    leaseUntil,
    tries: 0,
    pendingCancellation: false,
    cancelNote: null,
    cancelledAt: null,
    refund: null,
    failure: null,
    history: [{ at: createdAt, state: 'ORDERED' as const }],
  } satisfies BookingRecord
  return { ...record, tickets: ticketsOf(order, record) }
}

const documentsOf = ({ bornOn, frequentFlyer }: SoldOrder['passengers'][number]): PersonalDocuments[number] => ({
  dateOfBirth: bornOn,
  passportNumber: null,
  passportExpiryDate: null,
  passportIssuingCountry: null,
  ...(frequentFlyer && { frequentFlyer }),
})
