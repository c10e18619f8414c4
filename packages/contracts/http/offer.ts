/** An offer of flights as visitors see it. Its amounts are the supplier's; what a customer pays is in `price`, computed by the server. */
import { z } from 'zod'
import { Amount, CabinClass, CurrencyCode, Id, Money, PassengerType } from './common.ts'

export const Place = z.object({
  name: z.string().nullable(),
  iata_code: z.string().nullable(),
  city_name: z.string().nullable(),
  country_code: z.string().nullable(),
  /** IANA, e.g. Europe/Paris; turns the local times into instants. */
  time_zone: z.string().nullable(),
})
export type Place = z.infer<typeof Place>

export const Carrier = z.object({ name: z.string().nullable(), iata_code: z.string().nullable(), logo_url: z.string().nullable() })
export type Carrier = z.infer<typeof Carrier>

export const SegmentService = z.object({ type: z.enum(['wifi', 'meal', 'baggage']), description: z.string() })
export type SegmentService = z.infer<typeof SegmentService>

/** A technical stop keeps the flight number; it is shown but not counted as a stop. */
export const TechnicalStop = z.object({ airport: Place, duration: z.string().nullable() })
export type TechnicalStop = z.infer<typeof TechnicalStop>

export const Segment = z.object({
  /** Ours, unique within the offer, e.g. `seg_1_2`: first slice, second segment. */
  id: z.string(),
  /** Airport-local wall clock, no offset: `2027-03-04T08:15:00`. */
  departing_at: z.string(),
  arriving_at: z.string(),
  origin: Place,
  destination: Place,
  origin_terminal: z.string().nullable(),
  destination_terminal: z.string().nullable(),
  /** ISO 8601, e.g. PT2H30M; null when neither supplier nor time zones tell. */
  duration: z.string().nullable(),
  flight_number: z.string(),
  aircraft: z.object({ name: z.string() }).nullable(),
  airline: Carrier.extend({ icao_code: z.string().nullable(), id: z.string().nullable() }),
  operating_carrier: Carrier,
  marketing_carrier: Carrier,
  services: z.array(SegmentService),
  cabin_class: CabinClass.nullable(),
  technical_stops: z.array(TechnicalStop),
})
export type Segment = z.infer<typeof Segment>

export const Slice = z.object({
  /** Ours, unique within the offer: `sli_1`. */
  id: z.string(),
  origin: Place,
  destination: Place,
  duration: z.string().nullable(),
  departure_time: z.string(),
  arrival_time: z.string(),
  fare_brand_name: z.string().nullable(),
  segments: z.array(Segment),
})
export type Slice = z.infer<typeof Slice>

export const AvailableService = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  total_amount: Amount.nullable(),
  total_currency: CurrencyCode.nullable(),
  /** What the customer would pay for it. */
  price: Money.nullable(),
})
export type AvailableService = z.infer<typeof AvailableService>

/** The customer's price for all passengers; base + tax = total to the last digit. */
export const CustomerPrice = z.object({
  total: Amount,
  base: Amount,
  tax: Amount,
  currency: CurrencyCode,
  /** The markup that is in it, e.g. 23. */
  markupPercent: z.number(),
})
export type CustomerPrice = z.infer<typeof CustomerPrice>

/** `penalty` null: the airline did not say what it keeps. */
export const FareCondition = z.object({ allowed: z.boolean(), penalty: Money.nullable() })
export type FareCondition = z.infer<typeof FareCondition>

export const OfferPassenger = z.object({
  /** Ours, unique within the offer, adults first: `pas_1`. Seats and passengers of a booking refer to it. */
  id: z.string(),
  type: PassengerType,
})
export type OfferPassenger = z.infer<typeof OfferPassenger>

export const FlightOffer = z.object({
  /** Ours; it maps to a supplier's offer and outlives it. */
  id: Id,
  total_amount: Amount,
  total_currency: CurrencyCode,
  base_amount: Amount,
  base_currency: CurrencyCode,
  tax_amount: Amount,
  tax_currency: CurrencyCode,
  price: CustomerPrice,
  created_at: z.string(),
  expires_at: z.string(),
  owner: Carrier,
  conditions: z.object({
    refundable: z.boolean(),
    changeable: z.boolean(),
    /** null: the airline did not say. */
    refund: FareCondition.nullable(),
    change: FareCondition.nullable(),
  }),
  /** Filled when one offer is read; empty in a list. */
  available_services: z.array(AvailableService),
  passenger_identity_documents_required: z.boolean(),
  /** IATA codes of the airlines whose frequent flyer numbers may be given with the booking; absent: none. */
  supported_loyalty_programmes: z.array(z.string().length(2)).optional(),
  payment_requirements: z.object({ price_guarantee_expires_at: z.string().nullable(), payment_required_by: z.string().nullable() }),
  passengers: z.array(OfferPassenger),
  slices: z.array(Slice),
  /** Checked baggage on the first segment of every slice, for every passenger with a seat. */
  baggage_included: z.boolean(),
  /** The supplier's estimate for all passengers and all flights, kg of CO2; absent when it gives none. */
  emissions_kg: z.int().positive().optional(),
})
export type FlightOffer = z.infer<typeof FlightOffer>
