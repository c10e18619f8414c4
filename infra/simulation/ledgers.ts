/** The airline, the card provider and the mail server as records of what they really did. Ids are counted, so that runs can be compared. */

export type LedgerOrder = {
  id: string
  bookingId: string
  system: string
  offerId: string
  total: { amount: string; currency: string }
  createdAt: number
  /** From when on it can be found. */
  foundFrom: number
  cancelledAt: number | null
  refund: { amount: string; currency: string; to: string } | null
}
export type LedgerIntent = {
  id: string
  paymentId: string
  amountMinor: number
  currency: string
  status: 'requires_payment_method' | 'requires_capture' | 'succeeded' | 'canceled'
  declined: boolean
  createdAt: number
  captures: number[]
  refunds: { id: string; bookingId: string; amountMinor: number }[]
}
export type LedgerMail = { key: string; to: string; subject: string; at: number }

export class Ledgers {
  readonly orders: LedgerOrder[] = []
  readonly intents: LedgerIntent[] = []
  readonly mails: LedgerMail[] = []
  /** Broken the moment it happened. */
  readonly breaches: string[] = []
}
