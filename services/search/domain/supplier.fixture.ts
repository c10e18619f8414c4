/** For tests: an offer as the supplier sends it, a return from Paris to Lisbon for one adult. */
import type { SupplierOffer, SupplierPlace, SupplierSegment, SupplierSlice } from './supplier.ts'

export const CDG: SupplierPlace = {
  type: 'airport',
  name: 'Paris Charles de Gaulle Airport',
  iata_code: 'CDG',
  city_name: 'Paris',
  iata_country_code: 'FR',
  time_zone: 'Europe/Paris',
  city: null,
}
export const LIS: SupplierPlace = {
  type: 'airport',
  name: 'Humberto Delgado Airport',
  iata_code: 'LIS',
  city_name: 'Lisbon',
  iata_country_code: 'PT',
  time_zone: 'Europe/Lisbon',
}
export const JFK: SupplierPlace = {
  type: 'airport',
  name: 'John F. Kennedy International Airport',
  iata_code: 'JFK',
  city_name: 'New York',
  iata_country_code: 'US',
  time_zone: 'America/New_York',
}

const ZZ = { id: 'arl_zz', name: 'Duffel Airways', iata_code: 'ZZ', logo_symbol_url: 'https://assets.example/ZZ.svg' }

export function supplierSegment(more: Partial<SupplierSegment> = {}): SupplierSegment {
  return {
    id: 'seg_0000Ag1',
    departing_at: '2027-03-04T08:15:00',
    arriving_at: '2027-03-04T09:50:00',
    duration: 'PT2H35M',
    origin: CDG,
    destination: LIS,
    origin_terminal: '2F',
    destination_terminal: '1',
    aircraft: { name: 'Airbus A320' },
    marketing_carrier: ZZ,
    marketing_carrier_flight_number: '1204',
    operating_carrier: ZZ,
    stops: [],
    passengers: [
      {
        passenger_id: 'pas_0000Ap1',
        cabin_class: 'economy',
        baggages: [
          { type: 'checked', quantity: 1 },
          { type: 'carry_on', quantity: 1 },
        ],
        cabin: { amenities: { wifi: { available: true, cost: 'paid' } } },
      },
    ],
    ...more,
  }
}

export function supplierSlice(more: Partial<SupplierSlice> = {}): SupplierSlice {
  return {
    id: 'sli_0000As1',
    origin: CDG,
    destination: LIS,
    duration: 'PT2H35M',
    fare_brand_name: 'Basic',
    segments: [supplierSegment()],
    ...more,
  }
}

export function supplierOffer(more: Partial<SupplierOffer> = {}): SupplierOffer {
  return {
    id: 'off_0000Aexample01',
    live_mode: false,
    created_at: '2027-01-05T10:00:00.120000Z',
    expires_at: '2027-01-05T10:30:00.120000Z',
    owner: ZZ,
    base_amount: '180.00',
    base_currency: 'EUR',
    tax_amount: '42.50',
    tax_currency: 'EUR',
    total_amount: '222.50',
    total_currency: 'EUR',
    conditions: {
      refund_before_departure: { allowed: true, penalty_amount: '40.00', penalty_currency: 'EUR' },
      change_before_departure: { allowed: false, penalty_amount: null, penalty_currency: null },
    },
    payment_requirements: { price_guarantee_expires_at: '2027-01-07T10:00:00Z', payment_required_by: '2027-01-08T10:00:00Z' },
    passenger_identity_documents_required: false,
    supported_passenger_identity_document_types: ['passport'],
    passengers: [{ id: 'pas_0000Ap1', type: 'adult', age: null }],
    slices: [
      supplierSlice(),
      supplierSlice({
        id: 'sli_0000As2',
        origin: LIS,
        destination: CDG,
        segments: [
          supplierSegment({
            id: 'seg_0000Ag2',
            origin: LIS,
            destination: CDG,
            departing_at: '2027-03-11T18:00:00',
            arriving_at: '2027-03-11T21:35:00',
            marketing_carrier_flight_number: '1205',
          }),
        ],
      }),
    ],
    ...more,
  }
}
