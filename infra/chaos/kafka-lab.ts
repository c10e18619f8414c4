/**
 * Real servers of a campaign's own on free ports, and what the campaigns on the bus share: events of many bookings, members of a group
 * that note what they did, and the count of it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookingPending } from '@passerelle/contracts/events/booking'
import { allTopics, deadLetterTopic } from '@passerelle/contracts/events/topics'
import { type Letter, readLetters } from '@passerelle/infra-kafka/dead-letters'
import { type Bus, connectBus, on } from '@passerelle/kit/bus'
import { prepareInbox } from '@passerelle/kit/inbox'
import { createTopics, kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxEvent, type OutboxEvent } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'
import type { Kafka } from 'kafkajs'
import type { Connection } from 'mongoose'

export const GROUP = 'booking-mail'
export const TOPIC = 'booking.events'
export const DEAD_LETTERS = deadLetterTopic(GROUP).name
export const DATABASE = 'chaos'
export const quiet = createLog('chaos', 'silent')

export type Addresses = { MONGO_URL: string; KAFKA_BROKERS: string }

export type Lab = Addresses & {
  kafka: Kafka
  mongo: Connection
  /** SIGKILL; resolves when it is gone. */
  killBroker(): Promise<void>
  /** Resolves when it answers. */
  startBroker(): Promise<void>
  stop(): Promise<void>
}

/** For a campaign that breaks off: nothing of it stays running. */
function endProcess(pidFile: string): void {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

export async function openLab(): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-lab-'))
  const [mongoPort, kafkaPort, controllerPort, redisPort] = await freePorts(4)
  Object.assign(process.env, {
    REAL_MONGO_PORT: String(mongoPort),
    REAL_KAFKA_PORT: String(kafkaPort),
    REAL_KAFKA_CONTROLLER_PORT: String(controllerPort),
    REAL_REDIS_PORT: String(redisPort),
  })
  // After the ports are set: the module reads them once.
  const { killServer, realServers, stopRealServers } = await import('@passerelle/servers/real-servers')
  const stopAtExit = () => {
    for (const name of ['kafka', 'mongo', 'redis']) endProcess(join(folder, 'servers', `${name}.pid`))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  process.once('exit', stopAtExit)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const { MONGO_URL, KAFKA_BROKERS } = await realServers(folder)
  const kafka = kafkaClient({ brokers: KAFKA_BROKERS, clientId: 'chaos', log: quiet })
  await createTopics(kafka, allTopics)
  const mongo = await connectMongo(MONGO_URL, DATABASE, quiet)
  await prepareInbox(mongo)
  return {
    MONGO_URL,
    KAFKA_BROKERS,
    kafka,
    mongo,
    async killBroker() {
      await killServer(folder, 'kafka')
    },
    async startBroker() {
      await realServers(folder)
    },
    async stop() {
      await mongo.close()
      await stopRealServers(folder)
      process.off('exit', stopAtExit)
      rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 500 })
    },
  }
}

/** One step of a booking; the sequence tells their order. */
export function step(bookingId: string, sequence: number): OutboxEvent {
  return createOutboxEvent(
    bookingPending,
    { bookingId, reference: 'ABCDEFGH', brand: 'default', mode: 'test', paymentId: 'pay_1' },
    { sequence, at: new Date() },
  )
}

export type Effect = { _id: string; key: string; runs: number }
export type Steps = { _id: string; sequences: number[] }

export const effectsOf = (mongo: Connection) => mongo.collection<Effect>('effects')
export const stepsOf = (mongo: Connection) => mongo.collection<Steps>('steps')

export type Member = { bus: Bus; count(result: string): Promise<number>; stop(): Promise<void> }

/**
 * A member of the group as a service has it, with the timing of production. Its effect is keyed by the event, as every handler's must be;
 * it counts how often it ran and in which order the steps of a booking came. `fail` may throw first.
 */
export async function joinGroup(
  { KAFKA_BROKERS }: Addresses,
  mongo: Connection,
  onFatal: (error: unknown) => void,
  fail: (bookingId: string) => void = () => undefined,
): Promise<Member> {
  const effects = effectsOf(mongo)
  const steps = stepsOf(mongo)
  const metrics = createMetrics('chaos')
  const bus = await connectBus({ brokers: KAFKA_BROKERS, clientId: 'booking', namespace: '', log: quiet, metrics, onFatal })
  const joined = bus.consume(
    {
      group: GROUP,
      subscriptions: [
        on(bookingPending, async ({ id, key, sequence }) => {
          fail(key)
          await steps.updateOne({ _id: key }, { $push: { sequences: sequence } }, { upsert: true })
          await effects.updateOne({ _id: id }, { $inc: { runs: 1 }, $setOnInsert: { key } }, { upsert: true })
        }),
      ],
    },
    mongo,
  )
  joined.catch(onFatal)
  return {
    bus,
    count: async (result) =>
      (await metrics.consumed.get()).values
        .filter(({ labels }) => (labels as { result?: string }).result === result)
        .reduce((sum, { value }) => sum + value, 0),
    stop: () => bus.stop(),
  }
}

/** A process that only publishes. */
export function publisher({ KAFKA_BROKERS }: Addresses): Promise<Bus> {
  return connectBus({
    brokers: KAFKA_BROKERS,
    clientId: 'booking',
    namespace: '',
    log: quiet,
    metrics: createMetrics('chaos'),
    onFatal: () => undefined,
  })
}

/** Messages that the group has not committed yet; asks again while the broker elects its leaders. */
export async function lag(kafka: Kafka): Promise<number> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    for (;;) {
      try {
        const ends = await admin.fetchTopicOffsets(TOPIC)
        const [committed] = await admin.fetchOffsets({ groupId: GROUP, topics: [TOPIC] })
        return ends.reduce((sum, { partition, high }) => {
          const offset = Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? 0)
          return sum + Number(high) - Math.max(0, offset)
        }, 0)
      } catch (error) {
        if ((error as { retriable?: boolean }).retriable !== true) throw error
        await delay(200)
      }
    }
  } finally {
    await admin.disconnect()
  }
}

/** Seconds until the group has nothing left to do; Infinity when it takes longer than `limit`. */
export async function secondsToDrain(kafka: Kafka, limit: number): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < limit * 1000) {
    if ((await lag(kafka)) === 0) return (performance.now() - began) / 1000
    await delay(200)
  }
  return Number.POSITIVE_INFINITY
}

export async function deadLetters(kafka: Kafka): Promise<Letter[]> {
  return (await readLetters(kafka, [DEAD_LETTERS])).get(DEAD_LETTERS) ?? []
}

/** Bookings whose steps, repetitions left out, did not come in their order. */
export async function disordered(mongo: Connection): Promise<string[]> {
  const found = await stepsOf(mongo).find().toArray()
  return found.filter(({ sequences }) => !isAscending([...new Set(sequences)])).map(({ _id }) => _id)
}

export const isAscending = (numbers: readonly number[]) => numbers.every((one, i) => i === 0 || one > (numbers[i - 1] ?? 0))
