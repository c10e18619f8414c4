/**
 * Holding an amount on a card, once per key. The payment is written first, then the intent is made and its id stored, and only then
 * is it confirmed: whatever ends in between, the outcome can be read from the provider without the card.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Caller } from '@passerelle/kit/auth'
import { withDeadline } from '@passerelle/kit/resilience'
import { delay, monotonicMs, now, nowMs, randomId, randomToken } from '@passerelle/kit/runtime'
import type { CardAttempt } from './card-attempts/limiter.ts'
import { ATTEMPT_GRACE_MS } from './domain/deadlines.ts'
import { declineReason, declineText } from './domain/decline.ts'
import type { Instrument } from './domain/instrument.ts'
import { type Outcome, outcomeOf } from './domain/intent.ts'
import { retryAt } from './domain/next-step.ts'
import { type Change, hasOutcome, newPayment, type Payment } from './domain/payment.ts'
import { providerKey, rotateIdempotencyKey } from './domain/provider-key.ts'
import { abandon, applyOutcome, recordActivity } from './domain/transitions.ts'
import { type CardProvider, ProviderError } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

export type HoldRequest = {
  source: Payment['source']
  key: string
  fingerprint: string
  mode: Mode
  requestId: string
  who: Caller
  instrument: Instrument
  /** What is to be held; asked only when the key is new. */
  terms(): Promise<{ amountMinor: number; currency: string; offerId: string | null }>
}

export type Held = { payment: Payment; replayed: boolean }

const POLL_MS = 100

/** Until when a request is assumed to be at work; then a repetition may take its place. Harmless when wrong: there is one intent. */
function attemptEnd({ answerMs }: Tools): Date {
  return new Date(nowMs() + answerMs + ATTEMPT_GRACE_MS)
}

/**
 * Answers the payment once its outcome is known: authorised (or further), or throws.
 * @throws CARD_DECLINED, CARD_ATTEMPTS_STOPPED, RATE_LIMITED, IDEMPOTENCY_KEY_REUSED, PAYMENT_IN_PROGRESS, PAYMENT_NOT_USABLE (its hold
 * was voided meanwhile), PAYMENT_UNAVAILABLE, RAW_CARD_REFUSED, and what `terms` throws
 */
export async function hold(request: HoldRequest, tools: Tools): Promise<Held> {
  tools.provider(request.mode)
  const token = randomId()
  const { payment, created } = await findOrCreate(request, token, tools)
  if (payment.fingerprint !== request.fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const current = created ? payment : await waitForAttempt(payment.id, token, tools)
  if (hasOutcome(current)) {
    const seen = await tools.store.update(current, (latest) => recordActivity(latest, momentOf(tools)))
    return { payment: usable(seen), replayed: true }
  }
  try {
    const done = await withDeadline('the card', tools.answerMs, countedAttempt(current, request, tools))
    return { payment: usable(done), replayed: false }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable(error)
  }
}

function usable(payment: Payment): Payment {
  const { state, release, declineReason } = payment
  if (state === 'declined') throw new AppError('CARD_DECLINED', { message: declineText(declineReason ?? '') })
  if (state === 'created' || state === 'abandoned') throw unavailable()
  if (state === 'voided' || state === 'expired' || release) throw new AppError('PAYMENT_NOT_USABLE')
  return payment
}

async function findOrCreate(request: HoldRequest, token: string, tools: Tools): Promise<{ payment: Payment; created: boolean }> {
  const { store } = tools
  const earlier = await store.byKey(request.key)
  if (earlier) return { payment: earlier, created: false }
  await tools.cardAttempts.refuseStopped(request.who)
  const { source, key, fingerprint, mode, requestId, instrument, who } = request
  const terms = await request.terms()
  const payment = newPayment(
    {
      id: randomToken('pay_', 15),
      source,
      key,
      fingerprint,
      mode,
      requestId,
      visitorId: who.visitorId,
      userId: who.userId,
      ...terms,
      cardBrand: instrument.cardSummary.brand,
      cardLast4: instrument.cardSummary.last4,
      attemptBy: token,
      attemptUntil: attemptEnd(tools),
    },
    now(),
  )
  if (await store.insert(payment)) return { payment, created: true }
  const first = await store.byKey(key)
  if (!first) throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
  return { payment: first, created: false }
}

/** The payment once its outcome is known, or when the request that made it has ended and this one continues in its place. */
async function waitForAttempt(id: string, token: string, tools: Tools): Promise<Payment> {
  const { store } = tools
  const waitUntil = monotonicMs() + tools.waitMs
  for (;;) {
    const payment = await store.byId(id)
    if (hasOutcome(payment)) return payment
    if (!payment.release && (!payment.attemptUntil || payment.attemptUntil <= now())) {
      const taken = await store.update(id, (current) => takeOverAttempt(current, token, attemptEnd(tools)))
      if (taken.attemptBy === token) return taken
    }
    if (monotonicMs() >= waitUntil) throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
    await delay(POLL_MS)
  }
}

/** A new confirmation gets a key of its own, because the card may be another one. */
function takeOverAttempt(payment: Payment, token: string, until: Date): Change | null {
  const at = now()
  if (hasOutcome(payment) || payment.release || (payment.attemptUntil && payment.attemptUntil > at)) return null
  const rotated = payment.intentId ? rotateIdempotencyKey('confirm', payment).set : {}
  return { set: { ...rotated, attemptBy: token, attemptUntil: until, dueAt: until, lastSeenAt: at } }
}

/** An attempt that counts against its visitor and network for as long as it is under way, and from then on if the bank declines. */
async function countedAttempt(payment: Payment, { instrument, who }: HoldRequest, tools: Tools): Promise<Payment> {
  const counted = await beginAttempt(payment, who, tools)
  let declined = false
  try {
    const done = await attempt(payment, instrument, tools)
    declined = done.state === 'declined'
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

/** The payment afterwards; still `created` when the outcome could not be learnt. */
async function attempt(payment: Payment, instrument: Instrument, tools: Tools): Promise<Payment> {
  const provider = tools.provider(payment.mode)
  let current = payment
  try {
    const method = instrument.kind === 'method' ? instrument.id : await provider.createMethod(instrument.card)
    if (current.intentId) {
      const known = await readOutcome(current, provider, tools)
      if (hasOutcome(known)) return known
    } else {
      current = await createIntent(current, provider, tools)
      if (hasOutcome(current) || !current.intentId) return current
    }
    const intent = await provider.confirm(current.intentId as string, method, providerKey('confirm', current))
    return await recordOutcome(current, outcomeOf(intent), tools)
  } catch (error) {
    if (error instanceof ProviderError) return handleProviderError(current, error, provider, tools)
    // Not a failure of the provider, but of the database for instance: a repetition need not wait for a request that has ended.
    await tools.store.update(payment.id, (latest) => endAttempt(latest, payment, tools)).catch(() => undefined)
    throw error
  }
}

function endAttempt(current: Payment, { attemptBy }: Payment, tools: Tools): Change | null {
  if (current.state !== 'created' || current.attemptBy !== attemptBy) return null
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
async function handleProviderError(payment: Payment, error: ProviderError, provider: CardProvider, tools: Tools): Promise<Payment> {
  if (error.kind === 'declined') {
    const outcome = { kind: 'declined' as const, reason: declineReason(error.code, error.declineCode) }
    return recordOutcome(payment, outcome, tools)
  }
  tools.log.warn({ err: error, paymentId: payment.id }, 'a call to the card provider failed')
  if (error.kind === 'refused' && !isWrongState(error)) return recordRefusal(payment, error, tools)
  const known = await readOutcome(payment, provider, tools).catch((err: unknown) => {
    if (!(err instanceof ProviderError)) throw err
    return payment
  })
  if (hasOutcome(known)) return known
  return tools.store.update(payment.id, (current) => endAttempt(current, payment, tools))
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

async function readOutcome(payment: Payment, provider: CardProvider, tools: Tools): Promise<Payment> {
  if (!payment.intentId) return payment
  return recordOutcome(payment, outcomeOf(await provider.read(payment.intentId)), tools)
}

async function recordOutcome(known: Payment, outcome: Outcome, tools: Tools): Promise<Payment> {
  const payment = await tools.store.update(known, (current) => applyOutcome(current, outcome, momentOf(tools)))
  if (hasOutcome(payment)) {
    tools.metrics.paymentOperations.inc({ operation: 'authorise', outcome: payment.state })
    tools.log.info({ paymentId: payment.id, state: payment.state }, 'payment has an outcome')
  }
  return payment
}
