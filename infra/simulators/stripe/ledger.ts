/** The truth that tests compare the product's books with. Amounts in the smallest unit, times in ISO 8601 on the simulator's clock. */
import type { Store } from './store.ts'

const iso = (seconds: number | null | undefined) => (seconds == null ? null : new Date(seconds * 1000).toISOString())
const sum = (items: { amount: number }[]) => items.reduce((total, item) => total + item.amount, 0)

export const ledgerOf = (store: Store, requests: Map<string, number>) => {
  const captures = store.all('capture').reverse()
  const refunds = store.all('refund').reverse()
  const charges = store.all('charge')
  const disputes = store.all('dispute').reverse()
  const byIntent = <T extends { payment_intent: string }>(items: T[]) => Map.groupBy(items, (item) => item.payment_intent)
  const [capturesOf, refundsOf, chargesOf] = [byIntent(captures), byIntent(refunds), byIntent(charges)]

  const intents = store
    .all('payment_intent')
    .reverse()
    .map((intent) => {
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
        refunded: sum((refundsOf.get(intent.id) ?? []).filter((refund) => refund.status !== 'failed')),
        attempts: attempts.length,
        declines: attempts.filter((charge) => charge.status === 'failed').length,
        card: attempts[0]?.payment_method_details.card ?? null,
        cancellationReason: intent.cancellation_reason,
        description: intent.description,
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
      reason: one.reason,
      metadata: one.metadata,
      at: iso(one.created),
    })),
    disputes: disputes.map((one) => ({ id: one.id, paymentIntent: one.payment_intent, amount: one.amount, at: iso(one.created) })),
    counts: {
      intents: intents.length,
      byStatus: Object.fromEntries(
        Array.from(
          Map.groupBy(intents, (intent) => intent.status),
          ([status, those]) => [status, those.length],
        ),
      ),
      authorisations: charges.filter((charge) => charge.status === 'succeeded').length,
      declines: charges.filter((charge) => charge.status === 'failed').length,
      captures: captures.length,
      cancellations: intents.filter((intent) => intent.status === 'canceled').length,
      refunds: refunds.length,
      disputes: disputes.length,
      webhooks: store.deliveryCounts(),
      requests: Object.fromEntries([...requests].sort()),
    },
  }
}
