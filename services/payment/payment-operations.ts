/** What becomes of a hold: captured, voided, or refunded after a capture. Each may be repeated; the provider is the arbiter. */
import { AppError } from '@passerelle/contracts/error'
import { OPERATION_MS } from './domain/deadlines.ts'
import { type Outcome, outcomeOf } from './domain/intent.ts'
import { refundRound } from './domain/next-step.ts'
import type { Change, Payment } from './domain/payment.ts'
import { providerKey, refundKey, rotateIdempotencyKey, rotateRefundKey } from './domain/provider-key.ts'
import { abandon, applyOutcome, markRefunded, markRefundFailed, requestRelease, startCapture } from './domain/transitions.ts'
import { type CardProvider, ProviderError, type ProviderRefund } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

/**
 * Captures the held amount.
 * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE (nothing is held), PAYMENT_UNAVAILABLE (outcome not known: ask again)
 */
export async function capture(id: string, tools: Tools): Promise<Payment> {
  const lookAgainAt = new Date(tools.clock().getTime() + OPERATION_MS)
  const payment = await tools.store.update(id, (current) => startCapture(current, lookAgainAt))
  if (payment.state !== 'authorised') return payment
  const outcome = await callProvider('capture', payment, tools)
  const settled = await applyFromProvider(payment, outcome, tools)
  if (settled.state === 'captured' || settled.state === 'refunded') return settled
  throw settled.state === 'authorised' ? unavailable() : new AppError('PAYMENT_NOT_USABLE')
}

/**
 * Voids the hold.
 * @throws PAYMENT_UNKNOWN, PAYMENT_NOT_USABLE (it was captured), PAYMENT_UNAVAILABLE (it will be voided, but is not yet)
 */
export async function release(id: string, tools: Tools): Promise<Payment> {
  const now = tools.clock()
  const lookAgainAt = new Date(now.getTime() + OPERATION_MS)
  const payment = await tools.store.update(id, (current) => requestRelease(current, 'asked', now, lookAgainAt))
  const settled = await voidAuthorisation(payment, tools)
  if (settled.state === 'captured' || settled.state === 'refunded') throw new AppError('PAYMENT_NOT_USABLE')
  return settled
}

/** Cancels the intent of a payment that may still hold something. @throws PAYMENT_UNAVAILABLE while it is not certain that it is gone */
export async function voidAuthorisation(payment: Payment, tools: Tools): Promise<Payment> {
  if (payment.state !== 'created' && payment.state !== 'authorised') return payment
  if (!payment.intentId) return tools.store.update(payment.id, (current) => (current.intentId ? null : abandon(current)))
  const outcome = await callProvider('void', payment, tools)
  const settled = await applyFromProvider(payment, outcome, tools)
  if (settled.state === 'created' || settled.state === 'authorised') throw unavailable()
  return settled
}

/** One call that moves money; when it did not clearly work, the provider is asked how things stand. */
async function callProvider(call: 'capture' | 'void', payment: Payment, tools: Tools): Promise<Outcome> {
  const provider = tools.provider(payment.mode)
  const intentId = payment.intentId as string
  const key = providerKey(call, payment)
  try {
    return outcomeOf(await (call === 'capture' ? provider.capture(intentId, key) : provider.cancel(intentId, key)))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    tools.log.warn({ err: error, paymentId: payment.id, call }, 'the card provider did not do it')
    const outcome = await reread(provider, intentId, error)
    const undecided = outcome.kind !== 'taken' && outcome.kind !== 'gone'
    if (error.needsNewKey && undecided) await tools.store.update(payment.id, (current) => rotateIdempotencyKey(call, current))
    if (call === 'capture' && outcome.kind === 'held' && refusesForGood(error)) throw new AppError('PAYMENT_NOT_USABLE', { cause: error })
    return outcome
  }
}

function refusesForGood(error: ProviderError): boolean {
  return error.kind === 'declined' || error.code === 'charge_expired_for_capture'
}

async function reread(provider: CardProvider, intentId: string, cause: ProviderError): Promise<Outcome> {
  try {
    return outcomeOf(await provider.read(intentId))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw unavailable(cause)
  }
}

/** Asks the provider how a payment stands and takes it over. @throws PAYMENT_UNAVAILABLE */
export async function readAgain(payment: Payment, tools: Tools): Promise<Payment> {
  if (!payment.intentId) return payment
  const askedAt = tools.clock()
  try {
    const outcome = outcomeOf(await tools.provider(payment.mode).read(payment.intentId))
    const settled = await applyFromProvider(payment, outcome, tools)
    if (settled.recheckAt === null || settled.recheckAt > askedAt) return settled
    return tools.store.update(payment.id, (current) =>
      current.recheckAt && current.recheckAt <= askedAt ? { set: { recheckAt: null } } : null,
    )
  } catch (error) {
    throw error instanceof ProviderError ? unavailable(error) : error
  }
}

async function applyFromProvider(known: Payment, outcome: Outcome, tools: Tools): Promise<Payment> {
  return record(known, (current) => applyOutcome(current, outcome, momentOf(tools)), tools)
}

async function record(known: Payment, decide: (payment: Payment) => Change | null, tools: Tools): Promise<Payment> {
  let before: Payment['state'] | undefined
  const payment = await tools.store.update(known, (current) => {
    before = current.state
    return decide(current)
  })
  if (payment.state !== before) {
    tools.metrics.paymentOperations.inc({ operation: 'settle', outcome: payment.state })
    tools.log.info({ paymentId: payment.id, from: before, state: payment.state }, 'payment settled')
  }
  return payment
}

/** Makes the refund that is wanted, once. @throws PAYMENT_UNAVAILABLE */
export async function refund(payment: Payment, tools: Tools): Promise<Payment> {
  const wanted = payment.refund
  if (payment.state !== 'captured' || !wanted || wanted.failed || !payment.intentId) return payment
  const provider = tools.provider(payment.mode)
  try {
    const round = refundRound(wanted, tools.clock())
    const earlier = round > 1 ? await madeBefore(payment, wanted.bookingId, provider) : undefined
    const made = earlier ?? (await makeRefund(payment, wanted, round, provider))
    if (made.status === 'failed' || made.status === 'canceled') return await refundFailed(payment, made.status, tools)
    return await record(payment, (current) => markRefunded(current, made.id), tools)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'unknown') {
      if (error.needsNewKey) await tools.store.update(payment.id, (current) => rotateRefundKey(current, tools.clock()))
      throw unavailable(error)
    }
    const earlier = await madeBefore(payment, wanted.bookingId, provider).catch(() => undefined)
    if (earlier) return record(payment, (current) => markRefunded(current, earlier.id), tools)
    return refundFailed(payment, error.code ?? error.kind, tools)
  }
}

function makeRefund(
  payment: Payment,
  wanted: NonNullable<Payment['refund']>,
  round: number,
  provider: CardProvider,
): Promise<ProviderRefund> {
  const { id: paymentId, currency, intentId } = payment
  const { bookingId, amountMinor } = wanted
  return provider.refund({ intentId: intentId as string, paymentId, bookingId, amountMinor, currency }, refundKey(bookingId, round))
}

async function madeBefore(payment: Payment, bookingId: string, provider: CardProvider): Promise<ProviderRefund | undefined> {
  const refunds = await provider.refundsOf(payment.intentId as string)
  return refunds.find((one) => one.bookingId === bookingId && one.status !== 'failed' && one.status !== 'canceled')
}

function refundFailed(payment: Payment, reason: string, tools: Tools): Promise<Payment> {
  tools.log.error({ paymentId: payment.id, bookingId: payment.bookingId, reason }, 'a refund was refused: an operator must look')
  tools.metrics.paymentOperations.inc({ operation: 'refund', outcome: 'refused' })
  return record(payment, markRefundFailed, tools)
}

/** Cancels what is left of a declined payment, so that a confirmation that arrives late finds nothing to hold. */
export async function closeDeclined(payment: Payment, tools: Tools): Promise<Payment> {
  if (payment.intentId) {
    const outcome = await callProvider('void', payment, tools)
    if (outcome.kind !== 'gone') throw unavailable()
  }
  return tools.store.update(payment.id, (current) => (current.state === 'declined' ? { set: { closed: true, recheckAt: null } } : null))
}
