/** The words of the partner page. */

export const PROMOTIONS = [
  ['promotion.summer', 'Summer, 25% off', 'Summer fares with 25% off. Name your dates and we look.'],
  ['promotion.business', 'Business class upgrade', 'Flying far? Ask what the step up to business costs on your flight.'],
  ['promotion.weekend', 'Weekend flash sale', 'Short-notice fares for the weekend. Call to hear today’s.'],
] as const

export const AIRLINES = [
  ['DL', 'Delta'],
  ['UA', 'United'],
  ['AA', 'American'],
  ['WN', 'Southwest'],
  ['AC', 'Air Canada'],
  ['B6', 'JetBlue'],
] as const

export const REASONS = [
  ['A person answers', 'You talk to a travel expert, from the first question to the booking.'],
  ['One total price', 'Taxes and our fee are in the figure from the start, for everyone travelling.'],
  ['Best-price guarantee', 'Show us the same flight for less and we match the price.'],
  ['Secure payment', 'Encrypted from your screen to the bank. Card numbers are never stored.'],
  ['Every fare rule, up front', 'Refundable or not, changeable or not: you know it before you pay.'],
  ['Help when plans change', 'Names, dates, cancellations: we settle it with the airline for you.'],
] as const
