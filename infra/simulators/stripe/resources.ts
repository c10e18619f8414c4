/** The objects that the API answers, with the fields that are simulated; times are Unix seconds, amounts smallest units. */

export type IntentStatus = 'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'

export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  allowed_payment_method_types: string[]
  amount: number
  amount_capturable: number
  amount_received: number
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: 'manual'
  client_secret: string
  created: number
  currency: string
  last_payment_error: Record<string, unknown> | null
  latest_charge: string | null
  livemode: boolean
  metadata: Record<string, string>
  /** While the cardholder has to authenticate. */
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } } | null
  payment_method: string | null
  status: IntentStatus
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  captured: boolean
  created: number
  currency: string
  disputed: boolean
  failure_code: string | null
  livemode: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: { brand: string; last4: string; capture_before?: number } }
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  charge: string
  created: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  status: 'succeeded'
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  charge: string
  created: number
  currency: string
  livemode: boolean
  payment_intent: string
  reason: string
  status: 'needs_response' | 'won' | 'lost'
}

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: unknown }
  livemode: boolean
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** What hosted fields made of a card. `card_name`: not part of the API, the row of the test cards. */
export type PaymentMethod = {
  id: string
  object: 'payment_method'
  type: 'card'
  card: { brand: string; last4: string }
  created: number
  livemode: boolean
  card_name: string
}

/** Not part of the API: one line of the ledger for each capture. */
export type Capture = { id: string; payment_intent: string; amount: number; currency: string; created: number }
