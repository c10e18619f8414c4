/** Amounts of the supplier as this product writes them, and what a customer pays for them. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { compareAmounts, customerPrice, isAmount, minorDigits, subtractAmounts } from '@passerelle/contracts/rules/money'

/** "118.7" EUR -> "118.70", 40 -> "40.00"; more decimals than the currency has are kept. Null when it is no amount. */
export function readAmount(value: unknown, currency: string): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (!isAmount(text)) return null
  const [whole = '0', fraction = ''] = text.split('.')
  const digits = minorDigits(currency)
  const padded = fraction.padEnd(digits, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

export function readCurrency(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : null
}

type Amounts = Pick<FlightOffer, 'total_amount' | 'total_currency' | 'base_amount' | 'base_currency' | 'tax_amount' | 'tax_currency'>

/** The customer's price. A base that cannot be part of the total (other currency, larger) is replaced by what is left of it. */
export function priceOf(amounts: Amounts, markupPercent: number): FlightOffer['price'] {
  const { total_amount, total_currency } = amounts
  return customerPrice({ total_amount, base_amount: baseWithin(amounts), total_currency }, markupPercent)
}

function baseWithin({ total_amount, total_currency, base_amount, base_currency, tax_amount, tax_currency }: Amounts): string {
  if (base_currency === total_currency && compareAmounts(base_amount, total_amount) <= 0) return base_amount
  const taxFits = tax_currency === total_currency && compareAmounts(tax_amount, total_amount) <= 0
  return taxFits ? subtractAmounts(total_amount, tax_amount) : total_amount
}
