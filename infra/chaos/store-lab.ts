/**
 * The booking and the payment service on a real MongoDB with nothing between them: their own routes, stores, workers and relays, called
 * directly instead of over HTTP, with the suppliers and the bus as ledgers. What is left is what a booking writes, at a rate that a
 * small machine keeps up with.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { documentSafe } from '@passerelle/booking/documents'
import { quote } from '@passerelle/booking/domain/booking.fixture'
import { receiptStore } from '@passerelle/booking/receipts/store'
import { type RouteContext as BookingContext, routes as bookingRoutes } from '@passerelle/booking/routes'
import { bookingStore } from '@passerelle/booking/store'
import { sagaWorker } from '@passerelle/booking/workers'
import { AppError } from '@passerelle/contracts/error'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { paymentApi } from '@passerelle/contracts/http/payment'
import type { Quote, searchApi } from '@passerelle/contracts/http/search'
import type { Contract } from '@passerelle/contracts/route'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { type Handlers, Reply, toAppError } from '@passerelle/kit/http'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { startRelay } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { testCaller } from '@passerelle/kit/testing'
import { startWorker } from '@passerelle/kit/worker'
import { cardAttemptLimiter } from '@passerelle/payment/card-attempts/limiter'
import { cardAttemptStore } from '@passerelle/payment/card-attempts/store'
import { type RouteTools as PaymentTools, routes as paymentRoutes } from '@passerelle/payment/routes'
import { paymentStore } from '@passerelle/payment/store'
import { paymentWorker } from '@passerelle/payment/worker'
import type { World } from './invariants.ts'
import type { Traveller } from './load.ts'
import { intentLedger, orderLedger } from './supplier-ledgers.ts'

export type StoreLab = Traveller & World & { published: { name: string; key: string }[] }

const log = createLog('chaos', 'silent')
const caller = testCaller({
  sessionId: 'session-of-the-campaign',
  visitorId: 'visitor-of-the-campaign',
  markupPercent: quote.offer.price.markupPercent,
})

/** A handler, called as HTTP would have called it: what it throws is a known error, or one that says "away". */
async function ask<C extends Contract>(handlers: Handlers<C>, name: keyof C['routes'] & string, input: object): Promise<unknown> {
  const call = { caller, idempotencyKey: null, ...input, header: () => undefined, log, signal: new AbortController().signal }
  try {
    const result = await (handlers[name] as (given: object) => Promise<unknown>)(call)
    if (!(result instanceof Reply)) return result
    return 'json' in result.content ? JSON.parse(String(result.content.json)) : result.body
  } catch (error) {
    const known = toAppError(error)
    throw known.code === 'INTERNAL_ERROR' ? new AppError('UPSTREAM_UNAVAILABLE', { cause: error }) : known
  }
}

function direct<C extends Contract>(handlers: Handlers<C>): Peer<C> {
  return (from) =>
    new Proxy({} as ReturnType<Peer<C>>, { get: (_, name: string) => (input: object) => ask(handlers, name, { ...input, caller: from }) })
}

const quoteOf = (offerId: string): Quote => ({ ...quote, offer: { ...quote.offer, id: offerId } })

export async function openStoreLab(mongoUrl: string): Promise<StoreLab> {
  const [bookingMongo, paymentMongo] = [await connectMongo(mongoUrl, 'booking', log), await connectMongo(mongoUrl, 'payment', log)]
  const metrics = createMetrics('chaos')
  const [bookings, payments] = [bookingStore(bookingMongo), paymentStore(paymentMongo, { metrics, log })]
  const [attempts, receipts] = [cardAttemptStore(paymentMongo), receiptStore(bookingMongo)]
  await ensureIndexes(bookingMongo)
  await ensureIndexes(paymentMongo)
  const [orders, intents] = [orderLedger(), intentLedger()]
  const published: StoreLab['published'] = []
  const publisher = { publish: async (events: readonly { name: string; key: string }[]) => void published.push(...events) }
  const quoteOne = async ({ params }: { params: { id: string } }) => quoteOf(params.id)
  const search = (() => ({ quote: quoteOne })) as unknown as Peer<typeof searchApi>
  const secret = randomBytes(32).toString('base64')
  const shared = { log, metrics, search, hash: keyedHash(secret) }
  const limits = { perVisitor: 1_000_000, perNetwork: 1_000_000, windowMs: 3_600_000, stopMs: 1_800_000, waitMs: 5000 }
  const paymentTools: PaymentTools = {
    ...shared,
    store: payments,
    provider: () => intents,
    webhookSecret: { test: undefined, live: undefined },
    cardAttempts: cardAttemptLimiter({ ...shared, store: attempts, limits }),
    holdTimes: { holdMs: 60_000, idleMs: 30_000, challengeMs: 60_000 },
    allowRawCards: false,
    answerMs: 22_000,
    waitMs: 5000,
  }
  const paymentHandlers = paymentRoutes(paymentTools)
  const bookingContext: BookingContext = {
    ...shared,
    store: bookings,
    receipts,
    brandOf: async () => ({ brand: defaultBrand }),
    supplier: () => orders,
    payment: direct(paymentHandlers),
    safe: documentSafe(secret),
    // Outcomes that were lost are resolved within the campaign.
    sendWithinMs: 3000,
    orderLongestMs: 3000,
    system: 'chaos',
    answerWithinMs: 25_000,
    prepareWithinMs: 40_000,
    preview: async () => '',
  }
  const bookingHandlers = bookingRoutes(bookingContext)
  startWorker(sagaWorker(bookingContext), log)
  startWorker(paymentWorker(paymentTools), log)
  startRelay(bookings.outbox, publisher, log, metrics)
  startRelay(payments.outbox, publisher, log, metrics)
  const { processCard } = paymentApi.routes
  const { createBooking } = bookingApi.routes
  const answer = async (path: string, given: unknown, idempotencyKey: string | null): Promise<unknown> => {
    // A search finds an offer that nobody else will ask for.
    if (path.startsWith('/api/flights/search')) return { offers: [quoteOf(`oft_${randomUUID()}`).offer] }
    if (path.startsWith('/api/flights/offer/')) return quoteOf(path.split('/').at(-1) ?? '').offer
    if (path === processCard.path) return ask(paymentHandlers, 'processCard', { body: processCard.body.parse(given), idempotencyKey })
    if (path === createBooking.path) return ask(bookingHandlers, 'createBooking', { body: createBooking.body.parse(given), idempotencyKey })
    throw new AppError('NOT_FOUND')
  }
  return {
    published,
    mongoUrl: () => mongoUrl,
    ledgers: async () => ({ ...orders, ...intents, refunds: [], messages: [] }),
    async call<T>(_method: string, path: string, given?: unknown, headers: Record<string, string> = {}) {
      try {
        return { status: 200, body: (await answer(path, given, headers['idempotency-key'] ?? null)) as T }
      } catch (error) {
        const known = toAppError(error)
        return { status: known.status, body: known.toBody('chaos') as T }
      }
    },
  }
}
