/** Payment intents: made, confirmed, captured once, cancelled, expired. */
import { invalidParameter, missingResource, refusedOperation, type StripeApiError } from './error.ts'
import { checkAmount, checkCurrency } from './money.ts'
import type { MetadataChange, Parameters } from './parameters.ts'
import { attemptPayment, takeMoney } from './payment-attempt.ts'
import type { cancelSpec, captureSpec, confirmSpec, createSpec, updateSpec } from './payment-intent-parameters.ts'
import { findPaymentMethod } from './payment-methods.ts'
import type { Charge, IntentStatus, Metadata, PaymentIntent } from './resources.ts'
import type { World } from './world.ts'

const BEFORE_PAYMENT: readonly IntentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']
const CANCELLABLE: readonly IntentStatus[] = ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action']

export const createIntent = (world: World, params: Parameters<typeof createSpec>): PaymentIntent => {
  checkCurrency(params.currency)
  checkAmount(params.amount, params.currency)
  checkEmail(params.receipt_email)
  checkTypes(params.allowed_payment_method_types)
  if (!params.confirm) refuseWithoutConfirm(params)
  if (params.confirm && params.payment_method === undefined) throw methodMissing()
  if (params.confirm && mayRedirect(params) && params.return_url === undefined) throw returnUrlMissing()
  const method = params.payment_method === undefined ? undefined : findPaymentMethod(world, params.payment_method, 'payment_method')
  const id = world.newId('pi')
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount: params.amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: params.allowed_payment_method_types
      ? null
      : {
          enabled: params.automatic_payment_methods?.enabled ?? true,
          allow_redirects: params.automatic_payment_methods?.allow_redirects ?? 'always',
        },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method ?? 'automatic',
    client_secret: `${id}_${world.newId('secret')}`,
    confirmation_method: 'automatic',
    created: world.now(),
    currency: params.currency,
    customer: null,
    description: params.description || null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: changed({}, params.metadata),
    next_action: null,
    payment_method: method?.id ?? null,
    payment_method_types: ['card'],
    processing: null,
    receipt_email: params.receipt_email ?? null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
  }
  world.store.insert('payment_intent', intent)
  if (params.confirm && method) attemptPayment(world, intent, method, attemptOptions(params))
  return intent
}

export const confirmIntent = (world: World, id: string, params: Parameters<typeof confirmSpec>): PaymentIntent => {
  const intent = findIntent(world, id)
  checkEmail(params.receipt_email)
  checkTypes(params.allowed_payment_method_types)
  if (intent.status === 'succeeded')
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    )
  if (!BEFORE_PAYMENT.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${BEFORE_PAYMENT.join(', ')}.`,
    )
  const wanted = params.payment_method ?? intent.payment_method
  if (wanted === null) throw unexpectedState(intent, methodMissing().message)
  const allowed = params.allowed_payment_method_types ?? intent.allowed_payment_method_types
  const redirects = !allowed && intent.automatic_payment_methods?.allow_redirects !== 'never'
  if (redirects && params.return_url === undefined) throw returnUrlMissing()
  const method = findPaymentMethod(world, wanted, 'payment_method')
  intent.capture_method = params.capture_method ?? intent.capture_method
  intent.receipt_email = params.receipt_email ?? intent.receipt_email
  intent.allowed_payment_method_types = allowed
  attemptPayment(world, intent, method, attemptOptions(params))
  return intent
}

export const updateIntent = (world: World, id: string, params: Parameters<typeof updateSpec>): PaymentIntent => {
  const intent = findIntent(world, id)
  checkEmail(params.receipt_email)
  const currency = params.currency ?? intent.currency
  if (params.currency !== undefined) checkCurrency(currency)
  if (params.amount !== undefined) checkAmount(params.amount, currency)
  const money = (['amount', 'currency', 'payment_method'] as const).find((name) => params[name] !== undefined)
  if (money && !BEFORE_PAYMENT.includes(intent.status))
    throw unexpectedState(
      intent,
      `This PaymentIntent's ${money} could not be updated because it has a status of ${intent.status}. You may only update the ${money} of a PaymentIntent with one of the following statuses: ${BEFORE_PAYMENT.join(', ')}.`,
    )
  intent.amount = params.amount ?? intent.amount
  intent.currency = currency
  if (params.payment_method !== undefined) {
    intent.payment_method = findPaymentMethod(world, params.payment_method, 'payment_method').id
    intent.status = 'requires_confirmation'
    intent.next_action = null
  }
  if (params.description !== undefined) intent.description = params.description || null
  intent.metadata = changed(intent.metadata, params.metadata)
  intent.receipt_email = params.receipt_email ?? intent.receipt_email
  world.store.replace('payment_intent', intent)
  return intent
}

export const captureIntent = (world: World, id: string, params: Parameters<typeof captureSpec>): PaymentIntent => {
  const intent = findIntent(world, id)
  if (intent.status !== 'requires_capture')
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    )
  if (params.final_capture === false) throw invalidParameter('Multiple captures are not enabled for this account.', 'final_capture')
  const amount = params.amount_to_capture ?? intent.amount_capturable
  if (amount > intent.amount_capturable)
    throw invalidParameter(
      'The provided amount_to_capture is greater than the amount_capturable of this PaymentIntent.',
      'amount_to_capture',
      'amount_too_large',
    )
  checkAmount(amount, intent.currency, 'amount_to_capture')
  intent.metadata = changed(intent.metadata, params.metadata)
  intent.statement_descriptor_suffix = params.statement_descriptor_suffix ?? intent.statement_descriptor_suffix
  takeMoney(world, intent, chargeOf(world, intent), amount)
  return intent
}

export const cancelIntent = (world: World, id: string, params: Parameters<typeof cancelSpec>): PaymentIntent => {
  const intent = findIntent(world, id)
  if (!CANCELLABLE.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELLABLE.join(', ')}.`,
    )
  return giveUp(world, intent, params.cancellation_reason ?? null)
}

/** Holds that the cards no longer keep: their intents are cancelled, as Stripe does after seven days. */
export const expireHolds = (world: World): void => {
  for (const id of world.store.holdsUntil(world.now())) expireHold(world, findIntent(world, id))
}

export const expireHold = (world: World, intent: PaymentIntent): PaymentIntent => giveUp(world, intent, 'expired')

export const findIntent = (world: World, id: string): PaymentIntent => {
  const intent = world.store.find('payment_intent', id)
  if (!intent) throw missingResource('payment_intent', id)
  return intent
}

export const chargeOf = (world: World, intent: PaymentIntent): Charge => {
  const charge = intent.latest_charge === null ? undefined : world.store.find('charge', intent.latest_charge)
  if (!charge) throw refusedOperation(`This PaymentIntent (${intent.id}) does not have a charge.`)
  return charge
}

const giveUp = (world: World, intent: PaymentIntent, reason: string | null): PaymentIntent => {
  intent.status = 'canceled'
  intent.canceled_at = world.now()
  intent.cancellation_reason = reason
  intent.amount_capturable = 0
  intent.next_action = null
  world.store.release(intent.id)
  world.store.replace('payment_intent', intent)
  world.emit('payment_intent.canceled', intent)
  return intent
}

/** Metadata is merged; a value given empty removes its key, everything given empty removes all. */
export const changed = (metadata: Metadata, change: MetadataChange | undefined): Metadata => {
  if (change === undefined) return metadata
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...metadata, ...change }).filter(([, value]) => value !== ''))
}

const attemptOptions = (params: Parameters<typeof confirmSpec>) => ({
  failOnAction: params.error_on_requires_action === true || params.off_session === true,
  ...(params.return_url === undefined ? {} : { returnUrl: params.return_url }),
})

const refuseWithoutConfirm = (params: Parameters<typeof createSpec>): void => {
  for (const name of ['error_on_requires_action', 'off_session', 'return_url'] as const) {
    if (params[name] !== undefined)
      throw invalidParameter(
        `The parameter \`${name}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
        name,
      )
  }
}

/** Without a list of types, methods that send the customer to another page may come into play. */
const mayRedirect = (params: Parameters<typeof createSpec>): boolean =>
  params.allowed_payment_method_types === undefined && params.automatic_payment_methods?.allow_redirects !== 'never'

const returnUrlMissing = () =>
  invalidParameter(
    'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
    'return_url',
  )

const methodMissing = () =>
  invalidParameter(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    'payment_method',
    'parameter_missing',
  )

const checkTypes = (types: string[] | undefined): void => {
  const other = types?.find((type) => type !== 'card')
  if (other !== undefined || types?.length === 0)
    throw invalidParameter(
      `Invalid allowed_payment_method_types: only card is activated here, not ${other}.`,
      'allowed_payment_method_types',
    )
}

const checkEmail = (email: string | undefined): void => {
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalidParameter(`Invalid email address: ${email}`, 'receipt_email', 'email_invalid')
}

const unexpectedState = (intent: PaymentIntent, message: string): StripeApiError =>
  refusedOperation(message, { code: 'payment_intent_unexpected_state', payment_intent: { ...intent } })
