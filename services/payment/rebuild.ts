/** A payment that was captured after the copy of the database was made that is in use now, recorded again from the provider. */
import { AppError } from '@passerelle/contracts/error'
import type { Caller } from '@passerelle/kit/auth'
import { now } from '@passerelle/kit/runtime'
import { newPayment, type Payment } from './domain/payment.ts'
import { recordLostCapture } from './domain/transitions.ts'
import { type MovedMoney, ProviderError } from './stripe.ts'
import { momentOf, type Tools, unavailable } from './tools.ts'

/**
 * Safe to repeat.
 * @throws PAYMENT_UNKNOWN (the provider has no such payment), PAYMENT_NOT_USABLE (nothing was captured, or it is another booking's),
 * PAYMENT_UNAVAILABLE
 */
export async function rebuildPayment(
  id: string,
  { intentId, bookingId }: { intentId: string; bookingId: string },
  caller: Pick<Caller, 'mode' | 'requestId'>,
  tools: Tools,
): Promise<Payment> {
  const provider = tools.provider(caller.mode)
  const [money, { cardSummary }] = await Promise.all([provider.moneyOf(intentId), provider.read(intentId)]).catch((error) =>
    Promise.reject(refusal(error)),
  )
  if (money.paymentId !== id) throw new AppError('PAYMENT_UNKNOWN')
  if (money.capturedMinor === 0) throw new AppError('PAYMENT_NOT_USABLE')
  if (!(await tools.store.findById(id))) await tools.store.insert(asHeld(id, money, caller))
  return tools.store.update(id, (payment) => recordLostCapture(payment, { bookingId, intentId, cardSummary }, momentOf(tools)))
}

function refusal(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  return error.kind === 'refused' ? new AppError('PAYMENT_UNKNOWN', { cause: error }) : unavailable(error)
}

/** As it was before its capture. Who had paid, and with which request, nobody knows any more. */
function asHeld(
  id: string,
  { intentId, capturedMinor, currency }: MovedMoney,
  { mode, requestId }: Pick<Caller, 'mode' | 'requestId'>,
): Payment {
  const unknown = { offerId: null, visitorId: null, userId: null, cardBrand: null, cardLast4: null, attemptBy: null, attemptUntil: null }
  const terms = { id, mode, requestId, currency, amountMinor: capturedMinor, source: 'visitor' as const, ...unknown }
  return { ...newPayment({ ...terms, key: `rebuilt:${id}`, fingerprint: 'rebuilt' }, now()), state: 'authorised', intentId }
}
