/** Cancelling: whether it may go on, what it gives back (card, airline credit, or a matter for an operator), and what its outcome is called. */
import { AppError } from '@passerelle/contracts/error'
import type { BookingCancelled } from '@passerelle/contracts/http/booking'
import type { Money } from '@passerelle/contracts/http/common'
import { addAmounts, compareAmounts, formatExactMoney, isAmount, toMinor } from '@passerelle/contracts/rules/money'
import { type BookingRecord, type RefundDue, refundable, toPublic } from './booking.ts'
import { isOpen, publicStatus } from './state.ts'

/** `request`: ask the airline. `remember`: until the outcome is known. `nothing`: it is under way or done. */
export function cancelDecision(booking: BookingRecord, now: Date): 'request' | 'remember' | 'nothing' {
  if (booking.state === 'CANCEL_REQUESTED') return 'nothing'
  if (isOpen(booking.state)) return 'remember'
  const status = publicStatus(booking.state, booking.lastArrival, now)
  if (status === 'cancelled') return 'nothing'
  if (booking.state !== 'CONFIRMED' || status === 'completed')
    throw new AppError('BOOKING_STATE', { message: 'Unable to cancel booking: it can no longer be changed.' })
  if (!refundable(booking, now).allowed) throw new AppError('BOOKING_NOT_CANCELLABLE')
  return 'request'
}

/** Throws CANCEL_FAILED or BOOKING_NOT_CANCELLABLE when the airline did not play along. */
export function cancelAnswer(before: BookingRecord, after: BookingRecord, now: Date): BookingCancelled {
  const { status, refund, refundKind, airlineCredit } = toPublic(after, now)
  const money = { refund: refund && { amount: refund.amount, currency: refund.currency }, refundKind, airlineCredit, status }
  if (status === 'cancelled') {
    const already = publicStatus(before.state, before.lastArrival, now) === 'cancelled'
    const done = 'Your booking has been successfully cancelled.'
    return { success: true, message: already ? 'Booking is already cancelled' : [done, ...refundText(after)].join(' '), ...money }
  }
  if (after.pendingCancellation || after.state === 'CANCEL_REQUESTED')
    return { success: true, message: 'Your booking will be cancelled as soon as the airline has answered.', ...money }
  if (after.cancelNote === 'worse')
    throw new AppError('CANCEL_FAILED', {
      message: 'Unable to cancel booking: the airline now gives back less than was shown. Please contact us.',
    })
  throw new AppError(after.cancelNote === 'refused' ? 'BOOKING_NOT_CANCELLABLE' : 'CANCEL_FAILED')
}

/** What a traveller is told, on the screen and by mail, of money that does not simply go back to the card. */
export function refundText({ refund }: Pick<BookingRecord, 'refund'>): string[] {
  if (refund?.kind === 'operator') return ['Your refund is being arranged by our team.']
  if (refund?.kind !== 'credit' || !refund.credit) return []
  const amount = formatExactMoney(refund.credit.amount, refund.credit.currency)
  return [`The airline holds ${amount} for you as credit for a later flight. Nothing goes back to your card.`]
}

/** As the supplier's answer says it; nothing of it has been checked. */
export type SupplierRefund = { amount: unknown; currency: unknown; to: unknown; credits: unknown }

type Charge = { minor: number; currency: string }

/** Where the supplier pays money, and where the airline keeps it for the traveller. Anything else, and what is not known, is an operator's matter. */
const MONEY: readonly unknown[] = ['balance', 'card', 'arc_bsp_cash', 'original_form_of_payment']
const CREDIT: readonly unknown[] = ['airline_credits', 'voucher']
/** The airline was never paid, while the traveller was charged. */
const UNPAID = 'awaiting_payment'

const OPERATOR: RefundDue = { kind: 'operator', minor: 0, credit: null }
const NONE: RefundDue = { kind: 'none', minor: 0, credit: null }

/** Never throws: the airline has cancelled by now, and the booking has to end. */
export function judgeRefund({ amount, currency, to, credits }: SupplierRefund, charge: Charge): RefundDue {
  if (to === UNPAID) return OPERATOR
  if (CREDIT.includes(to)) {
    const credit = moneyOf(amount, currency) ?? sumOf(credits)
    if (!credit) return OPERATOR
    return isZero(credit.amount) ? NONE : { kind: 'credit', minor: 0, credit }
  }
  if (!isAmount(amount)) return OPERATOR
  if (isZero(amount)) return NONE
  const minor = MONEY.includes(to) && currency === charge.currency ? wholeMinor(amount, charge.currency) : null
  return minor === null ? OPERATOR : { kind: 'card', minor: Math.min(minor, charge.minor), credit: null }
}

/** Whether the traveller gets what was promised before the cancellation was confirmed. Credit, and what an operator arranges, is named instead. */
export function keepsPromise(due: RefundDue, promisedMinor: number | null): boolean {
  if (promisedMinor === null || due.kind === 'credit' || due.kind === 'operator') return true
  return due.minor >= promisedMinor
}

const isZero = (amount: string) => compareAmounts(amount, '0') === 0

function moneyOf(amount: unknown, currency: unknown): Money | null {
  return isAmount(amount) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? { amount, currency } : null
}

/** The credits of all passengers together; null unless each is known and all are in one currency. */
function sumOf(credits: unknown): Money | null {
  if (!Array.isArray(credits) || credits.length === 0) return null
  const each = credits.map((one) => moneyOf(one?.credit_amount, one?.credit_currency))
  const [first] = each
  if (!first || each.some((money) => money?.currency !== first.currency)) return null
  return { amount: addAmounts(...each.map((money) => money?.amount ?? '0')), currency: first.currency }
}

function wholeMinor(amount: string, currency: string): number | null {
  try {
    const minor = toMinor(amount, currency)
    return Number.isSafeInteger(minor) ? minor : null
  } catch {
    return null
  }
}
