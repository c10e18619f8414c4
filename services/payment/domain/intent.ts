/** The provider's side of a payment, and what its state means for ours. */
import { declineReason } from './decline.ts'

/** The provider's payment intent, as far as it matters here. */
export type Intent = {
  id: string
  status: string
  /** What the last confirmation failed with. */
  error: { code: string | null; declineCode: string | null } | null
  /** Of the card, once it was charged. */
  cardSummary: { brand: string | null; last4: string | null } | null
  /** With it the visitor's browser shows the bank's question; only while the bank asks one. Never stored. */
  clientSecret: string | null
}

export type Outcome =
  /** The amount is held on the card. */
  | { kind: 'authorised'; cardSummary: Intent['cardSummary'] }
  | { kind: 'captured'; cardSummary: Intent['cardSummary'] }
  | { kind: 'declined'; reason: string }
  /** The bank asks its customer something first; nothing is held yet. */
  | { kind: 'action' }
  /** Cancelled: nothing is held and nothing ever will be. */
  | { kind: 'cancelled' }
  /** Nothing has happened yet, or it still may. */
  | { kind: 'open' }

export function outcomeOf(intent: Intent): Outcome {
  switch (intent.status) {
    case 'requires_capture':
      return { kind: 'authorised', cardSummary: intent.cardSummary }
    case 'succeeded':
      return { kind: 'captured', cardSummary: intent.cardSummary }
    case 'canceled':
      return { kind: 'cancelled' }
    case 'requires_action':
      return { kind: 'action' }
    case 'requires_payment_method':
      return intent.error ? { kind: 'declined', reason: declineReason(intent.error.code, intent.error.declineCode) } : { kind: 'open' }
    default:
      return { kind: 'open' }
  }
}
