/** The words of the home page. */

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

/** A fare as an example, in US dollars; the lines add up. */
export const EXAMPLE_FARE = { base: '$1,412', tax: '$572', total: '$1,984' } as const
