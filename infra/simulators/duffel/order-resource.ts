/** Writes orders out in Duffel's shape, and keeps beside each the facts that decide what may still be done with it. */
import { fromMinor } from '@passerelle/contracts/rules/money'
import { airlineResource, loyaltyProgrammesOf } from './airlines.ts'
import { legsOf } from './generator/offers.ts'
import { pickOf, randomText } from './hash.ts'
import { passengerId } from './ids.ts'
import { instantText } from './local-time.ts'
import { conditionsOf, penaltyMinor, sliceResource } from './offer-resource.ts'
import type { FoundOffer } from './offers.ts'
import { type Bought, orderTotal } from './order-checks.ts'
import type { OrderRequest } from './order-request.ts'
import type { Order } from './records.ts'

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
  const { draft } = offer
  const { flight } = legsOf(draft)[0]!.leg
  // Flights from the United States can be given back in full for a day, when they leave in a week or later.
  const mayVoid = flight.from.iata_country_code === 'US' && flight.departsAt - nowMs >= 7 * day
  return {
    id,
    offerId: offer.id,
    createdAt: nowMs,
    visibleAt,
    cancelledAt: null,
    resource: resourceOf(id, offer, request, bought, reference, nowMs),
    facts: {
      currency: draft.currency,
      total: orderTotal(offer, bought),
      refundable: draft.fare.refund?.allowed === true,
      penalty: penaltyMinor(draft.fare.refund, offer.request.search, draft.currency),
      cancellable: draft.fare.cancellable,
      departsAt: flight.departsAt,
      voidUntil: mayVoid ? nowMs + day : null,
      route: offer.route,
      seats: bought.flatMap(({ seat }) => seat ?? []),
    },
  }
}

/** Thirteen digits, the first three the same for all tickets of an airline. */
const ticketNumber = (airline: string): string =>
  `${100 + pickOf(`ticket/${airline}`, 900)}${2_100_000_000 + pickOf(randomText(12), 800_000_000)}`

const resourceOf = (id: string, offer: FoundOffer, request: OrderRequest, bought: Bought[], reference: string, nowMs: number) => {
  const { draft, request: searched } = offer
  const { nonce, search } = searched
  const programmes = loyaltyProgrammesOf(draft.owner) ?? []
  const typeOf = new Map(search.passengers.map((type, at) => [passengerId(nonce, at), type]))
  return {
    id,
    live_mode: false,
    type: request.type,
    offer_id: offer.id,
    booking_reference: reference,
    created_at: instantText(nowMs),
    total_amount: fromMinor(orderTotal(offer, bought), draft.currency),
    total_currency: draft.currency,
    conditions: conditionsOf(draft, search),
    owner: airlineResource(draft.owner),
    passengers: request.passengers.map((passenger) => ({
      id: passenger.id,
      type: typeOf.get(passenger.id)!,
      title: passenger.title,
      gender: passenger.gender,
      born_on: passenger.born_on,
      email: passenger.email,
      phone_number: passenger.phone_number,
      given_name: passenger.given_name,
      family_name: passenger.family_name,
      infant_passenger_id: passenger.infant_passenger_id ?? null,
      // What the airline does not take is left out without a word.
      loyalty_programme_accounts: passenger.loyalty_programme_accounts.filter(({ airline_iata_code }) =>
        programmes.includes(airline_iata_code),
      ),
    })),
    documents: request.passengers.map((passenger) => ({
      type: 'electronic_ticket',
      unique_identifier: ticketNumber(draft.owner),
      passenger_ids: [passenger.id],
    })),
    services: bought.map(({ type, amount, quantity, seat }) => ({
      type,
      quantity,
      total_amount: fromMinor(amount * quantity, draft.currency),
      total_currency: draft.currency,
      passenger_ids: seat ? [seat.passenger] : [],
      segment_ids: seat ? [seat.segment] : [],
      metadata: seat && { designator: seat.designator },
    })),
    slices: draft.slices.map((itinerary, slice) => sliceResource(draft, itinerary, slice, searched)),
    metadata: request.metadata,
  }
}

export const availableActions = ({ cancelledAt, facts }: Order, nowMs: number): string[] => {
  if (cancelledAt !== null || nowMs >= facts.departsAt) return []
  const voidable = facts.voidUntil !== null && nowMs < facts.voidUntil
  return facts.cancellable || voidable ? ['cancel', 'update'] : ['update']
}

/** The order as it stands now. */
export const orderResource = (order: Order, nowMs: number) => ({
  ...order.resource,
  cancelled_at: order.cancelledAt === null ? null : instantText(order.cancelledAt),
  available_actions: availableActions(order, nowMs),
})
