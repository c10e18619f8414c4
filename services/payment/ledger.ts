/** The card provider's own list of payments beside our records, for the daily comparison. */
import type { Mode } from '@passerelle/contracts/http/common'
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { type Payment, refundedInAll } from './domain/payment.ts'
import { ProviderError } from './stripe.ts'
import { type Tools, unavailable } from './tools.ts'

type Page = { entries: LedgerEntry[]; after: string | null }

/** @throws PAYMENT_UNAVAILABLE */
export async function readLedger(mode: Mode, span: { from: Date; to: Date }, after: string | null, tools: Tools): Promise<Page> {
  const page = await tools
    .provider(mode)
    .made(span, after)
    .catch((error) => Promise.reject(error instanceof ProviderError ? unavailable(error) : error))
  const ids = page.intents.flatMap(({ paymentId }) => paymentId ?? [])
  const known = new Map((await tools.store.byIds(ids)).map((payment) => [payment.id, payment]))
  const entries = page.intents.map(({ paymentId, createdAt, ...money }) => {
    const payment = known.get(paymentId ?? '')
    return {
      ...money,
      createdAt: createdAt.toISOString(),
      paymentId: payment?.id ?? null,
      namedPaymentId: paymentId,
      bookingId: payment?.bookingId ?? null,
      recorded: payment ? recordOf(payment) : null,
    }
  })
  return { entries, after: page.after }
}

function recordOf(payment: Payment) {
  const { state, amountMinor } = payment
  return { capturedMinor: state === 'captured' || state === 'refunded' ? amountMinor : 0, refundedMinor: refundedInAll(payment) }
}
