/** The calls of the payment service: what a visitor pays with, and what bookings do with a payment. */
import { randomUUID } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { ProcessCard, paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { judgeAmount } from '@passerelle/contracts/rules/charge'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import type { Peer } from '@passerelle/kit/peer'
import { type Held, hold } from './authorisation.ts'
import { holdAmount } from './domain/amount.ts'
import { type CardInput, chooseInstrument } from './domain/instrument.ts'
import { toRecord } from './domain/payment.ts'
import { claimFor, takeHint } from './domain/transitions.ts'
import { bookingKey, fingerprint, visitorKey } from './fingerprint.ts'
import { capture, release } from './settlement.ts'
import { type ProviderHint, readHint } from './stripe.ts'
import type { Tools } from './tools.ts'

export type RouteTools = Tools & {
  search: Peer<typeof searchApi>
  webhookSecret: Record<'test' | 'live', string | undefined>
}

/** Money that leaves or comes back without our doing. */
const OPERATOR_MATTERS = /^(charge\.dispute\.|refund\.failed)/

export function routes(tools: RouteTools): Handlers<typeof paymentApi> {
  const { store } = tools
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
          key: bookingKey(caller.mode, key),
          fingerprint: fingerprint({ ...charge, offerId, seats: [] }),
          mode: caller.mode,
          requestId: caller.requestId,
          instrument,
          terms: async () => ({ amountMinor: minorOf(charge.amount, charge.currency), currency: charge.currency, offerId }),
        },
        tools,
      )
      return toRecord(payment)
    },

    getPayment: async ({ params }) => toRecord(await store.byId(params.id)),
    claim: async ({ params, body }) => toRecord(await store.update(params.id, (payment) => claimFor(payment, body.bookingId))),
    capture: async ({ params }) => toRecord(await capture(params.id, tools)),
    release: async ({ params }) => toRecord(await release(params.id, tools)),

    async webhook({ params, body, header, log }) {
      const hint = readHint(body, header('stripe-signature'), tools.webhookSecret[params.mode])
      if (!hint) throw new AppError('VALIDATION_ERROR', { message: 'The signature is not valid' })
      if (OPERATOR_MATTERS.test(hint.type)) log.error({ type: hint.type, intentId: hint.intentId }, 'an operator must look at a payment')
      await heed(hint, params.mode, tools)
      return { received: true }
    },
  }
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
  return chooseInstrument(input, { mode: caller.mode, allowRawCards: tools.allowRawCards, now: tools.clock() })
}

async function holdForVisitor(body: ProcessCard, caller: Caller, key: string | null, tools: RouteTools): Promise<Held> {
  const instrument = instrumentOf(body, caller, tools)
  const offerId = body.offerId ?? null
  const visitor = caller.sessionId ?? caller.ip ?? 'nobody'
  return hold(
    {
      source: 'visitor',
      key: visitorKey({ mode: caller.mode, visitor, key: key ?? randomUUID() }),
      fingerprint: fingerprint({ amount: body.amount, currency: body.currency, offerId, seats: body.seats }),
      mode: caller.mode,
      requestId: caller.requestId,
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

/** Only says where to look: what a hint claims is never taken over. */
async function heed(hint: ProviderHint, mode: 'test' | 'live', { store, clock }: Tools): Promise<void> {
  const known = (hint.paymentId && (await store.findById(hint.paymentId))) || (hint.intentId && (await store.byIntent(hint.intentId)))
  if (!known || known.mode !== mode) return
  await store.update(known.id, (payment) => takeHint(payment, hint, clock()))
}
