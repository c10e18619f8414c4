/**
 * The supplier's seat maps, one per flight, as ours, one per slice. They come from many airlines, and whatever is missing or odd in one of
 * them costs only itself: what is not understood is empty space in its place, so that the seats beside it stay where they are.
 */
import type { SeatElement, SeatMap } from '@passerelle/contracts/http/search'
import { withMarkup } from '@passerelle/contracts/rules/money'
import { readAmount } from './amount.ts'
import type { KnownOffer } from './known-offer.ts'
import type { SupplierCabin, SupplierSeatElement, SupplierSeatMap, SupplierSeatService } from './supplier.ts'

type Cabin = SeatMap['cabins'][number]

const EMPTY = 'empty'
/** What stands between seats. */
const KINDS = new Set([EMPTY, 'bassinet', 'exit_row', 'lavatory', 'galley', 'closet', 'stairs'])
const SEATS = new Set(['seat', 'restricted_seat_general'])
const DESIGNATOR = /^[A-Za-z0-9]{1,6}$/

/** Slices and flights in the order of the offer; those without a map, or with one that shows no seat, are left out. */
export function seatMapsOf(known: KnownOffer, maps: readonly SupplierSeatMap[], markupPercent: number): SeatMap[] {
  const cabinsOf = new Map(objects(maps).map((map) => [map.segment_id, cabinsWithSeats(map)]))
  const supplierId = new Map(known.supplier.segments.map((names) => [names.id, names.supplierId]))
  return known.offer.slices.flatMap((slice) => {
    const segments = slice.segments.flatMap(({ id }) => {
      const cabins = cabinsOf.get(supplierId.get(id) ?? '') ?? []
      if (cabins.length === 0) return []
      return [{ segment_id: id, cabins: cabins.map((cabin) => cabinOf(cabin, id, known, markupPercent)) }]
    })
    const [first] = segments
    return first ? [{ slice_id: slice.id, segments, cabins: first.cabins }] : []
  })
}

/** Elements of a type that nobody has heard of, or of none. */
export function unknownElements(maps: readonly SupplierSeatMap[]): number {
  const all = objects(maps).flatMap((map) => objects(map.cabins).flatMap(elementsOf))
  return all.filter((element) => !isSeat(element) && !KINDS.has(element.type ?? '')).length
}

/** The seat with this designator, in any case, and the cabin it is in. */
export function findSeat(map: SupplierSeatMap, designator: string): { cabinClass: string; seat: Seat } | undefined {
  for (const cabin of cabinsWithSeats(map)) {
    const seat = elementsOf(cabin).find((element): element is Seat => isSeat(element) && element.designator.toUpperCase() === designator)
    if (seat) return { cabinClass: cabinClassOf(cabin), seat }
  }
  return undefined
}

export type Seat = SupplierSeatElement & { designator: string }

function isSeat(element: SupplierSeatElement): element is Seat {
  return SEATS.has(element.type ?? '') && typeof element.designator === 'string' && DESIGNATOR.test(element.designator)
}

/**
 * Who may have this seat and for how much. A seat in another currency than the offer cannot be paid in the same charge, and lap
 * infants have none, so neither is for sale.
 */
export function seatServices(element: SupplierSeatElement, { offer, supplier }: KnownOffer) {
  return objects(element.available_services).flatMap(({ id, passenger_id, total_amount, total_currency }: SupplierSeatService) => {
    const passenger = supplier.passengers.find(({ supplierId }) => supplierId === passenger_id)
    if (!passenger || passenger.type === 'infant_without_seat' || total_currency !== offer.total_currency) return []
    const amount = readAmount(total_amount, total_currency)
    if (amount === null || typeof id !== 'string') return []
    return [{ supplierServiceId: id, passengerId: passenger.id, amount, currency: total_currency }]
  })
}

function cabinsWithSeats(map: SupplierSeatMap): SupplierCabin[] {
  return objects(map.cabins).filter((cabin) => elementsOf(cabin).some(isSeat))
}

function cabinClassOf({ cabin_class }: SupplierCabin): string {
  return typeof cabin_class === 'string' ? cabin_class : 'economy'
}

function elementsOf(cabin: SupplierCabin): SupplierSeatElement[] {
  return places(cabin.rows).flatMap((row) => places(row.sections).flatMap((section) => places(section.elements)))
}

function cabinOf(cabin: SupplierCabin, segmentId: string, known: KnownOffer, markupPercent: number): Cabin {
  return {
    cabin_class: cabinClassOf(cabin),
    deck_configuration: wholeNumber(cabin.deck) ?? 0,
    wings: wingsOf(cabin.wings),
    rows: places(cabin.rows).map((row) => {
      const sections = places(row.sections).map((section) => ({
        elements: places(section.elements).map((element) => elementOf(element, segmentId, known, markupPercent)),
      }))
      return { number: rowNumber(sections.flatMap(({ elements }) => elements)), sections }
    }),
  }
}

function wingsOf(wings: SupplierCabin['wings']): Cabin['wings'] {
  const [first, last] = [wholeNumber(wings?.first_row_index), wholeNumber(wings?.last_row_index)]
  return first === null || last === null ? null : { first_row_index: first, last_row_index: last }
}

function elementOf(element: SupplierSeatElement, segmentId: string, known: KnownOffer, markupPercent: number): SeatElement {
  if (!isSeat(element)) {
    const kind = KINDS.has(element.type ?? '') ? (element.type as string) : EMPTY
    return { type: 'other', kind, designator: null, name: null, available: false, available_services: [], disclosures: [] }
  }
  const { designator } = element
  const services = seatServices(element, known).map(({ passengerId, amount, currency }) => ({
    id: `${segmentId}_${designator}_${passengerId}`,
    passenger_id: passengerId,
    total_amount: amount,
    total_currency: currency,
    price: { amount: withMarkup(amount, currency, markupPercent), currency },
  }))
  return {
    type: 'seat',
    kind: null,
    designator,
    name: typeof element.name === 'string' && element.name ? element.name : null,
    available: services.length > 0,
    available_services: services,
    disclosures: Array.isArray(element.disclosures) ? element.disclosures.filter((text) => typeof text === 'string') : [],
  }
}

/** Rows carry no number; their seats do. */
function rowNumber(elements: readonly SeatElement[]): number | null {
  const designator = elements.find((element) => element.designator)?.designator
  const digits = designator ? /\d+/.exec(designator)?.[0] : undefined
  return digits === undefined ? null : Number(digits)
}

const wholeNumber = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** The entries of a list that can be read; none of what is no list. */
function objects<T extends object>(list: readonly T[] | null | undefined): T[] {
  return Array.isArray(list) ? (list as T[]).filter(isObject) : []
}

/** The same where the order counts: what cannot be read keeps its place. */
function places<T extends object>(list: readonly T[] | null | undefined): Partial<T>[] {
  return Array.isArray(list) ? Array.from(list as T[], (entry) => (isObject(entry) ? entry : {})) : []
}
