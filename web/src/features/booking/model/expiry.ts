/** The time an offer is held, and where a visitor goes when it is over. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { countPassengers } from '../../../lib/format/people.ts'
import { type LastSearch, searchAddress } from '../../../lib/last-search.ts'
import { paths } from '../../../lib/paths.ts'

const SOON_MINUTES = 5
/** How long the message stands before the results come. */
export const REDIRECT_MS = 3500

/** Whole minutes until `expiresAt`; 0 when it has passed, null when it is unknown. */
export function minutesLeft(expiresAt: string | null, now: number): number | null {
  const until = expiresAt === null ? Number.NaN : Date.parse(expiresAt)
  return Number.isNaN(until) ? null : Math.max(0, Math.floor((until - now) / 60_000))
}

export function expiresSoon(expiresAt: string | null, now: number): boolean {
  const minutes = minutesLeft(expiresAt, now)
  return minutes !== null && minutes < SOON_MINUTES
}

/** Tells how long the price is still held, the first time in each step that it is less than five minutes; null at all other times. */
export function expiryWarnings<Step>(): (step: Step, expiresAt: string | null, now: number) => string | null {
  const warned = new Set<Step>()
  return (step, expiresAt, now) => {
    const held = heldFor(expiresAt, now)
    if (held === null || warned.has(step) || !expiresSoon(expiresAt, now)) return null
    warned.add(step)
    return held
  }
}

/** What stands behind "Price held for"; null when the price is no longer held or the time is unknown. */
export function heldFor(expiresAt: string | null, now: number): string | null {
  const minutes = minutesLeft(expiresAt, now)
  if (minutes === null || expiresAt === null || Date.parse(expiresAt) <= now) return null
  return minutes === 0 ? 'less than 1 min' : `${minutes} min`
}

/** The search that found the offer: the last one of this browser, else the same flights from the offer itself, else home. */
export function searchAfterExpiry(last: LastSearch | null, offer: Pick<FlightOffer, 'slices' | 'passengers'> | null): string {
  if (last) return searchAddress(last)
  const [out, back] = offer?.slices ?? []
  if (!offer || !out?.origin.iata_code || !out.destination.iata_code) return paths.home
  const { adults, children, infants } = countPassengers(offer.passengers)
  return searchAddress({
    origin: out.origin.iata_code,
    destination: out.destination.iata_code,
    departureDate: out.departure_time.slice(0, 10),
    returnDate: back?.departure_time.slice(0, 10),
    cabinClass: out.segments[0]?.cabin_class ?? 'economy',
    adultsCount: adults,
    childrenCount: children,
    infantsCount: infants,
    tripType: back ? 'round-trip' : 'one-way',
  })
}
