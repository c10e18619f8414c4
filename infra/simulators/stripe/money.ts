/** Which currencies are taken and how much at least: https://docs.stripe.com/currencies. Amounts are integers in the smallest unit. */
import { invalidParameter } from './error.ts'

const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
/** Written with two decimals that must be zeros. */
const ZERO_DECIMAL_AS_TWO = ['isk', 'ugx']
/** Three decimals, of which the last must be zero. */
const THREE_DECIMAL = ['bhd', 'jod', 'kwd', 'omr', 'tnd']
const TWO_DECIMAL = (
  'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve czk dkk dop dzd egp ' +
  'etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop ' +
  'mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sek sgd shp sle sos srd std szl thb ' +
  'tjs top try ttd twd tzs uah usd uyu uzs wst xcd yer zar zmw'
).split(' ')
const CURRENCIES = new Set([...ZERO_DECIMAL, ...ZERO_DECIMAL_AS_TWO, ...THREE_DECIMAL, ...TWO_DECIMAL])

/** In the smallest unit; other currencies have a minimum by exchange rate, which is not simulated. */
// biome-ignore format: a table
const MINIMUM: Record<string, number> = {
  usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400, huf: 17500,
  inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000,
}
const MAXIMUM = 99_999_999
const WIDE_MAXIMUM: Record<string, number> = { idr: 999_999_999_999, cop: 9_999_999_999, huf: 9_999_999_999, inr: 999_999_999 }

export const checkCurrency = (currency: string): void => {
  if (!CURRENCIES.has(currency))
    throw invalidParameter(
      `Invalid currency: ${currency.slice(0, 20)}. Stripe currently supports these currencies: ${[...CURRENCIES].sort().join(', ')}`,
      'currency',
    )
}

export const checkAmount = (amount: number, currency: string, param = 'amount'): void => {
  if (amount < 1) throw invalidParameter('This value must be greater than or equal to 1.', param, 'parameter_invalid_integer')
  const least = MINIMUM[currency] ?? 1
  if (amount < least) throw invalidParameter(`Amount must be at least ${formatAmount(least, currency)}`, param, 'amount_too_small')
  const most = WIDE_MAXIMUM[currency] ?? MAXIMUM
  if (amount > most) throw invalidParameter(`Amount must be no more than ${formatAmount(most, currency)}`, param, 'amount_too_large')
  const step = ZERO_DECIMAL_AS_TWO.includes(currency) ? 100 : THREE_DECIMAL.includes(currency) ? 10 : 1
  if (amount % step !== 0)
    throw invalidParameter(`Invalid integer: amounts in ${currency} must be a multiple of ${step}.`, param, 'parameter_invalid_integer')
}

/** For messages: `12.34 eur`, `1200 jpy`, `1.230 kwd`. */
export const formatAmount = (amount: number, currency: string): string => {
  const decimals = ZERO_DECIMAL.includes(currency) ? 0 : THREE_DECIMAL.includes(currency) ? 3 : 2
  if (decimals === 0) return `${amount} ${currency}`
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)} ${currency}`
}
