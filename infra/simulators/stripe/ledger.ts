/** The truth that tests compare the product's books with. Amounts in the smallest unit, times in ISO 8601 on the simulator's clock. */
import { counted } from '../control.ts'
import type { Documents } from '../documents.ts'
import type { Capture, Charge, Dispute, PaymentIntent, Refund } from './resources.ts'

const iso = (seconds: number | null | undefined) => (seconds == null ? null : new Date(seconds * 1000).toISOString())
const sum = (items: { amount: number }[]) => items.reduce((total, item) => total + item.amount, 0)

export const ledgerOf = (documents: Documents, requests: Map<string, number>) => {
  const captures = documents.list<Capture>('capture')
  const refunds = documents.list<Refund>('refund')
  const charges = documents.list<Charge>('charge', { newestFirst: true })
  const disputes = documents.list<Dispute>('dispute')
  const byIntent = <T extends { payment_intent: string }>(items: T[]) => Map.groupBy(items, (item) => item.payment_intent)
  const [capturesOf, refundsOf, chargesOf] = [byIntent(captures), byIntent(refunds), byIntent(charges)]

  const intents = documents.list<PaymentIntent>('payment_intent').map((intent) => {
    const attempts = chargesOf.get(intent.id) ?? []
    const taken = capturesOf.get(intent.id) ?? []
    return {
      id: intent.id,
      amount: intent.amount,
      currency: intent.currency,
      status: intent.status,
      captureMethod: intent.capture_method,
      capturable: intent.amount_capturable,
      captured: sum(taken),
      refunded: sum(refundsOf.get(intent.id) ?? []),
      attempts: attempts.length,
      declines: attempts.filter((charge) => charge.status === 'failed').length,
      card: attempts[0]?.payment_method_details.card ?? null,
      cancellationReason: intent.cancellation_reason,
      metadata: intent.metadata,
      createdAt: iso(intent.created),
      authorisedAt: iso(attempts.find((charge) => charge.status === 'succeeded')?.created),
      capturedAt: iso(taken[0]?.created),
      canceledAt: iso(intent.canceled_at),
    }
  })
  return {
    intents,
    captures: captures.map((one) => ({
      paymentIntent: one.payment_intent,
      amount: one.amount,
      currency: one.currency,
      at: iso(one.created),
    })),
    refunds: refunds.map((one) => ({
      id: one.id,
      paymentIntent: one.payment_intent,
      amount: one.amount,
      currency: one.currency,
      status: one.status,
      metadata: one.metadata,
      at: iso(one.created),
    })),
    disputes: disputes.map((one) => ({ id: one.id, paymentIntent: one.payment_intent, amount: one.amount, at: iso(one.created) })),
    counts: {
      intents: intents.length,
      byStatus: counted(intents.map(({ status }) => status)),
      authorisations: charges.filter((charge) => charge.status === 'succeeded').length,
      declines: charges.filter((charge) => charge.status === 'failed').length,
      captures: captures.length,
      cancellations: intents.filter((intent) => intent.status === 'canceled').length,
      refunds: refunds.length,
      disputes: disputes.length,
      webhooks: counted(documents.list<{ state: string }>('delivery').map(({ state }) => state)),
      requests: Object.fromEntries([...requests].sort()),
    },
  }
}
