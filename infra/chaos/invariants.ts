/** What must be true when everything has come to rest, read from the suppliers' ledgers, the mailbox and the databases. */
import { toMinor } from '@passerelle/contracts/rules/money'
import { delay } from '@passerelle/kit/runtime'
import { type DuffelLedger, ledger, type Mailbox, type StripeLedger, Visitor } from '@passerelle/local/test-visitor.fixture'
import mongoose from 'mongoose'
import { counted, must, mustBeDistinct, mustBeNone, say } from './campaign.ts'
import type { Journey } from './load.ts'

export type Ledgers = {
  orders: DuffelLedger['orders']
  intents: StripeLedger['intents']
  captures: { paymentIntent: string }[]
  refunds: { paymentIntent: string }[]
  messages: Mailbox['messages']
}

/** Where to look. Without a `url` there is no gateway, nobody has accounts, and no mail is sent. */
export type World = { url?: string; mongoUrl(): string; ledgers(): Promise<Ledgers> }

type Stored = { _id: string; state: string; outboxPending?: boolean }
type Booking = Stored & {
  reference: string
  paymentId: string
  userId: string | null
  createdAt: Date
  charge: { minor: number; currency: string }
  supplierCharge: { amount: string; currency: string }
}
type Payment = Stored & { bookingId: string | null }
type User = { _id: string; emailKey: string; outboxPending?: boolean }

const OPEN = ['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDERED', 'CAPTURE_FAILED', 'ORDER_FAILED', 'CANCEL_REQUESTED']
export const isOpen = ({ state }: Stored) => OPEN.includes(state)

/** The ledgers of the simulators. */
export function ledgersOf(duffel: string, stripe: string, mailbox: string): World['ledgers'] {
  return async () => {
    const read = [duffel, stripe, mailbox].map((simulator) => ledger<Ledgers>(simulator))
    const [{ orders }, { intents, captures, refunds }, { messages }] = (await Promise.all(read)) as [Ledgers, Ledgers, Ledgers]
    return { orders, intents, captures, refunds, messages }
  }
}

/** Reads the databases over one connection for as long as `work` goes on. */
export async function withStore<T>(world: World, work: (read: () => Promise<Snapshot>) => Promise<T>): Promise<T> {
  const options = { serverSelectionTimeoutMS: 20_000, readConcern: { level: 'majority' } } as mongoose.ConnectOptions
  const connection = await mongoose.createConnection(world.mongoUrl(), options).asPromise()
  const all = async <T>(database: string, collection: string) =>
    (await connection.useDb(database).collection(collection).find({}).toArray()) as unknown as T[]
  try {
    return await work(async () => {
      const [bookings, payments, users, mails, ledgers] = await Promise.all([
        all<Booking>('booking', 'bookings'),
        all<Payment>('payment', 'payments'),
        all<User>('identity', 'users'),
        all<Stored>('booking', 'mails'),
        world.ledgers(),
      ])
      return { bookings, payments, users, mails, ...ledgers }
    })
  } finally {
    await connection.close()
  }
}

type Snapshot = Ledgers & { bookings: Booking[]; payments: Payment[]; users: User[]; mails: Stored[] }

/** Waits until nothing is open, held or due, and checks every line. Without journeys nothing is known of what visitors were told. */
export async function checkAtRest(world: World, journeys?: readonly Journey[], seconds = 240): Promise<Snapshot> {
  if (journeys) sayJourneys(journeys)
  const began = performance.now()
  const snapshot = await withStore(world, async (read) => {
    for (;;) {
      const found = await read()
      const left = unfinished(found, world.url !== undefined)
      const waited = Math.round((performance.now() - began) / 1000)
      const resting = Object.values(left).every((count) => count === 0)
      if (resting) say(`at rest after ${waited} s`)
      else if (waited > seconds) must('everything comes to rest', false, left)
      else {
        await delay(1000)
        continue
      }
      return found
    }
  })
  checkMoneyAndTickets(snapshot)
  if (journeys) checkPromises(snapshot, journeys)
  if (world.url !== undefined) {
    checkMailsAndAccounts(snapshot)
    if (journeys) await checkGateway(world.url, journeys)
  }
  return snapshot
}

function unfinished({ bookings, payments, users, mails, intents }: Snapshot, withAccounts: boolean): Record<string, number> {
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  return {
    bookings: bookings.filter(isOpen).length,
    payments: payments.filter(({ state }) => state === 'created' || state === 'authorised').length,
    authorisations: intents.filter(({ status }) => status === 'requires_capture').length,
    events: [...bookings, ...payments, ...users].filter(({ outboxPending }) => outboxPending).length,
    ...(withAccounts && {
      mails: mails.filter(({ state }) => state === 'due').length,
      'confirmations not yet written': Math.max(0, confirmed.length - mails.filter(({ state }) => state === 'sent').length),
      'bookings without an account': confirmed.filter(({ userId }) => !userId).length,
    }),
  }
}

/** The suppliers' side against ours: I1 to I6, I11 and I12. */
function checkMoneyAndTickets({ bookings, payments, intents, orders, captures, refunds }: Snapshot): void {
  const known = new Set(bookings.map(({ _id }) => _id))
  const bookingIdOf = new Map(payments.map(({ _id, bookingId }) => [_id, bookingId]))
  const ordersOf = Map.groupBy(orders, ({ metadata }) => metadata.booking_id ?? '')
  const intentsOf = Map.groupBy(intents, ({ metadata }) => metadata.payment_id ?? '')
  const liveOrder = (id: string | null | undefined) => ordersOf.get(id ?? '')?.find((order) => !order.cancelled_at)
  const bookingOf = ({ metadata }: Ledgers['intents'][number]) => bookingIdOf.get(metadata.payment_id ?? '') ?? 'none'
  const taken = intents.filter(({ captured }) => captured > 0)
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  const failed = bookings.filter(({ state }) => state === 'FAILED')
  const isExact = ({ _id, paymentId, charge, supplierCharge }: Booking) => {
    const [intent, another] = intentsOf.get(paymentId) ?? []
    const charged = intent?.captured === charge.minor && intent.currency.toUpperCase() === charge.currency && !another
    return charged && liveOrder(_id)?.total_amount === supplierCharge.amount
  }
  const hasEffect = ({ _id, paymentId }: Booking) => liveOrder(_id) || intentsOf.get(paymentId)?.some(({ captured }) => captured > 0)

  say('bookings', counted(bookings.map(({ state }) => state)))
  say('payments', counted(payments.map(({ state }) => state)))
  say(`orders ${orders.length}, intents`, counted(intents.map(({ status }) => status)))
  mustBeNone('I1 no capture without an order', taken, (intent) => !liveOrder(bookingOf(intent)))
  mustBeDistinct(
    'I2 at most one capture of an intent',
    captures.map(({ paymentIntent }) => paymentIntent),
  )
  mustBeDistinct('I2 at most one captured intent per booking', taken.map(bookingOf))
  mustBeNone('I2 nothing refunded', refunds, () => true)
  mustBeNone('I3 at most one order per booking', [...ordersOf], ([, list]) => list.length > 1)
  mustBeNone('I3 every order belongs to a stored booking', [...ordersOf.keys()], (id) => !known.has(id))
  mustBeDistinct(
    'I4 one booking per payment',
    bookings.map(({ paymentId }) => paymentId),
  )
  mustBeNone('I5, I12 a confirmed booking has a live order and is captured for exactly its price', confirmed, (one) => !isExact(one))
  mustBeNone('I6 a failed booking has neither a capture nor a live order', failed, hasEffect)
  mustBeNone('I6 every other authorisation is voided', intents, ({ status }) => status === 'requires_capture')
  mustBeNone('I11 no booking is pending', bookings, (booking) => isOpen(booking) || booking.state === 'NEEDS_ATTENTION')
}

/** I9 and I10. */
function checkMailsAndAccounts({ bookings, users, messages }: Snapshot): void {
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  const confirmations = messages.filter(({ subject }) => subject.startsWith('Booking confirmed'))
  // A mail may be handed over twice, under one Message-ID.
  const distinct = [...new Map(confirmations.map((mail) => [mail.messageId, mail])).values()]
  const mails = counted(distinct.map(({ subject }) => /^Booking confirmed: (\w{8})/.exec(subject)?.[1] ?? ''))
  say(`accounts ${users.length}, mails ${messages.length}, confirmations handed over ${confirmations.length}, distinct ${distinct.length}`)
  mustBeNone('I9 one confirmation per confirmed booking, by Message-ID', confirmed, ({ reference }) => mails[reference] !== 1)
  const [emails, known] = [users.map(({ emailKey }) => emailKey), new Set<string | null>(users.map(({ _id }) => _id))]
  mustBeDistinct('I10 one account per e-mail', emails)
  mustBeNone('I10 every confirmed booking belongs to an account', confirmed, ({ userId }) => !known.has(userId))
}

/** What visitors were told. */
function checkPromises({ bookings, payments }: Snapshot, journeys: readonly Journey[]): void {
  const bookingOf = new Map(bookings.map((booking) => [booking._id, booking]))
  const known = new Set(payments.map(({ _id }) => _id))
  const promised = journeys.flatMap(({ booked, price }) => (booked && price ? { ...booked, price } : []))
  must('bookings were acknowledged', promised.length > 0, promised.length)
  mustBeNone('every acknowledged booking is stored under its reference, at the price that was shown', promised, (told) => {
    const stored = bookingOf.get(told.id)
    return stored?.reference !== told.bookingReference || stored.charge.minor !== toMinor(told.price.amount, told.price.currency)
  })
  const confirmed = promised.filter(({ status }) => status === 'confirmed')
  mustBeNone('every acknowledged confirmed booking is confirmed', confirmed, ({ id }) => bookingOf.get(id)?.state !== 'CONFIRMED')
  const paid = journeys.flatMap(({ paymentId }) => paymentId ?? [])
  mustBeNone('every acknowledged payment is stored', paid, (id) => !known.has(id))
  mustBeDistinct(
    'one booking per acknowledged journey',
    promised.map(({ id }) => id),
  )
}

async function checkGateway(url: string, journeys: readonly Journey[]): Promise<void> {
  const sample = journeys.filter(({ booked }) => booked?.status === 'confirmed').slice(-20)
  const retrieve = async ({ booked, email }: Journey) =>
    (await new Visitor(url).post('/api/bookings/retrieve', { reference: booked?.bookingReference, email })).status
  const statuses = await Promise.all(sample.map(retrieve))
  mustBeNone('the gateway finds acknowledged bookings by reference and e-mail', statuses, (status) => status !== 200)
}

export function sayJourneys(journeys: readonly Journey[]): void {
  const ends = journeys.map(({ booked, failedAt }) => booked?.status ?? `no ${failedAt}`)
  say(`journeys ${journeys.length}`, counted(ends))
  say('answers that were no success', counted(journeys.flatMap(({ failures }) => failures)))
}
