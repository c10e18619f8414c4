/** One flight of the supplier as ours. */
import { CabinClass } from '@passerelle/contracts/http/common'
import type { Place, Segment } from '@passerelle/contracts/http/search'
import { durationMinutes, elapsedMinutes, formatDuration, localTime } from './duration.ts'
import type { SupplierAirline, SupplierPlace, SupplierSegment, SupplierSegmentPassenger } from './supplier.ts'

/** An offer that cannot be shown or sold; `message` names what is missing. */
export class BrokenOfferError extends Error {
  constructor(what: string) {
    super(`the supplier's offer has no usable ${what}`)
    this.name = 'BrokenOfferError'
  }
}

/** @param withSeat supplier ids of the passengers who are no lap infants: bags and wifi are theirs. */
export function segmentOf(raw: SupplierSegment, id: string, withSeat: ReadonlySet<string>): Segment {
  const departing_at = localTime(raw.departing_at)
  const arriving_at = localTime(raw.arriving_at)
  if (departing_at === null || arriving_at === null) throw new BrokenOfferError('flight times')
  const seated = (raw.passengers ?? []).filter(({ passenger_id }) => withSeat.has(passenger_id))
  const marketing = carrierOf(raw.marketing_carrier)
  return {
    id,
    departing_at,
    arriving_at,
    origin: placeOf(raw.origin),
    destination: placeOf(raw.destination),
    origin_terminal: raw.origin_terminal ?? null,
    destination_terminal: raw.destination_terminal ?? null,
    duration: segmentDuration(raw, departing_at, arriving_at),
    flight_number: raw.marketing_carrier_flight_number ?? '',
    aircraft: raw.aircraft?.name ? { name: raw.aircraft.name } : null,
    airline: { ...marketing, icao_code: null, id: raw.marketing_carrier?.id ?? null },
    operating_carrier: raw.operating_carrier ? carrierOf(raw.operating_carrier) : marketing,
    marketing_carrier: marketing,
    services: servicesOf(seated),
    cabin_class: CabinClass.safeParse(seated[0]?.cabin_class).data ?? null,
    technical_stops: (raw.stops ?? []).map(({ airport, duration }) => {
      const minutes = durationMinutes(duration)
      return { airport: placeOf(airport), duration: minutes === null ? null : formatDuration(minutes) }
    }),
  }
}

function segmentDuration(raw: SupplierSegment, departing: string, arriving: string): string | null {
  const minutes = durationMinutes(raw.duration) ?? elapsedMinutes(departing, raw.origin.time_zone, arriving, raw.destination.time_zone)
  return minutes === null ? null : formatDuration(minutes)
}

export function placeOf(place: SupplierPlace | null | undefined): Place {
  const name = place?.name ?? null
  return {
    name,
    iata_code: place?.iata_code ?? null,
    city_name: place?.city_name ?? place?.city?.name ?? (place?.type === 'city' ? name : null),
    country_code: place?.iata_country_code ?? null,
    time_zone: place?.time_zone ?? null,
  }
}

export function carrierOf(airline: SupplierAirline | null | undefined): Segment['marketing_carrier'] {
  const logo = airline?.logo_symbol_url
  return {
    name: airline?.name ?? null,
    iata_code: airline?.iata_code ?? null,
    logo_url: logo && /^https?:\/\//.test(logo) ? logo : null,
  }
}

/** Only what every seated passenger has is promised. Meals are nothing that the supplier tells. */
function servicesOf(seated: readonly SupplierSegmentPassenger[]): Segment['services'] {
  if (seated.length === 0) return []
  const services: Segment['services'] = []
  const wifi = seated.map(({ cabin }) => cabin?.amenities?.wifi)
  if (wifi.every((amenity) => amenity?.available === true)) services.push({ type: 'wifi', description: wifiText(wifi[0]?.cost) })
  const checked = fewest(seated, 'checked')
  if (checked > 0) {
    const carryOn = fewest(seated, 'carry_on')
    const bags = [bagText(checked, 'checked bag'), ...(carryOn > 0 ? [bagText(carryOn, 'carry-on bag')] : [])]
    services.push({ type: 'baggage', description: `${bags.join(' and ')} per passenger` })
  }
  return services
}

function fewest(seated: readonly SupplierSegmentPassenger[], type: string): number {
  const counts = seated.map(({ baggages }) =>
    (baggages ?? []).filter((bag) => bag.type === type).reduce((sum, bag) => sum + (Number.isInteger(bag.quantity) ? bag.quantity : 0), 0),
  )
  return Math.min(...counts)
}

const bagText = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function wifiText(cost: string | null | undefined): string {
  if (cost === 'free') return 'Wi-Fi, free of charge'
  return cost === 'paid' ? 'Wi-Fi, for a fee' : 'Wi-Fi'
}
