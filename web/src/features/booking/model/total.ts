/** What is shown is what is charged: one total for the summary, the button and the call. */
import type { Money } from '@passerelle/contracts/http/common'
import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { addAmounts, compareAmounts, totalWithSeats } from '@passerelle/contracts/rules/money'
import { seatPricesBySlice } from './seats.ts'

type PriceLine = { label: string; amount: string }
/** `lines` is empty when they would not add up to the total. */
export type PriceSheet = { total: Money; lines: PriceLine[] }

/** `agreed` is a total that the server has told since the offer was read; it wins. */
export function priceSheet(offer: Pick<FlightOffer, 'price' | 'slices'>, choices: readonly SeatChoice[], agreed: Money | null): PriceSheet {
  const bySlice = seatPricesBySlice(offer, choices)
  const computed = totalWithSeats(offer.price, bySlice.flat())
  const total = agreed ?? computed
  if (total.currency !== computed.currency || compareAmounts(total.amount, computed.amount) !== 0) return { total, lines: [] }
  const seats = bySlice.flatMap((prices, index) => {
    if (prices.length === 0) return []
    const label = bySlice.length === 1 ? 'Seats' : `Seats, ${sliceName(index, bySlice.length).toLowerCase()}`
    return [{ label, amount: addAmounts(...prices.map((price) => price.amount)) }]
  })
  return {
    total,
    lines: [{ label: 'Base fare', amount: offer.price.base }, { label: 'Taxes and fees', amount: offer.price.tax }, ...seats],
  }
}

export function sliceName(index: number, count: number): string {
  if (count > 2) return `Flight ${index + 1}`
  return index === 0 ? 'Outbound' : 'Return'
}
