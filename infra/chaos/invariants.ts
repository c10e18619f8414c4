/** What must be true when everything has come to rest, read from the suppliers' ledgers, the mailbox and the databases. */
import { toMinor } from '@passerelle/contracts/rules/money'
import { delay } from '@passerelle/kit/runtime'
import { type DuffelLedger, ledger, type Mailbox, type StripeLedger, Visitor } from '@passerelle/local/test-visitor.fixture'
import mongoose, { type Connection } from 'mongoose'
import type { Journey } from './load.ts'
import type { System } from './system.ts'
import { counted, must, say } from './verdict.ts'

type Booking = {
  _id: string
  state: string
  reference: string
  paymentId: string
  userId: string | null
  open?: boolean
  outboxPending?: boolean
  contact: { email: string }
  charge: { minor: number; currency: string }
  supplierCharge: { amount: string; currency: string }
}
type Payment = { _id: string; state: string; bookingId: string | null; intentId: string | null; outboxPending?: boolean }
type User = { _id: string; emailKey: string; outboxPending?: boolean }
type Captures = { captures: { paymentIntent: string }[]; refunds: { paymentIntent: string; status: string }[] }

const OPEN = ['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDERED', 'CAPTURE_FAILED', 'ORDER_FAILED', 'CANCEL_REQUESTED']

export async function openStore(
  url: string,
  namespace = '',
): Promise<{ read<T>(database: string, collection: string): Promise<T[]>; close(): Promise<void> }> {
  const connection: Connection = await mongoose
    .createConnection(url, { serverSelectionTimeoutMS: 20_000, readConcern: { level: 'majority' } } as mongoose.ConnectOptions)
    .asPromise()
  return {
    async read<T>(database: string, collection: string) {
      return (await connection
        .useDb(namespace + database)
        .collection(collection)
        .find({})
        .toArray()) as unknown as T[]
    },
    close: () => connection.close(),
  }
}

/** Waits until no booking is open, nothing is held, no event waits and no mail is due; returns the seconds that took. */
export async function rest(system: System, seconds = 240): Promise<number> {
  const began = performance.now()
  const store = await openStore(system.mongoUrl())
  try {
    for (;;) {
      const [bookings, payments, users, mails] = await Promise.all([
        store.read<Booking>('booking', 'bookings'),
        store.read<Payment>('payment', 'payments'),
        store.read<User>('identity', 'users'),
        store.read<{ state: string }>('booking', 'mails'),
      ])
      const { intents } = await ledger<StripeLedger>(system.stripe)
      const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED').length
      const open = {
        bookings: bookings.filter(({ state }) => OPEN.includes(state)).length,
        payments: payments.filter(({ state }) => state === 'created' || state === 'authorised').length,
        holds: intents.filter(({ status }) => status === 'requires_capture').length,
        events: [...bookings, ...payments, ...users].filter(({ outboxPending }) => outboxPending).length,
        mails: mails.filter(({ state }) => state === 'due').length,
        'confirmations not yet written': Math.max(0, confirmed - mails.filter(({ state }) => state === 'sent').length),
        'bookings without an account': bookings.filter(({ state, userId }) => state === 'CONFIRMED' && !userId).length,
      }
      const waited = Math.round((performance.now() - began) / 1000)
      if (Object.values(open).every((count) => count === 0)) return waited
      if (waited > seconds) {
        must('everything comes to rest', false, open)
        return waited
      }
      await delay(1000)
    }
  } finally {
    await store.close()
  }
}

/** Checks every line and prints each with its counts. */
export async function checkInvariants(system: System, journeys: readonly Journey[]): Promise<void> {
  const store = await openStore(system.mongoUrl())
  const [bookings, payments, users] = await Promise.all([
    store.read<Booking>('booking', 'bookings'),
    store.read<Payment>('payment', 'payments'),
    store.read<User>('identity', 'users'),
  ])
  await store.close()
  const [{ orders }, stripe, { messages }] = await Promise.all([
    ledger<DuffelLedger>(system.duffel),
    ledger<StripeLedger & Captures>(system.stripe),
    ledger<Mailbox>(system.mailbox),
  ])
  const { intents } = stripe
  const bookingOf = new Map(bookings.map((booking) => [booking._id, booking]))
  const paymentOf = new Map(payments.map((payment) => [payment._id, payment]))
  const ordersOf = Map.groupBy(orders, (order) => order.metadata.booking_id ?? '')
  const intentsOf = Map.groupBy(intents, (intent) => intent.metadata.payment_id ?? '')
  const liveOrder = (id: string | null | undefined) => (ordersOf.get(id ?? '') ?? []).some((order) => !order.cancelled_at)
  const few = <T>(list: readonly T[]) => list.slice(0, 5)
  const none = (what: string, offenders: readonly unknown[], of: number) =>
    must(what, offenders.length === 0, offenders.length === 0 ? `0 of ${of}` : few(offenders))

  say(`bookings ${JSON.stringify(counted(bookings.map(({ state }) => state)))}`)
  say(`payments ${JSON.stringify(counted(payments.map(({ state }) => state)))}`)
  say(
    `intents ${JSON.stringify(counted(intents.map(({ status }) => status)))}, orders ${orders.length}, accounts ${users.length}, mails ${messages.length}`,
  )

  const taken = intents.filter((intent) => intent.captured > 0)
  none(
    'I1 no capture without an order',
    taken.filter((intent) => !liveOrder(paymentOf.get(intent.metadata.payment_id ?? '')?.bookingId)).map(({ id }) => id),
    taken.length,
  )
  const captures = Object.entries(counted(stripe.captures.map(({ paymentIntent }) => paymentIntent)))
  none(
    'I2 at most one capture of an intent',
    captures.filter(([, count]) => count > 1),
    captures.length,
  )
  const perBooking = counted(taken.map((intent) => paymentOf.get(intent.metadata.payment_id ?? '')?.bookingId ?? 'none'))
  none(
    'I2 at most one captured intent per booking',
    Object.entries(perBooking).filter(([, count]) => count > 1),
    taken.length,
  )
  none(
    'I2 nothing refunded',
    stripe.refunds.map(({ paymentIntent }) => paymentIntent),
    taken.length,
  )
  none(
    'I3 at most one order per booking',
    [...ordersOf].filter(([, list]) => list.length > 1).map(([id]) => id),
    ordersOf.size,
  )
  none(
    'I3 every order belongs to a stored booking',
    orders.filter((order) => !bookingOf.has(order.metadata.booking_id ?? '')).map(({ id }) => id),
    orders.length,
  )
  none(
    'I4 one booking per payment',
    Object.entries(counted(bookings.map(({ paymentId }) => paymentId))).filter(([, count]) => count > 1),
    bookings.length,
  )
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  none(
    'I5, I12 a confirmed booking has a live order and is captured for exactly its price',
    confirmed
      .filter((booking) => {
        const own = intentsOf.get(booking.paymentId) ?? []
        const exact =
          own.length === 1 && own[0]?.captured === booking.charge.minor && own[0]?.currency.toUpperCase() === booking.charge.currency
        const order = ordersOf.get(booking._id)?.[0]
        return !exact || !liveOrder(booking._id) || order?.total_amount !== booking.supplierCharge.amount
      })
      .map(({ _id }) => _id),
    confirmed.length,
  )
  const failed = bookings.filter(({ state }) => state === 'FAILED')
  none(
    'I6 a failed booking has neither a capture nor a live order',
    failed
      .filter((booking) => liveOrder(booking._id) || (intentsOf.get(booking.paymentId) ?? []).some(({ captured }) => captured > 0))
      .map(({ _id }) => _id),
    failed.length,
  )
  none(
    'I6 every other hold is given back',
    intents.filter(({ status }) => status === 'requires_capture').map(({ id }) => id),
    intents.length,
  )
  none(
    'I11 no booking is pending',
    bookings.filter(({ state }) => OPEN.includes(state) || state === 'NEEDS_ATTENTION').map(({ _id, state }) => [_id, state]),
    bookings.length,
  )

  const confirmations = Map.groupBy(
    messages.filter(({ subject }) => subject.startsWith('Booking confirmed')),
    ({ subject }) => /^Booking confirmed: (\w{8})/.exec(subject)?.[1] ?? '',
  )
  const distinct = (reference: string) => new Set((confirmations.get(reference) ?? []).map(({ messageId }) => messageId)).size
  none(
    'I9 one confirmation per confirmed booking, by Message-ID',
    confirmed.filter(({ reference }) => distinct(reference) !== 1).map(({ reference }) => [reference, distinct(reference)]),
    confirmed.length,
  )
  const copies = [...confirmations.values()].reduce((sum, list) => sum + list.length, 0)
  say(`confirmations handed over ${copies}, distinct ${new Set([...confirmations.values()].flat().map(({ messageId }) => messageId)).size}`)
  none(
    'I10 one account per e-mail',
    Object.entries(counted(users.map(({ emailKey }) => emailKey))).filter(([, count]) => count > 1),
    users.length,
  )
  none(
    'I10 every confirmed booking belongs to an account',
    confirmed.filter(({ userId }) => !users.some(({ _id }) => _id === userId)).map(({ _id }) => _id),
    confirmed.length,
  )

  const promised = journeys.filter(({ booked }) => booked !== null)
  none(
    'every acknowledged booking is stored under its reference, at the price that was shown',
    promised.filter(({ booked, price }) => {
      const stored = bookingOf.get(booked?.id ?? '')
      return !stored || !price || stored.reference !== booked?.reference || stored.charge.minor !== toMinor(price.amount, price.currency)
    }),
    promised.length,
  )
  const told = promised.filter(({ booked }) => booked?.status === 'confirmed')
  none(
    'every acknowledged confirmed booking is confirmed',
    told.filter(({ booked }) => bookingOf.get(booked?.id ?? '')?.state !== 'CONFIRMED'),
    told.length,
  )
  const paid = journeys.filter(({ paymentId }) => paymentId !== null)
  none(
    'every acknowledged payment is stored',
    paid.filter(({ paymentId }) => !paymentOf.has(paymentId ?? '')).map(({ paymentId }) => paymentId),
    paid.length,
  )
  none(
    'one booking per acknowledged journey',
    Object.entries(counted(promised.map(({ booked }) => booked?.id ?? ''))).filter(([, count]) => count > 1),
    promised.length,
  )
  const sample = told.slice(-20)
  const found = await Promise.all(
    sample.map(({ booked, email }) =>
      new Visitor(system.url).post('/api/bookings/retrieve', { reference: booked?.reference, email }).then((answer) => answer.status),
    ),
  )
  none(
    'the gateway finds acknowledged bookings by reference and e-mail',
    found.filter((status) => status !== 200),
    sample.length,
  )
}

export function sayJourneys(journeys: readonly Journey[]): void {
  const booked = journeys.filter((journey) => journey.booked)
  say(
    `journeys ${journeys.length}: confirmed ${booked.filter(({ booked: answer }) => answer?.status === 'confirmed').length}, pending ${booked.filter(({ booked: answer }) => answer?.status === 'pending').length}, ended without a booking ${JSON.stringify(counted(journeys.flatMap(({ failedAt }) => failedAt ?? [])))}`,
  )
  say(`answers that were no success: ${JSON.stringify(counted(journeys.flatMap(({ failures }) => failures)))}`)
}
