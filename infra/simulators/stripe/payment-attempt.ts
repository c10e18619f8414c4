/** One attempt to take a payment: what the card does, and what becomes of the intent. */
import { StripeApiError } from './error.ts'
import { cardBehind } from './payment-methods.ts'
import type { Charge, PaymentIntent, PaymentMethod } from './resources.ts'
import type { Decline, TestCard } from './test-cards.ts'
import type { World } from './world.ts'

/** How long a card holds an uncaptured amount. */
export const HOLD_SECONDS = 7 * 24 * 60 * 60

export type AttemptOptions = {
  /** A card that asks for authentication is a failure instead of a next action. */
  failOnAction: boolean
  returnUrl?: string
}

const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Changes and stores the intent. @throws StripeApiError 402 when the card declines. */
export const attemptPayment = (world: World, intent: PaymentIntent, method: PaymentMethod, options: AttemptOptions): void => {
  const card = cardBehind(world, method)
  intent.payment_method = method.id
  intent.last_payment_error = null
  intent.next_action = null
  if (card.decline) {
    const charge = recordCharge(world, intent, method, card.decline)
    throw failPayment(world, intent, method, card.decline, charge)
  }
  if (!card.authentication) {
    completePayment(world, intent, method)
    return
  }
  if (options.failOnAction) throw failPayment(world, intent, method, authenticationRequired)
  intent.status = 'requires_action'
  intent.next_action = options.returnUrl
    ? {
        type: 'redirect_to_url',
        redirect_to_url: { return_url: options.returnUrl, url: `${world.baseUrl()}/_auth/${intent.id}` },
      }
    : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: `${world.baseUrl()}/_auth/${intent.id}` } }
  world.store.replace('payment_intent', intent)
}

/** The cardholder has authenticated (or failed to), or did not need to. */
export const completePayment = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  const charge = recordCharge(world, intent, method)
  intent.next_action = null
  if (intent.capture_method === 'manual') {
    intent.status = 'requires_capture'
    intent.amount_capturable = intent.amount
    world.store.hold(intent.id, charge.created + HOLD_SECONDS)
    world.store.replace('payment_intent', intent)
    world.emit('payment_intent.amount_capturable_updated', intent)
    return
  }
  takeMoney(world, intent, charge, intent.amount)
}

export const failAuthentication = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  failPayment(world, intent, method, {
    code: 'payment_intent_authentication_failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  })
}

/** Moves `amount` of the authorised sum; the rest, if any, is released. */
export const takeMoney = (world: World, intent: PaymentIntent, charge: Charge, amount: number): void => {
  charge.captured = true
  charge.amount_captured = amount
  intent.status = 'succeeded'
  intent.amount_capturable = 0
  intent.amount_received = amount
  world.store.release(intent.id)
  world.store.replace('charge', charge)
  world.store.replace('payment_intent', intent)
  world.store.insert(
    'capture',
    { id: world.newId('cap'), payment_intent: intent.id, amount, currency: intent.currency, created: world.now() },
    intent.id,
  )
  world.emit('payment_intent.succeeded', intent)
  const method = world.store.find('payment_method', charge.payment_method)
  if (method && cardBehind(world, method).dispute) openDispute(world, charge)
}

export const openDispute = (world: World, charge: Charge): void => {
  charge.disputed = true
  world.store.replace('charge', charge)
  const dispute = {
    id: world.newId('dp'),
    object: 'dispute',
    amount: charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    livemode: false,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  } as const
  world.store.insert('dispute', dispute, charge.payment_intent)
  world.emit('charge.dispute.created', dispute)
}

const failPayment = (world: World, intent: PaymentIntent, method: PaymentMethod, decline: Decline, charge?: Charge): StripeApiError => {
  const error = new StripeApiError(402, {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
    message: decline.message,
    param: decline.param ?? '',
    ...(charge ? { charge: charge.id } : {}),
    payment_method: method,
  })
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.next_action = null
  intent.last_payment_error = { ...error.body }
  world.store.replace('payment_intent', intent)
  world.emit('payment_intent.payment_failed', intent)
  error.body.payment_intent = { ...intent }
  return error
}

const recordCharge = (world: World, intent: PaymentIntent, method: PaymentMethod, decline?: Decline): Charge => {
  const created = world.now()
  const card: TestCard = cardBehind(world, method)
  const holds = !decline && intent.capture_method === 'manual'
  const charge: Charge = {
    id: world.newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    captured: false,
    created,
    currency: intent.currency,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: { ...intent.metadata },
    outcome: decline
      ? {
          network_status: 'declined_by_network',
          reason: decline.declineCode ?? decline.code,
          type: 'issuer_declined',
          seller_message: 'The bank declined the payment.',
        }
      : { network_status: 'approved_by_network', reason: null, type: 'authorized', seller_message: 'Payment complete.' },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: { brand: card.brand, last4: card.last4, ...(holds ? { capture_before: created + HOLD_SECONDS } : {}) },
    },
    receipt_email: intent.receipt_email,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  }
  world.store.insert('charge', charge, intent.id)
  intent.latest_charge = charge.id
  return charge
}
