/**
 * For tests of the saga: its store on a database, the airline and the payment service as ledgers of what was really done, a clock that
 * is moved by hand, and workers that die or fall asleep at a chosen point.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import type { Caller } from '@passerelle/kit/auth'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import type { OutboxEvent } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { now, nowMs, replaceRuntime } from '@passerelle/kit/runtime'
import { testServers } from '@passerelle/servers/test/test-servers'
import { openAirline } from './airline.fixture.ts'
import { type Conditions, openConditions } from './conditions.fixture.ts'
import { documentSafe } from './documents.ts'
import { bookingRecord, quote } from './domain/booking.fixture.ts'
import type { BookingRecord } from './domain/booking.ts'
import { isOpen } from './domain/state.ts'
import { orphanWorker } from './orphans.ts'
import { type ById, CHARGE, openPaymentLedger } from './payment-ledger.fixture.ts'
import { type ReceiptRecord, receiptStore } from './receipts/store.ts'
import type { RouteContext } from './routes.ts'
import { drive } from './saga.ts'
import { bookingStore, type Change, leaseEnd } from './store.ts'
import { tidyWorker } from './workers.ts'

/** `at`: how many calls and writes went before, or the name of the one. */
export type Fault = { at: number | string; when: 'before' | 'after'; how: 'dies' | 'sleeps' }

export type StoredBooking = BookingRecord & { outbox?: OutboxEvent[] }
export type SagaWorld = Awaited<ReturnType<typeof openSagaWorld>>

const SEND_WITHIN_MS = 5000
const ORDER_LONGEST_MS = 120_000

export async function openSagaWorld() {
  const servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  const alarms: string[] = []
  const log = createLog('booking', 'error', { write: (line) => void alarms.push(line) })
  const mongo = await connectMongo(MONGO_URL, `${NAMESPACE}booking`, log)
  const store = bookingStore(mongo)
  const receipts = receiptStore(mongo)
  await ensureIndexes(mongo)
  const masterKey = randomBytes(32).toString('base64')
  const safe = documentSafe(masterKey)
  const metrics = createMetrics('booking')
  const conditions = openConditions()
  const { airline, orders, changes, newOrderId } = openAirline(conditions)
  const { payments, paymentOf, paymentCalls } = openPaymentLedger(conditions)
  const reportedGone = new Set<string>()
  let clock = Date.parse('2026-11-21T10:05:00Z')
  const restoreRuntime = replaceRuntime({ now: () => clock })

  const priced = async (offerId: string, publicId: string, bookingId: string) => {
    const { price } = conditions.of(bookingId)
    if (price === 'gone') throw new AppError('OFFER_EXPIRED')
    if (price === 'seat-taken')
      throw new AppError('SEAT_UNAVAILABLE', { details: { seats: [{ passengerId: 'pas_1', segmentId: 'seg_1_1', seatId: '12A' }] } })
    const charge = price === 'same' ? CHARGE : { ...CHARGE, amount: '301.00' }
    return { ...quote, charge, offer: { ...quote.offer, id: publicId }, supplier: { ...quote.supplier, offerId } }
  }

  const writeOf = (change: Change) => (change.pendingAnnouncedAt ? 'pending-announced' : 'change')

  /** The context of one worker process, every call of which is a point at which it may die or sleep; `stopped` when it does. */
  const worker = (fault?: Fault) => {
    const points: string[] = []
    const [reached, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let dead = false
    const stopHere = async () => {
      reached.resolve()
      if (fault?.how === 'sleeps') return woken.promise
      dead = true
      throw new Error('killed')
    }
    const pass = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
      if (dead) throw new Error('a dead worker does nothing more')
      const here = points.push(name) - 1
      const hit = fault && (fault.at === here || fault.at === name) ? fault.when : null
      if (hit === 'before') await stopHere()
      const result = await effect()
      if (hit === 'after') await stopHere()
      return result
    }
    const passing = <T extends object>(name: string, calls: T) =>
      new Proxy(calls, {
        get: (target, key: string) => {
          const call = target[key as keyof T]
          if (typeof call !== 'function') return call
          return (...given: unknown[]) => pass(`${name}.${key}`, async () => call.apply(target, given))
        },
      })
    const search: Peer<typeof searchApi> = ({ requestId }) =>
      passing('search', {
        quote: ({ params }: ById) => priced('off_1', params.id, requestId),
        requote: ({ params }: ById) => priced('off_2', params.id, requestId),
        orderPlaced: async () => undefined,
        offerGone: async () => void reportedGone.add(requestId),
      }) as never
    const context: RouteContext = {
      store: { ...store, change: (...given) => pass(`store.${given[1].state ?? writeOf(given[1])}`, () => store.change(...given)) },
      receipts: passing('receipts', receipts),
      supplier: () => passing('airline', airline),
      search,
      payment: ((caller: Caller) => passing('payment', paymentCalls(caller))) as unknown as Peer<typeof paymentApi>,
      safe,
      hash: keyedHash(masterKey),
      log,
      metrics,
      sendWithinMs: SEND_WITHIN_MS,
      orderLongestMs: ORDER_LONGEST_MS,
      system: 'https://flights.example',
      answerWithinMs: 25_000,
      prepareWithinMs: 40_000,
      noticeSecret: { test: 'notices of the test', live: undefined },
      brandOf: async () => ({ brand: defaultBrand }),
      preview: async () => '',
    }
    return { context, points, stopped: reached.promise, wake: woken.resolve }
  }

  const byId = async (id: string): Promise<StoredBooking> => {
    const found = await store.byId(id)
    if (!found) throw new Error(`no booking ${id}`)
    return found
  }

  return {
    store,
    safe,
    orders,
    /** Of the schedule, by order. */
    changes,
    payments,
    metrics,
    mongo,
    /** What an operator is told. */
    alarms,
    /** Bookings whose offer the search service was told to be gone. */
    reportedGone,
    worker,
    byId,
    clock: now,
    /** Of one booking; none before its payment is captured. */
    receiptsOf: (id: string) => mongo.collection<ReceiptRecord>('receipts').find({ _id: id }).toArray(),
    /** Numbers of a brand's test mode, in order. */
    receiptNumbers: async (brand: string) =>
      (
        await mongo
          .collection<ReceiptRecord>('receipts')
          .find({ series: `${brand}/test` })
          .sort({ number: 1 })
          .toArray()
      ).map(({ number }) => number),
    /** The airline takes no ticket of this booking's back. */
    keepsTickets: (id: string) => conditions.of(id).cancel.every((how) => how === 'refused'),
    ordersOf: (id: string) => orders.filter((order) => order.bookingId === id),
    payment: (booking: BookingRecord) => paymentOf(booking.paymentId),
    advance(seconds: number) {
      clock += seconds * 1000
    },

    /** From now on for every booking that is made through the routes. */
    conditionsAre(change: Partial<Conditions>): void {
      conditions.setForAll(change)
    },

    /** From now on for one booking. */
    answers(id: string, change: Partial<Conditions> = {}): void {
      conditions.set(id, change)
    },

    /** A hold on the card of a visitor. */
    hold(visitorId: string | null, offerId = 'oft_1'): string {
      const id = `pay_${randomBytes(12).toString('base64url')}`
      payments.set(id, { bookingId: null, state: 'authorised', captures: 0, offerId, visitorId })
      return id
    },

    /** A stored booking whose lease the caller holds; beyond REQUESTED its payment is claimed, and where it has an order the airline knows it. */
    async book(about: Partial<Conditions> = {}, change: Partial<BookingRecord> = {}): Promise<BookingRecord> {
      const id = `bk_${randomBytes(12).toString('base64url')}`
      conditions.set(id, about)
      const orderId = change.orderId ? newOrderId() : null
      if (orderId) orders.push({ id: orderId, bookingId: id, offerId: 'off_1', cancelled: false, foundFrom: now() })
      const captured = ['CONFIRMED', 'CANCEL_REQUESTED', 'ORDER_CANCELLED'].includes(change.state ?? '')
      const birthday = { dateOfBirth: '1990-04-12', passportNumber: null, passportExpiryDate: null, passportIssuingCountry: null }
      const record = bookingRecord({
        state: 'REQUESTED',
        version: 1,
        providerId: id,
        reference: id.slice(3, 11),
        idempotencyKey: id,
        paymentId: `pay_${id}`,
        // Written into every call made for the booking: the ledgers tell by it whose call it is.
        requestId: id,
        createdAt: now(),
        answerBy: new Date(nowMs() + 25_000),
        passengersKey: `passengers of ${id}`,
        ...safe.seal([birthday, { ...birthday, dateOfBirth: '2026-02-01' }]),
        captured: captured ? { minor: 27_400, currency: CHARGE.currency } : null,
        airlineReference: null,
        attempts: 0,
        open: true,
        nextAt: now(),
        leaseUntil: leaseEnd(now()),
        ...change,
        _id: id,
        orderId,
      })
      const claimed = record.state !== 'REQUESTED'
      payments.set(record.paymentId, {
        bookingId: claimed ? id : null,
        state: captured ? 'captured' : 'authorised',
        captures: captured ? 1 : 0,
        offerId: 'oft_1',
        visitorId: null,
      })
      await store.insert({ history: [{ at: record.createdAt, state: record.state }], ...record, open: isOpen(record.state) })
      return byId(id)
    },

    /** A healthy worker looks twice a minute until the booking has come to rest. */
    async rest(id: string): Promise<StoredBooking> {
      const { context } = worker()
      for (let round = 0; round < 40; round++) {
        const booking = await byId(id)
        if (!isOpen(booking.state)) return booking
        clock += 31_000
        const claimed = await store.claimDue(now())
        if (claimed) await drive(claimed, context)
      }
      throw new Error(`booking ${id} does not come to rest: ${(await byId(id)).state}`)
    },

    /** What runs once a minute, run once. */
    async minute(): Promise<void> {
      const { context } = worker()
      await tidyWorker(context).run(new AbortController().signal)
      await orphanWorker(context, ['test'], { acquire: async () => true }).run(new AbortController().signal)
    },

    async stop() {
      restoreRuntime()
      await mongo.dropDatabase()
      await mongo.close()
      await servers.stop()
    },
  }
}
