/** The calls of the payment service: what a visitor pays with, and what bookings do with a payment. */
import { AppError } from '@passerelle/contracts/error'
import type { ProcessCard, paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { judgeAmount } from '@passerelle/contracts/rules/charge'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import type { Peer } from '@passerelle/kit/peer'
import { now, randomId } from '@passerelle/kit/runtime'
import { type Held, hold } from './authorisation.ts'
import { holdAmount } from './domain/amount.ts'
import { type CardInput, chooseInstrument } from './domain/instrument.ts'
import { isSystem, mayUse } from './domain/owner.ts'
import { type Payment, toRecord } from './domain/payment.ts'
import { applyWebhook, claimFor, recordActivity } from './domain/transitions.ts'
import { bookingKey, fingerprint, visitorKey } from './fingerprint.ts'
import { readLedger } from './ledger.ts'
import { capture, release } from './payment-operations.ts'
import { rebuildPayment } from './rebuild.ts'
import { readWebhookEvent, type WebhookEvent } from './stripe-events.ts'
import { momentOf, type Tools } from './tools.ts'

export type RouteTools = Tools & {
  search: Peer<typeof searchApi>
  webhookSecret: Record<'test' | 'live', string | undefined>
}

/** Money that moves without a call of this service. */
const OPERATOR_EVENTS = /^(charge\.dispute\.|refund\.failed)/

export function routes(tools: RouteTools): Handlers<typeof paymentApi> {
  const { store, hash } = tools
  return {
    async processCard({ body, caller, idempotencyKey }) {
      try {
        return paid(await holdForVisitor(body, caller, idempotencyKey, tools))
      } catch (error) {
        if (error instanceof AppError && error.code === 'CARD_DECLINED') return declined(error, caller.requestId)
        throw error
      }
    },

    async authorise({ body, caller }) {
      const instrument = instrumentOf(body, caller, tools)
      const { key, charge, offerId } = body
      const { payment } = await hold(
        {
          source: 'booking',
          key: bookingKey(caller.mode, key, hash),
          fingerprint: fingerprint({ ...charge, offerId, seats: [] }, hash),
          mode: caller.mode,
          requestId: caller.requestId,
          who: caller,
          instrument,
          terms: async () => ({ amountMinor: minorOf(charge.amount, charge.currency), currency: charge.currency, offerId }),
        },
        tools,
      )
      return toRecord(payment)
    },

    async getPayment({ params, caller }) {
      const payment = await store.byId(params.id)
      if (isSystem(caller)) return toRecord(payment)
      refuseOthers(payment, caller)
      return toRecord(await store.update(payment, (current) => recordActivity(current, momentOf(tools))))
    },
    async ledger({ query: { from, to, after }, caller }) {
      return readLedger(caller.mode, { from: new Date(from), to: new Date(to) }, after ?? null, tools)
    },
    async rebuild({ params, body, caller }) {
      return toRecord(await rebuildPayment(params.id, body, caller, tools))
    },
    async claim({ params, body, caller }) {
      const claimed = await store.update(params.id, (payment) => {
        refuseOthers(payment, caller)
        return claimFor(payment, body.bookingId)
      })
      return toRecord(claimed)
    },
    async capture({ params, caller }) {
      if (!isSystem(caller)) refuseOthers(await store.byId(params.id), caller)
      return toRecord(await capture(params.id, tools))
    },
    async release({ params, caller }) {
      if (!isSystem(caller)) refuseOthers(await store.byId(params.id), caller)
      return toRecord(await release(params.id, tools))
    },

    async webhook({ params, body, header, log }) {
      const event = readWebhookEvent(body, header('stripe-signature'), tools.webhookSecret[params.mode])
      if (event === 'unsigned') throw new AppError('VALIDATION_ERROR', { message: 'The signature is not valid' })
      if (event === 'unreadable') throw new AppError('VALIDATION_ERROR', { message: 'The body is not an event' })
      if (OPERATOR_EVENTS.test(event.type)) {
        tools.metrics.paymentOperations.inc({ operation: 'webhook', outcome: 'operator' })
        log.error({ type: event.type, intentId: event.intentId }, 'an operator must look at a payment')
      }
      await recordWebhook(event, params.mode, tools)
      return { received: true }
    },
  }
}

/** @throws PAYMENT_UNKNOWN for the payment of another visitor: nobody learns that it exists */
function refuseOthers(payment: Payment, caller: Caller): void {
  if (!mayUse(payment, caller)) throw new AppError('PAYMENT_UNKNOWN')
}

function paid({ payment, replayed }: Held) {
  return new Reply(
    { body: { success: true, paymentId: payment.id, message: 'Payment authorised' } },
    { headers: replayed ? { 'idempotent-replayed': 'true' } : {} },
  )
}

/** The payment page reads `success`, every other client the code; so a decline carries both. */
function declined({ code, message, status }: AppError, requestId: string) {
  return new Reply<never>({ json: JSON.stringify({ success: false, error: code, message, requestId }) }, { status })
}

function instrumentOf(input: CardInput, caller: Caller, tools: Tools) {
  return chooseInstrument(input, { mode: caller.mode, allowRawCards: tools.allowRawCards, now: now() })
}

async function holdForVisitor(body: ProcessCard, caller: Caller, key: string | null, tools: RouteTools): Promise<Held> {
  const instrument = instrumentOf(body, caller, tools)
  const offerId = body.offerId ?? null
  const visitor = caller.visitorId ?? caller.ip ?? 'nobody'
  return hold(
    {
      source: 'visitor',
      key: visitorKey({ mode: caller.mode, visitor, key: key ?? randomId() }, tools.hash),
      fingerprint: fingerprint({ amount: body.amount, currency: body.currency, offerId, seats: body.seats }, tools.hash),
      mode: caller.mode,
      requestId: caller.requestId,
      who: caller,
      instrument,
      terms: async () => (offerId ? offerTerms(offerId, body, caller, tools) : { ...plainTerms(body), offerId }),
    },
    tools,
  )
}

function plainTerms({ amount, currency }: { amount: string; currency: string }) {
  return { amountMinor: minorOf(amount, currency), currency }
}

/** The server's figure is held; what the client sent only has to agree with it. */
async function offerTerms(offerId: string, body: ProcessCard, caller: Caller, tools: RouteTools) {
  const quote = await tools.search({ ...caller, actor: 'payment' }).quote({ params: { id: offerId }, body: { seats: body.seats } })
  if (quote.mode !== caller.mode) throw new AppError('OFFER_EXPIRED')
  const judged = judgeAmount({ amount: body.amount, currency: body.currency }, quote)
  if (judged !== 'ok')
    throw new AppError(judged === 'changed' ? 'PRICE_CHANGED' : 'PAYMENT_AMOUNT_MISMATCH', { details: { ...quote.charge } })
  return { ...plainTerms(quote.charge), offerId }
}

function minorOf(amount: string, currency: string): number {
  const held = holdAmount(amount, currency)
  if ('minor' in held) return held.minor
  throw new AppError('VALIDATION_ERROR', { message: held.problem, issues: [{ path: held.field, message: held.problem }] })
}

/** An event only says which payment to read: what it claims is never recorded. */
async function recordWebhook(event: WebhookEvent, mode: 'test' | 'live', { store }: Tools): Promise<void> {
  const known = (event.paymentId && (await store.findById(event.paymentId))) || (event.intentId && (await store.byIntent(event.intentId)))
  if (!known || known.mode !== mode) return
  await store.update(known.id, (payment) => applyWebhook(payment, event, now()))
}
