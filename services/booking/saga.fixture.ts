/**
 * For tests of the saga: its store on a database, the airline and the payment service as ledgers of what was really done, a clock that
 * is moved by hand, and workers that die or fall asleep at a chosen point.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { PaymentRecord, paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import type { Caller } from '@passerelle/kit/auth'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import type { OutboxEvent } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { testServers } from '@passerelle/servers/test/test-servers'
import { documentSafe } from './documents.ts'
import { bookingRecord, quote } from './domain/booking.fixture.ts'
import type { BookingRecord } from './domain/booking.ts'
import type { SupplierRefund } from './domain/refund.ts'
import { isOpen } from './domain/state.ts'
import type { Supplier } from './duffel.ts'
import { orphanWorker } from './orphans.ts'
import type { RouteContext } from './routes.ts'
import { drive } from './saga.ts'
import { bookingStore, type Change, leaseEnd } from './store.ts'
import { tidyWorker } from './workers.ts'

/** How the outer world treats one booking. Lists are used up in turn; their last entry stays. */
export type Conditions = {
  /** `lost`: made, but nobody hears of it. `late`: made, and to be found a minute later. `never`: accepted, and nothing comes of it. */
  order: ('made' | 'lost' | 'late' | 'never' | 'refused' | 'gone' | 'spent' | 'repriced' | 'seat-taken')[]
  cancel: ('cancelled' | 'refused' | 'worse' | 'away')[]
  /** What the airline says that it gives back. */
  refund: Partial<SupplierRefund>
  /** `away` answers nothing; `expired`: the bank has let go of the hold. */
  capture: ('captured' | 'away' | 'expired')[]
  price: 'same' | 'other' | 'gone' | 'seat-taken'
}

/** `at`: how many calls and writes went before, or the name of the one. */
export type Fault = { at: number | string; when: 'before' | 'after'; how: 'dies' | 'sleeps' }

type LedgerOrder = { id: string; bookingId: string; offerId: string; cancelled: boolean; foundFrom: Date }
type LedgerPayment = {
  bookingId: string | null
  state: 'authorised' | 'captured' | 'released'
  captures: number
  offerId: string
  /** Whose hold it is; a caller with an identity of another does not see it. */
  visitorId: string | null
}

export type StoredBooking = BookingRecord & { outbox?: OutboxEvent[] }
export type SagaWorld = Awaited<ReturnType<typeof openSagaWorld>>

const SEND_WITHIN_MS = 5000
const ORDER_LONGEST_MS = 120_000
const REFUND: SupplierRefund = { amount: '182.50', currency: 'EUR', to: 'balance', credits: [] }
export const CHARGE = { amount: '274.00', currency: 'EUR' }

export async function openSagaWorld() {
  const servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  const alarms: string[] = []
  const log = createLog('booking', 'error', { write: (line) => void alarms.push(line) })
  const mongo = await connectMongo(MONGO_URL, `${NAMESPACE}booking`, log)
  const store = bookingStore(mongo)
  await ensureIndexes(mongo)
  const masterKey = randomBytes(32).toString('base64')
  const safe = documentSafe(masterKey)
  const metrics = createMetrics('booking')
  const usual: Conditions = { order: ['made'], cancel: ['cancelled'], refund: {}, capture: ['captured'], price: 'same' }
  /** By booking id; bookings that were made through the routes share one entry, `anybody`. */
  const conditions = new Map<string, Conditions>()
  const orders: LedgerOrder[] = []
  const payments = new Map<string, LedgerPayment>()
  const reportedGone = new Set<string>()
  let now = new Date('2026-11-21T10:05:00Z')
  let made = 0

  const conditionsOf = (id: string): Conditions => conditions.get(id) ?? conditions.get('anybody') ?? usual
  const next = <T>(list: T[]): T => (list.length > 1 ? list.shift() : list[0]) as T

  const shown = ({ id, cancelled }: LedgerOrder) => ({ id, airlineReference: 'ABC123', cancellable: true, cancelled })
  const airline: Supplier = {
    async order(request) {
      const bookingId = request.metadata.booking_id ?? ''
      const how = next(conditionsOf(bookingId).order)
      if (how === 'refused') return { kind: 'rejected', code: 'BOOKING_REFUSED', reason: 'the name is too long' }
      if (how === 'seat-taken') return { kind: 'rejected', code: 'SEAT_UNAVAILABLE', reason: 'ancillary_service_not_available' }
      if (how === 'gone') return { kind: 'rejected', code: 'OFFER_EXPIRED', reason: 'offer_no_longer_available' }
      if (how === 'spent' || how === 'repriced') return { kind: how }
      if (how === 'never') return { kind: 'unknown', reason: 'accepted' }
      const foundFrom = new Date(now.getTime() + (how === 'late' ? 60_000 : 0))
      const order = { id: `ord_${++made}`, bookingId, offerId: request.selected_offers[0] ?? '', cancelled: false, foundFrom }
      orders.push(order)
      return how === 'made' ? { kind: 'ordered', order: shown(order) } : { kind: 'unknown', reason: 'no answer' }
    },
    async find(bookingId, offerId) {
      const found = orders.find((order) => order.bookingId === bookingId && order.offerId === offerId && order.foundFrom <= now)
      return found ? shown(found) : null
    },
    // Of the last few bookings only: each of hundreds would be looked up again and again.
    recent: async () => orders.slice(-10).map((order) => ({ ...shown(order), bookingId: order.bookingId })),
    async cancel(orderId, accepts) {
      const order = orders.find(({ id }) => id === orderId)
      if (!order) return { kind: 'refused', reason: 'not_found' }
      const refund = { ...REFUND, ...conditionsOf(order.bookingId).refund }
      if (order.cancelled) return { kind: 'cancelled', refund }
      const how = next(conditionsOf(order.bookingId).cancel)
      if (how === 'away') throw new Error('socket hang up')
      if (how === 'refused') return { kind: 'refused', reason: 'order_not_cancellable' }
      const quoted = how === 'worse' ? { ...refund, amount: '1.00' } : refund
      if (accepts && !accepts(quoted)) return { kind: 'worse' }
      order.cancelled = true
      return { kind: 'cancelled', refund: quoted }
    },
  }

  const paymentOf = (id: string): LedgerPayment => {
    const found = payments.get(id)
    if (!found) throw new AppError('PAYMENT_UNKNOWN')
    return found
  }
  type ById = { params: { id: string } }
  const recordOf = (id: string): PaymentRecord => {
    const { bookingId, state, offerId } = paymentOf(id)
    return {
      id,
      state: state === 'released' ? 'voided' : state,
      amountMinor: 27_400,
      currency: CHARGE.currency,
      mode: 'test',
      offerId,
      bookingId,
      refundedMinor: 0,
      cardLast4: '4242',
    }
  }
  /** As the payment service does it: who brings an identity sees the holds of that identity alone. */
  const paymentCalls = (caller: Caller) => {
    const visible = (id: string): LedgerPayment => {
      const payment = paymentOf(id)
      if (caller.visitorId && payment.visitorId !== caller.visitorId) throw new AppError('PAYMENT_UNKNOWN')
      return payment
    }
    return {
      async getPayment({ params }: ById) {
        visible(params.id)
        return recordOf(params.id)
      },
      async authorise({ body }: { body: { key: string; offerId: string } }) {
        const id = `pay_${body.key}`
        if (!payments.has(id))
          payments.set(id, { bookingId: null, state: 'authorised', captures: 0, offerId: body.offerId, visitorId: caller.visitorId })
        return recordOf(id)
      },
      async claim({ params, body }: ById & { body: { bookingId: string } }) {
        const payment = visible(params.id)
        const other = payment.bookingId !== null && payment.bookingId !== body.bookingId
        if (other || payment.state === 'released') throw new AppError('PAYMENT_NOT_USABLE')
        payment.bookingId = body.bookingId
      },
      async capture({ params }: ById) {
        const payment = visible(params.id)
        if (payment.state === 'captured') return
        if (payment.state === 'released' || payment.bookingId === null) throw new AppError('PAYMENT_NOT_USABLE')
        const how = next(conditionsOf(payment.bookingId).capture)
        if (how === 'away') throw new AppError('UPSTREAM_UNAVAILABLE')
        if (how === 'expired') {
          payment.state = 'released'
          throw new AppError('PAYMENT_NOT_USABLE')
        }
        payment.state = 'captured'
        payment.captures += 1
      },
      async release({ params }: ById) {
        const payment = visible(params.id)
        if (payment.state === 'captured') throw new AppError('PAYMENT_NOT_USABLE')
        payment.state = 'released'
      },
    }
  }

  const priced = async (offerId: string, publicId: string, bookingId: string) => {
    const { price } = conditionsOf(bookingId)
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
        offerGone: async () => void reportedGone.add(requestId),
      }) as never
    const context: RouteContext = {
      store: { ...store, change: (...given) => pass(`store.${given[1].state ?? writeOf(given[1])}`, () => store.change(...given)) },
      supplier: () => passing('airline', airline),
      search,
      payment: ((caller: Caller) => passing('payment', paymentCalls(caller))) as unknown as Peer<typeof paymentApi>,
      safe,
      hash: keyedHash(masterKey),
      log,
      metrics,
      clock: () => now,
      sendWithinMs: SEND_WITHIN_MS,
      orderLongestMs: ORDER_LONGEST_MS,
      system: 'https://flights.example',
      answerWithinMs: 25_000,
      prepareWithinMs: 40_000,
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
    payments,
    metrics,
    mongo,
    /** What an operator is told. */
    alarms,
    /** Bookings whose offer the search service was told to be gone. */
    reportedGone,
    worker,
    byId,
    clock: () => now,
    /** The airline takes no ticket of this booking's back. */
    keepsTickets: (id: string) => conditionsOf(id).cancel.every((how) => how === 'refused'),
    ordersOf: (id: string) => orders.filter((order) => order.bookingId === id),
    payment: (booking: BookingRecord) => paymentOf(booking.paymentId),
    advance(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000)
    },

    /** From now on for every booking that is made through the routes. */
    conditionsAre(change: Partial<Conditions>): void {
      conditions.set('anybody', { ...structuredClone(usual), ...structuredClone(change) })
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
      conditions.set(id, { ...structuredClone(usual), ...structuredClone(about) })
      const orderId = change.orderId ? `ord_${++made}` : null
      if (orderId) orders.push({ id: orderId, bookingId: id, offerId: 'off_1', cancelled: false, foundFrom: now })
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
        createdAt: now,
        answerBy: new Date(now.getTime() + 25_000),
        partyKey: `party of ${id}`,
        ...safe.seal([birthday, { ...birthday, dateOfBirth: '2026-02-01' }]),
        airlineReference: null,
        attempts: 0,
        open: true,
        nextAt: now,
        leaseUntil: leaseEnd(now),
        ...change,
        _id: id,
        orderId,
      })
      const claimed = record.state !== 'REQUESTED'
      const captured = ['CONFIRMED', 'CANCEL_REQUESTED'].includes(record.state)
      payments.set(record.paymentId, {
        bookingId: claimed ? id : null,
        state: captured ? 'captured' : 'authorised',
        captures: captured ? 1 : 0,
        offerId: 'oft_1',
        visitorId: null,
      })
      await store.insert({ ...record, open: isOpen(record.state) })
      return byId(id)
    },

    /** A healthy worker looks twice a minute until the booking has come to rest. */
    async rest(id: string): Promise<StoredBooking> {
      const { context } = worker()
      for (let round = 0; round < 40; round++) {
        const booking = await byId(id)
        if (!isOpen(booking.state)) return booking
        now = new Date(now.getTime() + 31_000)
        const claimed = await store.claimDue(now)
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
      await mongo.dropDatabase()
      await mongo.close()
      await servers.stop()
    },
  }
}

/** What is wrong with a booking at rest: ticket and money go together, and each was told once, in order. Empty when all is well. */
export function violations(booking: StoredBooking, world: SagaWorld): string[] {
  const orders = world.ordersOf(booking._id)
  const living = orders.filter((order) => !order.cancelled).length
  const { state, captures } = world.payment(booking)
  const told = (booking.outbox ?? []).map(({ name }) => name)
  const count = (name: string) => told.filter((one) => one === name).length
  const sequences = (booking.outbox ?? []).map(({ sequence }) => sequence)
  const found: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds)
      found.push(`${booking.state}: ${what} (orders ${orders.length}, living ${living}, payment ${state}, told ${told.join(' ')})`)
  }
  const toldOperator = () => world.alarms.some((line) => line.includes(booking._id) && line.includes('an operator must look'))
  must(captures <= 1, 'taken once at most')
  must(orders.length <= 1, 'ordered once at most')
  must(count('booking.pending') <= 1, 'pending is told once at most')
  must(count('booking.confirmed') + count('booking.failed') <= 1, 'one outcome is told')
  must(new Set(sequences).size === sequences.length && sequences.every((one, i) => i === 0 || one > (sequences[i - 1] ?? 0)), 'in order')
  switch (booking.state) {
    case 'CONFIRMED':
      must(living === 1 && state === 'captured', 'a paid ticket')
      must(typeof booking.partyKey === 'string', 'the passengers are booked')
      must(booking.orderId === orders[0]?.id, 'its own order')
      break
    case 'FAILED':
      must(booking.partyKey === null, 'the passengers may book again')
      must(state === 'released' && (living === 0 || (world.keepsTickets(booking._id) && toldOperator())), 'no ticket, no money')
      must(count('booking.failed') === 1, 'the failure is told')
      break
    case 'ORDER_CANCELLED':
      must(living === 0 && state === 'captured' && booking.refund !== null, 'no ticket, money taken and to be refunded')
      must(booking.refund?.kind !== 'operator' || toldOperator(), 'an operator knows of the refund')
      must(booking.partyKey === null, 'the passengers may book again')
      must(count('booking.cancelled') === 1, 'the cancellation is told')
      break
    case 'NEEDS_ATTENTION':
      must(living === 1 && state === 'released', 'a ticket that nobody has paid')
      break
    default:
      must(false, 'at rest')
  }
  return found
}
