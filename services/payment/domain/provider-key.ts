/** Idempotency keys of calls to the card provider: made from what the call is about, so that a repetition has no second effect. */
import type { KeyGenerations, Payment, Refund } from './payment.ts'

/** With a number from the second round on, e.g. `cap:bk_1`, then `cap:bk_1:2`. */
export function providerKey(call: keyof KeyGenerations, payment: Pick<Payment, 'id' | 'bookingId' | 'keyGeneration'>): string {
  const round = payment.keyGeneration[call]
  return stem(call, payment) + (round > 1 ? `:${round}` : '')
}

function stem(call: keyof KeyGenerations, { id, bookingId }: Pick<Payment, 'id' | 'bookingId'>): string {
  if (call === 'capture') return `cap:${bookingId}`
  if (call === 'void') return `void:${id}`
  return `pay:${id}:${call}`
}

/** The provider would go on giving the same failure under this key; the next call gets a new one. */
export function rotateIdempotencyKey(
  call: keyof KeyGenerations,
  { keyGeneration }: Pick<Payment, 'keyGeneration'>,
): { set: { keyGeneration: KeyGenerations } } {
  return { set: { keyGeneration: { ...keyGeneration, [call]: keyGeneration[call] + 1 } } }
}

const DOUBT_MS = 60_000

/**
 * A refund's failure that the provider would repeat may still have had an effect: only when some time has passed, and the list of
 * refunds can be trusted to show it, is another key used.
 */
export function rotateRefundKey({ refund }: Pick<Payment, 'refund'>, now: Date): { set: { refund: Refund } } | null {
  if (!refund || now.getTime() - refund.wantedAt.getTime() < DOUBT_MS) return null
  return { set: { refund: { ...refund, keyRotations: refund.keyRotations + 1 } } }
}

export function refundKey(bookingId: string, round: number): string {
  return `ref:${bookingId}:${round}`
}
