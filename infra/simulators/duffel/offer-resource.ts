/** Writes offers, slices and segments out in Duffel's shape, as far as this product reads it. */
import { fromMinor } from '@passerelle/contracts/rules/money'
import { aircraftOf, aircraftResource } from './aircraft.ts'
import { airlineOf, airlineResource, loyaltyProgrammesOf } from './airlines.ts'
import { brandOf, type CabinClass, cabinOn, type Rule } from './generator/fares.ts'
import { type Flight, terminalOf } from './generator/flights.ts'
import type { Itinerary, Leg } from './generator/itineraries.ts'
import type { Draft } from './generator/offers.ts'
import { type Search, seatedPassengers } from './generator/search.ts'
import { fractionOf } from './hash.ts'
import { offerId, passengerId, segmentId, sliceId } from './ids.ts'
import { instantText, isoDuration, localTime } from './local-time.ts'
import { fromEuroCents, nominalMinor } from './prices.ts'
import type { OfferChanges, OfferRequest } from './records.ts'

export type SearchContext = { request: OfferRequest; changes: OfferChanges }

export const totalOf = (draft: Draft, changes: OfferChanges): number => draft.total + (changes.delta ?? 0)
export const expiryOf = ({ request, changes }: SearchContext): number => changes.expiresAt ?? request.expiresAt

/** What a penalty comes to for the whole order, in minor units of `currency`; null when the airline does not say. */
export const penaltyMinor = (rule: Rule, search: Search, currency: string): number | null => {
  if (!rule?.allowed || rule.penalty === null) return null
  return rule.perOrder ? nominalMinor(rule.penalty, currency) : fromEuroCents(rule.penalty * seatedPassengers(search), currency)
}

const conditionOf = (rule: Rule, draft: Draft, search: Search) => {
  if (rule === null) return null
  // Qatar Airways states its penalties in dollars, whatever the offer's currency.
  const currency = draft.owner === 'QR' ? 'USD' : draft.currency
  const minor = penaltyMinor(rule, search, currency)
  return {
    allowed: rule.allowed,
    penalty_amount: minor === null ? null : fromMinor(minor, currency),
    penalty_currency: minor === null ? null : currency,
  }
}

export const conditionsOf = (draft: Draft, search: Search) => ({
  refund_before_departure: conditionOf(draft.fare.refund, draft, search),
  change_before_departure: conditionOf(draft.fare.change, draft, search),
})

/** Roughly what an hour in each cabin comes to, kg of CO2 for one passenger. */
const kgPerHour: Record<CabinClass, number> = { economy: 90, premium_economy: 135, business: 235, first: 310 }

/** For all passengers with a seat; null for one airline, as for every airline that the estimate does not cover. */
const emissionsOf = (draft: Draft, search: Search): string | null => {
  if (draft.owner === 'TU') return null
  const flights = draft.slices.flatMap(({ legs }) => legs.map(({ flight }) => flight))
  const each = flights.reduce((sum, flight) => sum + (flight.minutes / 60) * kgPerHour[cabinOn(draft.cabin, flight)], 0)
  return String(Math.round(each * seatedPassengers(search)))
}

const holdLife = 3 * 86_400_000

export const offerResource = (draft: Draft, context: SearchContext) => {
  const { request, changes } = context
  const { nonce, search } = request
  const { currency } = draft
  const holdUntil = draft.instant ? null : instantText(request.createdAt + holdLife)
  return {
    id: offerId(nonce, draft.index),
    live_mode: false,
    created_at: instantText(request.createdAt),
    expires_at: instantText(expiryOf(context)),
    owner: airlineResource(draft.owner),
    base_amount: fromMinor(draft.base + (changes.delta ?? 0), currency),
    base_currency: currency,
    tax_amount: draft.tax === null ? null : fromMinor(draft.tax, currency),
    tax_currency: draft.tax === null ? null : currency,
    total_amount: fromMinor(totalOf(draft, changes), currency),
    total_currency: currency,
    total_emissions_kg: emissionsOf(draft, search),
    conditions: conditionsOf(draft, search),
    payment_requirements: {
      requires_instant_payment: draft.instant,
      price_guarantee_expires_at: holdUntil,
      payment_required_by: holdUntil,
    },
    passenger_identity_documents_required: draft.passportRequired,
    supported_passenger_identity_document_types: draft.documentsSupported ? ['passport'] : [],
    supported_loyalty_programmes: loyaltyProgrammesOf(draft.owner),
    passengers: search.passengers.map((type, at) => ({ id: passengerId(nonce, at), type, age: null })),
    slices: draft.slices.map((itinerary, slice) => sliceResource(draft, itinerary, slice, request)),
  }
}

export const sliceResource = (draft: Draft, itinerary: Itinerary, slice: number, request: OfferRequest) => ({
  id: sliceId(request.nonce, draft.index, slice),
  origin_type: 'airport',
  origin: itinerary.legs[0]!.flight.from,
  destination_type: 'airport',
  destination: itinerary.legs.at(-1)!.flight.to,
  // A few airlines leave the whole slice's duration to the reader.
  duration: draft.owner === 'TU' ? null : isoDuration(itinerary.minutes),
  fare_brand_name: brandOf(draft.owner, draft.fare),
  segments: itinerary.legs.map((leg, position) => segmentResource(draft, leg, slice, position, request)),
})

const segmentResource = (draft: Draft, leg: Leg, slice: number, position: number, { nonce, search }: OfferRequest) => {
  const { flight } = leg
  const namesOperator = leg.seller === flight.carrier || fractionOf(`operating/${leg.seller}${leg.number}`) >= 0.1
  return {
    id: segmentId(nonce, draft.index, slice, position),
    origin: flight.from,
    destination: flight.to,
    origin_terminal: terminalOf(flight.from, flight.carrier),
    destination_terminal: terminalOf(flight.to, flight.carrier),
    departing_at: localTime(flight.from.time_zone, flight.departsAt),
    arriving_at: localTime(flight.to.time_zone, flight.arrivesAt),
    duration: isoDuration(flight.minutes),
    aircraft: aircraftResource(flight.aircraft),
    marketing_carrier: airlineResource(leg.seller),
    marketing_carrier_flight_number: leg.number,
    operating_carrier: airlineResource(flight.carrier),
    operating_carrier_flight_number: namesOperator ? flight.number : null,
    stops: [],
    passengers: search.passengers.map((type, at) => ({
      passenger_id: passengerId(nonce, at),
      cabin_class: cabinOn(draft.cabin, flight),
      baggages: [
        { type: 'checked', quantity: draft.fare.checked },
        ...(type === 'infant_without_seat' ? [] : [{ type: 'carry_on', quantity: 1 }]),
      ],
      cabin: cabinResource(flight, cabinOn(draft.cabin, flight)),
    })),
  }
}

/** null for a tenth of flights, as in recorded answers; wifi is unknown on regional aircraft. */
const cabinResource = (flight: Flight, name: CabinClass) => {
  const { style, wifi } = airlineOf(flight.carrier)
  const draw = fractionOf(`cabin/${flight.carrier}${flight.number}`)
  if (style !== 'duffel' && draw < 0.1) return null
  if (draw > 0.97) return { name, amenities: null }
  if (aircraftOf(flight.aircraft).body === 'regional') return { name, amenities: { wifi: null } }
  return { name, amenities: { wifi: wifi === null ? { available: false, cost: 'n/a' } : { available: true, cost: wifi } } }
}
