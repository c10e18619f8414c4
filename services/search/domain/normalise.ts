/** The supplier's offer as ours. Our ids inside an offer tell the place: `sli_1`, `seg_1_2`, `pas_1` with adults first. */
import type { Mode, PassengerType } from '@passerelle/contracts/http/common'
import type { Place, Slice } from '@passerelle/contracts/http/search'
import { isAirlineCode } from '@passerelle/contracts/rules/frequent-flyer'
import { isAmount } from '@passerelle/contracts/rules/money'
import { adultsFirst } from '@passerelle/contracts/rules/passengers'
import { readAmount, readCurrency } from './amount.ts'
import { availableServices } from './available-services.ts'
import { durationMinutes, formatDuration, wallClockMinutes } from './duration.ts'
import type { BareOffer, KnownOffer, SupplierNames } from './known-offer.ts'
import { offerIdOf } from './offer-id.ts'
import { BrokenOfferError, carrierOf, placeOf, segmentOf } from './segment.ts'
import type { SupplierCondition, SupplierOffer, SupplierSlice } from './supplier.ts'

/** Throws BrokenOfferError for an offer that nobody could show or sell: no flights, no amounts, no expiry, no passengers. */
export function normaliseOffer(raw: SupplierOffer, mode: Mode): KnownOffer {
  const id = offerIdOf(raw.id, mode)
  if (id === null) throw new BrokenOfferError('id')
  const passengers = readPassengers(raw)
  const withSeat = new Set(passengers.filter(({ type }) => type !== 'infant_without_seat').map(({ supplierId }) => supplierId))
  const { slices, names } = readSlices(raw.slices ?? [], withSeat)
  const offer: BareOffer = {
    id,
    ...readAmounts(raw),
    created_at: instant(raw.created_at) ?? broken('created_at'),
    expires_at: instant(raw.expires_at) ?? broken('expires_at'),
    owner: carrierOf(raw.owner),
    conditions: readConditions(raw.conditions),
    available_services: availableServices(raw.available_services ?? []),
    passenger_identity_documents_required: raw.passenger_identity_documents_required === true,
    payment_requirements: {
      price_guarantee_expires_at: instant(raw.payment_requirements?.price_guarantee_expires_at),
      payment_required_by: instant(raw.payment_requirements?.payment_required_by),
    },
    passengers: passengers.map(({ id, type }) => ({ id, type })),
    slices,
    baggage_included: slices.every((slice) => slice.segments[0]?.services.some(({ type }) => type === 'baggage')),
    ...readEmissions(raw.total_emissions_kg),
    ...readProgrammes(raw.supported_loyalty_programmes),
  }
  const passportSupported = raw.supported_passenger_identity_document_types?.includes('passport') ?? false
  return { mode, offer, supplier: { offerId: raw.id, passengers, ...names, passportSupported } }
}

/** A list without its broken offers and without repetitions. */
export function normaliseOffers(raw: readonly SupplierOffer[], mode: Mode): { offers: KnownOffer[]; broken: number } {
  const byId = new Map<string, KnownOffer>()
  let broken = 0
  for (const each of raw) {
    try {
      const known = normaliseOffer(each, mode)
      byId.set(known.offer.id, known)
    } catch {
      broken += 1
    }
  }
  return { offers: [...byId.values()], broken }
}

function broken(what: string): never {
  throw new BrokenOfferError(what)
}

function readAmounts(raw: SupplierOffer) {
  const total_currency = readCurrency(raw.total_currency) ?? broken('total_currency')
  const total_amount = readAmount(raw.total_amount, total_currency) ?? broken('total_amount')
  const base_currency = raw.base_currency == null ? total_currency : (readCurrency(raw.base_currency) ?? broken('base_currency'))
  const tax_currency = raw.tax_currency == null ? total_currency : (readCurrency(raw.tax_currency) ?? broken('tax_currency'))
  const base_amount = raw.base_amount == null ? total_amount : (readAmount(raw.base_amount, base_currency) ?? broken('base_amount'))
  // An airline that tells no tax is shown with none.
  const tax_amount = readAmount(raw.tax_amount ?? '0', tax_currency) ?? broken('tax_amount')
  return { total_amount, total_currency, base_amount, base_currency, tax_amount, tax_currency }
}

/** Whole kilograms; nothing when the supplier gives no estimate, or none that can be read. */
function readEmissions(told: unknown): Pick<BareOffer, 'emissions_kg'> {
  const kg = isAmount(told) ? Math.round(Number(told)) : 0
  return kg > 0 && Number.isSafeInteger(kg) ? { emissions_kg: kg } : {}
}

/** Airlines whose frequent flyer numbers an order takes; nothing when there are none. */
function readProgrammes(told: unknown): Pick<BareOffer, 'supported_loyalty_programmes'> {
  const codes = Array.isArray(told) ? told.filter((code) => typeof code === 'string' && isAirlineCode(code)) : []
  return codes.length > 0 ? { supported_loyalty_programmes: [...new Set<string>(codes)] } : {}
}

/** ISO instant; null when there is none or it cannot be read. */
function instant(text: string | null | undefined): string | null {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? text : null
}

function readConditions(conditions: SupplierOffer['conditions']): BareOffer['conditions'] {
  const refund = conditionOf(conditions?.refund_before_departure)
  const change = conditionOf(conditions?.change_before_departure)
  return { refundable: refund?.allowed === true, changeable: change?.allowed === true, refund, change }
}

function conditionOf(condition: SupplierCondition): BareOffer['conditions']['refund'] {
  if (!condition) return null
  const allowed = condition.allowed === true
  const currency = readCurrency(condition.penalty_currency)
  const amount = allowed && currency !== null ? readAmount(condition.penalty_amount, currency) : null
  return { allowed, penalty: amount !== null && currency !== null ? { amount, currency } : null }
}

function readPassengers(raw: SupplierOffer): SupplierNames['passengers'] {
  const passengers = (raw.passengers ?? []).map(({ id, type, age }) => ({ supplierId: id, type: passengerType(type, age) }))
  if (passengers.length === 0) throw new BrokenOfferError('passengers')
  return adultsFirst(passengers).map((passenger, index) => ({ id: `pas_${index + 1}`, ...passenger }))
}

function passengerType(type: string | null | undefined, age: number | null | undefined): PassengerType {
  if (type === 'adult' || type === 'child' || type === 'infant_without_seat') return type
  if (typeof age !== 'number' || age >= 12) return 'adult'
  return age >= 2 ? 'child' : 'infant_without_seat'
}

function readSlices(raw: readonly SupplierSlice[], withSeat: ReadonlySet<string>) {
  if (raw.length === 0) throw new BrokenOfferError('slices')
  const names: Pick<SupplierNames, 'slices' | 'segments'> = { slices: [], segments: [] }
  const slices = raw.map((slice, index): Slice => {
    const id = `sli_${index + 1}`
    const segments = (slice.segments ?? []).map((segment, place) => segmentOf(segment, `seg_${index + 1}_${place + 1}`, withSeat))
    const [first, last] = [segments[0], segments.at(-1)]
    if (!first || !last) throw new BrokenOfferError('segments')
    names.slices.push({ id, supplierId: slice.id })
    for (const [place, { id: ours }] of segments.entries()) names.segments.push({ id: ours, supplierId: slice.segments?.[place]?.id ?? '' })
    return {
      id,
      origin: endOf(slice.origin, first.origin),
      destination: endOf(slice.destination, last.destination),
      duration: sliceDuration(slice.duration, segments),
      departure_time: first.departing_at,
      arrival_time: last.arriving_at,
      fare_brand_name: slice.fare_brand_name ?? null,
      segments,
    }
  })
  return { slices, names }
}

/** A slice's end is what the visitor asked for, possibly a city; without it, the airport of the flight stands in. */
function endOf(place: SupplierSlice['origin'] | null | undefined, airport: Place): Place {
  return place ? placeOf(place) : airport
}

/** As the supplier gives it, else flights plus waiting times: both ends of a wait are on the same clock. */
function sliceDuration(told: string | null | undefined, segments: Slice['segments']): string | null {
  const minutes = durationMinutes(told)
  if (minutes !== null) return formatDuration(minutes)
  let sum = 0
  for (const [index, segment] of segments.entries()) {
    const flight = durationMinutes(segment.duration)
    if (flight === null) return null
    const before = segments[index - 1]
    sum += flight + (before ? wallClockMinutes(before.arriving_at, segment.departing_at) : 0)
  }
  return formatDuration(sum)
}
