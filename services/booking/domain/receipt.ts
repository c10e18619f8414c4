/** What a receipt says of a booking that was paid. */
import type { Receipt } from '@passerelle/contracts/http/receipt'
import { addAmounts, compareAmounts, fromMinor, subtractAmounts } from '@passerelle/contracts/rules/money'
import type { BookingRecord } from './booking.ts'

const DIGITS = 6

/** Everything but the seller. */
export function receiptOf(booking: BookingRecord, number: number, paidAt: Date): Omit<Receipt, 'seller'> {
  const { firstName, lastName } = booking.contact
  return {
    number: receiptNumber(number, booking.mode),
    paidAt: paidAt.toISOString(),
    paidBy: `${firstName} ${lastName}`.trim() || null,
    lines: receiptLines(booking),
  }
}

/** "000042"; "TEST-000042" in test mode, where nobody was charged. */
function receiptNumber(number: number, mode: BookingRecord['mode']): string {
  const text = String(number).padStart(DIGITS, '0')
  return mode === 'live' ? text : `TEST-${text}`
}

/**
 * What the charge is made of, as the customer was shown it before paying; together they are the charge to the cent. Flights are one line
 * in bookings of before their price was kept, and where seats were priced anew after the offer.
 */
export function receiptLines({ offer, seats, charge }: Pick<BookingRecord, 'offer' | 'seats' | 'charge'>): Receipt['lines'] {
  const total = fromMinor(charge.minor, charge.currency)
  const ofSeats = addAmounts('0', ...seats.map(({ price }) => price.amount))
  const ofFlights = subtractAmounts(total, ofSeats)
  const { price } = offer
  const known = price && price.currency === charge.currency && compareAmounts(price.total, ofFlights) === 0
  return [
    ...(known
      ? [{ item: 'base' as const, amount: price.base }, ...(isNothing(price.tax) ? [] : [{ item: 'tax' as const, amount: price.tax }])]
      : [{ item: 'flights' as const, amount: ofFlights }]),
    ...(isNothing(ofSeats) ? [] : [{ item: 'seats' as const, amount: ofSeats }]),
  ]
}

const isNothing = (amount: string) => compareAmounts(amount, '0') === 0
