/** Visitors who press every button many times at once, at all gateways, and what the ledgers have of it: one of everything, or a difference. */
import type { Booking, BookingCancelled, BookingCreated } from '@passerelle/contracts/http/booking'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { delay } from '@passerelle/kit/runtime'
import mongoose from 'mongoose'
import { day } from './searches.fixture.ts'
import {
  type Answer,
  type DuffelLedger,
  ledger,
  type Mailbox,
  party,
  type StripeLedger,
  testCard,
  Visitor,
} from './test-visitor.fixture.ts'

export type Shop = {
  /** Addresses of the gateways; clicks are spread over them. */
  gateways: readonly string[]
  duffel: string
  stripe: string
  mailbox: string
  mongoUrl: string
  /** Of the databases. */
  namespace?: string
}

/** How a visitor submits: with one key or with one per click, and with one hold, one per click or a card that comes along. */
export const ways = [
  'one key, one hold',
  'a key per tab, one hold',
  'one key, a card',
  'two tabs, a hold each',
  'one key for the hold, too',
] as const

export type Round = {
  way: (typeof ways)[number]
  email: string
  bookingId: string
  /** Distinct outcomes that the clicks were told, as JSON. One: all were told the same. */
  answers: string[]
  visitor: Visitor
}

const ROUNDS_PER_SEARCH = 10
/** As the website does: a call without an outcome is made again with the same key. */
const TRIES = 40

/** @throws Error when a click was refused for good */
export async function submitRound(shop: Shop, index: number, clicks: number): Promise<Round> {
  const way = ways[index % ways.length] as Round['way']
  const visitor = await new Visitor(shop.gateways[0] ?? '').known()
  const offer = await refundableOffer(visitor, index)
  const passengers = party(offer)
  const tabs = shop.gateways.map((url) => tabOf(visitor, url))
  const tab = (click: number) => tabs[click % tabs.length] as Visitor
  const keys = [crypto.randomUUID(), crypto.randomUUID()]
  const hold = async (from: Visitor, key: string) =>
    (await insist<{ paymentId: string }>(from, '/api/payments/process-card', payment(offer), key)).body.paymentId
  const holds: Record<Round['way'], () => Promise<string[]>> = {
    'one key, one hold': async () => [await hold(tab(0), crypto.randomUUID())],
    'a key per tab, one hold': async () => [await hold(tab(0), crypto.randomUUID())],
    'one key, a card': async () => [],
    'two tabs, a hold each': () => Promise.all([0, 1].map((click) => hold(tab(click), crypto.randomUUID()))),
    'one key for the hold, too': () => Promise.all(Array.from({ length: clicks }, (_, click) => hold(tab(click), `hold-${keys[0]}`))),
  }
  const paymentIds = await holds[way]()
  const perTab = way === 'a key per tab, one hold' || way === 'two tabs, a hold each'
  const answers = await Promise.all(
    Array.from({ length: clicks }, (_, click) => {
      const paymentId = perTab ? paymentIds[click % paymentIds.length] : paymentIds[0]
      const instrument = way === 'one key, a card' ? { cardDetails: testCard } : { paymentId }
      const { amount, currency } = payment(offer)
      const body = { offerId: offer.id, passengers, seats: [], paymentDetails: { amount, currency, ...instrument } }
      return insist<BookingCreated>(tab(click), '/api/bookings', body, keys[perTab ? click % 2 : 0] ?? '')
    }),
  )
  const [first] = answers
  const owner = tabs.find(({ cookies }) => cookies.get('sid') !== visitor.cookies.get('sid')) ?? visitor
  if (new Set(paymentIds).size > (way === 'two tabs, a hold each' ? 2 : 1)) throw new Error(`${way}: one key made several holds`)
  return {
    way,
    email: String(passengers[0]?.email),
    bookingId: first?.body.id ?? '',
    answers: distinct(answers.map(({ body: { accountInfo, ...told } }) => ({ ...told, account: accountInfo?.username ?? null }))),
    visitor: owner,
  }
}

/** Twenty calls at once that cancel one booking. Returns the distinct outcomes that they were told, as JSON. */
export async function cancelRound(shop: Shop, { bookingId, visitor }: Round, calls: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, call) =>
      insist<BookingCancelled>(
        tabOf(visitor, shop.gateways[call % shop.gateways.length] ?? ''),
        `/api/bookings/${bookingId}/cancel`,
        undefined,
        '',
      ),
    ),
  )
  // In words the first is told that it cancelled, and the others that it is cancelled.
  return distinct(answers.map(({ body: { message: _, ...told } }) => told))
}

const distinct = (values: readonly object[]) => [...new Set(values.map((value) => JSON.stringify(value)))]

const payment = (offer: FlightOffer) => ({
  amount: offer.price.total,
  currency: offer.price.currency,
  offerId: offer.id,
  cardDetails: testCard,
})

/** The same browser at a gateway. */
function tabOf({ cookies }: Visitor, url: string): Visitor {
  const tab = new Visitor(url)
  tab.cookies = new Map(cookies)
  return tab
}

async function refundableOffer(visitor: Visitor, index: number): Promise<FlightOffer> {
  const query = `origin=CDG&destination=LIS&departureDate=${day(20 + (Math.floor(index / ROUNDS_PER_SEARCH) % 300))}&limit=100`
  const { offers } = await visitor.search(query)
  const fitting = offers.filter(({ conditions, owner }) => conditions.refundable && owner.iata_code === 'ZZ')
  const found = fitting[index % fitting.length]
  if (!found) throw new Error(`no refundable offer on ${query}`)
  return (await visitor.get<FlightOffer>(`/api/flights/offer/${found.id}`)).body
}

async function insist<T>(visitor: Visitor, path: string, body: unknown, key: string): Promise<Answer<T>> {
  for (let tries = 1; ; tries++) {
    const answer = await visitor.post<T & { error?: string }>(path, body, key ? { 'idempotency-key': key } : {})
    if (answer.status < 300 && answer.status !== 202) return answer
    const mayFollow = answer.status === 202 || answer.status >= 500 || answer.body.error === 'PAYMENT_IN_PROGRESS'
    if (!mayFollow || tries === TRIES) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await delay(250)
  }
}

/** Of one booking, as counted in the ledgers of the suppliers, in the mailbox and among the accounts. */
export type Effects = {
  orders: number
  captures: number
  confirmations: number
  welcomes: number
  accounts: number
  cancellations: number
  refunds: number
  cancelMails: number
}

const ONE_OF_EACH: Effects = {
  orders: 1,
  captures: 1,
  confirmations: 1,
  welcomes: 1,
  accounts: 1,
  cancellations: 0,
  refunds: 0,
  cancelMails: 0,
}
export const booked = ONE_OF_EACH
export const cancelled: Effects = { ...ONE_OF_EACH, cancellations: 1, refunds: 1, cancelMails: 1 }

type Cancellations = { cancellations: { order_id: string; confirmed_at: string | null }[] }
type Movements = { captures: { paymentIntent: string }[]; refunds: { paymentIntent: string }[] }

/** Reads everything anew; effects by booking id, and those that belong to no booking of these rounds. */
export async function readEffects(
  shop: Shop,
  rounds: readonly Round[],
): Promise<{ of: Map<string, Effects>; others: { orders: number; captures: number; holds: number } }> {
  const [air, cards, { messages }] = await Promise.all([
    ledger<DuffelLedger & Cancellations>(shop.duffel),
    ledger<StripeLedger & Movements>(shop.stripe),
    ledger<Mailbox>(shop.mailbox),
  ])
  const connection = await mongoose.createConnection(shop.mongoUrl).asPromise()
  try {
    const database = (name: string) => connection.useDb((shop.namespace ?? '') + name)
    const payments = await database('payment').collection<{ _id: string; bookingId: string | null }>('payments').find({}).toArray()
    const emails = rounds.map(({ email }) => email.toLowerCase())
    const users = await database('identity')
      .collection('users')
      .find({ emailKey: { $in: emails } })
      .toArray()
    const bookingOfPayment = new Map(payments.map(({ _id, bookingId }) => [_id, bookingId]))
    const bookingOfIntent = new Map(cards.intents.map(({ id, metadata }) => [id, bookingOfPayment.get(metadata.payment_id ?? '') ?? null]))
    const known = new Set(rounds.map(({ bookingId }) => bookingId))
    const mailsTo = (email: string, subject: string) =>
      messages.filter((mail) => mail.to.includes(email) && mail.subject.startsWith(subject)).length
    const moved = (moves: { paymentIntent: string }[], id: string) =>
      moves.filter(({ paymentIntent }) => bookingOfIntent.get(paymentIntent) === id).length
    const of = new Map(
      rounds.map(({ bookingId, email }) => {
        const orders = air.orders.filter(({ metadata }) => metadata.booking_id === bookingId)
        const ids = orders.map(({ id }) => id)
        const effects: Effects = {
          orders: orders.length,
          captures: moved(cards.captures, bookingId),
          confirmations: mailsTo(email, 'Booking confirmed'),
          welcomes: mailsTo(email, 'Your account'),
          accounts: users.filter(({ emailKey }) => emailKey === email.toLowerCase()).length,
          cancellations: air.cancellations.filter((one) => ids.includes(one.order_id) && one.confirmed_at !== null).length,
          refunds: moved(cards.refunds, bookingId),
          cancelMails: mailsTo(email, 'Booking cancelled'),
        }
        return [bookingId, effects]
      }),
    )
    const others = {
      orders: air.orders.filter(({ metadata }) => !known.has(metadata.booking_id ?? '')).length,
      captures: cards.captures.filter(({ paymentIntent }) => !known.has(bookingOfIntent.get(paymentIntent) ?? '')).length,
      holds: cards.intents.filter(({ status }) => status === 'requires_capture').length,
    }
    return { of, others }
  } finally {
    await connection.close()
  }
}

/** Waits until every booking has these effects and nothing else has any; what was found last, once the time is over. */
export async function settled(shop: Shop, rounds: readonly Round[], expected: Effects, seconds: number): ReturnType<typeof readEffects> {
  const began = performance.now()
  for (;;) {
    const found = await readEffects(shop, rounds)
    const isDone = differences(found, expected).length === 0
    if (isDone || performance.now() - began > seconds * 1000) return found
    await delay(500)
  }
}

/** One line for each difference; none: one of everything. */
export function differences({ of, others }: Awaited<ReturnType<typeof readEffects>>, expected: Effects): string[] {
  const names = Object.keys(expected) as (keyof Effects)[]
  return [
    ...[...of].flatMap(([id, effects]) =>
      names.filter((name) => effects[name] !== expected[name]).map((name) => `${id}: ${effects[name]} ${name}`),
    ),
    ...Object.entries(others).flatMap(([name, count]) => (count > 0 ? [`${count} ${name} of no booking`] : [])),
  ]
}

/** What a visitor is told of a booking afterwards. */
export const statusOf = async ({ visitor, bookingId }: Round) => (await visitor.get<Booking>(`/api/bookings/${bookingId}`)).body.status
