/** What a card does with an attempt to pay: a hold, a decline, a demand for authentication, later perhaps a dispute. */
import { missingResource, StripeApiError } from './error.ts'
import type { Charge, PaymentIntent } from './resources.ts'
import { type Decline, type TestCard, testCardOf } from './test-cards.ts'
import type { World } from './world.ts'

/** How long a card holds an uncaptured amount. */
export const HOLD_SECONDS = 7 * 24 * 60 * 60

const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Tries the card that a published id (`pm_card_visa`) stands for. @throws StripeApiError 402 when the card declines. */
export const attemptPayment = (world: World, intent: PaymentIntent, methodId: string): void => {
  const card = testCardOf(methodId)
  if (!card) throw missingResource('PaymentMethod', methodId, 'payment_method')
  const method = {
    id: world.newId('pm'),
    object: 'payment_method',
    type: 'card',
    card: { brand: card.brand, last4: card.last4 },
  }
  if (card.authentication) throw failPayment(world, intent, method, authenticationRequired)
  const charge = recordCharge(world, intent, method.id, card)
  if (card.decline) throw failPayment(world, intent, method, card.decline, charge)
  Object.assign(intent, {
    status: 'requires_capture',
    payment_method: method.id,
    last_payment_error: null,
    amount_capturable: intent.amount,
  } satisfies Partial<PaymentIntent>)
  world.documents.replace('payment_intent', intent.id, intent, { due: charge.created + HOLD_SECONDS })
  world.emit('payment_intent.amount_capturable_updated', intent)
}

export const openDispute = (world: World, charge: Charge): void => {
  charge.disputed = true
  world.documents.replace('charge', charge.id, charge)
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
  world.documents.insert('dispute', dispute.id, dispute)
  world.emit('charge.dispute.created', dispute)
}

const failPayment = (world: World, intent: PaymentIntent, method: unknown, decline: Decline, charge?: Charge): StripeApiError => {
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
  intent.last_payment_error = { ...error.body }
  world.documents.replace('payment_intent', intent.id, intent)
  world.emit('payment_intent.payment_failed', intent)
  error.body.payment_intent = { ...intent }
  return error
}

const recordCharge = (world: World, intent: PaymentIntent, methodId: string, { brand, last4, decline }: TestCard): Charge => {
  const created = world.now()
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
    livemode: false,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: { type: 'card', card: { brand, last4, ...(decline ? {} : { capture_before: created + HOLD_SECONDS }) } },
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  }
  world.documents.insert('charge', charge.id, charge, { parent: intent.id })
  intent.latest_charge = charge.id
  return charge
}
