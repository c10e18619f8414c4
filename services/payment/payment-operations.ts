/** Captures, voids and refunds. Each may be repeated; the provider's state decides. */
import { AppError } from '@passerelle/contracts/error'
import { now, nowMs } from '@passerelle/kit/runtime'
import { OPERATION_MS } from './domain/deadlines.ts'
import { type Outcome, outcomeOf } from './domain/intent.ts'
import { refundRound } from './domain/next-step.ts'
import { type Change, hasOutcome, isCapturedUnclaimed, type Payment, refundedByHand } from './domain/payment.ts'
import { providerKey, refundKey, rotateIdempotencyKey, rotateRefundKey } from './domain/provider-key.ts'
import { isLive, refundLeft } from './domain/reversal.ts'
import { abandon, applyOutcome, markRefunded, markRefundFailed, requestRelease, startCapture } from './domain/transitions.ts'
import { readReversals } from './reversals.ts'
import { type CardProvider, ProviderError, type ProviderRefund } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

/**
 * Captures the held amount.
 * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE (nothing is held), PAYMENT_UNAVAILABLE (outcome not known: ask again)
 */
export async function capture(id: string, tools: Tools): Promise<Payment> {
  const lookAgainAt = new Date(nowMs() + OPERATION_MS)
  const payment = await tools.store.update(id, (current) => startCapture(current, lookAgainAt))
  if (payment.state !== 'authorised') return payment
  const outcome = await moveMoney('capture', payment, tools)
  const recorded = await recordOutcome(payment, outcome, tools)
  if (recorded.state === 'captured' || recorded.state === 'refunded') return recorded
  throw recorded.state === 'authorised' ? unavailable() : new AppError('PAYMENT_NOT_USABLE')
}

/**
 * Voids the hold.
 * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE (it was captured), PAYMENT_UNAVAILABLE (it will be voided, but is not yet)
 */
export async function release(id: string, tools: Tools): Promise<Payment> {
  const at = now()
  const lookAgainAt = new Date(at.getTime() + OPERATION_MS)
  const payment = await tools.store.update(id, (current) => requestRelease(current, 'asked', at, lookAgainAt))
  const recorded = await voidAuthorisation(payment, tools)
  const isCaptured = recorded.state === 'captured' || recorded.state === 'refunded' || isCapturedUnclaimed(recorded)
  if (isCaptured) throw new AppError('PAYMENT_NOT_USABLE')
  return recorded
}

/** Cancels the intent of a payment that may still hold something. @throws PAYMENT_UNAVAILABLE while it is not certain that it is gone */
export async function voidAuthorisation(payment: Payment, tools: Tools): Promise<Payment> {
  if (hasOutcome(payment) && payment.state !== 'authorised') return payment
  if (!payment.intentId) return tools.store.update(payment.id, (current) => (current.intentId ? null : abandon(current)))
  const outcome = await moveMoney('void', payment, tools)
  const recorded = await recordOutcome(payment, outcome, tools)
  if (isCapturedUnclaimed(recorded)) return recorded
  if (!hasOutcome(recorded) || recorded.state === 'authorised') throw unavailable()
  return recorded
}

/** One call that moves money; after any failure the payment is read at the provider. */
async function moveMoney(call: 'capture' | 'void', payment: Payment, tools: Tools): Promise<Outcome> {
  const provider = tools.provider(payment.mode)
  const intentId = payment.intentId as string
  const key = providerKey(call, payment)
  try {
    return outcomeOf(await (call === 'capture' ? provider.capture(intentId, key) : provider.cancel(intentId, key)))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    tools.log.warn({ err: error, paymentId: payment.id, call }, 'a call to the card provider failed')
    const outcome = await readOutcome(provider, intentId, error)
    const undecided = outcome.kind !== 'captured' && outcome.kind !== 'cancelled'
    if (error.needsNewKey && undecided) await tools.store.update(payment.id, (current) => rotateIdempotencyKey(call, current))
    if (call === 'capture' && outcome.kind === 'authorised' && refusesForGood(error))
      throw new AppError('PAYMENT_NOT_USABLE', { cause: error })
    return outcome
  }
}

function refusesForGood(error: ProviderError): boolean {
  return error.kind === 'declined' || error.code === 'charge_expired_for_capture'
}

async function readOutcome(provider: CardProvider, intentId: string, cause: ProviderError): Promise<Outcome> {
  try {
    return outcomeOf(await provider.read(intentId))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw unavailable(cause)
  }
}

/** Reads the payment at the provider and records its state. @throws PAYMENT_UNAVAILABLE */
export async function readAgain(payment: Payment, tools: Tools): Promise<Payment> {
  if (!payment.intentId) return payment
  const askedAt = now()
  try {
    const outcome = outcomeOf(await tools.provider(payment.mode).read(payment.intentId))
    const recorded = await recordOutcome(payment, outcome, tools)
    if (recorded.recheckAt === null || recorded.recheckAt > askedAt) return recorded
    return tools.store.update(payment.id, (current) =>
      current.recheckAt && current.recheckAt <= askedAt ? { set: { recheckAt: null } } : null,
    )
  } catch (error) {
    throw error instanceof ProviderError ? unavailable(error) : error
  }
}

async function recordOutcome(known: Payment, outcome: Outcome, tools: Tools): Promise<Payment> {
  return record(known, (current) => applyOutcome(current, outcome, momentOf(tools)), tools)
}

async function record(known: Payment, decide: (payment: Payment) => Change | null, tools: Tools): Promise<Payment> {
  let before: Payment['state'] | undefined
  const payment = await tools.store.update(known, (current) => {
    before = current.state
    return decide(current)
  })
  if (payment.state !== before) {
    tools.metrics.paymentOperations.inc({ operation: 'transition', outcome: payment.state })
    tools.log.info({ paymentId: payment.id, from: before, state: payment.state }, 'payment changed state')
  }
  return payment
}

/** Makes the refund that is wanted, once. @throws PAYMENT_UNAVAILABLE */
export async function refund(payment: Payment, tools: Tools): Promise<Payment> {
  const wanted = payment.refund
  if (payment.state !== 'captured' || !wanted || wanted.failed || !payment.intentId) return payment
  const provider = tools.provider(payment.mode)
  try {
    const round = refundRound(wanted, now())
    const earlier = round > 1 ? await earlierRefund(payment, wanted.bookingId, provider) : undefined
    const { id: paymentId, currency, intentId } = payment
    const { bookingId } = wanted
    const amountMinor = refundLeft(payment, wanted)
    // Somebody has refunded all that there was.
    const byHand = amountMinor === 0 ? payment.handRefunds.at(-1) : undefined
    if (byHand) return await record(payment, (current) => markRefunded(current, byHand.id, 0), tools)
    const request = { intentId, paymentId, bookingId, amountMinor, currency }
    const made = earlier ?? (await provider.refund(request, refundKey(bookingId, round)))
    if (made.status === 'failed' || made.status === 'canceled') return await refundFailed(payment, made.status, tools)
    return await record(payment, (current) => markRefunded(current, made.id, made.amountMinor), tools)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'unknown') {
      if (error.needsNewKey) await tools.store.update(payment.id, (current) => rotateRefundKey(current, now()))
      throw unavailable(error)
    }
    const earlier = await earlierRefund(payment, wanted.bookingId, provider).catch(() => undefined)
    if (earlier) return record(payment, (current) => markRefunded(current, earlier.id, earlier.amountMinor), tools)
    const read = await readReversals(payment, tools)
    if (refundedByHand(read) !== refundedByHand(payment)) return read
    return refundFailed(payment, error.code ?? error.kind, tools)
  }
}

async function earlierRefund(payment: Payment, bookingId: string, provider: CardProvider): Promise<ProviderRefund | undefined> {
  const refunds = await provider.refundsOf(payment.intentId as string)
  return refunds.find((one) => one.bookingId === bookingId && isLive(one))
}

function refundFailed(payment: Payment, reason: string, tools: Tools): Promise<Payment> {
  tools.log.error({ paymentId: payment.id, bookingId: payment.bookingId, reason }, 'a refund was refused: an operator must look')
  tools.metrics.paymentOperations.inc({ operation: 'refund', outcome: 'refused' })
  return record(payment, markRefundFailed, tools)
}

/** Cancels what is left of a declined payment, so that a confirmation that arrives late finds nothing to hold. */
export async function closeDeclined(payment: Payment, tools: Tools): Promise<Payment> {
  if (payment.intentId) {
    const outcome = await moveMoney('void', payment, tools)
    if (outcome.kind !== 'cancelled') throw unavailable()
  }
  return tools.store.update(payment.id, (current) => (current.state === 'declined' ? { set: { closed: true, recheckAt: null } } : null))
}
