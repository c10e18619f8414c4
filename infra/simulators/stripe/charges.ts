/** What a card does with an attempt to pay: a hold, a decline, a demand for authentication, later perhaps a dispute. */
import { missingResource, StripeApiError } from './error.ts'
import type { Charge, Dispute, PaymentIntent, PaymentMethod } from './resources.ts'
import { cardNamed, type Decline, type TestCard } from './test-cards.ts'
import type { World } from './world.ts'

/** How long a card holds an uncaptured amount. */
export const HOLD_SECONDS = 7 * 24 * 60 * 60

const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

const authenticationFailed: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
}

/** A published id (`pm_card_visa`) in test mode, else what hosted fields made. */
const methodOf = (world: World, id: string): { method: Omit<PaymentMethod, 'created' | 'livemode' | 'card_name'>; card: TestCard } => {
  const made = world.documents.find<PaymentMethod>('payment_method', id)
  const name = made?.card_name ?? (world.livemode ? undefined : /^pm_card_(.+)$/.exec(id)?.[1])
  const card = name === undefined ? undefined : cardNamed(name)
  if (!card) throw missingResource('PaymentMethod', id, 'payment_method')
  const { brand, last4 } = made?.card ?? card
  return { method: { id: made?.id ?? world.newId('pm'), object: 'payment_method', type: 'card', card: { brand, last4 } }, card }
}

/** Tries a card. @throws StripeApiError 402 when it declines, or must authenticate where no browser could show that. */
export const attemptPayment = (world: World, intent: PaymentIntent, methodId: string, canAsk: boolean): void => {
  const { method, card } = methodOf(world, methodId)
  if (!card.authentication) {
    chargeCard(world, intent, method, card)
    return
  }
  if (!canAsk) throw failPayment(world, intent, method, authenticationRequired)
  Object.assign(intent, {
    status: 'requires_action',
    payment_method: method.id,
    last_payment_error: null,
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } },
  } satisfies Partial<PaymentIntent>)
  world.documents.replace('payment_intent', intent.id, intent)
  world.emit('payment_intent.requires_action', intent)
}

/** The cardholder has authenticated, or failed to. */
export const answerChallenge = (world: World, intent: PaymentIntent, agreed: boolean): void => {
  const { method, card } = methodOf(world, intent.payment_method ?? '')
  intent.next_action = null
  if (agreed) chargeCard(world, intent, method, card)
  else failPayment(world, intent, method, authenticationFailed)
}

const chargeCard = (world: World, intent: PaymentIntent, method: Pick<PaymentMethod, 'id' | 'card'>, { decline }: TestCard): void => {
  const charge = recordCharge(world, intent, method, decline)
  if (decline) throw failPayment(world, intent, method, decline, charge)
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
  const dispute: Dispute = {
    id: world.newId('dp'),
    object: 'dispute',
    amount: charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    livemode: world.livemode,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  world.documents.insert('dispute', dispute.id, dispute, { parent: charge.payment_intent })
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

const recordCharge = (world: World, intent: PaymentIntent, { id, card }: Pick<PaymentMethod, 'id' | 'card'>, decline?: Decline): Charge => {
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
    livemode: world.livemode,
    payment_intent: intent.id,
    payment_method: id,
    payment_method_details: { type: 'card', card: { ...card, ...(decline ? {} : { capture_before: created + HOLD_SECONDS }) } },
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  }
  world.documents.insert('charge', charge.id, charge, { parent: intent.id })
  intent.latest_charge = charge.id
  return charge
}
