/** A bus of its own for a test: two kinds of events, a group, its topics, and a look at what lies in a topic. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type EventEnvelope, event, topicOf } from '@passerelle/contracts/event'
import { deadLetterTopic } from '@passerelle/contracts/events/topics'
import { type Kafka, type KafkaMessage, type Message, Partitioners } from 'kafkajs'
import type { Connection } from 'mongoose'
import { expect } from 'vitest'
import { z } from 'zod'
import { type Bus, type BusTiming, connectBus, type Subscription } from './bus.ts'
import { prepareInbox } from './inbox.ts'
import { createTopics, kafkaClient, untilServed } from './kafka.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { connectMongo } from './mongo.ts'
import { createOutboxEvent, type OutboxEvent } from './outbox.ts'
import { delay } from './runtime.ts'

const data = z.object({ bookingId: z.string(), step: z.int() })
export const stepTaken = event('booking', 'step.taken', 1, data, ({ bookingId }) => bookingId)
/** Lies in the same topic, and no test subscribes to it. */
export const stepSkipped = event('booking', 'step.skipped', 1, data, ({ bookingId }) => bookingId)

export type StepEvent = EventEnvelope<z.output<typeof data>>

export const GROUP = 'walk'
const HOUR = 60 * 60 * 1000
export const silent = createLog('test', 'silent')

/** The same rules as in production, quicker. */
export const QUICK: Partial<BusTiming> = { retryPausesMs: [10, 20, 40], dependencyPauseMs: 50, heartbeatMs: 500, publishMs: 3000 }

export const taken = (bookingId: string, step: number, requestId?: string): OutboxEvent =>
  createOutboxEvent(stepTaken, { bookingId, step }, { sequence: step, at: new Date(), ...(requestId && { requestId }) })

/** Waits until the probe's value matches. */
export const until = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 40_000, interval: 20 })
/** Steps of the events, of one booking where it is given. */
export const steps = (events: StepEvent[], bookingId?: string) =>
  events.filter((one) => bookingId === undefined || one.key === bookingId).map((one) => one.data.step)
export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

export type Member = { bus: Bus; metrics: Metrics; fatal: unknown[]; count(result: string): Promise<number>; stop(): Promise<void> }

export type World = {
  namespace: string
  kafka: Kafka
  mongo: Connection
  events: string
  deadLetters: string
  /** A process that only publishes. */
  publisher(timing?: Partial<BusTiming>): Promise<Member>
  /** A member of the group, joined. */
  member(subscriptions: Subscription[], timing?: Partial<BusTiming>): Promise<Member>
  /** A member that has not joined yet. */
  begin(subscriptions: Subscription[], timing?: Partial<BusTiming>): Promise<Member & { joined: Promise<void> }>
  makeTopics(): Promise<void>
  /** Messages as they come, past our own publisher. */
  sendRaw(messages: Message[]): Promise<void>
  messagesIn(topic: string): Promise<KafkaMessage[]>
  /** Messages of the group's topic that it has not committed. */
  lag(): Promise<number>
  stop(): Promise<void>
}

export async function openWorld(
  servers: { MONGO_URL: string; KAFKA_BROKERS: string },
  { deadLetterBytes, brokerIsAway = false }: { deadLetterBytes?: number; brokerIsAway?: boolean } = {},
): Promise<World> {
  const namespace = `b${randomBytes(5).toString('hex')}-`
  const events = namespace + topicOf(stepTaken)
  const deadLetters = namespace + deadLetterTopic(GROUP).name
  const kafka = kafkaClient({ brokers: servers.KAFKA_BROKERS, clientId: 'test', log: silent })
  const mongo = await connectMongo(servers.MONGO_URL, `${namespace}bus`, silent)
  await prepareInbox(mongo)
  const members: Member[] = []

  const open = async (timing: Partial<BusTiming> = {}): Promise<Member> => {
    const metrics = createMetrics('test')
    const fatal: unknown[] = []
    const bus = await connectBus({
      brokers: servers.KAFKA_BROKERS,
      clientId: 'walker',
      namespace,
      log: silent,
      metrics,
      onFatal: (error) => fatal.push(error),
      timing: { ...QUICK, ...timing },
    })
    const member = {
      bus,
      metrics,
      fatal,
      count: async (result: string) =>
        (await metrics.consumed.get()).values
          .filter(({ labels }) => (labels as { result?: string }).result === result)
          .reduce((sum, { value }) => sum + value, 0),
      stop: () => bus.stop(),
    }
    members.push(member)
    return member
  }

  const world: World = {
    namespace,
    kafka,
    mongo,
    events,
    deadLetters,
    publisher: open,
    async begin(subscriptions, timing) {
      const member = await open(timing)
      return { ...member, joined: member.bus.consume({ group: GROUP, subscriptions }, mongo) }
    },
    async member(subscriptions, timing) {
      const member = await world.begin(subscriptions, timing)
      await member.joined
      return member
    },
    async makeTopics() {
      await createTopics(kafka, [{ name: events, partitions: 4, retentionMs: HOUR }])
      if (deadLetterBytes === undefined) return void (await createTopics(kafka, [{ name: deadLetters, partitions: 1, retentionMs: HOUR }]))
      const configEntries = [{ name: 'max.message.bytes', value: String(deadLetterBytes) }]
      await withAdmin(kafka, async (admin) => {
        await admin.createTopics({ waitForLeaders: false, topics: [{ topic: deadLetters, numPartitions: 1, configEntries }] })
        await untilServed(admin, [deadLetters])
      })
    },
    async sendRaw(messages) {
      const producer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner })
      await producer.connect()
      try {
        await producer.send({ topic: events, acks: -1, messages })
      } finally {
        await producer.disconnect()
      }
    },
    messagesIn: (topic) => readTopic(kafka, topic),
    lag: () =>
      withAdmin(kafka, async (admin) => {
        const [ends, [committed]] = await Promise.all([
          admin.fetchTopicOffsets(events),
          admin.fetchOffsets({ groupId: namespace + GROUP, topics: [events] }),
        ])
        return ends.reduce((sum, { partition, high }) => {
          const offset = committed?.partitions.find((one) => one.partition === partition)?.offset ?? '-1'
          return sum + Number(high) - Math.max(0, Number(offset))
        }, 0)
      }),
    async stop() {
      await Promise.all(members.map((member) => member.stop()))
      await mongo.dropDatabase().catch(() => undefined)
      await mongo.close()
    },
  }
  if (!brokerIsAway) await world.makeTopics()
  return world
}

export async function withAdmin<T>(kafka: Kafka, work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

async function readTopic(kafka: Kafka, topic: string): Promise<KafkaMessage[]> {
  const ends = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic))
  const expected = ends.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0)
  const found: KafkaMessage[] = []
  if (expected === 0) return found
  const consumer = kafka.consumer({ groupId: `look-${randomUUID()}`, maxWaitTimeInMs: 100 })
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachMessage: async ({ message }) => void found.push(message) })
    while (found.length < expected) await delay(20)
  } finally {
    await consumer.disconnect()
  }
  return found
}
