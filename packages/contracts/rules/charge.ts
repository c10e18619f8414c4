/** Whether the amount that a client sends is the amount that the server would charge. */
import type { Money } from '../http/common.ts'
import { addAmounts, compareAmounts } from './money.ts'

type Priced = { charge: Money; shownTotal: Money | null; seats: readonly { price: Money }[] }

/**
 * `ok`: it is the charge. `changed`: it is what the visitor was shown, but the price has moved since. `mismatch`: it is neither.
 */
export function judgeAmount(given: Money, quote: Priced): 'ok' | 'changed' | 'mismatch' {
  if (given.currency === quote.charge.currency && compareAmounts(given.amount, quote.charge.amount) === 0) return 'ok'
  const { shownTotal } = quote
  if (!shownTotal || shownTotal.currency !== given.currency) return 'mismatch'
  const shown = addAmounts(shownTotal.amount, ...quote.seats.map((seat) => seat.price.amount))
  return compareAmounts(given.amount, shown) === 0 ? 'changed' : 'mismatch'
}
