/**
 * The booking and the payment service on a real MongoDB with nothing between them: their own routes, stores, workers and relays, called
 * directly instead of over HTTP, with the suppliers and the bus as ledgers. What is left is what a booking writes, at a rate that a
 * small machine keeps up with.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { documentSafe } from '@passerelle/booking/documents'
import { quote } from '@passerelle/booking/domain/booking.fixture'
import { type RouteContext as BookingContext, routes as bookingRoutes } from '@passerelle/booking/routes'
import { bookingStore } from '@passerelle/booking/store'
import { sagaWorker } from '@passerelle/booking/workers'
import { AppError } from '@passerelle/contracts/error'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { paymentApi } from '@passerelle/contracts/http/payment'
import type { Quote, searchApi } from '@passerelle/contracts/http/search'
import type { Contract } from '@passerelle/contracts/route'
import type { Caller } from '@passerelle/kit/auth'
import type { Publisher } from '@passerelle/kit/bus'
import { type Handlers, Reply, toAppError } from '@passerelle/kit/http'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { startRelay } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { startWorker } from '@passerelle/kit/worker'
import { cardAttemptLimiter } from '@passerelle/payment/card-attempts/limiter'
import { cardAttemptStore } from '@passerelle/payment/card-attempts/store'
import { type RouteTools as PaymentTools, routes as paymentRoutes } from '@passerelle/payment/routes'
import { paymentStore } from '@passerelle/payment/store'
import { paymentWorker } from '@passerelle/payment/worker'
import { intentLedger, orderLedger } from './supplier-ledgers.ts'

export type StoreLab = Awaited<ReturnType<typeof openStoreLab>>

const log = createLog('chaos', 'silent')
const caller: Caller = {
  actor: 'gateway',
  userId: null,
  sessionId: 'session-of-the-campaign',
  visitorId: 'visitor-of-the-campaign',
  isAdmin: false,
  adminProofAt: null,
  brand: 'default',
  markupPercent: quote.offer.price.markupPercent,
  mode: 'test',
  requestId: 'chaos',
  ip: null,
}

/** What arrives at the other side of an HTTP call, without the call: a known error, or one that says "away". */
async function answerOf<T>(work: () => Promise<T | Reply<T>>): Promise<T> {
  try {
    const result = await work()
    return result instanceof Reply ? (result.body as T) : result
  } catch (error) {
    const known = toAppError(error)
    throw known.code === 'INTERNAL_ERROR' ? new AppError('UPSTREAM_UNAVAILABLE', { cause: error }) : known
  }
}

/** A handler, called as HTTP would have called it. */
function ask<C extends Contract, N extends keyof C['routes'] & string>(
  handlers: Handlers<C>,
  name: N,
  input: object,
  from: { caller: Caller; idempotencyKey: string | null },
): Promise<unknown> {
  const call = { ...input, ...from, header: () => undefined, log, signal: new AbortController().signal }
  return answerOf(() => handlers[name](call as never) as Promise<unknown>)
}

function direct<C extends Contract>(handlers: Handlers<C>): Peer<C> {
  return (from) =>
    new Proxy({} as ReturnType<Peer<C>>, {
      get: (_, name: string) => (input: object) => ask(handlers, name, input, { caller: from, idempotencyKey: null }),
    })
}

const quoteOf = (offerId: string): Quote => ({ ...quote, offer: { ...quote.offer, id: offerId } })

export async function openStoreLab(mongoUrl: string) {
  const [bookingMongo, paymentMongo] = [await connectMongo(mongoUrl, 'booking', log), await connectMongo(mongoUrl, 'payment', log)]
  const metrics = createMetrics('chaos')
  const [bookings, payments] = [bookingStore(bookingMongo), paymentStore(paymentMongo, { metrics, log })]
  const attempts = cardAttemptStore(paymentMongo)
  await ensureIndexes(bookingMongo)
  await ensureIndexes(paymentMongo)
  const [orders, intents] = [orderLedger(), intentLedger()]
  const published: { name: string; key: string; sequence: number }[] = []
  const publisher: Publisher = {
    publish: async (events) => void published.push(...events.map(({ name, key, sequence }) => ({ name, key, sequence }))),
  }
  const search = ((_: Caller) => ({
    quote: async ({ params }: { params: { id: string } }) => quoteOf(params.id),
  })) as unknown as Peer<typeof searchApi>
  const shared = { log, metrics, search }
  const hash = keyedHash(randomBytes(32).toString('base64'))
  const paymentTools: PaymentTools = {
    ...shared,
    store: payments,
    provider: () => intents,
    webhookSecret: { test: undefined, live: undefined },
    hash,
    cardAttempts: cardAttemptLimiter({
      ...shared,
      hash,
      store: attempts,
      limits: { perVisitor: 1000, perNetwork: 1000, windowMs: 3_600_000, stopMs: 1_800_000, waitMs: 5000 },
    }),
    holdTimes: { holdMs: 900_000, idleMs: 120_000 },
    allowRawCards: false,
    answerMs: 22_000,
    waitMs: 5000,
  }
  const paymentHandlers = paymentRoutes(paymentTools)
  const documentKey = randomBytes(32).toString('base64')
  const bookingContext: BookingContext = {
    ...shared,
    store: bookings,
    supplier: () => orders,
    payment: direct(paymentHandlers),
    safe: documentSafe(documentKey),
    hash: keyedHash(documentKey),
    // What was lost is settled within the campaign.
    sendWithinMs: 3000,
    orderLongestMs: 3000,
    system: 'chaos',
    answerWithinMs: 25_000,
    prepareWithinMs: 40_000,
    preview: async () => '',
  }
  const bookingHandlers = bookingRoutes(bookingContext)
  const running = [
    startWorker(sagaWorker(bookingContext), log),
    startWorker(paymentWorker(paymentTools), log),
    startRelay(bookings.outbox, publisher, log, metrics),
    startRelay(payments.outbox, publisher, log, metrics),
  ]
  return {
    orders: orders.orders,
    intents: intents.intents,
    published,
    /** One request of a visitor's: a search finds an offer that nobody else will ask for. */
    async call<T>(
      _method: string,
      path: string,
      given?: unknown,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; body: T }> {
      const from = { caller, idempotencyKey: headers['idempotency-key'] ?? null }
      const { processCard } = paymentApi.routes
      const { createBooking } = bookingApi.routes
      const answer = async (): Promise<unknown> => {
        if (path.startsWith('/api/flights/search')) return { offers: [quoteOf(`oft_${randomUUID()}`).offer] }
        if (path.startsWith('/api/flights/offer/')) return quoteOf(path.split('/').at(-1) ?? '').offer
        if (path === processCard.path) return ask(paymentHandlers, 'processCard', { body: processCard.body.parse(given) }, from)
        if (path === createBooking.path) return ask(bookingHandlers, 'createBooking', { body: createBooking.body.parse(given) }, from)
        throw new AppError('NOT_FOUND')
      }
      try {
        return { status: 200, body: (await answer()) as T }
      } catch (error) {
        const known = toAppError(error)
        return { status: known.status, body: known.toBody('chaos') as T }
      }
    },
    async close() {
      await Promise.all(running.map((worker) => worker.stop()))
      await Promise.all([bookingMongo.close(), paymentMongo.close()])
    },
  }
}
