/** What two requests under one idempotency key must have in common. Card fields are not in it, not even hashed. */
import { createHash } from 'node:crypto'

export type Fingerprinted = {
  amount: string
  currency: string
  offerId: string | null
  seats: readonly { passengerId: string; seatId: string; segmentId: string }[]
}

/** SHA-256, hex; "118.70" and "118.7" are one amount, the order of the seats means nothing. */
export function fingerprint({ amount, currency, offerId, seats }: Fingerprinted): string {
  const chosen = seats.map(({ passengerId, seatId, segmentId }) => [segmentId, passengerId, seatId].join('/')).sort()
  return sha256(JSON.stringify([plainAmount(amount), currency, offerId, chosen]))
}

function plainAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const significant = fraction.replace(/0+$/, '')
  return whole.replace(/^0+(?=\d)/, '') + (significant && `.${significant}`)
}

/** A visitor's key counts within one session (or address) and one mode; neither is stored in clear. */
export function visitorKey(scope: { mode: string; visitor: string; key: string }): string {
  return `visitor:${sha256(JSON.stringify([scope.mode, scope.visitor, scope.key]))}`
}

/** The booking service's own key. */
export function bookingKey(mode: string, key: string): string {
  return `booking:${mode}:${key}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
