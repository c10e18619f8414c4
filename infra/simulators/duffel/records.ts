/** What the simulator keeps of each thing. */
import type { PassengerType, Search } from './generator/search.ts'

export type OfferRequest = { id: string; nonce: string; createdAt: number; expiresAt: number; search: Search; orderId: string | null }

/** How an offer differs from what the search found. Absent fields: it does not. */
export type OfferChanges = { delta?: number; gone?: boolean; expiresAt?: number; readableWhenExpired?: boolean }

export type Order = {
  id: string
  offerId: string
  createdAt: number
  /** From when on the API shows it: a late order is there before it can be seen. */
  visibleAt: number
  cancelledAt: number | null
  /** What is not said on the wire. Amounts are minor units of `currency`. */
  facts: {
    currency: string
    total: number
    refundable: boolean
    /** null: known to the airline only. */
    penalty: number | null
    cancellable: boolean
    departsAt: number
    voidUntil: number | null
    route: string
    seats: { flight: string; designator: string }[]
  }
  /** What is said on the wire and does not change. */
  resource: {
    booking_reference: string
    total_amount: string
    total_currency: string
    passengers: {
      id: string
      type: PassengerType
      /** Absent in orders of before they were kept. */
      loyalty_programme_accounts?: { airline_iata_code: string; account_number: string }[]
    }[]
    services: unknown[]
    /** Absent in orders of before it was kept. */
    slices?: OrderSlice[]
    metadata: Record<string, string>
  }
}

export type OrderSegment = { id: string; departing_at: string; arriving_at: string; duration: string | null }
export type OrderSlice = { id: string; segments: OrderSegment[] }

/** A change of the schedule by the airline. */
export type AirlineChange = {
  id: string
  orderId: string
  createdAt: number
  actionTaken: 'accepted' | 'cancelled' | null
  actionTakenAt: number | null
  removed: OrderSlice[]
  added: OrderSlice[]
}

export type Cancellation = {
  id: string
  orderId: string
  createdAt: number
  expiresAt: number
  confirmedAt: number | null
  stale: boolean
  resource: Record<string, unknown>
}
