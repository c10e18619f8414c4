/** The supplier's order for a booking, and what the supplier's answer means. */
import { ticketName } from '@passerelle/contracts/rules/passengers'
import type { BookingRecord } from './booking.ts'
import type { PersonalDocuments } from './passengers.ts'

export type OrderRequest = {
  selected_offers: string[]
  services: { id: string; quantity: number }[]
  payments: { type: 'balance'; amount: string; currency: string }[]
  metadata: Record<string, string>
  passengers: Record<string, unknown>[]
}

/** Adults each carry at most one infant, in order. `system` tells our orders from those of others on the same supplier account. */
export function orderRequest(booking: BookingRecord, documents: PersonalDocuments, system: string): OrderRequest {
  const supplierId = (id: string) => booking.supplier.passengers.find((one) => one.id === id)?.supplierId ?? id
  const infants = booking.people.filter((person) => person.type === 'infant_without_seat')
  const adults = booking.people.filter((person) => person.type === 'adult')
  return {
    selected_offers: [booking.supplier.offerId],
    services: booking.supplier.services,
    payments: [{ type: 'balance', amount: booking.supplierCharge.amount, currency: booking.supplierCharge.currency }],
    // With payment and brand: a booking that a restored database has not is rebuilt from here.
    metadata: {
      booking_id: booking._id,
      reference: booking.reference,
      system,
      payment_id: booking.paymentId,
      brand: booking.brand,
    },
    passengers: booking.people.map((person, index) => {
      const infant = infants[adults.indexOf(person)]
      const papers = documents[index]
      const withPassport = papers?.passportNumber && booking.supplier.identityDocuments.passportSupported
      return {
        id: supplierId(person.id),
        title: person.title,
        gender: person.gender,
        given_name: ticketName(person.firstName)?.text,
        family_name: ticketName(person.lastName)?.text,
        born_on: papers?.dateOfBirth,
        email: person.email,
        phone_number: person.phone,
        ...(infant && { infant_passenger_id: supplierId(infant.id) }),
        ...(withPassport && {
          identity_documents: [
            {
              type: 'passport',
              unique_identifier: papers.passportNumber,
              issuing_country_code: papers.passportIssuingCountry,
              expires_on: papers.passportExpiryDate,
            },
          ],
        }),
        ...(papers?.frequentFlyer && {
          loyalty_programme_accounts: [{ airline_iata_code: papers.frequentFlyer.airline, account_number: papers.frequentFlyer.number }],
        }),
      }
    }),
  }
}

/** A supplier's order as far as the saga needs it. */
export type SupplierOrder = {
  id: string
  airlineReference: string | null
  cancellable: boolean
  cancelled: boolean
  /** Electronic tickets, with the supplier's names of their passengers; the airline may issue them later. */
  tickets: { number: string; passengers: string[] }[]
}

/** The same tickets with our names of the passengers. */
export function ticketsOf({ tickets }: SupplierOrder, { supplier }: BookingRecord): NonNullable<BookingRecord['tickets']> {
  return tickets.map(({ number, passengers }) => ({
    number,
    passengerIds: supplier.passengers.filter(({ supplierId }) => passengers.includes(supplierId)).map(({ id }) => id),
  }))
}

export type OrderOutcome =
  | { kind: 'ordered'; order: SupplierOrder }
  /** The supplier offer can no longer be ordered although nothing was ordered for us: shop again for the same flights. */
  | { kind: 'offer-used' }
  /** The price at the supplier is another one. */
  | { kind: 'repriced' }
  /** Certainly no order; `code` is what the traveller is told. */
  | { kind: 'rejected'; code: 'OFFER_EXPIRED' | 'SEAT_UNAVAILABLE' | 'BOOKING_REFUSED' | 'BOOKING_FAILED'; reason: string }
  /** An order may exist: never send again, look for it. */
  | { kind: 'unknown'; reason: string }

type Answer = { status: number; codes: string[]; message?: string }

const OFFER_USED = new Set(['offer_request_already_booked'])
const REPRICED = new Set(['price_changed', 'payment_amount_does_not_match_order_amount', 'payment_currency_does_not_match_order_currency'])
const GONE = new Set(['offer_expired', 'offer_no_longer_available', 'past_payment_required_by_date'])
const SEAT = new Set(['ancillary_service_not_available'])
const AMBIGUOUS = new Set(['order_creation_already_attempted', 'duplicate_booking'])

/** A refusal is only what the supplier documents as one; every other failure leaves open whether an order exists. */
export function judgeRefusal({ status, codes, message }: Answer): OrderOutcome {
  const has = (set: Set<string>) => codes.some((code) => set.has(code))
  const reason = codes[0] ?? `http-${status}`
  if (has(AMBIGUOUS)) return { kind: 'unknown', reason }
  if (has(OFFER_USED)) return { kind: 'offer-used' }
  if (has(REPRICED)) return { kind: 'repriced' }
  if (has(GONE) || status === 404) return { kind: 'rejected', code: 'OFFER_EXPIRED', reason }
  if (has(SEAT)) return { kind: 'rejected', code: 'SEAT_UNAVAILABLE', reason }
  if (status === 503 || status === 429 || codes.includes('order_not_created')) return { kind: 'rejected', code: 'BOOKING_FAILED', reason }
  if (status >= 400 && status < 500) return { kind: 'rejected', code: 'BOOKING_REFUSED', reason: message ?? reason }
  return { kind: 'unknown', reason }
}

/** The supplier's words without what is sealed: some quote the document that they do not like, and a refusal is kept in clear. */
export function withoutDocuments(text: string, documents: PersonalDocuments): string {
  const secrets = documents
    .flatMap((papers) => [papers.passportNumber, papers.dateOfBirth, papers.frequentFlyer?.number ?? null])
    .filter((secret) => secret !== null)
  return secrets.reduce((rest, secret) => rest.replaceAll(new RegExp(secret, 'gi'), '(hidden)'), text)
}
