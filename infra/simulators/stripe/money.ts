/** Which currencies are taken and how much at least: https://docs.stripe.com/currencies. Amounts are integers in the smallest unit. */
import { fromMinor, minorDigits } from '@passerelle/contracts/rules/money'
import { invalidParameter } from './error.ts'

/** Minimums that are published; other currencies have one by exchange rate, which is not simulated. */
// biome-ignore format: a table
const MINIMUM: Record<string, number> = {
  usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400, huf: 17500,
  inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000,
}
const MAXIMUM = 99_999_999
/** Written with two decimals that must be zeros. */
const ZERO_DECIMAL_AS_TWO = ['isk', 'ugx']
const KNOWN = new Set(Intl.supportedValuesOf('currency').map((currency) => currency.toLowerCase()))

const stepOf = (currency: string): number => {
  if (ZERO_DECIMAL_AS_TWO.includes(currency)) return 100
  return minorDigits(currency.toUpperCase()) === 3 ? 10 : 1
}

export const checkAmount = (amount: number, currency: string): void => {
  if (!KNOWN.has(currency)) throw invalidParameter(`Invalid currency: ${currency.slice(0, 20)}.`, 'currency')
  if (amount < 1) throw invalidParameter('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer')
  const least = MINIMUM[currency] ?? 1
  if (amount < least) throw invalidParameter(`Amount must be at least ${formatAmount(least, currency)}`, 'amount', 'amount_too_small')
  if (amount > MAXIMUM)
    throw invalidParameter(`Amount must be no more than ${formatAmount(MAXIMUM, currency)}`, 'amount', 'amount_too_large')
  const step = stepOf(currency)
  if (amount % step !== 0)
    throw invalidParameter(`Invalid integer: amounts in ${currency} must be a multiple of ${step}.`, 'amount', 'parameter_invalid_integer')
}

/** For messages: `12.34 eur`, `1200 jpy`. */
export const formatAmount = (amount: number, currency: string): string => `${fromMinor(amount, currency.toUpperCase())} ${currency}`
