/** Writes orders out in Duffel's shape, and keeps beside each the facts that decide what may still be done with it. */

import { typeOf } from './generator/search.ts'
import { hashOf, randomText } from './hash.ts'
import { passengerId } from './ids.ts'
import { instantText } from './local-time.ts'
import { formatMinor } from './money.ts'
import { conditionsOf, offerResource, penaltyMinor, totalOf } from './offer-resource.ts'
import type { FoundOffer } from './offers.ts'
import { type Bought, journeyTimes, orderTotal } from './order-checks.ts'
import type { OrderPassenger, OrderRequest } from './order-request.ts'
import type { OrderRow } from './state.ts'

/** What is not said on the wire. Amounts are minor units of `currency`. */
export type OrderFacts = {
  currency: string
  total: number
  refundable: boolean
  /** null: known to the airline only. */
  penalty: number | null
  cancellable: boolean
  changeable: boolean
  departsAt: number
  voidUntil: number | null
  route: string
  awaitingPayment: boolean
  /** The airline moves the first flight: seen on reading the order, not in the answer that made it. */
  scheduleChange: boolean
  passengers: number
  services: { type: string; designator: string | null; segment_ids: string[]; passenger_ids: string[]; quantity: number }[]
}

type Segment = { id: string; departing_at: string; arriving_at: string; passengers: Record<string, unknown>[] } & Record<string, unknown>
export type OrderSlice = { id: string; segments: Segment[] } & Record<string, unknown>
export type OrderResource = {
  id: string
  booking_reference: string
  slices: OrderSlice[]
  passengers: { id: string; given_name: string; family_name: string; type: string }[]
  metadata: Record<string, string>
  payment_status: Record<string, unknown>
  documents: unknown[]
  users: string[]
} & Record<string, unknown>

export type Order = OrderRow<OrderFacts, OrderResource>

const day = 86_400_000

export const newOrder = (
  offer: FoundOffer,
  request: OrderRequest,
  bought: Bought[],
  reference: string,
  nowMs: number,
  visibleAt: number,
): Order => {
  const id = `ord_0000${randomText(18)}`
  const { draft, request: searched } = offer
  const { currency } = draft
  const total = orderTotal(offer, bought)
  const extras = total - totalOf(draft, offer.changes)
  const written = offerResource(draft, offer)
  const instant = request.type === 'instant'
  const fromTheStates = draft.slices[0]!.legs[0]!.flight.from.iata_country_code === 'US'
  const { departsAt } = journeyTimes(offer)
  // Flights from the United States can be given back in full for a day, when they leave in a week or later.
  const voidUntil = fromTheStates && departsAt - nowMs >= 7 * day ? nowMs + day : null
  const services = bought.map((one) => ({
    id: `ser_0000${randomText(18)}`,
    type: one.type,
    quantity: one.quantity,
    passenger_ids: [passengerId(searched.nonce, one.passenger)],
    segment_ids: one.segmentIds,
    total_amount: formatMinor(one.amount * one.quantity, currency),
    total_currency: currency,
    metadata: one.metadata,
  }))
  const resource: OrderResource = {
    id,
    live_mode: false,
    type: request.type,
    offer_id: offer.id,
    booking_reference: reference,
    created_at: instantText(nowMs),
    synced_at: instantText(nowMs),
    owner: written.owner,
    content: 'managed',
    base_amount: formatMinor(draft.base + (offer.changes.delta ?? 0) + extras, currency),
    base_currency: currency,
    tax_amount: written.tax_amount,
    tax_currency: written.tax_currency,
    total_amount: formatMinor(total, currency),
    total_currency: currency,
    conditions: conditionsOf(draft, searched.search),
    payment_status: {
      awaiting_payment: !instant,
      payment_required_by: instant ? null : written.payment_requirements.payment_required_by,
      price_guarantee_expires_at: instant ? null : written.payment_requirements.price_guarantee_expires_at,
      paid_at: instant ? instantText(nowMs) : null,
    },
    slices: orderSlices(written.slices as unknown as OrderSlice[], services),
    passengers: request.passengers.map((passenger) => passengerResource(passenger, offer)),
    services,
    documents: instant ? tickets(draft.owner, request.passengers) : [],
    void_window_ends_at: voidUntil === null ? null : instantText(voidUntil),
    airline_initiated_changes: [],
    changes: [],
    users: request.users,
    metadata: request.metadata,
  }
  const penalty = penaltyMinor(draft.fare.refund, searched.search, currency)
  return {
    id,
    offerId: offer.id,
    bookingReference: reference,
    createdAt: nowMs,
    visibleAt,
    cancelledAt: null,
    resource,
    facts: {
      currency,
      total,
      refundable: draft.fare.refund?.allowed === true,
      penalty,
      cancellable: draft.fare.cancellable,
      changeable: draft.fare.change?.allowed === true,
      departsAt,
      voidUntil,
      route: offer.route,
      awaitingPayment: !instant,
      scheduleChange: offer.route === 'LHR-LTN',
      passengers: request.passengers.length,
      services: bought.map((one, at) => ({
        type: one.type,
        designator: one.seat?.designator ?? null,
        segment_ids: one.segmentIds,
        passenger_ids: services[at]!.passenger_ids,
        quantity: one.quantity,
      })),
    },
  }
}

/** Slices of an order say nothing on refunds, and each segment's passengers have their seat. */
const orderSlices = (
  slices: OrderSlice[],
  services: { type: string; passenger_ids: string[]; segment_ids: string[]; metadata: object }[],
): OrderSlice[] =>
  slices.map((slice) => {
    const { change_before_departure } = slice.conditions as Record<string, unknown>
    return {
      ...slice,
      conditions: { change_before_departure },
      segments: slice.segments.map((segment) => ({
        ...segment,
        passengers: segment.passengers.map((passenger) => ({
          ...passenger,
          seat:
            services.find(
              (service) =>
                service.type === 'seat' &&
                service.segment_ids.includes(segment.id) &&
                service.passenger_ids.includes(String(passenger.passenger_id)),
            )?.metadata ?? null,
        })),
      })),
    }
  })

const passengerResource = (passenger: OrderPassenger, offer: FoundOffer) => {
  const { nonce, search } = offer.request
  const position = search.passengers.findIndex((_, at) => passengerId(nonce, at) === passenger.id)
  return {
    id: passenger.id,
    type: typeOf(search.passengers[position]!),
    title: passenger.title,
    given_name: passenger.givenName,
    family_name: passenger.familyName,
    gender: passenger.gender,
    born_on: passenger.bornOn,
    email: passenger.email,
    phone_number: passenger.phoneNumber,
    infant_passenger_id: passenger.infantPassengerId,
    loyalty_programme_accounts: passenger.loyalty,
  }
}

/** One electronic ticket for each traveller, infants too: the airline's three digits and ten more. */
export const tickets = (owner: string, passengers: { id: string }[]) => {
  const prefix = String(100 + (hashOf(`tickets/${owner}`) % 800))
  return passengers.map(({ id }) => ({
    type: 'electronic_ticket',
    unique_identifier: `${prefix}${String(hashOf(`ticket/${id}/${randomText(8)}`) % 10_000_000_000).padStart(10, '0')}`,
    passenger_ids: [id],
  }))
}

export const availableActions = (order: Order, nowMs: number): string[] => {
  const { facts } = order
  if (order.cancelledAt !== null || nowMs >= facts.departsAt) return []
  const voidable = facts.voidUntil !== null && nowMs < facts.voidUntil
  return [
    ...(facts.cancellable || facts.awaitingPayment || voidable ? ['cancel'] : []),
    ...(facts.changeable && !facts.awaitingPayment ? ['change'] : []),
    'update',
  ]
}

/** The order as it stands now. @param cancellation the confirmed one, if any. */
export const orderResource = (order: Order, cancellation: Record<string, unknown> | null, nowMs: number, justMade = false) => ({
  ...order.resource,
  synced_at: instantText(nowMs),
  cancelled_at: order.cancelledAt === null ? null : instantText(order.cancelledAt),
  cancellation,
  available_actions: availableActions(order, nowMs),
  airline_initiated_changes: order.facts.scheduleChange && !justMade ? [scheduleChange(order)] : [],
})

const moved = 45 * 60_000
const later = (local: string): string => new Date(Date.parse(`${local}Z`) + moved).toISOString().slice(0, 19)

/** The first slice's first flight leaves and lands three quarters of an hour later; nobody has acted on it yet. */
const scheduleChange = (order: Order) => {
  const [slice] = order.resource.slices
  const [first, ...rest] = slice!.segments
  const suffix = order.id.slice(-18)
  const changed: OrderSlice = {
    ...slice!,
    id: `sli_0000${suffix}`,
    segments: [
      { ...first!, id: `seg_0000${suffix}`, departing_at: later(first!.departing_at), arriving_at: later(first!.arriving_at) },
      ...rest,
    ],
  }
  const at = instantText(order.createdAt + 1000)
  return {
    id: `aic_0000${suffix}`,
    order_id: order.id,
    created_at: at,
    updated_at: at,
    action_taken: null,
    action_taken_at: null,
    available_actions: ['accept', 'cancel', 'update'],
    added: [changed],
    removed: [slice],
    travel_agent_ticket: null,
  }
}
