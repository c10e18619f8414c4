/** For tests of the saga: how the airline, the payment service and the search treat each booking. */
import type { SupplierRefund } from './domain/cancellation.ts'

/** How one booking is treated. Lists are used up in turn; their last entry stays. */
export type Conditions = {
  /** `lost`: made, but nobody hears of it. `late`: made, and to be found a minute later. `never`: accepted, and nothing comes of it. */
  order: ('made' | 'lost' | 'late' | 'never' | 'refused' | 'gone' | 'offer-used' | 'repriced' | 'seat-taken')[]
  cancel: ('cancelled' | 'refused' | 'worse' | 'away')[]
  /** What the airline says that it gives back. */
  refund: Partial<SupplierRefund>
  /** `away` answers nothing; `expired`: the bank has ended the hold. `other-amount`: captured, but not the amount of the booking. */
  capture: ('captured' | 'away' | 'expired' | 'other-amount')[]
  price: 'same' | 'other' | 'gone' | 'seat-taken'
}

const usual: Conditions = { order: ['made'], cancel: ['cancelled'], refund: {}, capture: ['captured'], price: 'same' }

/** By booking id; bookings that were made through the routes share one entry. */
export function openConditions() {
  const conditions = new Map<string, Conditions>()
  const complete = (about: Partial<Conditions>): Conditions => ({ ...structuredClone(usual), ...structuredClone(about) })
  return {
    of: (id: string): Conditions => conditions.get(id) ?? conditions.get('anybody') ?? usual,
    set: (id: string, about: Partial<Conditions>) => void conditions.set(id, complete(about)),
    setForAll: (about: Partial<Conditions>) => void conditions.set('anybody', complete(about)),
  }
}

export const next = <T>(list: T[]): T => (list.length > 1 ? list.shift() : list[0]) as T
