/** The words of the home page. */
import { addAmounts, DEFAULT_CURRENCY, formatMoney, isAmount } from '@passerelle/contracts/rules/money'

export const TRUST = ['Secure card payment', '24/7 support', 'Best prices, matched if you find lower'] as const

export const REASONS = [
  ['Best-price guarantee', 'Show us the same flight for less and we match the price.'],
  ['Secure payment', 'Encrypted from your screen to the bank. Card numbers are never stored.'],
  ['24/7 support', 'A call reaches a person, before, during and after the flight.'],
  ['Every fare rule, up front', 'Refundable or not, changeable or not: you read it before you pay.'],
  ['No account needed', 'Book as a guest. We open an account for you only so that you can find your trip.'],
  ['Cancel without a call', 'See the refund first, then decide, from your own trips page.'],
] as const

export const SERVICES = [
  ['Booking assistance', 'Several cities, groups, infants, odd dates: we find the fare and hold it.'],
  ['Customer support', 'Names, seats, bags and documents, sorted with the airline for you.'],
  ['Cancellation support', 'We ask for the refund, follow it up and tell you when it lands.'],
  ['Rewards and disputes', 'Miles credited late, or a claim after a delay: we write the letters.'],
] as const

/** A fare as an example; the lines add up. */
export type ExampleFare = { route: string; airline: string; code: string; base: string; taxes: string; total: string }

const EXAMPLE = { route: 'Paris to New York', airline: 'Air France', code: 'AF', base: '1412', taxes: '572' }

/** The example in the brand's currency, and of the brand's own flight where its texts name one in full. */
export function exampleFare(texts: Readonly<Record<string, string>>): ExampleFare {
  const own = {
    route: texts['home.fareRoute'] ?? '',
    airline: texts['home.fareAirline'] ?? '',
    code: texts['home.fareAirlineCode'] ?? '',
    base: texts['home.fareBase'] ?? '',
    taxes: texts['home.fareTaxes'] ?? '',
  }
  const whole = own.route && own.airline && isAmount(own.base) && isAmount(own.taxes)
  const { base, taxes, ...flight } = whole ? own : EXAMPLE
  const currency = /^[A-Z]{3}$/.test(texts['home.currency'] ?? '') ? texts['home.currency'] : DEFAULT_CURRENCY
  return {
    ...flight,
    base: formatMoney(base, currency),
    taxes: formatMoney(taxes, currency),
    total: formatMoney(addAmounts(base, taxes), currency),
  }
}
