/** The supplier's seat maps, one per flight, as ours, one per slice. */
import type { SeatElement, SeatMap } from '@passerelle/contracts/http/search'
import { withMarkup } from '@passerelle/contracts/rules/money'
import { readAmount } from './amount.ts'
import type { KnownOffer } from './known-offer.ts'
import type { SupplierCabin, SupplierSeatElement, SupplierSeatMap, SupplierSeatService } from './supplier.ts'

type Cabin = SeatMap['cabins'][number]

/** Slices and flights in the order of the offer; those without a map are left out. */
export function seatMapsOf(known: KnownOffer, maps: readonly SupplierSeatMap[], markupPercent: number): SeatMap[] {
  const mapOf = new Map(maps.map((map) => [map.segment_id, map]))
  const supplierId = new Map(known.supplier.segments.map((names) => [names.id, names.supplierId]))
  return known.offer.slices.flatMap((slice) => {
    const segments = slice.segments.flatMap(({ id }) => {
      const map = mapOf.get(supplierId.get(id) ?? '')
      if (!map?.cabins?.length) return []
      return [{ segment_id: id, cabins: map.cabins.map((cabin) => cabinOf(cabin, id, known, markupPercent)) }]
    })
    const [first] = segments
    return first ? [{ slice_id: slice.id, segments, cabins: first.cabins }] : []
  })
}

export function isSeat(element: SupplierSeatElement): boolean {
  return element.type === 'seat' || element.type === 'restricted_seat_general'
}

/**
 * Who may have this seat and for how much. A seat in another currency than the offer cannot be paid in the same charge, and lap
 * infants have none, so neither is for sale.
 */
export function seatServices(element: SupplierSeatElement, { offer, supplier }: KnownOffer) {
  return (element.available_services ?? []).flatMap((service: SupplierSeatService) => {
    const passenger = supplier.passengers.find(({ supplierId }) => supplierId === service.passenger_id)
    const amount = readAmount(service.total_amount, service.total_currency)
    if (!passenger || passenger.type === 'infant_without_seat' || amount === null || service.total_currency !== offer.total_currency)
      return []
    return [{ supplierServiceId: service.id, passengerId: passenger.id, amount, currency: service.total_currency }]
  })
}

function cabinOf(cabin: SupplierCabin, segmentId: string, known: KnownOffer, markupPercent: number): Cabin {
  return {
    cabin_class: cabin.cabin_class ?? 'economy',
    deck_configuration: cabin.deck ?? 0,
    wings: cabin.wings ?? null,
    rows: (cabin.rows ?? []).map((row) => {
      const sections = (row.sections ?? []).map((section) => ({
        elements: (section.elements ?? []).map((element) => elementOf(element, segmentId, known, markupPercent)),
      }))
      return { number: rowNumber(sections.flatMap(({ elements }) => elements)), sections }
    }),
  }
}

function elementOf(element: SupplierSeatElement, segmentId: string, known: KnownOffer, markupPercent: number): SeatElement {
  if (!isSeat(element) || !element.designator)
    return { type: 'other', kind: element.type, designator: null, name: null, available: false, available_services: [], disclosures: [] }
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
    name: element.name || null,
    available: services.length > 0,
    available_services: services,
    disclosures: element.disclosures ?? [],
  }
}

/** Rows carry no number; their seats do. */
function rowNumber(elements: readonly SeatElement[]): number | null {
  const designator = elements.find((element) => element.designator)?.designator
  const digits = designator ? /\d+/.exec(designator)?.[0] : undefined
  return digits === undefined ? null : Number(digits)
}
