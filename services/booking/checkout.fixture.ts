/** Visitors at the routes of the booking service, without HTTP: their checkouts, and what the ledgers say of them afterwards. */
import { randomUUID } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { type Booking, type BookingCreated, type BookingCreatedInternally, CreateBooking } from '@passerelle/contracts/http/booking'
import type { Receipt } from '@passerelle/contracts/http/receipt'
import type { Caller } from '@passerelle/kit/auth'
import { Reply } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { testCaller } from '@passerelle/kit/testing'
import { CHARGE } from './payment-ledger.fixture.ts'
import { type RouteContext, routes } from './routes.ts'
import type { SagaWorld } from './saga.fixture.ts'

type ReceiptPage = Receipt & { booking: Booking }
export type Answer = { status: number; body: BookingCreatedInternally; error?: AppError }

const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '34', cvv: '123', holderName: 'Ines Moreau' }
const log = createLog('booking', 'silent')
let offers = 0

/** An offer that no other test books. */
export const newOffer = () => `oft_checkout_${++offers}`

/** Inès, Paul and Zoë, as the form sends them. */
export function party(change: object = {}, others: object = {}) {
  const ines = {
    type: 'adult',
    title: 'ms',
    gender: 'female',
    firstName: 'Inès',
    lastName: 'Moreau',
    dateOfBirth: '1990-02-14',
    email: 'ines@example.org',
    phone: '+33 1 23 45 67 89',
    passportNumber: '19KL56147',
    passportExpiryDate: '2031-04-25',
    passportIssuingCountry: 'FR',
    ...change,
  }
  const { email: _, phone: __, ...child } = { ...ines, title: 'mr', gender: 'male', ...others }
  return [
    ines,
    { ...child, type: 'child', firstName: 'Paul', dateOfBirth: '2018-05-05' },
    { ...child, type: 'infant_without_seat', firstName: 'Zoë', dateOfBirth: '2026-01-05' },
  ]
}

type Checkout = { passengers?: object[]; paymentId?: string; key?: string | null; seats?: object[]; context?: RouteContext }

const bodyOf = ({ content }: Reply) => ('json' in content ? JSON.parse(String(content.json)) : 'body' in content ? content.body : undefined)

/** A browser; `userId` when it is signed in. */
export function visitor(world: SagaWorld, identity: Partial<Caller> = { visitorId: `vis_${randomUUID()}` }) {
  const caller = testCaller({ sessionId: randomUUID(), ...identity })
  const call = { caller, header: () => undefined, log, signal: new AbortController().signal, params: undefined, query: undefined }
  const handlers = (context?: RouteContext) => routes(context ?? world.worker().context)
  const answer = async (work: Promise<unknown>): Promise<Answer> => {
    try {
      const result = await work
      return result instanceof Reply
        ? { status: result.status ?? 200, body: bodyOf(result) as BookingCreatedInternally }
        : { status: 200, body: result as BookingCreated }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { status: error.status, body: {} as BookingCreated, error }
    }
  }
  return {
    caller,
    /** Pays with a hold that is made before, unless it says `card`. */
    book(offerId: string, { passengers = party(), paymentId, key = randomUUID(), seats = [], context }: Checkout = {}, how?: 'card') {
      const payment = how === 'card' ? { cardDetails: card } : { paymentId: paymentId ?? world.hold(caller.visitorId, offerId) }
      const body = CreateBooking.parse({ offerId, passengers, seats, paymentDetails: { ...CHARGE, ...payment } })
      return answer(handlers(context).createBooking({ ...call, body, idempotencyKey: key }))
    },
    attempt: (key: string) => handlers().getAttempt({ ...call, body: undefined, params: { key }, idempotencyKey: null }),
    list: () => handlers().listBookings({ ...call, body: undefined, idempotencyKey: null }) as Promise<BookingCreated[]>,
    read: (id: string) => answer(handlers().getBooking({ ...call, body: undefined, params: { id }, idempotencyKey: null })),
    receipt: async (id: string) => {
      const { status, body, error } = await answer(
        handlers().getReceipt({ ...call, body: undefined, params: { id }, idempotencyKey: null }),
      )
      return { status, error, body: body as unknown as ReceiptPage }
    },
    cancel: (id: string) => answer(handlers().cancelBooking({ ...call, body: undefined, params: { id }, idempotencyKey: null })),
  }
}

/** What was really done for an offer: orders that live, and the states of all holds for it. */
export function ledgerOf(world: SagaWorld, offerId: string, bookingIds: readonly (string | undefined)[]) {
  const ids = new Set(bookingIds.filter(Boolean))
  return {
    orders: world.orders.filter((order) => ids.has(order.bookingId) && !order.cancelled).length,
    holds: [...world.payments.values()]
      .filter((payment) => payment.offerId === offerId)
      .map(({ state }) => state)
      .sort(),
  }
}
