/** Who sits where: choices of seats for a party on several flights. */
import type {
  FlightOffer,
  OfferPassenger,
  SeatChoice,
  SeatElement,
  SeatMap,
  SeatMapSegment,
  Segment,
} from '@passerelle/contracts/http/search'
import type { SeatRefused } from './classify.ts'

export type SeatCabin = SeatMapSegment['cabins'][number]
/** One flight with a map of its own. */
export type SeatedFlight = { segment: Segment; sliceIndex: number; cabins: SeatCabin[] }

const seatsOf = (cabin: SeatCabin): SeatElement[] => cabin.rows.flatMap((row) => row.sections.flatMap((section) => section.elements))
const isFree = (element: SeatElement) => element.type === 'seat' && element.available && element.available_services.length > 0

/** Infants without a seat need none. */
export function seatHolders<P extends Pick<OfferPassenger, 'type'>>(passengers: readonly P[]): P[] {
  return passengers.filter((passenger) => passenger.type !== 'infant_without_seat')
}

/** The flights of the offer on which a seat can be chosen, in their order. Cabins without a free seat are left out. */
export function seatedFlights(offer: Pick<FlightOffer, 'slices'>, maps: readonly SeatMap[]): SeatedFlight[] {
  const cabinsOf = new Map<string, SeatCabin[]>()
  for (const map of maps) {
    for (const { segment_id, cabins } of map.segments) cabinsOf.set(segment_id, cabins)
    const first = offer.slices.find((slice) => slice.id === map.slice_id)?.segments[0]
    if (first && map.segments.length === 0 && map.cabins.length > 0) cabinsOf.set(first.id, map.cabins)
  }
  return offer.slices.flatMap((slice, sliceIndex) =>
    slice.segments.flatMap((segment) => {
      const cabins = (cabinsOf.get(segment.id) ?? []).filter((cabin) => seatsOf(cabin).some(isFree))
      return cabins.length > 0 ? [{ segment, sliceIndex, cabins }] : []
    }),
  )
}

/** What the seat would be for this passenger: null when they cannot have it. */
export function choiceFor(element: SeatElement, passengerId: string, segmentId: string, cabinClass: string): SeatChoice | null {
  const service = element.available_services.find((one) => one.passenger_id === passengerId)
  if (element.type !== 'seat' || !element.available || !element.designator || !service) return null
  return { passengerId, seatId: element.designator, segmentId, cabinClass, price: service.price }
}

export function seatOf(choices: readonly SeatChoice[], passengerId: string, segmentId: string): SeatChoice | undefined {
  return choices.find((choice) => choice.passengerId === passengerId && choice.segmentId === segmentId)
}

export function whoSitsOn(choices: readonly SeatChoice[], seatId: string, segmentId: string): string | null {
  return choices.find((choice) => choice.seatId === seatId && choice.segmentId === segmentId)?.passengerId ?? null
}

/** With this choice made; it replaces the passenger's earlier seat on that flight. Unchanged when somebody of the party sits there. */
export function withSeat(choices: readonly SeatChoice[], choice: SeatChoice): readonly SeatChoice[] {
  const taken = whoSitsOn(choices, choice.seatId, choice.segmentId)
  if (taken !== null) return choices
  return [...choices.filter((one) => one.passengerId !== choice.passengerId || one.segmentId !== choice.segmentId), choice]
}

/** The next person without a seat on this flight, looking on from `after` and then from the start. */
export function nextUnseated(
  holders: readonly { id: string }[],
  choices: readonly SeatChoice[],
  segmentId: string,
  after: string,
): string | null {
  const start = holders.findIndex((holder) => holder.id === after) + 1
  const inTurn = [...holders.slice(start), ...holders.slice(0, start)]
  return inTurn.find((holder) => !seatOf(choices, holder.id, segmentId))?.id ?? null
}

export function seatedCount(holders: readonly { id: string }[], choices: readonly SeatChoice[], segmentId: string): number {
  return holders.filter((holder) => seatOf(choices, holder.id, segmentId)).length
}

/** The first flight on which somebody still has no seat. */
export function firstIncomplete(
  flights: readonly SeatedFlight[],
  holders: readonly { id: string }[],
  choices: readonly SeatChoice[],
): SeatedFlight | null {
  return flights.find(({ segment }) => seatedCount(holders, choices, segment.id) < holders.length) ?? null
}

const same = (a: SeatRefused, b: SeatRefused) => a.passengerId === b.passengerId && a.seatId === b.seatId && a.segmentId === b.segmentId

/** Without the seats that were taken meanwhile. Where the airline did not say which, all go: one of them cannot be had. */
export function withoutRefused(choices: readonly SeatChoice[], refused: readonly SeatRefused[] | null): readonly SeatChoice[] {
  return refused === null ? [] : choices.filter((choice) => !refused.some((one) => same(one, choice)))
}

/** Drops choices that a freshly read map no longer offers, and takes over new prices. */
export function stillOffered(choices: readonly SeatChoice[], flights: readonly SeatedFlight[]): readonly SeatChoice[] {
  return choices.flatMap((choice) => {
    const flight = flights.find(({ segment }) => segment.id === choice.segmentId)
    for (const cabin of flight?.cabins ?? []) {
      const element = seatsOf(cabin).find((one) => one.designator === choice.seatId)
      const now = element && choiceFor(element, choice.passengerId, choice.segmentId, cabin.cabin_class)
      if (now) return [now]
    }
    return []
  })
}

/** Prices of the chosen seats by slice, in the order of the offer. */
export function seatPricesBySlice(offer: Pick<FlightOffer, 'slices'>, choices: readonly SeatChoice[]) {
  return offer.slices.map((slice) => {
    const ids = new Set(slice.segments.map((segment) => segment.id))
    return choices.flatMap((choice) => (ids.has(choice.segmentId) && choice.price ? [choice.price] : []))
  })
}
