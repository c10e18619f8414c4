/** A booking for tests of the domain: Paris to Lisbon and back for one adult, refundable for 40.00. */
import type { Quote, Slice } from '@passerelle/contracts/http/search'
import type { BookingRecord } from './booking.ts'

const place = (iata_code: string, city_name: string, country_code: string, time_zone: string) => ({
  name: `${city_name} Airport`,
  iata_code,
  city_name,
  country_code,
  time_zone,
})
const paris = place('CDG', 'Paris', 'FR', 'Europe/Paris')
const lisbon = place('LIS', 'Lisbon', 'PT', 'Europe/Lisbon')
const carrier = { name: 'TAP Air Portugal', iata_code: 'TP', logo_url: null }

function slice(number: number, origin: typeof paris, destination: typeof paris, departing_at: string, arriving_at: string): Slice {
  return {
    id: `sli_${number}`,
    origin,
    destination,
    duration: 'PT2H35M',
    departure_time: departing_at,
    arrival_time: arriving_at,
    fare_brand_name: 'Flex',
    segments: [
      {
        id: `seg_${number}_1`,
        departing_at,
        arriving_at,
        origin,
        destination,
        origin_terminal: null,
        destination_terminal: null,
        duration: 'PT2H35M',
        flight_number: '439',
        aircraft: null,
        airline: { ...carrier, icao_code: null, id: null },
        operating_carrier: carrier,
        marketing_carrier: carrier,
        services: [],
        cabin_class: 'economy',
        technical_stops: [],
      },
    ],
  }
}

const slices = [
  slice(1, paris, lisbon, '2027-03-04T08:15:00', '2027-03-04T09:50:00'),
  slice(2, lisbon, paris, '2027-03-11T18:00:00', '2027-03-11T21:35:00'),
]

export const quote: Quote = {
  offer: {
    id: 'oft_1',
    total_amount: '222.50',
    total_currency: 'EUR',
    base_amount: '180.00',
    base_currency: 'EUR',
    tax_amount: '42.50',
    tax_currency: 'EUR',
    price: { total: '274.00', base: '221.00', tax: '53.00', currency: 'EUR', markupPercent: 23 },
    created_at: '2026-11-21T10:00:00Z',
    expires_at: '2026-11-21T10:30:00Z',
    owner: carrier,
    conditions: {
      refundable: true,
      changeable: false,
      refund: { allowed: true, penalty: { amount: '40.00', currency: 'EUR' } },
      change: null,
    },
    available_services: [],
    passenger_identity_documents_required: false,
    payment_requirements: { price_guarantee_expires_at: null, payment_required_by: null },
    passengers: [
      { id: 'pas_1', type: 'adult' },
      { id: 'pas_2', type: 'child' },
      { id: 'pas_3', type: 'infant_without_seat' },
    ],
    slices,
    baggage_included: true,
  },
  mode: 'test',
  supplier: {
    offerId: 'off_1',
    total: { amount: '222.50', currency: 'EUR' },
    passengers: [
      { id: 'pas_1', supplierId: 'pas_a', type: 'adult' },
      { id: 'pas_2', supplierId: 'pas_b', type: 'child' },
      { id: 'pas_3', supplierId: 'pas_c', type: 'infant_without_seat' },
    ],
    segments: [
      { id: 'seg_1_1', supplierId: 'seg_a' },
      { id: 'seg_2_1', supplierId: 'seg_b' },
    ],
    services: [],
    identityDocuments: { required: false, passportSupported: true },
  },
  seats: [],
  charge: { amount: '274.00', currency: 'EUR' },
  shownTotal: { amount: '274.00', currency: 'EUR' },
  supplierCharge: { amount: '222.50', currency: 'EUR' },
}

export function bookingRecord(change: Partial<BookingRecord> = {}): BookingRecord {
  const { id, conditions, total_amount, total_currency, owner } = quote.offer
  return {
    _id: 'bk_1',
    version: 4,
    state: 'CONFIRMED',
    providerId: 'K7TM2PQX0123456789AB',
    reference: 'K7TM2PQX',
    idempotencyKey: 'given:1',
    requestHash: 'hash',
    passengersKey: null,
    furtherAttempts: [],
    paymentId: 'pay_1',
    visitorId: null,
    userId: null,
    brand: 'default',
    markupPercent: 23,
    mode: 'test',
    requestId: 'request-1',
    createdAt: new Date('2026-11-21T10:05:00Z'),
    answerBy: new Date('2026-11-21T10:05:25Z'),
    pendingAnnouncedAt: null,
    contact: { email: 'ines@example.org', phone: '+33123456789', firstName: 'Ines', lastName: 'Moreau' },
    people: [
      {
        id: 'pas_1',
        type: 'adult',
        title: 'ms',
        gender: 'f',
        firstName: 'Ines',
        lastName: 'Moreau',
        email: 'ines@example.org',
        phone: '+33123456789',
      },
      {
        id: 'pas_3',
        type: 'infant_without_seat',
        title: 'ms',
        gender: 'f',
        firstName: 'Zoë',
        lastName: 'Moreau',
        email: 'ines@example.org',
        phone: '+33123456789',
      },
    ],
    documents: 'sealed',
    documentKey: 'key',
    offer: { id, slices, conditions, total_amount, total_currency, owner },
    supplier: quote.supplier,
    seats: [],
    charge: { minor: 27_400, currency: 'EUR' },
    supplierCharge: { amount: '222.50', currency: 'EUR' },
    firstDeparture: new Date('2027-03-04T07:15:00Z'),
    lastArrival: new Date('2027-03-11T20:35:00Z'),
    captured: { minor: 27_400, currency: 'EUR' },
    orderId: 'ord_1',
    orderCancelledAt: null,
    airlineReference: 'ABC123',
    orderCancellable: true,
    attempts: 1,
    sendBefore: null,
    settleBy: null,
    open: false,
    nextAt: new Date(0),
    leaseUntil: new Date(0),
    tries: 0,
    pendingCancellation: false,
    cancelNote: null,
    cancelledAt: null,
    refund: null,
    failure: null,
    ...change,
  }
}
