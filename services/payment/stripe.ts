/**
 * The card provider. Every answer becomes an `Intent`, every failure a `ProviderError` that says what is known about the outcome.
 * Amounts are our minor units on this side.
 */
import { countSupplierCall, type Metrics } from '@passerelle/kit/metrics'
import { guard } from '@passerelle/kit/resilience'
import Stripe from 'stripe'
import { fromProviderAmount, toProviderAmount } from './domain/amount.ts'
import type { RawCard } from './domain/instrument.ts'
import type { Intent } from './domain/intent.ts'
import type { Dispute } from './domain/payment.ts'

export type ProviderRefund = { id: string; status: string; bookingId: string | null; amountMinor: number }

/** What the provider keeps of an intent's money. */
export type MovedMoney = {
  intentId: string
  /** Ours, from the metadata. */
  paymentId: string | null
  createdAt: Date
  currency: string
  capturedMinor: number
  refundedMinor: number
}

export type CardProvider = {
  create(payment: { id: string; amountMinor: number; currency: string }, key: string): Promise<Intent>
  /** Holds the intent's amount. `canAsk`: the visitor's browser can show a question of the bank; else a card that needs one is declined. */
  confirm(intentId: string, about: { method: string; canAsk: boolean }, key: string): Promise<Intent>
  /** A payment method from a card number; only with the provider's permission for raw numbers. */
  createMethod(card: RawCard): Promise<string>
  read(intentId: string): Promise<Intent>
  /** What it has taken and given back. */
  moneyOf(intentId: string): Promise<MovedMoney>
  capture(intentId: string, key: string): Promise<Intent>
  cancel(intentId: string, key: string): Promise<Intent>
  refund(about: RefundRequest, key: string): Promise<ProviderRefund>
  refundsOf(intentId: string): Promise<ProviderRefund[]>
  disputesOf(intentId: string): Promise<Dispute[]>
  /** Intents made in a span of time, newest first, a page at a time. */
  made(span: { from: Date; to: Date }, after: string | null): Promise<{ intents: MovedMoney[]; after: string | null }>
}

type RefundRequest = { intentId: string; paymentId: string; bookingId: string; amountMinor: number; currency: string }

/**
 * declined: the bank said no. refused: the provider understood and will not do it (wrong state, unknown id, bad parameter).
 * unknown: no answer, or one that says nothing about the outcome; read before concluding anything.
 */
type ProviderErrorKind = 'declined' | 'refused' | 'unknown'

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  readonly code: string | null
  readonly declineCode: string | null
  readonly param: string | null
  /** Answered with 5xx, or the key was used with other parameters: the same key would get the same answer for a day. */
  readonly needsNewKey: boolean

  constructor(
    kind: ProviderErrorKind,
    about: Partial<Pick<ProviderError, 'code' | 'declineCode' | 'param' | 'needsNewKey'>>,
    cause?: unknown,
  ) {
    super(`card provider: ${kind}${about.code ? ` (${about.code})` : ''}`, { cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.code = about.code ?? null
    this.declineCode = about.declineCode ?? null
    this.param = about.param ?? null
    this.needsNewKey = about.needsNewKey ?? false
  }
}

type StripeOptions = { key: string; url: string | undefined; timeoutMs: number; metrics: Metrics }

const RETRIES = 1
const LONGEST_BACKOFF_MS = 1500

export function stripeProvider({ key, url, timeoutMs, metrics }: StripeOptions): CardProvider {
  const stripe = new Stripe(key, { timeout: timeoutMs, maxNetworkRetries: RETRIES, telemetry: false, ...(url && addressOf(url)) })
  const guarded = guard({
    name: 'stripe',
    timeoutMs: (timeoutMs + LONGEST_BACKOFF_MS) * (RETRIES + 1),
    concurrent: 50,
    queue: 200,
    breakAfter: 5,
    openMs: 2000,
    isFailure: (error) => toProviderError(error).kind === 'unknown',
  })
  const call = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    countSupplierCall(metrics, { peer: 'stripe', operation, outcomeOf: (error) => (error as ProviderError).kind }, () =>
      guarded(work).catch((error) => Promise.reject(toProviderError(error))),
    )

  return {
    async create({ id, amountMinor, currency }, idempotencyKey) {
      const params: Stripe.PaymentIntentCreateParams = {
        amount: toProviderAmount(amountMinor, currency),
        currency: currency.toLowerCase(),
        capture_method: 'manual',
        allowed_payment_method_types: ['card'],
        metadata: { payment_id: id },
      }
      return toIntent(await call('intent.create', () => stripe.paymentIntents.create(params, { idempotencyKey })))
    },
    async confirm(intentId, { method, canAsk }, idempotencyKey) {
      const asking = canAsk ? { use_stripe_sdk: true } : { error_on_requires_action: true }
      const params = { payment_method: method, ...asking, expand: ['latest_charge'] }
      return toIntent(await call('intent.confirm', () => stripe.paymentIntents.confirm(intentId, params, { idempotencyKey })))
    },
    async createMethod({ number, expMonth, expYear, cvc }) {
      const card = { number, exp_month: expMonth, exp_year: expYear, cvc }
      return (await call('method.create', () => stripe.paymentMethods.create({ type: 'card', card }))).id
    },
    async read(intentId) {
      return toIntent(await call('intent.read', () => stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })))
    },
    async moneyOf(intentId) {
      return toMovedMoney(await call('intent.read', () => stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })))
    },
    async capture(intentId, idempotencyKey) {
      return toIntent(await call('intent.capture', () => stripe.paymentIntents.capture(intentId, {}, { idempotencyKey })))
    },
    async cancel(intentId, idempotencyKey) {
      return toIntent(await call('intent.cancel', () => stripe.paymentIntents.cancel(intentId, {}, { idempotencyKey })))
    },
    async refund({ intentId, paymentId, bookingId, amountMinor, currency }, idempotencyKey) {
      const params: Stripe.RefundCreateParams = {
        payment_intent: intentId,
        amount: toProviderAmount(amountMinor, currency),
        metadata: { payment_id: paymentId, booking_id: bookingId },
      }
      return toRefund(await call('refund.create', () => stripe.refunds.create(params, { idempotencyKey })))
    },
    async refundsOf(intentId) {
      const list = await call('refund.list', () => stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
      return list.data.map(toRefund)
    },

    async disputesOf(intentId) {
      const list = await call('dispute.list', () => stripe.disputes.list({ payment_intent: intentId, limit: 100 }))
      return list.data.map(toDispute)
    },
    async made({ from, to }, after) {
      const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) }
      const params = { created, limit: 100, expand: ['data.latest_charge'], ...(after && { starting_after: after }) }
      const list = await call('intent.list', () => stripe.paymentIntents.list(params))
      return { intents: list.data.map(toMovedMoney), after: list.has_more ? (list.data.at(-1)?.id ?? null) : null }
    },
  }
}

function addressOf(url: string): { protocol: 'http' | 'https'; host: string; port: number } {
  const { protocol, hostname, port } = new URL(url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { protocol: scheme, host: hostname, port: port ? Number(port) : scheme === 'http' ? 80 : 443 }
}

function toIntent(raw: Stripe.PaymentIntent): Intent {
  const error = raw.last_payment_error
  const charge = typeof raw.latest_charge === 'object' ? raw.latest_charge : null
  const card = charge?.payment_method_details?.card
  return {
    id: raw.id,
    status: raw.status,
    error: error ? { code: error.code || null, declineCode: error.decline_code || null } : null,
    clientSecret: raw.status === 'requires_action' ? raw.client_secret : null,
    cardSummary: card ? { brand: card.brand ?? null, last4: card.last4 ?? null } : null,
  }
}

function toMovedMoney(raw: Stripe.PaymentIntent): MovedMoney {
  const currency = raw.currency.toUpperCase()
  const charge = typeof raw.latest_charge === 'object' ? raw.latest_charge : null
  return {
    intentId: raw.id,
    paymentId: raw.metadata?.payment_id ?? null,
    createdAt: new Date(raw.created * 1000),
    currency,
    capturedMinor: fromProviderAmount(raw.amount_received, currency),
    refundedMinor: fromProviderAmount(charge?.amount_refunded ?? 0, currency),
  }
}

function toRefund(raw: Stripe.Refund): ProviderRefund {
  const amountMinor = fromProviderAmount(raw.amount, raw.currency.toUpperCase())
  return { id: raw.id, status: raw.status ?? 'pending', bookingId: raw.metadata?.booking_id ?? null, amountMinor }
}

/** Of an inquiry no money has moved; one that was closed without a dispute is as good as won. */
const DISPUTE_ENDS: Partial<Record<string, Dispute['status']>> = { won: 'won', warning_closed: 'won', prevented: 'won', lost: 'lost' }

function toDispute(raw: Stripe.Dispute): Dispute {
  const amountMinor = fromProviderAmount(raw.amount, raw.currency.toUpperCase())
  return { id: raw.id, amountMinor, status: DISPUTE_ENDS[raw.status] ?? 'open' }
}

const RAW_CARD_TEXT = /sending credit card numbers directly/i

/** Judged by type and code: the client's error classes go by HTTP status alone. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Stripe.errors.StripeError)) return new ProviderError('unknown', {}, error)
  const { rawType, statusCode } = error
  const about = { code: error.code || null, declineCode: error.decline_code || null, param: error.param || null }
  if (rawType === 'card_error') return new ProviderError('declined', about, error)
  if (rawType === 'idempotency_error') return new ProviderError('unknown', { ...about, needsNewKey: statusCode === 400 }, error)
  if (RAW_CARD_TEXT.test(error.message)) return new ProviderError('refused', { code: 'raw_card_refused' }, error)
  if (rawType === 'invalid_request_error' && statusCode !== undefined && [400, 402, 404].includes(statusCode))
    return new ProviderError('refused', about, error)
  return new ProviderError('unknown', { ...about, needsNewKey: statusCode !== undefined && statusCode >= 500 }, error)
}
