/** One checkout attempt of one visitor: what tells it from all others, as keyed hashes. */
import { randomUUID } from 'node:crypto'
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import { partyText } from './domain/passengers.ts'

export type Attempt = {
  key: string
  requestHash: string
  /** Same offer, same people: there is one ticket for them, whoever asks. */
  partyKey: string
}

/**
 * Whose keys these are: the browser's visitor, else the account, so that nobody meets another's booking with a key. Without either a
 * request stands alone.
 */
function scopeOf({ mode, visitorId, userId }: Caller): string {
  return JSON.stringify([mode, visitorId ? `visitor:${visitorId}` : userId ? `user:${userId}` : randomUUID()])
}

export function givenKey(given: string, caller: Caller, hash: KeyedHash): string {
  return hash('given key', JSON.stringify([scopeOf(caller), given]))
}

/** The keys under which an earlier request with this key may be found: that of the visitor, and that of the account before it had one. */
export function lookupKeys(given: string, caller: Caller, hash: KeyedHash): string[] {
  const callers = [caller, { ...caller, visitorId: null }].filter(({ visitorId, userId }) => visitorId || userId)
  return callers.map((one) => givenKey(given, one, hash))
}

/** Everything of the request but the card. */
export function requestHashOf(body: CreateBooking, hash: KeyedHash): string {
  const { cardDetails: _, paymentMethodId: __, ...payment } = body.paymentDetails
  return hash('request', JSON.stringify({ ...body, paymentDetails: payment }))
}

export function partyKeyOf({ offerId, passengers }: CreateBooking, hash: KeyedHash): string {
  return hash('party', partyText(offerId, passengers))
}

/**
 * Without a key of the client's it is the payment, or the request word for word; such a request may be made again after it has
 * failed, which is another `round`.
 */
export function derivedKey(body: CreateBooking, requestHash: string, round: number, caller: Caller, hash: KeyedHash): string {
  const { paymentId } = body.paymentDetails
  return hash('derived key', JSON.stringify([scopeOf(caller), paymentId ?? [requestHash, round]]))
}
