/** Amounts are whole minor units inside the simulator and decimal strings on the wire. */

const exponents: Record<string, number> = { JPY: 0 }

/** What one euro cent is worth, as a fraction of whole numbers in minor units of the currency: fixed rates, so that prices stay the same. */
const ratesFromEuroCent: Record<string, [numerator: number, denominator: number]> = {
  EUR: [1, 1],
  USD: [109, 100],
  GBP: [85, 100],
  JPY: [163, 100],
}

export const currencies = Object.keys(ratesFromEuroCent)

const exponentOf = (currency: string): number => exponents[currency] ?? 2

/** @returns minor units of `currency`, rounded to the nearest; whole numbers throughout. */
export const fromEuroCents = (cents: number, currency: string): number => {
  const [numerator, denominator] = ratesFromEuroCent[currency] ?? [1, 1]
  return Math.floor((cents * numerator * 2 + denominator) / (denominator * 2))
}

/** Minor units to the wire form: `(22250, 'EUR')` is "222.50", `(31250, 'JPY')` is "31250". */
export const formatMinor = (minor: number, currency: string): string => {
  const exponent = exponentOf(currency)
  const sign = minor < 0 ? '-' : ''
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** The wire form to minor units; undefined when it is not a decimal or finer than the currency allows. "40", "118.7" and "40.00" are all read. */
export const parseMinor = (text: unknown, currency: string): number | undefined => {
  if (typeof text !== 'string') return undefined
  const parts = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text)
  if (!parts) return undefined
  const exponent = exponentOf(currency)
  const decimals = (parts[3] ?? '').replace(/0+$/, '')
  if (decimals.length > exponent) return undefined
  const minor = Number(`${parts[2]}${decimals.padEnd(exponent, '0')}`)
  return parts[1] === '-' ? -minor : minor
}

/** A price that is the same figure in every currency with cents (20.00 EUR, 20.00 GBP), and its worth in one without. */
export const nominalMinor = (cents: number, currency: string): number =>
  exponentOf(currency) === 2 ? cents : fromEuroCents(cents, currency)
