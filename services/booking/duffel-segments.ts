/** Flights as the supplier writes them, in orders and in changes of their schedule, and as they are kept here. */
import type { Carrier, Place } from '@passerelle/contracts/http/offer'
import { z } from 'zod'
import type { SupplierSegment } from './domain/schedule.ts'

export const maybe = z.string().nullish()
const LocalTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/)
export const RawPlace = z.object({ name: maybe, iata_code: maybe, city_name: maybe, iata_country_code: maybe, time_zone: maybe })
export const RawCarrier = z.object({ name: maybe, iata_code: maybe, logo_symbol_url: maybe })
export const RawSegment = z.object({
  departing_at: LocalTime,
  arriving_at: LocalTime,
  duration: maybe,
  origin: RawPlace,
  destination: RawPlace,
  origin_terminal: maybe,
  destination_terminal: maybe,
  marketing_carrier: RawCarrier,
  marketing_carrier_flight_number: z.string(),
  operating_carrier: RawCarrier.nullish(),
})

export function segmentOf(raw: z.output<typeof RawSegment>): SupplierSegment {
  return {
    departing_at: raw.departing_at,
    arriving_at: raw.arriving_at,
    duration: raw.duration ?? null,
    origin: placeOf(raw.origin),
    destination: placeOf(raw.destination),
    origin_terminal: raw.origin_terminal ?? null,
    destination_terminal: raw.destination_terminal ?? null,
    flight_number: raw.marketing_carrier_flight_number,
    marketing_carrier: carrierOf(raw.marketing_carrier),
    operating_carrier: carrierOf(raw.operating_carrier ?? raw.marketing_carrier),
  }
}

export function placeOf({
  name = null,
  iata_code = null,
  city_name = null,
  iata_country_code = null,
  time_zone = null,
}: z.output<typeof RawPlace>): Place {
  return { name, iata_code, city_name: city_name ?? name, country_code: iata_country_code, time_zone }
}

export const carrierOf = ({ name = null, iata_code = null, logo_symbol_url = null }: z.output<typeof RawCarrier>): Carrier => ({
  name,
  iata_code,
  logo_url: logo_symbol_url,
})
