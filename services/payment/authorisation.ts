/**
 * Holding an amount on a card, once per key. The payment is written first, then the intent is made and its id stored, and only then
 * is it confirmed: whatever ends in between, the outcome can be read from the provider without the card.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import { pause, withDeadline } from '@passerelle/kit/resilience'
import { declineReason, declineText } from './domain/decline.ts'
import type { Instrument } from './domain/instrument.ts'
import { outcomeOf } from './domain/intent.ts'
import { retryAt } from './domain/next-step.ts'
import { type Change, isSettled, openPayment, type Payment } from './domain/payment.ts'
import { providerKey, spendKey } from './domain/provider-key.ts'
import { abandon, applyOutcome } from './domain/transitions.ts'
import { type CardProvider, ProviderError } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

export type HoldRequest = {
  source: Payment['source']
  key: string
  fingerprint: string
  mode: Mode
  requestId: string
  instrument: Instrument
  /** What is to be held; asked only when the key is new. */
  terms(): Promise<{ amountMinor: number; currency: string; offerId: string | null }>
}

export type Held = { payment: Payment; replayed: boolean }

const GRACE_MS = 3000
const POLL_MS = 100

/** Until when a request is believed to be at work; then a repetition may take its place. Harmless when wrong: there is one intent. */
function attemptEnd({ clock, answerMs }: Tools): Date {
  return new Date(clock().getTime() + answerMs + GRACE_MS)
}

/**
 * Answers the payment once its outcome is known: authorised (or further), or throws.
 * @throws CARD_DECLINED, IDEMPOTENCY_KEY_REUSED, PAYMENT_IN_PROGRESS, PAYMENT_UNAVAILABLE, RAW_CARD_REFUSED, and what `terms` throws
 */
export async function hold(request: HoldRequest, tools: Tools): Promise<Held> {
  tools.provider(request.mode)
  const token = randomUUID()
  const { payment, mine } = await findOrOpen(request, token, tools)
  if (payment.fingerprint !== request.fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const turn = mine ? payment : await waitForTurn(payment.id, token, tools)
  if (isSettled(turn)) return { payment: answerable(turn), replayed: true }
  try {
    const settled = await withDeadline('the card', tools.answerMs, attempt(turn, request.instrument, tools))
    return { payment: answerable(settled), replayed: false }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable(error)
  }
}

function answerable(payment: Payment): Payment {
  if (payment.state === 'declined') throw new AppError('CARD_DECLINED', { message: declineText(payment.declineReason ?? '') })
  if (payment.state === 'created' || payment.state === 'abandoned') throw unavailable()
  return payment
}

async function findOrOpen(request: HoldRequest, token: string, tools: Tools): Promise<{ payment: Payment; mine: boolean }> {
  const { store } = tools
  const earlier = await store.byKey(request.key)
  if (earlier) return { payment: earlier, mine: false }
  const { source, key, fingerprint, mode, requestId, instrument } = request
  const terms = await request.terms()
  const payment = openPayment(
    {
      id: `pay_${randomBytes(15).toString('base64url')}`,
      source,
      key,
      fingerprint,
      mode,
      requestId,
      ...terms,
      cardBrand: instrument.face.brand,
      cardLast4: instrument.face.last4,
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
    if (!payment.attemptUntil || payment.attemptUntil <= clock()) {
      const taken = await store.update(id, (current) => takeOver(current, token, clock(), attemptEnd(tools)))
      if (taken.attemptBy === token) return taken
    }
    if (Date.now() >= patience) throw new AppError('PAYMENT_IN_PROGRESS', { retryAfter: 1 })
    await pause(POLL_MS)
  }
}

/** A new confirmation gets a key of its own, because the card may be another one. */
function takeOver(payment: Payment, token: string, now: Date, until: Date) {
  if (isSettled(payment) || (payment.attemptUntil && payment.attemptUntil > now)) return null
  const fresh = payment.intentId ? spendKey('confirm', payment).set : {}
  return { set: { ...fresh, attemptBy: token, attemptUntil: until, dueAt: until } }
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
    // Not the provider's doing, the database's for instance: who tries again need not wait for a request that has ended.
    await tools.store.update(payment.id, (current) => endOf(current, payment, tools)).catch(() => undefined)
    throw error
  }
}

function endOf(current: Payment, { attemptBy }: Payment, tools: Tools): Change | null {
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
    if (error instanceof ProviderError && error.keySpent) await tools.store.update(payment.id, (current) => spendKey('create', current))
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
  return tools.store.update(payment.id, (current) => endOf(current, payment, tools))
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
