/** What this service knows of one offer: the part that everybody may see, and the supplier's names for the same things. */
import type { Mode, PassengerType } from '@passerelle/contracts/http/common'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { withMarkup } from '@passerelle/contracts/rules/money'
import { priceOf } from './amount.ts'

export type AvailableService = FlightOffer['available_services'][number]

/** An offer before anybody's markup is in it. */
export type BareOffer = Omit<FlightOffer, 'price' | 'available_services'> & { available_services: Omit<AvailableService, 'price'>[] }

export type SupplierNames = {
  offerId: string
  passengers: { id: string; supplierId: string; type: PassengerType }[]
  slices: { id: string; supplierId: string }[]
  segments: { id: string; supplierId: string }[]
  passportSupported: boolean
}

export type KnownOffer = { mode: Mode; offer: BareOffer; supplier: SupplierNames }

/** As this customer sees it. */
export function pricedOffer(bare: BareOffer, markupPercent: number): FlightOffer {
  const { available_services, ...offer } = bare
  return {
    ...offer,
    price: priceOf(offer, markupPercent),
    available_services: available_services.map((service) => ({ ...service, price: priceOfService(service, markupPercent) })),
  }
}

function priceOfService(
  { total_amount, total_currency }: Omit<AvailableService, 'price'>,
  markupPercent: number,
): AvailableService['price'] {
  if (total_amount === null || total_currency === null) return null
  return { amount: withMarkup(total_amount, total_currency, markupPercent), currency: total_currency }
}

/** The supplier sells an offer until its expiry, which every offer names. */
export function hasExpired(offer: Pick<BareOffer, 'expires_at'>, now: Date): boolean {
  return Date.parse(offer.expires_at) <= now.getTime()
}
