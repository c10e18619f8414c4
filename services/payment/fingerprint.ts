/** What two requests under one idempotency key must have in common. Card fields are not in it, not even hashed. */
import type { KeyedHash } from '@passerelle/kit/keyed-hash'

export type Fingerprinted = {
  amount: string
  currency: string
  offerId: string | null
  seats: readonly { passengerId: string; seatId: string; segmentId: string }[]
}

/** "118.70" and "118.7" are one amount, the order of the seats means nothing. */
export function fingerprint({ amount, currency, offerId, seats }: Fingerprinted, hash: KeyedHash): string {
  const chosen = seats.map(({ passengerId, seatId, segmentId }) => [segmentId, passengerId, seatId].join('/')).sort()
  return hash('request', plainAmount(amount), currency, offerId, chosen)
}

function plainAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const significant = fraction.replace(/0+$/, '')
  return whole.replace(/^0+(?=\d)/, '') + (significant && `.${significant}`)
}

/** A visitor's key counts for one visitor (or address, without one) and one mode. */
export function visitorKey(scope: { mode: string; visitor: string; key: string }, hash: KeyedHash): string {
  return `visitor:${hash('key', scope.mode, scope.visitor, scope.key)}`
}

/** The booking service's own key. */
export function bookingKey(mode: string, key: string, hash: KeyedHash): string {
  return `booking:${hash('key', mode, key)}`
}
