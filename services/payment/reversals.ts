/** Reads what went back to the cardholder without a call of this service. */
import { now } from '@passerelle/kit/runtime'
import type { Payment } from './domain/payment.ts'
import { recordReversals } from './domain/reversal.ts'
import { ProviderError } from './stripe.ts'
import { type Tools, unavailable } from './tools.ts'

/** Refunds and disputes as the provider lists them now, recorded with their event. @throws PAYMENT_UNAVAILABLE */
export async function readReversals(payment: Payment, tools: Tools): Promise<Payment> {
  const { intentId } = payment
  if (!intentId) return tools.store.update(payment.id, () => ({ set: { reversalsRecheckAt: null } }))
  const askedAt = now()
  const provider = tools.provider(payment.mode)
  try {
    const [refunds, disputes] = await Promise.all([provider.refundsOf(intentId), provider.disputesOf(intentId)])
    return await tools.store.update(payment.id, (current) => recordReversals(current, { refunds, disputes }, askedAt))
  } catch (error) {
    throw error instanceof ProviderError ? unavailable(error) : error
  }
}
