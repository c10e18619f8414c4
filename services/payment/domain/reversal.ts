/** Money that goes back to the cardholder without a call of this service: refunds made by hand in the provider's dashboard, and disputes. */
import { paymentReversed } from '@passerelle/contracts/events/payment'
import { type Change, type Dispute, type HandRefund, type Payment, type Refund, refundedByHand, sum } from './payment.ts'

/** What the provider lists for a payment. `bookingId`: ours, from the metadata; a refund made by hand has none. */
export type Listed = {
  refunds: readonly { id: string; status: string; bookingId: string | null; amountMinor: number }[]
  disputes: readonly Dispute[]
}

/** Provider events after which refunds and disputes are read. */
export const isReversal = (type: string): boolean => /^(charge\.(refunded|refund\.|dispute\.)|refund\.)/.test(type)

/** Whether the provider may have money of it that could go back; a hold may have been captured a moment ago. */
export const mayBeReversed = ({ state }: Pick<Payment, 'state'>): boolean => ['authorised', 'captured', 'refunded'].includes(state)

/** How much of the wanted refund is left to make: never more than the charge still has. */
export const refundLeft = (payment: Pick<Payment, 'amountMinor' | 'handRefunds'>, { amountMinor }: Refund): number =>
  Math.max(0, Math.min(amountMinor, payment.amountMinor - refundedByHand(payment)))

export const isLive = ({ status }: { status: string }): boolean => status !== 'failed' && status !== 'canceled'

/** Takes over what the provider lists, as it was asked at `askedAt`. The event carries totals, so that the last one says all. */
export function recordReversals(payment: Payment, listed: Listed, askedAt: Date): Change | null {
  const handRefunds = listed.refunds
    .filter((one) => isLive(one) && (one.bookingId === null || one.bookingId !== payment.bookingId))
    .map(({ id, amountMinor }) => ({ id, amountMinor }))
  const disputes = listed.disputes.map(({ id, amountMinor, status }) => ({ id, amountMinor, status }))
  const answered = payment.reversalsRecheckAt !== null && payment.reversalsRecheckAt <= askedAt ? { reversalsRecheckAt: null } : {}
  const next = { handRefunds, disputes }
  if (textOf(payment) === textOf(next)) return 'reversalsRecheckAt' in answered ? { set: answered } : null
  const refund = refundAfter(payment, next)
  const { id: paymentId, bookingId, currency, mode } = payment
  const data = { paymentId, bookingId, currency, mode, refundedMinor: sum(handRefunds), ...disputeState(disputes) }
  return {
    set: { ...answered, ...next, ...(refund && { refund }) },
    event: { definition: paymentReversed, data },
  }
}

/**
 * A refund that is still to be made, and of which less is left now, needs a key of its own; one that was refused because of a dispute is
 * tried again when the dispute is won.
 */
function refundAfter(payment: Payment, { disputes, handRefunds }: Pick<Payment, 'disputes' | 'handRefunds'>): Refund | null {
  const { refund } = payment
  if (!refund || payment.state !== 'captured') return null
  const won = refund.failed && disputeState(disputes).dispute === 'won' && disputeState(payment.disputes).dispute !== 'won'
  const less = refundLeft({ ...payment, handRefunds }, refund) !== refundLeft(payment, refund)
  return won || less ? { ...refund, failed: refund.failed && !won, keyRotations: refund.keyRotations + 1 } : null
}

/** The state that matters most: one that is open, else one that was lost. */
export function disputeState(disputes: readonly Dispute[]): { dispute: Dispute['status'] | null; disputedMinor: number } {
  const dispute = (['open', 'lost', 'won'] as const).find((status) => disputes.some((one) => one.status === status)) ?? null
  return { dispute, disputedMinor: sum(disputes.filter(({ status }) => status === dispute)) }
}

const textOf = ({ handRefunds, disputes }: { handRefunds: HandRefund[]; disputes: Dispute[] }): string =>
  [...handRefunds.map(({ id, amountMinor }) => `${id} ${amountMinor}`), ...disputes.map(({ id, status }) => `${id} ${status}`)]
    .sort()
    .join()
