/**
 * One attempt at the bank. The intent is made and its id stored, and only then is it confirmed: whatever ends in between, the outcome can
 * be read from the provider without the card.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Caller } from '@passerelle/kit/auth'
import type { CardAttempt } from './card-attempts/limiter.ts'
import { declineReason } from './domain/decline.ts'
import type { Instrument } from './domain/instrument.ts'
import { type Intent, type Outcome, outcomeOf } from './domain/intent.ts'
import { retryAt } from './domain/next-step.ts'
import { type Change, hasOutcome, type Payment } from './domain/payment.ts'
import { providerKey, rotateIdempotencyKey } from './domain/provider-key.ts'
import { abandon, applyOutcome } from './domain/transitions.ts'
import { type CardProvider, ProviderError } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

/** `clientSecret`: the bank asks its customer something, which this opens in a browser. For the answer only, never stored. */
export type Attempted = { payment: Payment; clientSecret: string | null }

/** An attempt that counts against its visitor and network for as long as it is under way, and from then on if the bank declines. */
export async function countedAttempt(
  payment: Payment,
  { instrument, who }: { instrument: Instrument; who: Caller },
  tools: Tools,
): Promise<Attempted> {
  const counted = await beginAttempt(payment, who, tools)
  let declined = false
  try {
    const done = await attempt(payment, instrument, tools)
    declined = done.payment.state === 'declined'
    return done
  } finally {
    // A place that could not be released expires by itself.
    await counted
      .end(declined ? 'declined' : 'other')
      .catch((err: unknown) => tools.log.warn({ err, paymentId: payment.id }, 'a card attempt was not counted'))
  }
}

/** When the attempt may not begin, nothing has been sent for this payment yet, or nothing more is. */
async function beginAttempt(payment: Payment, who: Caller, tools: Tools): Promise<CardAttempt> {
  try {
    return await tools.cardAttempts.begin(who)
  } catch (error) {
    const end = (current: Payment) => (current.intentId ? endAttempt(current, payment, tools) : abandon(current))
    await tools.store.update(payment.id, end).catch(() => undefined)
    throw error
  }
}

/** The payment afterwards; still `created` when the outcome could not be learnt. Once the bank has asked, nothing is confirmed any more. */
async function attempt(payment: Payment, instrument: Instrument, tools: Tools): Promise<Attempted> {
  const provider = tools.provider(payment.mode)
  let current = payment
  try {
    const method = instrument.kind === 'method' ? instrument.id : await provider.createMethod(instrument.card)
    if (current.intentId) {
      const known = await readOutcome(current, provider, tools)
      if (known.payment.state !== 'created') return known
    } else {
      current = await createIntent(current, provider, tools)
      if (hasOutcome(current) || !current.intentId) return { payment: current, clientSecret: null }
    }
    // Only a browser can show the bank's question, and only one that has the provider's own fields sends a payment method.
    const canAsk = payment.mode === 'live' && instrument.kind === 'method'
    const intent = await provider.confirm(current.intentId as string, { method, canAsk }, providerKey('confirm', current))
    return await recordIntent(current, intent, tools)
  } catch (error) {
    if (error instanceof ProviderError) return handleProviderError(current, error, provider, tools)
    // Not a failure of the provider, but of the database for instance: a repetition need not wait for a request that has ended.
    await tools.store.update(payment.id, (latest) => endAttempt(latest, payment, tools)).catch(() => undefined)
    throw error
  }
}

function endAttempt(current: Payment, { attemptBy }: Payment, tools: Tools): Change | null {
  if (hasOutcome(current) || current.attemptBy !== attemptBy) return null
  return { set: { attemptUntil: null, dueAt: retryAt(current, momentOf(tools)) } }
}

async function createIntent(payment: Payment, provider: CardProvider, tools: Tools): Promise<Payment> {
  try {
    const intent = await provider.create(payment, providerKey('create', payment))
    return await tools.store.update(payment, (current) =>
      current.state === 'created' && !current.intentId ? { set: { intentId: intent.id } } : null,
    )
  } catch (error) {
    if (error instanceof ProviderError && error.needsNewKey)
      await tools.store.update(payment.id, (current) => rotateIdempotencyKey('create', current))
    throw error
  }
}

/** A refusal by the bank is an outcome; after anything else the payment is read at the provider. */
async function handleProviderError(payment: Payment, error: ProviderError, provider: CardProvider, tools: Tools): Promise<Attempted> {
  if (error.kind === 'declined') {
    const outcome = { kind: 'declined' as const, reason: declineReason(error.code, error.declineCode) }
    return { payment: await recordOutcome(payment, outcome, tools), clientSecret: null }
  }
  tools.log.warn({ err: error, paymentId: payment.id }, 'a call to the card provider failed')
  if (error.kind === 'refused' && !isWrongState(error)) return { payment: await recordRefusal(payment, error, tools), clientSecret: null }
  const known = await readOutcome(payment, provider, tools).catch((err: unknown) => {
    if (!(err instanceof ProviderError)) throw err
    return { payment, clientSecret: null }
  })
  if (hasOutcome(known.payment) || known.clientSecret !== null) return known
  return { payment: await tools.store.update(payment.id, (current) => endAttempt(current, payment, tools)), clientSecret: null }
}

function isWrongState(error: ProviderError): boolean {
  return error.code === 'payment_intent_unexpected_state'
}

/** The request itself is at fault, so nothing is held: the payment method is unknown, or amount or currency do not suit. */
async function recordRefusal(payment: Payment, error: ProviderError, tools: Tools): Promise<Payment> {
  if (payment.intentId) {
    const outcome = { kind: 'declined' as const, reason: error.code ?? 'payment_method_refused' }
    return recordOutcome(payment, outcome, tools)
  }
  await tools.store.update(payment.id, abandon)
  if (error.code === 'raw_card_refused') throw new AppError('RAW_CARD_REFUSED', { cause: error })
  const field = error.param === 'currency' ? 'currency' : 'amount'
  const message = `The payment ${field} is not accepted`
  if (error.param === field || error.code?.startsWith('amount_'))
    throw new AppError('VALIDATION_ERROR', { message, issues: [{ path: field, message }], cause: error })
  throw unavailable(error)
}

async function readOutcome(payment: Payment, provider: CardProvider, tools: Tools): Promise<Attempted> {
  if (!payment.intentId) return { payment, clientSecret: null }
  return recordIntent(payment, await provider.read(payment.intentId), tools)
}

async function recordIntent(known: Payment, intent: Intent, tools: Tools): Promise<Attempted> {
  const payment = await recordOutcome(known, outcomeOf(intent), tools)
  return { payment, clientSecret: payment.state === 'requires_action' ? intent.clientSecret : null }
}

async function recordOutcome(known: Payment, outcome: Outcome, tools: Tools): Promise<Payment> {
  const payment = await tools.store.update(known, (current) => applyOutcome(current, outcome, momentOf(tools)))
  if (payment.state !== 'created') {
    tools.metrics.paymentOperations.inc({ operation: 'authorise', outcome: payment.state })
    tools.log.info({ paymentId: payment.id, state: payment.state }, 'the bank has answered')
  }
  return payment
}
