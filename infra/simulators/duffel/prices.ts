/** Prices are made in euro cents and written in minor units of the offer's currency. */
import { minorDigits } from '@passerelle/contracts/rules/money'

/** What one euro cent is worth in hundredths of a minor unit: fixed rates, so that prices stay the same. */
const rates: Record<string, number> = { EUR: 100, USD: 109, GBP: 85, JPY: 163 }

/** @returns minor units of `currency`, rounded to the nearest; whole numbers throughout. */
export const fromEuroCents = (cents: number, currency: string): number => Math.floor((cents * rates[currency]! * 2 + 100) / 200)

/** A price that is the same figure in every currency with cents (20.00 EUR, 20.00 GBP), and its worth in one without. */
export const nominalMinor = (cents: number, currency: string): number =>
  minorDigits(currency) === 2 ? cents : fromEuroCents(cents, currency)
