/** What a receipt says beside its lines. */
import type { Booking } from '@passerelle/contracts/http/booking'
import type { Receipt } from '@passerelle/contracts/http/receipt'
import { compareAmounts, subtractAmounts } from '@passerelle/contracts/rules/money'
import { flightNumber } from '../../lib/flight.ts'
import { countNoun } from '../../lib/format/people.ts'

export type ReceiptPage = Receipt & { booking: Booking }

/** "Base fare, 3 passengers", "Seats 24A, 24B on AF 006". */
export function lineName(item: Receipt['lines'][number]['item'], { bookingData }: Booking): string {
  if (item === 'tax') return 'Taxes and fees'
  if (item === 'seats') return `Seats ${seatsByFlight(bookingData).join(', ')}`
  const passengers = countNoun(bookingData.passengers.length, 'passenger')
  return item === 'base' ? `Base fare, ${passengers}` : `Flights, taxes included, ${passengers}`
}

function seatsByFlight({ slices, seats }: Booking['bookingData']): string[] {
  return slices
    .flatMap(({ segments }) => segments)
    .flatMap((segment) => {
      const chosen = seats.filter(({ segmentId }) => segmentId === segment.id).map(({ seatId }) => seatId)
      return chosen.length > 0 ? [`${chosen.join(', ')} on ${flightNumber(segment)}`] : []
    })
}

/** What went back to the card, or is on its way there, and what stays paid; null when nothing does. */
export function refundOf({ refund, charged }: Pick<Booking, 'refund' | 'charged'>) {
  if (!refund || compareAmounts(refund.amount, '0') === 0) return null
  const left = subtractAmounts(charged.amount, refund.amount)
  return { amount: refund.amount, refundedAt: refund.refundedAt, left, whole: compareAmounts(left, '0') === 0 }
}

export function stateOf(booking: Pick<Booking, 'refund' | 'charged'>): 'Paid' | 'Refund on its way' | 'Refunded' | 'Partly refunded' {
  const refund = refundOf(booking)
  if (!refund) return 'Paid'
  if (!refund.refundedAt) return 'Refund on its way'
  return refund.whole ? 'Refunded' : 'Partly refunded'
}
