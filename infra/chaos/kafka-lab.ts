/**
 * Real servers of a campaign's own, and what the campaigns on the bus share: events of many bookings, members of a group that note what
 * they did, and the checks of it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { bookingPending } from '@passerelle/contracts/events/booking'
import { allTopics, deadLetterTopic } from '@passerelle/contracts/events/topics'
import { type Letter, readLetters } from '@passerelle/infra-kafka/dead-letters'
import { type Bus, connectBus, on } from '@passerelle/kit/bus'
import { prepareInbox } from '@passerelle/kit/inbox'
import { createTopics, kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxEvent, createOutboxModel, type OutboxEvent } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { realServers } from '@passerelle/servers/real-servers'
import type { Kafka } from 'kafkajs'
import type { Connection, Model } from 'mongoose'
import { must, mustBeNone, takeServerPorts } from './campaign.ts'

export const GROUP = 'booking-mail'
export const TOPIC = 'booking.events'
const DEAD_LETTERS = deadLetterTopic(GROUP).name

export const quiet = createLog('chaos', 'silent')

export type Addresses = { MONGO_URL: string; KAFKA_BROKERS: string }
/** Errors that ended a consumer of this process. */
const fatal: unknown[] = []
const noteFatal = (error: unknown): void => void fatal.push(error)

export type Lab = Addresses & { kafka: Kafka; mongo: Connection }

export async function openLab(folder: string): Promise<Lab> {
  await takeServerPorts()
  const { MONGO_URL, KAFKA_BROKERS } = await realServers(folder)
  const kafka = kafkaClient({ brokers: KAFKA_BROKERS, clientId: 'chaos', log: quiet })
  await createTopics(kafka, allTopics)
  const mongo = await connectLabMongo(MONGO_URL)
  await prepareInbox(mongo)
  return { MONGO_URL, KAFKA_BROKERS, kafka, mongo }
}

export const connectLabMongo = (url: string) => connectMongo(url, 'chaos', quiet)

const children: ChildProcess[] = []
process.once('exit', () => children.forEach((child) => void child.kill('SIGKILL')))

/** A part of the campaign as a process of its own, to be killed. */
export function startProcess(role: 'member' | 'relay', { MONGO_URL, KAFKA_BROKERS }: Addresses): ChildProcess {
  const script = new URL('kafka-process.ts', import.meta.url).pathname
  const env = { ...process.env, MONGO_URL, KAFKA_BROKERS }
  const child = spawn(process.execPath, [...process.execArgv, script, role], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  return child
}

/** One step of a booking; the sequence says which one. */
export function step(bookingId: string, sequence: number): OutboxEvent {
  const about = { bookingId, reference: 'ABCDEFGH', brand: 'default', mode: 'test', paymentId: 'pay_1' } as const
  return createOutboxEvent(bookingPending, about, { sequence, at: new Date() })
}

/** Steps of `bookings` bookings in random turns, each booking's in their order. */
export function stepper(bookings: number, random: () => number): () => OutboxEvent {
  const sequences = new Map<string, number>()
  return () => {
    const booking = `b${Math.floor(random() * bookings)}`
    const sequence = (sequences.get(booking) ?? 0) + 1
    sequences.set(booking, sequence)
    return step(booking, sequence)
  }
}

/** A collection with an outbox: where each booking stands. */
export type Walk = { _id: string; step: number; outbox?: { at: string }[]; outboxPending?: boolean }

/** One model for a connection, whoever asks. */
export function walksOf(mongo: Connection): Model<Walk> {
  const known = mongo.models.Walk as Model<Walk> | undefined
  return known ?? createOutboxModel<Walk>(mongo, 'Walk', { collection: 'walks', fields: { _id: String, step: Number } })
}

export const effectsOf = (mongo: Connection) => mongo.collection<{ _id: string; key: string; runs: number }>('effects')
const stepsOf = (mongo: Connection) => mongo.collection<{ _id: string; sequences: number[] }>('steps')

/** A process on the bus as a service has it, with the timing of production. */
export function connectLabBus({ KAFKA_BROKERS }: Addresses, onFatal = noteFatal): Promise<Bus> {
  const metrics = createMetrics('chaos')
  return connectBus({ brokers: KAFKA_BROKERS, clientId: 'booking', namespace: '', log: quiet, metrics, onFatal })
}

/**
 * A member of the group. Its effect is keyed by the event, as every handler's must be; it counts how often it ran and in which order the
 * steps of a booking came. `fail` may throw first.
 */
export async function joinGroup(
  lab: Addresses & Pick<Lab, 'mongo'>,
  fail: (bookingId: string) => void = () => undefined,
  onFatal: (error: unknown) => void = noteFatal,
): Promise<Bus> {
  const [effects, steps] = [effectsOf(lab.mongo), stepsOf(lab.mongo)]
  const bus = await connectLabBus(lab, onFatal)
  const handler = on(bookingPending, async ({ id, key, sequence }) => {
    fail(key)
    await steps.updateOne({ _id: key }, { $push: { sequences: sequence } }, { upsert: true })
    await effects.updateOne({ _id: id }, { $inc: { runs: 1 }, $setOnInsert: { key } }, { upsert: true })
  })
  bus.consume({ group: GROUP, subscriptions: [handler] }, lab.mongo).catch(onFatal)
  return bus
}

/** Messages that the group has not committed yet; Infinity while the broker elects its leaders. */
export async function lag(kafka: Kafka): Promise<number> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const ends = await admin.fetchTopicOffsets(TOPIC)
    const [committed] = await admin.fetchOffsets({ groupId: GROUP, topics: [TOPIC] })
    const offsets = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]))
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - (offsets.get(partition) ?? 0), 0)
  } catch (error) {
    if ((error as { retriable?: boolean }).retriable === true) return Number.POSITIVE_INFINITY
    throw error
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

/** Every event has had its effect once, the steps of every booking came in order, nothing else is a dead letter, and no consumer died. */
export async function checkEffects({ mongo, kafka }: Lab, events: readonly string[], { mayRepeat = 0, letters = 0 } = {}): Promise<void> {
  const effects = await effectsOf(mongo).find().toArray()
  const sent = new Set(events)
  const complete = effects.length === sent.size && effects.every(({ _id }) => sent.has(_id))
  must('every event has had its effect', complete, `${effects.length} of ${sent.size}`)
  const repeated = effects.filter(({ runs }) => runs > 1).length
  must('and once, except where a kill came between effect and note', repeated <= mayRepeat, `${repeated} repeated`)
  const steps = await stepsOf(mongo).find().toArray()
  mustBeNone('the steps of every booking were handled in order', steps, ({ sequences }) => !isAscending([...new Set(sequences)]))
  const found = (await deadLetters(kafka)).length
  must('what nobody could handle is a dead letter, and nothing else', found === letters, `${found} of ${letters}`)
  must('no consumer died', fatal.length === 0, fatal.map(String))
}

export const isAscending = (numbers: readonly number[]) => numbers.every((one, i) => i === 0 || one > (numbers[i - 1] ?? 0))
