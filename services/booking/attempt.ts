/** One checkout attempt of one visitor: what distinguishes it from all others, as keyed hashes. */
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import { randomId } from '@passerelle/kit/runtime'
import { passengersText } from './domain/passengers.ts'

export type Attempt = {
  key: string
  requestHash: string
  /** Same offer, same people: there is one ticket for them, whoever asks. */
  passengersKey: string
}

/**
 * To whom a key belongs: the browser's visitor, else the account, so that nobody finds another's booking with a key. Without either a
 * request has a scope of its own.
 */
function scopeOf({ mode, visitorId, userId }: Caller): string {
  return JSON.stringify([mode, visitorId ? `visitor:${visitorId}` : userId ? `user:${userId}` : randomId()])
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

export function passengersKeyOf({ offerId, passengers }: CreateBooking, hash: KeyedHash): string {
  // The label stays: hashes of stored bookings were made with it.
  return hash('party', passengersText(offerId, passengers))
}

/**
 * Without a key of the client's it is the payment, or the request word for word; such a request may be made again after it has
 * failed, which is another `round`.
 */
export function derivedKey(body: CreateBooking, requestHash: string, round: number, caller: Caller, hash: KeyedHash): string {
  const { paymentId } = body.paymentDetails
  return hash('derived key', JSON.stringify([scopeOf(caller), paymentId ?? [requestHash, round]]))
}
