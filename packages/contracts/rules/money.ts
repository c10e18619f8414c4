/**
 * Money without floats: decimal strings, minor units as integers, and the one function that turns a supplier's amount into the
 * customer's price. What it answers is displayed, charged, mailed and stored.
 */
import type { Money } from '../http/common.ts'
import type { CustomerPrice } from '../http/offer.ts'

export const DEFAULT_CURRENCY = 'USD'
export const DEFAULT_MARKUP_PERCENT = 23

const NO_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Digits after the point of a currency: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

type Decimal = { units: bigint; scale: number }

function parse(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`not a decimal amount: ${text}`)
  const [, sign, whole = '0', fraction = ''] = match
  const units = BigInt(whole + fraction)
  return { units: sign ? -units : units, scale: fraction.length }
}

const power = (exponent: number) => 10n ** BigInt(exponent)

function rescale(value: Decimal, scale: number): bigint {
  return value.units * power(scale - value.scale)
}

/** Half up, away from zero: 273.5 -> 274, 0.5 -> 1. */
function divideHalfUp(units: bigint, divisor: bigint): bigint {
  const half = units < 0n ? -divisor : divisor
  return (units * 2n + half) / (divisor * 2n)
}

function format(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A whole number of currency units as that currency is written: (274, EUR) -> "274.00". */
function whole(units: bigint, currency: string): string {
  const digits = minorDigits(currency)
  return format(units * power(digits), digits)
}

export function isAmount(text: unknown): text is string {
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text)
}

/** Exact sum, with as many decimals as the longest: ["118.7", "40"] -> "158.7". */
export function addAmounts(...amounts: string[]): string {
  const parsed = amounts.map(parse)
  const scale = Math.max(0, ...parsed.map((value) => value.scale))
  return format(
    parsed.reduce((sum, value) => sum + rescale(value, scale), 0n),
    scale,
  )
}

export function subtractAmounts(from: string, amount: string): string {
  return addAmounts(from, amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
}

/** -1, 0 or 1; "118.7" equals "118.70". */
export function compareAmounts(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)]
  const scale = Math.max(x.scale, y.scale)
  const difference = rescale(x, scale) - rescale(y, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Decimal string -> integer minor units of the currency: ("274.00", EUR) -> 27400, ("30123", JPY) -> 30123. Refuses a fraction of a minor unit. */
export function toMinor(amount: string, currency: string): number {
  const digits = minorDigits(currency)
  const value = parse(amount)
  if (value.scale <= digits) return Number(rescale(value, digits))
  const divisor = power(value.scale - digits)
  if (value.units % divisor !== 0n) throw new RangeError(`${amount} ${currency} has a fraction of a minor unit`)
  return Number(value.units / divisor)
}

/** Integer minor units -> decimal string: (27400, EUR) -> "274.00". */
export function fromMinor(minor: number, currency: string): string {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not minor units: ${minor}`)
  return format(BigInt(minor), minorDigits(currency))
}

/** Supplier amount plus the markup, rounded half up to a whole currency unit. */
export function withMarkup(amount: string, currency: string, markupPercent: number): string {
  const value = parse(amount)
  const markup = parse(String(markupPercent))
  const factor = power(markup.scale) * 100n + markup.units
  return whole(divideHalfUp(value.units * factor, power(value.scale + markup.scale) * 100n), currency)
}

/**
 * The customer's price of an offer. The total is rounded, the base is rounded, the tax is what is left, so the lines add up.
 * A negative tax by rounding is impossible: base <= total at the supplier.
 */
export function customerPrice(
  supplier: { total_amount: string; base_amount: string; total_currency: string },
  markupPercent: number = DEFAULT_MARKUP_PERCENT,
): CustomerPrice {
  const currency = supplier.total_currency
  const total = withMarkup(supplier.total_amount, currency, markupPercent)
  const base = withMarkup(supplier.base_amount, currency, markupPercent)
  return { total, base, tax: subtractAmounts(total, base), currency, markupPercent }
}

/** Offer total plus each seat, each rounded on its own. */
export function totalWithSeats(price: Pick<CustomerPrice, 'total' | 'currency'>, seats: readonly Money[]): Money {
  return { amount: addAmounts(price.total, ...seats.map((seat) => seat.amount)), currency: price.currency }
}

const formats = new Map<string, Intl.NumberFormat>()

/** en-US, own symbol, no decimals: ("274.00", EUR) -> "€274". Invalid: the code, then "N/A". */
export function formatMoney(amount: string | null | undefined, currency: string | null | undefined): string {
  const code = currency || DEFAULT_CURRENCY
  const text = amount ?? '0'
  if (!/^-?\d+(\.\d+)?$/.test(text)) return `${code} N/A`
  let format = formats.get(code)
  if (!format) {
    try {
      format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, minimumFractionDigits: 0, maximumFractionDigits: 0 })
    } catch {
      return `${code} N/A`
    }
    formats.set(code, format)
  }
  const { units, scale } = parse(text)
  return format.format(divideHalfUp(units, power(scale)))
}

/** Like formatMoney, but a refund with cents shows them: ("182.50", EUR) -> "€182.50", ("274.00", EUR) -> "€274". */
export function formatExactMoney(amount: string, currency: string): string {
  const { units, scale } = parse(amount)
  if (units % power(scale) === 0n) return formatMoney(amount, currency)
  const digits = minorDigits(currency)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(amount))
}
