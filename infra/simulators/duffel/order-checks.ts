/** Holds an order against its offer: passengers, documents, services, payment. */
import { compareAmounts, fromMinor } from '@passerelle/contracts/rules/money'
import { collectProblems, type Problems, serviceGone } from './errors.ts'
import type { PassengerType } from './generator/search.ts'
import { passengerId } from './ids.ts'
import { ageOn, localDate } from './local-time.ts'
import { totalOf } from './offer-resource.ts'
import type { FoundOffer } from './offers.ts'
import type { OrderPassenger, OrderRequest } from './order-request.ts'
import { bagServices, seatMapsFor } from './services.ts'
import type { World } from './world.ts'

const fitsAge: Record<PassengerType, (age: number) => boolean> = {
  adult: (age) => age >= 12 && age <= 130,
  child: (age) => age >= 2 && age < 12,
  infant_without_seat: (age) => age < 2,
}

/** @throws ApiError 422 when the passengers are not those of the offer, or their ages, infants or documents do not fit. */
export const checkPassengers = (offer: FoundOffer, passengers: OrderPassenger[], nowMs: number): void => {
  const problems = collectProblems()
  const { request, draft } = offer
  const typeOf = new Map(request.search.passengers.map((type, at) => [passengerId(request.nonce, at), type]))
  for (const id of typeOf.keys()) {
    if (!passengers.some((passenger) => passenger.id === id))
      problems.add('validation_required', '/passengers', `Passenger '${id}' of the offer is missing`)
  }
  for (const [at, { id }] of passengers.entries()) {
    if (!typeOf.has(id)) problems.add('validation_inclusion', `/passengers/${at}/id`, `Passenger '${id}' is not a passenger of the offer`)
  }
  problems.refuse()
  const last = draft.slices.at(-1)!.legs[0]!.flight
  const lastDeparture = localDate(last.from.time_zone, last.departsAt)
  const linked = new Set<string>()
  for (const [at, passenger] of passengers.entries()) {
    const pointer = `/passengers/${at}`
    const born = passenger.born_on <= localDate('UTC', nowMs)
    if (!born || !fitsAge[typeOf.get(passenger.id)!](ageOn(passenger.born_on, lastDeparture)))
      problems.add('validation_inclusion', `${pointer}/born_on`, "Field 'type' does not match date of birth for this passenger")
    const infant = passenger.infant_passenger_id
    if (infant !== undefined) {
      const refuse = (code: string, message: string) => problems.add(code, `${pointer}/infant_passenger_id`, message)
      if (typeOf.get(passenger.id) !== 'adult') refuse('validation_inclusion', 'Only an adult can hold an infant')
      else if (typeOf.get(infant) !== 'infant_without_seat') refuse('validation_inclusion', 'That is not an infant of the offer')
      else if (linked.has(infant)) refuse('validation_unique', 'An infant is held by one adult only')
      linked.add(infant)
    }
    checkDocuments(problems, offer, passenger, `${pointer}/identity_documents`, lastDeparture)
  }
  for (const [at, { id }] of passengers.entries()) {
    if (typeOf.get(id) === 'infant_without_seat' && !linked.has(id))
      problems.add('validation_required', `/passengers/${at}`, "An infant must be named in an adult's 'infant_passenger_id'")
  }
  problems.refuse()
}

const checkDocuments = (problems: Problems, { draft }: FoundOffer, passenger: OrderPassenger, at: string, lastDeparture: string): void => {
  const [document] = passenger.identity_documents
  if (!document) {
    if (draft.passportRequired) problems.add('validation_required', at, "Field 'identity_documents' can't be blank for this offer")
    return
  }
  if (!draft.documentsSupported) problems.add('validation_inclusion', at, 'This offer does not support identity documents')
  else if (document.type !== 'passport') problems.add('validation_inclusion', `${at}/0/type`, 'This offer supports passports only')
  if (document.expires_on < lastDeparture)
    problems.add('validation_inclusion', `${at}/0/expires_on`, 'The document expires before the last departure')
}

/** A service that the order buys, with its price for one in minor units. */
export type Bought = {
  type: 'seat' | 'baggage'
  amount: number
  quantity: number
  seat: { flight: string; designator: string; passenger: string; segment: string } | null
}

/**
 * @throws ApiError 422 `ancillary_service_not_available` for a seat that was free when the offer was made and is not any more;
 * `validation_inclusion` for what never was a service of the offer.
 */
export const readServices = (world: World, offer: FoundOffer, wanted: OrderRequest['services']): Bought[] => {
  const problems = collectProblems()
  const bags = new Map(bagServices(offer.draft, offer.request).map((bag) => [bag.id, bag]))
  const seats = seatMapsFor(world, offer, () => false).services
  const taken = new Set<string>()
  const once = (key: string, pointer: string, message: string) => {
    if (taken.has(key)) problems.add('validation_unique', pointer, message)
    taken.add(key)
  }
  const bought = wanted.flatMap(({ id, quantity }, at): Bought[] => {
    const pointer = `/services/${at}/id`
    once(id, pointer, 'A service is there twice')
    const bag = bags.get(id)
    const seat = seats.get(id)
    const most = bag?.most ?? 1
    if (quantity > most) problems.add('validation_inclusion', `/services/${at}/quantity`, `Field 'quantity' must be from 1 to ${most}`)
    if (bag) return [{ type: 'baggage', amount: bag.amount, quantity, seat: null }]
    if (!seat) {
      problems.add('validation_inclusion', pointer, "Field 'id' is not a service of this offer")
      return []
    }
    const { passenger, segment, segmentId, designator, flightKey: flight, amount } = seat
    once(`seat/${segment}/${designator}`, pointer, `Seat ${designator} is chosen twice`)
    once(`passenger/${segment}/${passenger}`, pointer, 'A passenger has one seat on each flight')
    const ofPassenger = passengerId(offer.request.nonce, passenger)
    return [{ type: 'seat', amount, quantity, seat: { flight, designator, passenger: ofPassenger, segment: segmentId } }]
  })
  problems.refuse()
  if (bought.some(({ seat }) => seat && world.state.soldOn(seat.flight).has(seat.designator))) throw serviceGone()
  return bought
}

export const orderTotal = (offer: FoundOffer, bought: Bought[]): number =>
  totalOf(offer.draft, offer.changes) + bought.reduce((sum, one) => sum + one.amount * one.quantity, 0)

/** @throws ApiError 422 unless the payment is the total to the last minor unit, in its currency. */
export const checkPayment = ([payment]: OrderRequest['payments'], total: number, currency: string): void => {
  const problems = collectProblems()
  const due = fromMinor(total, currency)
  if (payment.currency !== currency)
    problems.add('payment_currency_does_not_match_order_currency', '/payments/0/currency', `The currency must be ${currency}`)
  else if (compareAmounts(payment.amount, due) !== 0)
    problems.add('payment_amount_does_not_match_order_amount', '/payments/0/amount', `The amount of the payment must be ${due}`)
  problems.refuse()
}
