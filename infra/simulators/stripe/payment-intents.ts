/** Payment intents: made, confirmed with an own call, captured once and whole, cancelled, expired. */
import { z } from 'zod'
import { attemptPayment } from './charges.ts'
import { invalidParameter, missingResource, refusedOperation, type StripeApiError } from './error.ts'
import { checkAmount } from './money.ts'
import { integer, metadata, text } from './parameters.ts'
import type { Capture, Charge, IntentStatus, PaymentIntent } from './resources.ts'
import type { World } from './world.ts'

const CANCELLABLE: readonly IntentStatus[] = ['requires_payment_method', 'requires_action', 'requires_capture']

const expand = z.tuple([z.literal('latest_charge')]).optional()
export const retrieveSchema = z.strictObject({ expand })
export const createSchema = z.strictObject({
  amount: integer,
  currency: text,
  capture_method: z.literal('manual'),
  allowed_payment_method_types: z.tuple([z.literal('card')]),
  metadata,
})
/** Without a browser step, or with one. */
export const confirmSchema = z
  .strictObject({
    payment_method: text,
    error_on_requires_action: z.literal('true').optional(),
    use_stripe_sdk: z.literal('true').optional(),
    expand,
  })
  .refine((asked) => Boolean(asked.error_on_requires_action) !== Boolean(asked.use_stripe_sdk), {
    path: ['error_on_requires_action'],
    message: 'one of error_on_requires_action and use_stripe_sdk is simulated',
  })
export const noParameters = z.strictObject({})

export const createIntent = (world: World, { amount, currency, metadata }: z.output<typeof createSchema>): PaymentIntent => {
  checkAmount(amount, currency)
  const id = world.newId('pi')
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'manual',
    client_secret: `${id}_${world.newId('secret')}`,
    created: world.now(),
    currency,
    last_payment_error: null,
    latest_charge: null,
    livemode: world.livemode,
    metadata,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  world.documents.insert('payment_intent', intent.id, intent)
  return intent
}

export const confirmIntent = (world: World, id: string, params: z.output<typeof confirmSchema>): unknown => {
  const intent = findIntent(world, id)
  if (intent.status !== 'requires_payment_method') throw unexpectedState(intent, 'confirmed', ['requires_payment_method'])
  attemptPayment(world, intent, params.payment_method, params.use_stripe_sdk !== undefined)
  return expanded(world, intent, params)
}

export const retrieveIntent = (world: World, id: string, params: z.output<typeof retrieveSchema>): unknown =>
  expanded(world, findIntent(world, id), params)

const seconds = integer.pipe(z.number().int())
export const listSchema = z.strictObject({
  created: z.strictObject({ gte: seconds, lt: seconds }),
  limit: z.literal('100'),
  starting_after: text.optional(),
  expand: z.tuple([z.literal('data.latest_charge')]),
})

/** Newest first; `starting_after` names the last one of the page before. */
export const listIntents = (world: World, { created, starting_after, ...params }: z.output<typeof listSchema>) => {
  const older = { newestFirst: true, ...(starting_after && { before: starting_after }) }
  const all = world.documents.list<PaymentIntent>('payment_intent', older)
  const made = all.filter((intent) => intent.created >= created.gte && intent.created < created.lt)
  return {
    object: 'list',
    url: '/v1/payment_intents',
    has_more: made.length > 100,
    data: made.slice(0, 100).map((intent) => expanded(world, intent, params)),
  }
}

export const captureIntent = (world: World, id: string): PaymentIntent => {
  const intent = findIntent(world, id)
  if (intent.status !== 'requires_capture') throw unexpectedState(intent, 'captured', ['requires_capture'])
  const { amount, currency } = intent
  const charge = chargeOf(world, intent)
  world.documents.replace('charge', charge.id, { ...charge, captured: true, amount_captured: amount } satisfies Charge)
  const captured: PaymentIntent = { ...intent, status: 'succeeded', amount_capturable: 0, amount_received: amount }
  world.documents.replace('payment_intent', id, captured, { due: null })
  const capture: Capture = { id: world.newId('cap'), payment_intent: id, amount, currency, created: world.now() }
  world.documents.insert('capture', capture.id, capture)
  world.emit('payment_intent.succeeded', captured)
  return captured
}

export const cancelIntent = (world: World, id: string): PaymentIntent => {
  const intent = findIntent(world, id)
  if (!CANCELLABLE.includes(intent.status)) throw unexpectedState(intent, 'canceled', CANCELLABLE)
  return giveUp(world, intent, null)
}

/** Holds that the cards no longer keep: their intents are cancelled, as Stripe does after seven days. */
export const expireHolds = (world: World): void => {
  for (const intent of world.documents.list<PaymentIntent>('payment_intent', { dueUntil: world.now() })) expireHold(world, intent)
}

export const expireHold = (world: World, intent: PaymentIntent): PaymentIntent => giveUp(world, intent, 'expired')

export const findIntent = (world: World, id: string, param?: string): PaymentIntent => {
  const intent = world.documents.find<PaymentIntent>('payment_intent', id)
  if (!intent) throw missingResource('payment_intent', id, param)
  return intent
}

export const chargeOf = (world: World, intent: PaymentIntent): Charge => {
  const charge = intent.latest_charge === null ? undefined : world.documents.find<Charge>('charge', intent.latest_charge)
  if (!charge) throw refusedOperation(`This PaymentIntent (${intent.id}) does not have a charge.`)
  return charge
}

const expanded = (world: World, intent: PaymentIntent, { expand }: { expand?: unknown }): unknown =>
  expand && intent.latest_charge ? { ...intent, latest_charge: chargeOf(world, intent) } : intent

const giveUp = (world: World, intent: PaymentIntent, reason: string | null): PaymentIntent => {
  const given: PaymentIntent = {
    ...intent,
    status: 'canceled',
    next_action: null,
    canceled_at: world.now(),
    cancellation_reason: reason,
    amount_capturable: 0,
  }
  world.documents.replace('payment_intent', given.id, given, { due: null })
  world.emit('payment_intent.canceled', given)
  return given
}

const unexpectedState = (intent: PaymentIntent, done: string, wanted: readonly IntentStatus[]): StripeApiError =>
  refusedOperation(
    `This PaymentIntent could not be ${done} because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${done}: ${wanted.join(', ')}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: { ...intent } },
  )

/** The product sends card numbers only with the provider's permission, which this account does not have: see `readParameters`. */
export const refusePaymentMethod = (): never => {
  throw invalidParameter('Payment methods are made by the published pm_card_... ids, or by the hosted fields.', 'type')
}
