/** Holds an order against its offer: passengers, documents, services, payment. */
import { collectProblems, type Problems, serviceGone } from './errors.ts'
import { legsOf } from './generator/offers.ts'
import { typeOf } from './generator/search.ts'
import type { SeatService } from './generator/seat-maps.ts'
import { passengerId } from './ids.ts'
import { ageOn, localDate } from './local-time.ts'
import { formatMinor, parseMinor } from './money.ts'
import { totalOf } from './offer-resource.ts'
import type { FoundOffer } from './offers.ts'
import type { OrderPassenger, OrderRequest } from './order-request.ts'
import { bagServices, seatMapsFor, soldSeats } from './services.ts'
import type { World } from './world.ts'

/** @throws ApiError 422 when the passengers are not those of the offer, or their ages, infants or documents do not fit. */
export const checkPassengers = (offer: FoundOffer, passengers: OrderPassenger[], nowMs: number): void => {
  const problems = collectProblems()
  const { request, draft } = offer
  const searched = new Map(request.search.passengers.map((one, at) => [passengerId(request.nonce, at), one]))
  for (const id of searched.keys()) {
    if (!passengers.some((passenger) => passenger.id === id))
      problems.add('validation_required', '/passengers', `Passenger '${id}' of the offer is missing`)
  }
  for (const [at, { id }] of passengers.entries()) {
    if (!searched.has(id)) problems.add('validation_inclusion', `/passengers/${at}/id`, `Passenger '${id}' is not a passenger of the offer`)
  }
  problems.refuse()
  const last = draft.slices.at(-1)!.legs[0]!.flight
  const lastDeparture = localDate(last.from.time_zone, last.departsAt)
  const kindOf = (id: string) => typeOf(searched.get(id)!)
  const linked = new Set<string>()
  for (const [at, passenger] of passengers.entries()) {
    const pointer = `/passengers/${at}`
    const wanted = searched.get(passenger.id)!
    const age = ageOn(passenger.bornOn, lastDeparture)
    const born = passenger.bornOn <= localDate('UTC', nowMs)
    if (wanted.age !== null && (age !== wanted.age || !born))
      problems.add('validation_inclusion', `${pointer}/born_on`, "Field 'age' does not match date of birth for this passenger")
    if (wanted.type !== null && (typeOf({ ...wanted, type: null, age }) !== wanted.type || !born || age > 130))
      problems.add('validation_inclusion', `${pointer}/born_on`, "Field 'type' does not match date of birth for this passenger")
    const infant = passenger.infantPassengerId
    if (infant !== null) {
      if (kindOf(passenger.id) !== 'adult')
        problems.add('validation_inclusion', `${pointer}/infant_passenger_id`, 'Only an adult can hold an infant')
      else if (typeof infant !== 'string' || !searched.has(infant) || kindOf(infant) !== 'infant_without_seat')
        problems.add('validation_inclusion', `${pointer}/infant_passenger_id`, "Field 'infant_passenger_id' is not an infant of the offer")
      else if (linked.has(infant))
        problems.add('validation_unique', `${pointer}/infant_passenger_id`, 'An infant is held by one adult only')
      linked.add(infant)
    }
    checkDocuments(problems, offer, passenger, pointer, lastDeparture)
  }
  for (const [at, { id }] of passengers.entries()) {
    if (kindOf(id) === 'infant_without_seat' && !linked.has(id))
      problems.add('validation_required', `/passengers/${at}`, "An infant must be named in an adult's 'infant_passenger_id'")
  }
  problems.refuse()
}

const checkDocuments = (problems: Problems, offer: FoundOffer, passenger: OrderPassenger, pointer: string, lastDeparture: string): void => {
  const { draft } = offer
  const document = passenger.documents[0]
  const at = `${pointer}/identity_documents`
  if (!document) {
    if (draft.passportRequired) problems.add('validation_required', at, "Field 'identity_documents' can't be blank for this offer")
    return
  }
  if (!draft.documentsSupported) problems.add('validation_inclusion', at, 'This offer does not support identity documents')
  else if (document.type !== 'passport') problems.add('validation_inclusion', `${at}/0/type`, 'This offer supports passports only')
  if (document.expiresOn < lastDeparture)
    problems.add('validation_inclusion', `${at}/0/expires_on`, 'The document expires before the last departure')
}

/** A service that the order buys, with its price for one. Amounts are minor units. */
export type Bought = {
  type: 'seat' | 'baggage'
  passenger: number
  segmentIds: string[]
  amount: number
  quantity: number
  metadata: object
  seat?: SeatService
}

/**
 * @throws ApiError 422 `ancillary_service_not_available` for a seat that was free when the offer was made and is not any more;
 * `validation_inclusion` for what never was a service of the offer.
 */
export const readServices = (world: World, offer: FoundOffer, wanted: OrderRequest['services']): Bought[] => {
  if (wanted.length === 0) return []
  const problems = collectProblems()
  const bags = new Map(bagServices(offer.draft, offer.request).map((bag) => [bag.id, bag]))
  const sold = soldSeats(world)
  const { services: seats } = seatMapsFor(world, offer, () => false)
  const hasSeats = offer.route !== 'BTS-ABV'
  const seen = new Set<string>()
  const places = new Set<string>()
  const bought = wanted.flatMap(({ id, quantity }, at): Bought[] => {
    const pointer = `/services/${at}`
    if (seen.has(id)) problems.add('validation_unique', `${pointer}/id`, "Field 'id' is there twice")
    seen.add(id)
    const bag = bags.get(id)
    const seat = hasSeats ? seats.get(id) : undefined
    if (bag) {
      if (quantity > bag.most) problems.add('validation_inclusion', `${pointer}/quantity`, `Field 'quantity' must be from 1 to ${bag.most}`)
      return [
        { type: 'baggage', passenger: bag.passenger, segmentIds: bag.segmentIds, amount: bag.amount, quantity, metadata: bag.metadata },
      ]
    }
    if (!seat) {
      problems.add('validation_inclusion', `${pointer}/id`, "Field 'id' is not a service of this offer")
      return []
    }
    if (quantity !== 1) problems.add('validation_inclusion', `${pointer}/quantity`, "Field 'quantity' must be 1 for a seat")
    const { passenger, segment, designator, name, disclosures } = seat
    if (places.has(`seat/${segment}/${designator}`))
      problems.add('validation_unique', `${pointer}/id`, `Seat ${designator} is chosen twice`)
    if (places.has(`passenger/${segment}/${passenger}`))
      problems.add('validation_unique', `${pointer}/id`, 'A passenger has one seat on each flight')
    places.add(`seat/${segment}/${designator}`)
    places.add(`passenger/${segment}/${passenger}`)
    return [
      {
        type: 'seat',
        passenger,
        segmentIds: [seat.segmentId],
        amount: seat.amount,
        quantity,
        metadata: { designator, name, disclosures },
        seat,
      },
    ]
  })
  problems.refuse()
  if (bought.some(({ seat }) => seat && sold(seat.flightKey, seat.designator))) throw serviceGone()
  return bought
}

export const orderTotal = (offer: FoundOffer, bought: Bought[]): number =>
  totalOf(offer.draft, offer.changes) + bought.reduce((sum, one) => sum + one.amount * one.quantity, 0)

/** @throws ApiError 422 unless the payment is the total to the last minor unit, in its currency. */
export const checkPayment = (payment: { amount: string; currency: string }, total: number, currency: string): void => {
  const problems = collectProblems()
  if (payment.currency !== currency)
    problems.add(
      'payment_currency_does_not_match_order_currency',
      '/payments/0/currency',
      `The currency of the payment must be ${currency}`,
    )
  else if (parseMinor(payment.amount, currency) !== total)
    problems.add(
      'payment_amount_does_not_match_order_amount',
      '/payments/0/amount',
      `The amount of the payment must be ${formatMinor(total, currency)}`,
    )
  problems.refuse()
}

/** First departure and last arrival of an offer, in milliseconds. */
export const journeyTimes = (offer: FoundOffer): { departsAt: number; arrivesAt: number } => {
  const legs = legsOf(offer.draft)
  return { departsAt: legs[0]!.leg.flight.departsAt, arrivesAt: legs.at(-1)!.leg.flight.arrivesAt }
}
