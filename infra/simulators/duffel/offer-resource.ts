/** Writes offers, slices and segments out in Duffel's shape. */
import { aircraftOf, aircraftResource } from './aircraft.ts'
import { airlineOf, airlineResource } from './airlines.ts'
import { brandOf, type CabinClass, cabinOn, type Rule } from './generator/fares.ts'
import { type Flight, terminalOf } from './generator/flights.ts'
import type { Itinerary, Leg } from './generator/itineraries.ts'
import type { Draft } from './generator/offers.ts'
import { type Search, typeOf } from './generator/search.ts'
import { base62, fractionOf, hashOf } from './hash.ts'
import { offerId, passengerId, segmentId, sliceId, stopId } from './ids.ts'
import { instantText, isoDuration, localTime } from './local-time.ts'
import { formatMinor, fromEuroCents, nominalMinor } from './money.ts'
import type { OfferChanges, OfferRequestRow } from './state.ts'
import { routeOf } from './test-routes.ts'

export type SearchContext = { request: OfferRequestRow; changes: OfferChanges }

export const totalOf = (draft: Draft, changes: OfferChanges): number => draft.total + (changes.delta ?? 0)
export const expiryOf = ({ request, changes }: SearchContext): number => changes.expiresAt ?? request.expiresAt

export const seatedPassengers = (search: Search): number =>
  search.passengers.filter((passenger) => typeOf(passenger) !== 'infant_without_seat').length

/** What a penalty comes to for the whole order, in minor units of `currency`; null when the airline does not say. */
export const penaltyMinor = (rule: Rule, search: Search, currency: string): number | null => {
  if (!rule?.allowed || rule.penalty === null) return null
  return rule.perOrder ? nominalMinor(rule.penalty, currency) : fromEuroCents(rule.penalty * seatedPassengers(search), currency)
}

/** Qatar Airways states its penalties in dollars, whatever the offer's currency. */
const penaltyCurrency = (draft: Draft): string => (draft.owner === 'QR' ? 'USD' : draft.currency)

const conditionOf = (rule: Rule, draft: Draft, search: Search) => {
  if (rule === null) return null
  const currency = penaltyCurrency(draft)
  const minor = penaltyMinor(rule, search, currency)
  return {
    allowed: rule.allowed,
    penalty_amount: minor === null ? null : formatMinor(minor, currency),
    penalty_currency: minor === null ? null : currency,
  }
}

export const conditionsOf = (draft: Draft, search: Search) => ({
  refund_before_departure: conditionOf(draft.fare.refund, draft, search),
  change_before_departure: conditionOf(draft.fare.change, draft, search),
})

export const offerResource = (draft: Draft, context: SearchContext) => {
  const { request, changes } = context
  const { nonce, search } = request
  const currency = draft.currency
  const delta = changes.delta ?? 0
  const holdDays = 3 * 86_400_000
  return {
    id: offerId(nonce, draft.index),
    live_mode: false,
    created_at: instantText(request.createdAt),
    updated_at: instantText(request.createdAt + 400),
    expires_at: instantText(expiryOf(context)),
    owner: airlineResource(draft.owner),
    base_amount: formatMinor(draft.base + delta, currency),
    base_currency: currency,
    tax_amount: draft.tax === null ? null : formatMinor(draft.tax, currency),
    tax_currency: draft.tax === null ? null : currency,
    total_amount: formatMinor(totalOf(draft, changes), currency),
    total_currency: currency,
    total_emissions_kg: String(draft.emissionsKg),
    partial: false,
    private_fares: [],
    conditions: conditionsOf(draft, search),
    payment_requirements: {
      requires_instant_payment: draft.instant,
      price_guarantee_expires_at: draft.instant ? null : instantText(request.createdAt + holdDays),
      payment_required_by: draft.instant ? null : instantText(request.createdAt + holdDays),
    },
    passenger_identity_documents_required: draft.passportRequired,
    supported_passenger_identity_document_types: draft.documentsSupported ? ['passport'] : [],
    supported_loyalty_programmes: airlineOf(draft.owner).style === 'low-cost' ? [] : [draft.owner],
    passengers: search.passengers.map((passenger, at) => ({
      id: passengerId(nonce, at),
      type: typeOf(passenger),
      age: passenger.age,
      given_name: passenger.givenName,
      family_name: passenger.familyName,
      fare_type: null,
      loyalty_programme_accounts: passenger.loyalty,
    })),
    slices: draft.slices.map((itinerary, slice) => sliceResource(draft, itinerary, slice, request)),
  }
}

const comparisonKey = (itinerary: Itinerary): string =>
  base62(hashOf(itinerary.legs.map((leg) => `${leg.seller}${leg.number}/${leg.flight.departsAt}`).join('|')), 9)

const sliceResource = (draft: Draft, itinerary: Itinerary, slice: number, request: OfferRequestRow) => {
  const from = itinerary.legs[0]!.flight.from
  const to = itinerary.legs.at(-1)!.flight.to
  const { fare } = draft
  return {
    id: sliceId(request.nonce, draft.index, slice),
    origin_type: 'airport',
    origin: from,
    destination_type: 'airport',
    destination: to,
    // A few airlines leave the whole slice's duration to the reader.
    duration: draft.owner === 'TU' ? null : isoDuration(itinerary.minutes),
    fare_brand_name: brandOf(draft.owner, fare),
    comparison_key: comparisonKey(itinerary),
    ngs_shelf: brandOf(draft.owner, fare) === null ? null : fare.shelf,
    conditions: {
      ...conditionsOf(draft, request.search),
      advance_seat_selection: fare.seatChoice,
      priority_boarding: fare.priority,
      priority_check_in: fare.priority,
    },
    segments: itinerary.legs.map((leg, position) => segmentResource(draft, leg, slice, position, request)),
  }
}

const segmentResource = (draft: Draft, leg: Leg, slice: number, position: number, request: OfferRequestRow) => {
  const { flight } = leg
  const { nonce, search } = request
  const cabin = cabinOn(draft.cabin, flight)
  const bags = routeOf(search) === 'BTS-MRU' ? null : draft.fare.checked
  return {
    id: segmentId(nonce, draft.index, slice, position),
    origin: flight.from,
    destination: flight.to,
    origin_terminal: terminalOf(flight.from, flight.carrier),
    destination_terminal: terminalOf(flight.to, flight.carrier),
    departing_at: localTime(flight.from.time_zone, flight.departsAt),
    arriving_at: localTime(flight.to.time_zone, flight.arrivesAt),
    duration: isoDuration(flight.minutes),
    distance: flight.km.toFixed(1),
    aircraft: aircraftResource(flight.aircraft),
    marketing_carrier: airlineResource(leg.seller),
    marketing_carrier_flight_number: leg.number,
    operating_carrier: airlineResource(flight.carrier),
    operating_carrier_flight_number:
      leg.seller === flight.carrier ? flight.number : fractionOf(`operating/${leg.seller}${leg.number}`) < 0.1 ? null : flight.number,
    stops: flight.stop
      ? [
          {
            id: stopId(nonce, draft.index, slice),
            airport: flight.stop.airport,
            arriving_at: localTime(flight.stop.airport.time_zone, flight.stop.arrivesAt),
            departing_at: localTime(flight.stop.airport.time_zone, flight.stop.departsAt),
            duration: isoDuration((flight.stop.departsAt - flight.stop.arrivesAt) / 60_000),
          },
        ]
      : [],
    passengers: search.passengers.map((passenger, at) => ({
      passenger_id: passengerId(nonce, at),
      cabin_class: cabin,
      cabin_class_marketing_name: marketingName(flight, cabin),
      fare_basis_code: `${draft.fare.letter}${base62(hashOf(`basis/${draft.owner}/${draft.fare.key}/${slice}`), 3).toUpperCase()}${search.slices.length > 1 ? 'RT' : 'OW'}`,
      baggages: baggagesOf(bags, typeOf(passenger) === 'infant_without_seat'),
      cabin: cabinResource(flight, cabin),
    })),
  }
}

const baggagesOf = (checked: number | null, onLap: boolean) => {
  if (checked === null) return []
  const hold = { type: 'checked', quantity: checked }
  return onLap ? [hold] : [hold, { type: 'carry_on', quantity: 1 }]
}

const usualNames: Record<CabinClass, string> = {
  economy: 'Economy',
  premium_economy: 'Premium Economy',
  business: 'Business',
  first: 'First',
}
const ownNames: Record<string, Partial<Record<CabinClass, string>>> = {
  BA: { economy: 'World Traveller', premium_economy: 'World Traveller Plus', business: 'Club World' },
  AF: { premium_economy: 'Premium', business: 'Business', first: 'La Première' },
  DL: { economy: 'Main Cabin', premium_economy: 'Delta Premium Select', business: 'Delta One' },
  UA: { premium_economy: 'United Premium Plus', business: 'United Polaris' },
  QR: { business: 'Qsuite' },
}
const marketingName = (flight: Flight, cabin: CabinClass): string =>
  (flight.km > 4_500 ? ownNames[flight.carrier]?.[cabin] : undefined) ?? usualNames[cabin]

const seats: Record<CabinClass, { pitch: string; legroom: string; type: string }> = {
  economy: { pitch: '30', legroom: 'standard', type: 'standard' },
  premium_economy: { pitch: '38', legroom: 'more', type: 'recliner' },
  business: { pitch: '60', legroom: 'more', type: 'full_flat' },
  first: { pitch: '80', legroom: 'more', type: 'private_suite' },
}

/** null for a tenth of flights, as in recorded answers; wifi is unknown on regional aircraft. */
const cabinResource = (flight: Flight, cabin: CabinClass) => {
  const airline = airlineOf(flight.carrier)
  const draw = fractionOf(`cabin/${flight.carrier}${flight.number}`)
  if (airline.style !== 'duffel' && draw < 0.1) return null
  const { body } = aircraftOf(flight.aircraft)
  const narrow = body === 'regional' || body === 'narrow'
  return {
    name: cabin,
    marketing_name: marketingName(flight, cabin),
    amenities:
      draw > 0.97
        ? null
        : {
            wifi:
              body === 'regional'
                ? null
                : airline.wifi === null
                  ? { available: false, cost: 'n/a' }
                  : { available: true, cost: airline.wifi },
            seat: narrow && cabin === 'business' ? { pitch: '34', legroom: 'more', type: 'recliner' } : seats[cabin],
            power: { available: !narrow || draw > 0.5 },
          },
  }
}
