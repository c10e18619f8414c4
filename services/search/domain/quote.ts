/** What an offer with its seats costs: the customer's charge and, to the cent, what the agency pays. */
import { AppError } from '@passerelle/contracts/error'
import type { Quote, SeatChoice } from '@passerelle/contracts/http/search'
import { addAmounts, totalWithSeats, withMarkup } from '@passerelle/contracts/rules/money'
import { type BareOffer, type KnownOffer, pricedOffer } from './known-offer.ts'
import { findSeat, seatServices } from './seat-map.ts'
import type { SupplierSeatMap } from './supplier.ts'

type ResolvedSeat = { choice: SeatChoice; cabinClass: string; supplierServiceId: string; amount: string }

/** @throws AppError SEAT_UNAVAILABLE naming every choice that cannot be had: taken, unknown, twice, or for a lap infant. */
export function resolveSeats(known: KnownOffer, maps: readonly SupplierSeatMap[], choices: readonly SeatChoice[]): ResolvedSeat[] {
  const taken = new Set<string>()
  const served = new Set<string>()
  const refused: SeatChoice[] = []
  const resolved = choices.flatMap((choice) => {
    const seat = resolveSeat(known, maps, choice)
    const [place, passenger] = [`${choice.segmentId}/${designatorOf(choice)}`, `${choice.segmentId}/${choice.passengerId}`]
    if (!seat || taken.has(place) || served.has(passenger)) {
      refused.push(choice)
      return []
    }
    taken.add(place)
    served.add(passenger)
    return [seat]
  })
  if (refused.length === 0) return resolved
  const seats = refused.map(({ passengerId, seatId, segmentId }) => ({ passengerId, seatId, segmentId }))
  throw new AppError('SEAT_UNAVAILABLE', { details: { seats } })
}

const designatorOf = (choice: SeatChoice) => choice.seatId.trim().toUpperCase()

function resolveSeat(known: KnownOffer, maps: readonly SupplierSeatMap[], choice: SeatChoice): ResolvedSeat | undefined {
  const segment = known.supplier.segments.find(({ id }) => id === choice.segmentId)
  const map = segment && maps.find((one) => one?.segment_id === segment.supplierId)
  const found = map && findSeat(map, designatorOf(choice))
  const service = found && seatServices(found.seat, known).find(({ passengerId }) => passengerId === choice.passengerId)
  if (!found || !service) return undefined
  return {
    choice: { ...choice, seatId: found.seat.designator },
    cabinClass: found.cabinClass,
    supplierServiceId: service.supplierServiceId,
    amount: service.amount,
  }
}

type QuoteFacts = {
  known: KnownOffer
  seats: readonly ResolvedSeat[]
  markupPercent: number
  /** The offer's id as the customer knows it; after a new search it is not that of the supplier offer behind it. */
  publicId: string
  /** The offer as visitors were last shown it. */
  shown: Pick<BareOffer, 'total_amount' | 'total_currency'> | null
}

export function quoteOf({ known, seats, markupPercent, publicId, shown }: QuoteFacts): Quote {
  const { mode, supplier } = known
  const offer = { ...pricedOffer(known.offer, markupPercent), id: publicId }
  const currency = offer.total_currency
  const priced = seats.map(({ choice, cabinClass, amount }) => ({
    passengerId: choice.passengerId,
    seatId: choice.seatId,
    segmentId: choice.segmentId,
    cabinClass,
    price: { amount: withMarkup(amount, currency, markupPercent), currency },
    supplierAmount: amount,
  }))
  return {
    offer,
    mode,
    supplier: {
      offerId: supplier.offerId,
      total: { amount: offer.total_amount, currency },
      passengers: supplier.passengers,
      segments: supplier.segments,
      services: seats.map(({ supplierServiceId }) => ({ id: supplierServiceId, quantity: 1 })),
      identityDocuments: { required: offer.passenger_identity_documents_required, passportSupported: supplier.passportSupported },
    },
    seats: priced,
    charge: totalWithSeats(
      offer.price,
      priced.map(({ price }) => price),
    ),
    shownTotal: shown && {
      amount: withMarkup(shown.total_amount, shown.total_currency, markupPercent),
      currency: shown.total_currency,
    },
    supplierCharge: { amount: addAmounts(offer.total_amount, ...seats.map(({ amount }) => amount)), currency },
  }
}
