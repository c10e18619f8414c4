/** Seat maps: who sits where already, and what the free seats cost each passenger of an offer. */
import { fromMinor } from '@passerelle/contracts/rules/money'
import { fractionOf, hashOf } from '../hash.ts'
import { seatMapId, segmentId, serviceId, sliceId } from '../ids.ts'
import { localDate } from '../local-time.ts'
import { nominalMinor } from '../prices.ts'
import { type CabinClass, cabinOn } from './fares.ts'
import type { Flight } from './flights.ts'
import { type Draft, legsOf } from './offers.ts'
import type { PassengerType } from './search.ts'
import { type CabinPlan, cabinPlans, type ElementPlan, type SeatPlan } from './seat-plan.ts'

/** One flight on one day, whoever sells it: seats are taken on this. */
export const flightKey = (flight: Flight): string =>
  `${flight.carrier}${flight.number}/${flight.from.iata_code}-${flight.to.iata_code}/${localDate(flight.from.time_zone, flight.departsAt)}`

export type SeatService = {
  id: string
  passenger: number
  /** Position of the segment among all of the offer. */
  segment: number
  segmentId: string
  flightKey: string
  designator: string
  name: string
  disclosures: string[]
  amount: number
}

export type Traveller = { id: string; type: PassengerType }

type SeatElement = {
  type: 'seat' | 'restricted_seat_general'
  designator: string
  name: string
  disclosures: string[]
  available_services: { id: string; passenger_id: string; total_amount: string; total_currency: string }[]
}

/** About one flight in fourteen does not show its seats; Duffel Airways always does. */
export const showsSeats = (seed: number, flight: Flight): boolean =>
  flight.carrier === 'ZZ' || fractionOf(`${seed}/no-map/${flight.carrier}${flight.number}/${flight.from.iata_code}`) >= 0.07

/**
 * @param isSold whether a seat of the flight was sold since the map was drawn.
 * @returns one map for each segment that has one, and every service in them by id.
 */
export const seatMapsOf = (
  seed: number,
  nonce: string,
  draft: Draft,
  travellers: Traveller[],
  isSold: (flightKey: string, designator: string) => boolean,
) => {
  const services = new Map<string, SeatService>()
  const maps = legsOf(draft).flatMap(({ leg, slice, position }, segment) => {
    const { flight } = leg
    if (!showsSeats(seed, flight)) return []
    const booked = cabinOn(draft.cabin, flight)
    const key = flightKey(flight)
    const segId = segmentId(nonce, draft.index, slice, position)
    const taken = takenSeats(seed, flight, key, booked)
    const sell = (seat: SeatPlan, cabin: CabinClass): SeatElement => {
      const name = nameOf(seat)
      const disclosures = disclosuresOf(seat)
      const free = cabin === booked && !taken(seat) && !isSold(key, seat.designator)
      const amount = free ? priceOf(seed, key, seat, flight, cabin, draft.currency) : 0
      const offered = free
        ? travellers.map((traveller, passenger) => ({ traveller, passenger })).filter(({ traveller }) => maySit(traveller, seat))
        : []
      const available = offered.map(({ traveller, passenger }) => {
        const id = serviceId(nonce, draft.index, `seat/${segment}/${seat.designator}/${passenger}`)
        services.set(id, {
          id,
          passenger,
          segment,
          segmentId: segId,
          flightKey: key,
          designator: seat.designator,
          name,
          disclosures,
          amount,
        })
        return { id, passenger_id: traveller.id, total_amount: fromMinor(amount, draft.currency), total_currency: draft.currency }
      })
      const restricted = seat.last && !seat.window && !seat.aisle && flight.carrier !== 'ZZ'
      return {
        type: restricted ? 'restricted_seat_general' : 'seat',
        designator: seat.designator,
        name,
        disclosures,
        available_services: available,
      }
    }
    return {
      id: seatMapId(nonce, draft.index, segment),
      slice_id: sliceId(nonce, draft.index, slice),
      segment_id: segId,
      cabins: cabinPlans(flight, booked).map((plan) => cabinResource(plan, sell)),
    }
  })
  return { maps, services }
}

const cabinResource = (plan: CabinPlan, sell: (seat: SeatPlan, cabin: CabinClass) => SeatElement) => ({
  deck: plan.deck,
  cabin_class: plan.cabin,
  aisles: plan.aisles,
  wings: plan.wings,
  rows: plan.rows.map((sections) => ({
    sections: sections.map((elements) => ({
      elements: elements.map((element: ElementPlan) => ('seat' in element ? sell(element.seat, plan.cabin) : { type: element.other })),
    })),
  })),
})

/** Lap infants have no seat; nobody under age sits at an exit. */
const maySit = (traveller: Traveller, seat: SeatPlan): boolean => traveller.type === 'adult' || (traveller.type === 'child' && !seat.exit)

const duffelSeatsForSale = 76

/** Which seats strangers hold: more on some flights than on others; on Duffel Airways all but 76. */
const takenSeats = (seed: number, flight: Flight, key: string, cabin: CabinClass): ((seat: SeatPlan) => boolean) => {
  const draw = (seat: SeatPlan) => `${seed}/${key}/${seat.designator}`
  if (flight.carrier === 'ZZ' && cabin === 'economy') {
    const seats = cabinPlans(flight, cabin)[0]!
      .rows.flat(2)
      .flatMap((element) => ('seat' in element ? [element.seat] : []))
    const ranked = seats.toSorted((a, b) => hashOf(draw(a)) - hashOf(draw(b)))
    const free = new Set(ranked.slice(0, duffelSeatsForSale).map((seat) => seat.designator))
    return (seat) => !free.has(seat.designator)
  }
  const load = 0.35 + 0.4 * fractionOf(`${seed}/load/${key}`)
  return (seat) => fractionOf(draw(seat)) < load
}

const nameOf = (seat: SeatPlan): string => (seat.exit ? 'Exit row seat' : seat.window ? 'Window seat' : seat.aisle ? 'Aisle seat' : '')

const disclosuresOf = (seat: SeatPlan): string[] => [
  ...(seat.exit ? ['Must be able to help in an emergency', 'Not suitable for children'] : []),
  ...(seat.bulkhead ? ['Bulkhead: no storage under the seat in front'] : []),
  ...(seat.last ? ['Limited recline'] : []),
]

/** 0 to 40 in the offer's currency (or what that is worth in yen): legroom and the front cost more, the back costs nothing. */
const priceOf = (seed: number, key: string, seat: SeatPlan, flight: Flight, cabin: CabinClass, currency: string): number => {
  if (flight.carrier === 'ZZ') return nominalMinor(2000, currency)
  if (cabin === 'business' || cabin === 'first') return 0
  const far = flight.km > 4_500
  const tier = Math.floor(3 * fractionOf(`${seed}/seat-price/${key}`))
  const cents = seat.exit
    ? far
      ? 4000
      : 2500
    : seat.bulkhead
      ? 2200
      : (seat.window || seat.aisle ? 900 : 400) + (far ? 700 : 0) - seat.row * 18 + tier * 200
  return nominalMinor(Math.max(0, Math.round(cents / 100) * 100), currency)
}
