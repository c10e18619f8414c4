/** Holding an amount on a card, once per key: whose turn it is, and what its request is answered. attempt.ts asks the bank. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Caller } from '@passerelle/kit/auth'
import { withDeadline } from '@passerelle/kit/resilience'
import { delay, monotonicMs, now, nowMs, randomId, randomToken } from '@passerelle/kit/runtime'
import { countedAttempt } from './attempt.ts'
import { ATTEMPT_GRACE_MS } from './domain/deadlines.ts'
import { declineText } from './domain/decline.ts'
import type { Instrument } from './domain/instrument.ts'
import { type Change, hasOutcome, newPayment, type Payment } from './domain/payment.ts'
import { rotateIdempotencyKey } from './domain/provider-key.ts'
import { recordActivity } from './domain/transitions.ts'
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
 * Answers the payment once its outcome is known: authorised (or further), or throws. While the bank asks its customer something it
 * throws PAYMENT_ACTION_REQUIRED with what the browser needs to show the question; the same request again tells what came of it.
 * @throws PAYMENT_ACTION_REQUIRED, CARD_DECLINED, CARD_ATTEMPTS_STOPPED, RATE_LIMITED, IDEMPOTENCY_KEY_REUSED, PAYMENT_IN_PROGRESS, PAYMENT_NOT_USABLE (its hold
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
    const { payment: done, clientSecret } = await withDeadline('the card', tools.answerMs, countedAttempt(current, request, tools))
    if (clientSecret !== null && !done.release)
      throw new AppError('PAYMENT_ACTION_REQUIRED', { details: { paymentId: done.id, clientSecret } })
    return { payment: usable(done), replayed: false }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable(error)
  }
}

function usable(payment: Payment): Payment {
  const { state, release, declineReason } = payment
  if (state === 'declined') throw new AppError('CARD_DECLINED', { message: declineText(declineReason ?? '') })
  if (!hasOutcome(payment) || state === 'abandoned') throw unavailable()
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

/** A new confirmation gets a key of its own, because the card may be another one. After the bank's question nothing is confirmed again. */
function takeOverAttempt(payment: Payment, token: string, until: Date): Change | null {
  const at = now()
  if (hasOutcome(payment) || payment.release || (payment.attemptUntil && payment.attemptUntil > at)) return null
  const rotated = payment.state === 'created' && payment.intentId ? rotateIdempotencyKey('confirm', payment).set : {}
  return { set: { ...rotated, attemptBy: token, attemptUntil: until, dueAt: until, lastSeenAt: at } }
}
