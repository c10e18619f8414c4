/** Whether an offer can still be booked, in words and minutes. */
import type { AppError, ErrorBody } from '@passerelle/contracts/error'
import type { OfferVerification } from '@passerelle/contracts/http/search'
import type { BareOffer } from './known-offer.ts'

export function validOffer(offer: BareOffer, now: Date): OfferVerification {
  return {
    valid: true,
    message: 'This flight offer is still available.',
    error: null,
    offer_id: offer.id,
    expires_at: offer.expires_at,
    minutes_remaining: Math.max(0, Math.floor((Date.parse(offer.expires_at) - now.getTime()) / 60_000)),
  }
}

/** The body of 404 and 410: an error like any other that can also be read as a verification. */
export function invalidOffer(error: AppError, offerId: string, requestId: string, expiresAt: string | null): ErrorBody & OfferVerification {
  return {
    ...error.toBody(requestId),
    valid: false,
    offer_id: offerId,
    expires_at: expiresAt,
    minutes_remaining: error.code === 'OFFER_EXPIRED' ? 0 : null,
  }
}
