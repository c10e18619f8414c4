/** What the world outside the product's own counters knows: the suppliers' ledgers, the mailbox, the databases, the topics and the logs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BookingRecord } from '@passerelle/booking/domain/booking'
import { eventTopics } from '@passerelle/contracts/events/topics'
import { readToTheEnd } from '@passerelle/infra-kafka/dead-letters'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { ledger } from '@passerelle/local/test-visitor.fixture'
import { Redis } from 'ioredis'
import mongoose from 'mongoose'
import type { Journey } from './journeys.ts'

type Order = {
  id: string
  total_amount: string
  total_currency: string
  metadata: Record<string, string>
  created_at: string
  cancelled_at: string | null
}
type Intent = {
  id: string
  amount: number
  currency: string
  status: string
  captured: number
  refunded: number
  metadata: Record<string, string>
  authorisedAt: string | null
  capturedAt: string | null
  canceledAt: string | null
}
export type Ledgers = {
  orders: Order[]
  intents: Intent[]
  captures: { paymentIntent: string }[]
  refunds: { paymentIntent: string }[]
  messages: { subject: string; text: string; messageId: string; receivedAt: string }[]
  /** Of the card provider: deliveries by state, and calls by method and path. */
  webhooks: Record<string, number>
  cardCalls: Record<string, number>
}

type Outbox = { outboxPending?: boolean }
export type Booking = Pick<
  BookingRecord,
  | '_id'
  | 'state'
  | 'reference'
  | 'idempotencyKey'
  | 'paymentId'
  | 'userId'
  | 'createdAt'
  | 'pendingAnnouncedAt'
  | 'charge'
  | 'supplierCharge'
  | 'markupPercent'
  | 'history'
  | 'refund'
> &
  Outbox
export type Payment = { _id: string; state: string; bookingId: string | null } & Outbox
/** `waitingBookings`: theirs once the address is verified. */
export type User = { _id: string; emailKey: string; bookingId: string | null; waitingBookings?: string[] } & Outbox
export type Stored = { bookings: Booking[]; payments: Payment[]; users: User[]; mails: { _id: string; state: string }[] }
export type Published = { id: string; type: string; key: string; sequence: number }

/** `null`: nobody has looked there. Times in milliseconds since 1970. */
export type Evidence = Stored &
  Ledgers & {
    topics: Published[] | null
    /** Everything that is kept or written anywhere, by place, where no card and no document may stand. */
    texts: ReadonlyMap<string, string> | null
    journeys: readonly Journey[] | null
    /** There are accounts and mails. */
    whole: boolean
    /** Milliseconds after which an order that was sent is there or is not. */
    settleMs: number
  }

/** Where to look. Without a `url` there is no gateway, nobody has accounts, and no mail is sent. */
export type World = {
  url?: string
  mongoUrl(): string
  ledgers(): Promise<Ledgers>
  kafkaBrokers?(): string
  redisUrl?(): string
  /** A folder of log files. */
  logs?: string
  settleMs?: number
}

/** The ledgers of the simulators. */
export function ledgersOf(duffel: string, stripe: string, mailbox: string): World['ledgers'] {
  type Cards = Pick<Ledgers, 'intents' | 'captures' | 'refunds'> & { counts: Record<'webhooks' | 'requests', Record<string, number>> }
  return async () => {
    const [{ orders }, { intents, captures, refunds, counts }, { messages }] = await Promise.all([
      ledger<Pick<Ledgers, 'orders'>>(duffel),
      ledger<Cards>(stripe),
      ledger<Pick<Ledgers, 'messages'>>(mailbox),
    ])
    return { orders, intents, captures, refunds, messages, webhooks: counts.webhooks, cardCalls: counts.requests }
  }
}

export type Reader = {
  /** What decides whether everything has come to rest. */
  now(): Promise<Stored & Ledgers>
  /** That and everything else. */
  whole(journeys: readonly Journey[] | null): Promise<Evidence>
}

/** Reads the databases over one connection for as long as `work` goes on. */
export async function withReader<T>(world: World, work: (reader: Reader) => Promise<T>): Promise<T> {
  const options = { serverSelectionTimeoutMS: 20_000, readConcern: { level: 'majority' } } as mongoose.ConnectOptions
  const connection = await mongoose.createConnection(world.mongoUrl(), options).asPromise()
  const all = async <T>(database: string, collection: string) =>
    (await connection.useDb(database).collection(collection).find({}).toArray()) as unknown as T[]
  const now = async () => {
    const [bookings, payments, users, mails, ledgers] = await Promise.all([
      all<Booking>('booking', 'bookings'),
      all<Payment>('payment', 'payments'),
      all<User>('identity', 'users'),
      all<Stored['mails'][number]>('booking', 'mails'),
      world.ledgers(),
    ])
    return { bookings, payments, users, mails, ...ledgers }
  }
  const whole = async (journeys: readonly Journey[] | null): Promise<Evidence> => {
    const texts = new Map<string, string>()
    for (const name of ['booking', 'payment', 'identity', 'search', 'brand'])
      for (const { name: collection } of (await connection.useDb(name).listCollections()) as { name: string }[])
        texts.set(`MongoDB ${name}.${collection}`, JSON.stringify(await all(name, collection)))
    const brokers = world.kafkaBrokers?.()
    const topics = brokers ? await readTopics(brokers, texts) : null
    if (world.redisUrl) texts.set('Redis', await readRedis(world.redisUrl()))
    if (world.logs && existsSync(world.logs))
      for (const file of readdirSync(world.logs)) texts.set(`log ${file}`, readFileSync(join(world.logs, file), 'utf8'))
    const current = await now()
    texts.set('mails', current.messages.map(({ text }) => text).join('\n'))
    return { ...current, topics, texts, journeys, whole: world.url !== undefined, settleMs: world.settleMs ?? 127_000 }
  }
  try {
    return await work({ now, whole })
  } finally {
    await connection.close()
  }
}

async function readTopics(brokers: string, texts: Map<string, string>): Promise<Published[]> {
  const kafka = kafkaClient({ brokers, clientId: 'chaos', log: createLog('chaos', 'silent') })
  const found = await readToTheEnd(
    kafka,
    Object.values(eventTopics).map(({ name }) => name),
  )
  for (const [topic, messages] of found) texts.set(`Kafka ${topic}`, messages.map(({ value }) => String(value)).join('\n'))
  return [...found.values()].flat().map(({ key, headers = {} }) => ({
    id: String(headers.ce_id),
    type: String(headers.ce_type),
    key: String(key),
    sequence: Number(headers.ce_sequence),
  }))
}

async function readRedis(url: string): Promise<string> {
  const redis = new Redis(url)
  try {
    const values: (string | null)[] = []
    // A key of another kind has no text.
    for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>)
      if (keys.length > 0) values.push(...(await redis.mget(keys)))
    return values.join('\n')
  } finally {
    redis.disconnect()
  }
}
