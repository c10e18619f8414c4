/** Whether the amount that a client sends is the amount that the server would charge. */
import type { Money } from '../http/common.ts'
import { addAmounts, compareAmounts, withMarkup } from './money.ts'

type Priced = { charge: Money; shownTotal: Money | null; seats: readonly { price: Money }[] }

/**
 * `ok`: it is the charge. `changed`: it is what the visitor was shown, but the price has moved since. `mismatch`: it is neither.
 */
export function judgeAmount(given: Money, quote: Priced): 'ok' | 'changed' | 'mismatch' {
  if (given.currency === quote.charge.currency && roundsTo(given, quote.charge.amount)) return 'ok'
  const { shownTotal } = quote
  if (!shownTotal || shownTotal.currency !== given.currency) return 'mismatch'
  const shown = addAmounts(shownTotal.amount, ...quote.seats.map((seat) => seat.price.amount))
  return roundsTo(given, shown) ? 'changed' : 'mismatch'
}

/** A client that computes the price itself may not round it: 273.675 is the 274 that is charged. */
function roundsTo(given: Money, amount: string): boolean {
  return compareAmounts(withMarkup(given.amount, given.currency, 0), amount) === 0
}
