/** Which amounts can be held, and how the card provider writes them. */
import { isAmount, minorDigits, toMinor } from '@passerelle/contracts/rules/money'

/** No decimals in use, yet the provider wants two. */
const PADDED = new Set(['ISK', 'UGX'])
/** Three decimals, of which the provider takes two: the last digit must be 0. */
const LAST_DIGIT_ZERO = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
/** Three decimals here, unknown to the provider: it would read the amount as ten times as much. */
const NOT_OFFERED = new Set(['IQD', 'LYD'])

/** The provider's published least amounts, in minor units. Other currencies are left to its own judgement. */
// biome-ignore format: a table reads better packed
const LEAST: Record<string, number> = {
  AED: 200, AUD: 50, BGN: 100, BRL: 50, CAD: 50, CHF: 50, CZK: 1500, DKK: 250, EUR: 50, GBP: 30, HKD: 400, HUF: 17_500, INR: 50,
  JPY: 50, MXN: 1000, MYR: 200, NOK: 300, NZD: 50, PLN: 200, RON: 200, SEK: 300, SGD: 50, THB: 1000, USD: 50,
}

/** Our minor units as the provider's integer. */
export function toProviderAmount(minor: number, currency: string): number {
  return PADDED.has(currency) ? minor * 100 : minor
}

/** The provider's integer in our minor units. */
export function fromProviderAmount(amount: number, currency: string): number {
  return PADDED.has(currency) ? amount / 100 : amount
}

type HoldAmount = { minor: number } | { problem: string; field: 'amount' | 'currency' }

/** Minor units of a decimal amount, or why this cannot be held on a card. */
export function holdAmount(amount: string, currency: string): HoldAmount {
  if (NOT_OFFERED.has(currency)) return { problem: 'The payment currency is not accepted', field: 'currency' }
  if (!isAmount(amount)) return { problem: 'The payment amount must be a positive number', field: 'amount' }
  const minor = minorOrNull(amount, currency)
  if (minor === null || minor <= 0 || !Number.isSafeInteger(minor) || (LAST_DIGIT_ZERO.has(currency) && minor % 10 !== 0)) {
    const digits = Math.min(minorDigits(currency), 2)
    return { problem: `The payment amount is not valid: ${currency} has ${digits} decimals`, field: 'amount' }
  }
  if (minor < (LEAST[currency] ?? 1)) return { problem: 'The payment amount is too small', field: 'amount' }
  return { minor }
}

function minorOrNull(amount: string, currency: string): number | null {
  try {
    return toMinor(amount, currency)
  } catch {
    return null
  }
}
