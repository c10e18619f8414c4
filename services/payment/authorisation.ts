/**
 * Holding an amount on a card, once per key. The payment is written first, then the intent is made and its id stored, and only then
 * is it confirmed: whatever ends in between, the outcome can be read from the provider without the card.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Caller } from '@passerelle/kit/auth'
import { withDeadline } from '@passerelle/kit/resilience'
import { delay } from '@passerelle/kit/runtime'
import type { CardAttempt } from './card-attempts/limiter.ts'
import { ATTEMPT_GRACE_MS } from './domain/deadlines.ts'
import { declineReason, declineText } from './domain/decline.ts'
import type { Instrument } from './domain/instrument.ts'
import { outcomeOf } from './domain/intent.ts'
import { retryAt } from './domain/next-step.ts'
import { type Change, isSettled, openPayment, type Payment } from './domain/payment.ts'
import { providerKey, rotateIdempotencyKey } from './domain/provider-key.ts'
import { abandon, applyOutcome, noteSign } from './domain/transitions.ts'
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

/** Until when a request is believed to be at work; then a repetition may take its place. Harmless when wrong: there is one intent. */
function attemptEnd({ clock, answerMs }: Tools): Date {
  return new Date(clock().getTime() + answerMs + ATTEMPT_GRACE_MS)
}

/**
 * Answers the payment once its outcome is known: authorised (or further), or throws.
 * @throws CARD_DECLINED, CARD_ATTEMPTS_STOPPED, RATE_LIMITED, IDEMPOTENCY_KEY_REUSED, PAYMENT_IN_PROGRESS, PAYMENT_NOT_USABLE (its hold
 * was voided meanwhile), PAYMENT_UNAVAILABLE, RAW_CARD_REFUSED, and what `terms` throws
 */
export async function hold(request: HoldRequest, tools: Tools): Promise<Held> {
  tools.provider(request.mode)
  const token = randomUUID()
  const { payment, mine } = await findOrOpen(request, token, tools)
  if (payment.fingerprint !== request.fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const turn = mine ? payment : await waitForTurn(payment.id, token, tools)
  if (isSettled(turn)) {
    const seen = await tools.store.update(turn, (current) => noteSign(current, momentOf(tools)))
    return { payment: answerable(seen), replayed: true }
  }
  try {
    const settled = await withDeadline('the card', tools.answerMs, countedAttempt(turn, request, tools))
    return { payment: answerable(settled), replayed: false }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable(error)
  }
}

function answerable(payment: Payment): Payment {
  const { state, release, declineReason } = payment
  if (state === 'declined') throw new AppError('CARD_DECLINED', { message: declineText(declineReason ?? '') })
  if (state === 'created' || state === 'abandoned') throw unavailable()
  if (state === 'voided' || state === 'expired' || release) throw new AppError('PAYMENT_NOT_USABLE')
  return payment
}

async function findOrOpen(request: HoldRequest, token: string, tools: Tools): Promise<{ payment: Payment; mine: boolean }> {
  const { store } = tools
  const earlier = await store.byKey(request.key)
  if (earlier) return { payment: earlier, mine: false }
  await tools.cardAttempts.refuseStopped(request.who)
  const { source, key, fingerprint, mode, requestId, instrument, who } = request
  const terms = await request.terms()
  const payment = openPayment(
    {
      id: `pay_${randomBytes(15).toString('base64url')}`,
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
    tools.clock(),
  )
  if (await store.insert(payment)) return { payment, mine: true }
  const first = await store.byKey(key)
  if (!first) throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
  return { payment: first, mine: false }
}

/** The payment when it is settled, or when its request has died and this one may go on in its place. */
async function waitForTurn(id: string, token: string, tools: Tools): Promise<Payment> {
  const { store, clock } = tools
  const patience = Date.now() + tools.waitMs
  for (;;) {
    const payment = await store.byId(id)
    if (isSettled(payment)) return payment
    if (!payment.release && (!payment.attemptUntil || payment.attemptUntil <= clock())) {
      const taken = await store.update(id, (current) => takeOverAttempt(current, token, clock(), attemptEnd(tools)))
      if (taken.attemptBy === token) return taken
    }
    if (Date.now() >= patience) throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
    await delay(POLL_MS)
  }
}

/** A new confirmation gets a key of its own, because the card may be another one. */
function takeOverAttempt(payment: Payment, token: string, now: Date, until: Date) {
  if (isSettled(payment) || payment.release || (payment.attemptUntil && payment.attemptUntil > now)) return null
  const fresh = payment.intentId ? rotateIdempotencyKey('confirm', payment).set : {}
  return { set: { ...fresh, attemptBy: token, attemptUntil: until, dueAt: until, lastSeenAt: now } }
}

/** An attempt that counts against its visitor and network for as long as it is under way, and from then on if the bank declines. */
async function countedAttempt(payment: Payment, { instrument, who }: HoldRequest, tools: Tools): Promise<Payment> {
  const counted = await beginAttempt(payment, who, tools)
  let declined = false
  try {
    const settled = await attempt(payment, instrument, tools)
    declined = settled.state === 'declined'
    return settled
  } finally {
    // What could not be noted ends by itself.
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
  let sure = payment
  try {
    const method = instrument.kind === 'method' ? instrument.id : await provider.createMethod(instrument.card)
    if (sure.intentId) {
      const known = await settleByReading(sure, provider, tools)
      if (isSettled(known)) return known
    } else {
      sure = await createIntent(sure, provider, tools)
      if (isSettled(sure) || !sure.intentId) return sure
    }
    const intent = await provider.confirm(sure.intentId as string, method, providerKey('confirm', sure))
    return await settle(sure, (current) => applyOutcome(current, outcomeOf(intent), momentOf(tools)), tools)
  } catch (error) {
    if (error instanceof ProviderError) return concludeFailure(sure, error, provider, tools)
    // Not the provider's doing, the database's for instance: whoever tries again need not wait for a request that has ended.
    await tools.store.update(payment.id, (current) => endAttempt(current, payment, tools)).catch(() => undefined)
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

/** A refusal by the bank is an outcome; after anything else the provider is asked how things stand. */
async function concludeFailure(payment: Payment, error: ProviderError, provider: CardProvider, tools: Tools): Promise<Payment> {
  if (error.kind === 'declined') {
    const outcome = { kind: 'declined' as const, reason: declineReason(error.code, error.declineCode) }
    return settle(payment, (current) => applyOutcome(current, outcome, momentOf(tools)), tools)
  }
  tools.log.warn({ err: error, paymentId: payment.id }, 'the card provider did not do it')
  if (error.kind === 'refused' && !isWrongState(error)) return concludeRefusal(payment, error, tools)
  const known = await settleByReading(payment, provider, tools).catch((err: unknown) => {
    if (!(err instanceof ProviderError)) throw err
    return payment
  })
  if (isSettled(known)) return known
  return tools.store.update(payment.id, (current) => endAttempt(current, payment, tools))
}

function isWrongState(error: ProviderError): boolean {
  return error.code === 'payment_intent_unexpected_state'
}

/** The request itself is at fault, so nothing is held: the payment method is unknown, or amount or currency do not suit. */
async function concludeRefusal(payment: Payment, error: ProviderError, tools: Tools): Promise<Payment> {
  if (payment.intentId) {
    const outcome = { kind: 'declined' as const, reason: error.code ?? 'payment_method_refused' }
    return settle(payment, (current) => applyOutcome(current, outcome, momentOf(tools)), tools)
  }
  await tools.store.update(payment.id, abandon)
  if (error.code === 'raw_card_refused') throw new AppError('RAW_CARD_REFUSED', { cause: error })
  const field = error.param === 'currency' ? 'currency' : 'amount'
  const message = `The payment ${field} is not accepted`
  if (error.param === field || error.code?.startsWith('amount_'))
    throw new AppError('VALIDATION_ERROR', { message, issues: [{ path: field, message }], cause: error })
  throw unavailable(error)
}

async function settleByReading(payment: Payment, provider: CardProvider, tools: Tools): Promise<Payment> {
  if (!payment.intentId) return payment
  const outcome = outcomeOf(await provider.read(payment.intentId))
  return settle(payment, (current) => applyOutcome(current, outcome, momentOf(tools)), tools)
}

async function settle(known: Payment, decide: Parameters<Tools['store']['update']>[1], tools: Tools): Promise<Payment> {
  const payment = await tools.store.update(known, decide)
  if (isSettled(payment)) {
    tools.metrics.paymentOperations.inc({ operation: 'authorise', outcome: payment.state })
    tools.log.info({ paymentId: payment.id, state: payment.state }, 'payment settled')
  }
  return payment
}
