/** The objects that the API answers, with the fields that are simulated; times are Unix seconds, amounts smallest units. */

export type Metadata = Record<string, string>

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export type PaymentMethod = {
  id: string
  object: 'payment_method'
  type: 'card'
  card: {
    brand: string
    last4: string
    exp_month: number
    exp_year: number
    funding: string
    country: string
    three_d_secure_usage: { supported: true }
  }
  billing_details: { address: null; email: string | null; name: string | null; phone: string | null }
  created: number
  customer: null
  livemode: false
  metadata: Metadata
}

export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  allowed_payment_method_types: string[] | null
  amount: number
  amount_capturable: number
  amount_received: number
  automatic_payment_methods: { enabled: boolean; allow_redirects: string } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: 'automatic' | 'automatic_async' | 'manual'
  client_secret: string
  confirmation_method: 'automatic' | 'manual'
  created: number
  currency: string
  customer: null
  description: string | null
  last_payment_error: Record<string, unknown> | null
  latest_charge: string | null
  livemode: false
  metadata: Metadata
  next_action: Record<string, unknown> | null
  payment_method: string | null
  payment_method_types: string[]
  processing: null
  receipt_email: string | null
  setup_future_usage: null
  shipping: null
  statement_descriptor: string | null
  statement_descriptor_suffix: string | null
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
  failure_message: string | null
  livemode: false
  metadata: Metadata
  outcome: { network_status: string; reason: string | null; type: string; seller_message: string }
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: { brand: string; last4: string; capture_before?: number } }
  receipt_email: string | null
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
  failure_reason?: string
  metadata: Metadata
  payment_intent: string
  reason: string | null
  status: 'pending' | 'succeeded' | 'failed'
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  charge: string
  created: number
  currency: string
  livemode: false
  payment_intent: string
  reason: string
  status: 'needs_response'
}

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: unknown }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** Not part of the API: one line of the truth ledger for each capture. */
export type Capture = { id: string; payment_intent: string; amount: number; currency: string; created: number }

export type Resources = {
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  payment_method: PaymentMethod
  dispute: Dispute
  event: StripeEvent
  capture: Capture
}
export type Kind = keyof Resources
