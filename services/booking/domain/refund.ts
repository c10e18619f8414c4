/** What a cancellation gives back, judged from the supplier's figures: money for the card, credit with the airline, or a matter for an operator. */
import type { Money } from '@passerelle/contracts/http/common'
import { addAmounts, compareAmounts, isAmount, toMinor } from '@passerelle/contracts/rules/money'

/** As the supplier's answer says it; nothing of it has been checked. */
export type SupplierRefund = { amount: unknown; currency: unknown; to: unknown; credits: unknown }

/** `minor` goes back to the card, in the charge's currency: 0 unless the kind is card. `credit` is set when the kind is credit. */
export type RefundDue = { kind: 'card' | 'credit' | 'operator' | 'none'; minor: number; credit: Money | null }

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

/** Whether the traveller gets what was promised before the cancellation was confirmed. Credit, and what an operator arranges, is told instead. */
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
