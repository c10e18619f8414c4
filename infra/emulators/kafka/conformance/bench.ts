/** The bench on which every case runs: one broker, clients that are closed after each case, names that no other run uses. */
import { randomBytes } from 'node:crypto'
import {
  type Admin,
  type Consumer,
  type ConsumerConfig,
  type ITopicConfig,
  Kafka,
  type KafkaConfig,
  type KafkaMessage,
  logLevel,
  Partitioners,
  type Producer,
  type ProducerConfig,
} from 'kafkajs'
import { expect } from 'vitest'
import { startKafkaEmulator } from '../server.ts'
import { ProtocolClient } from './protocol-client.ts'

export type Received = { partition: number; message: KafkaMessage }

/** What one consumer has received so far, and which partitions of the topic it has. */
export type Reading = { groupId: string; consumer: Consumer; received: Received[]; values(): string[]; share: number[] }

/** Short waits, so that stopping and rebalancing do not take the seconds that kafkajs gives them by default. */
export const CONSUMER_TIMES = { maxWaitTimeInMs: 150, heartbeatInterval: 200, sessionTimeout: 10_000, rebalanceTimeout: 20_000 }
export const IDEMPOTENT = { idempotent: true, maxInFlightRequests: 1 }

export class Bench {
  readonly brokers: string
  private readonly stopBroker: (() => Promise<void>) | undefined
  private readonly prefix = `conformance-${randomBytes(4).toString('hex')}`
  private readonly topics: string[] = []
  private readonly groups: string[] = []
  private open: { disconnect(): Promise<void> }[] = []

  private constructor(brokers: string, stopBroker?: () => Promise<void>) {
    this.brokers = brokers
    this.stopBroker = stopBroker
  }

  /** On the broker at `KAFKA_BROKERS`, or else on an emulator of its own. */
  static async start(): Promise<Bench> {
    const given = process.env.KAFKA_BROKERS
    const emulator = given ? undefined : await startKafkaEmulator()
    console.log(`Kafka conformance on ${emulator ? 'the emulator' : 'the real broker'} ${given ?? emulator?.brokers}`)
    return emulator ? new Bench(emulator.brokers, emulator.stop) : new Bench(given!)
  }

  kafka(overrides: Partial<KafkaConfig> = {}): Kafka {
    const retry = { initialRetryTime: 50, maxRetryTime: 500, retries: 12 }
    return new Kafka({ brokers: [this.brokers], clientId: 'conformance', logLevel: logLevel.NOTHING, retry, ...overrides })
  }

  /** For requests that must be refused at once: a client that retries only hides the answer. */
  impatientKafka(): Kafka {
    return this.kafka({ retry: { retries: 1, initialRetryTime: 20 } })
  }

  topicName(): string {
    return this.topics[this.topics.push(`${this.prefix}-topic-${this.topics.length}`) - 1]!
  }

  groupId(): string {
    return this.groups[this.groups.push(`${this.prefix}-group-${this.groups.length}`) - 1]!
  }

  /** Makes a topic and waits until it can be written to and read. */
  async topic(numPartitions = 1, configs: Record<string, string> = {}): Promise<string> {
    const topic = this.topicName()
    const admin = await this.admin()
    const config: ITopicConfig = { topic, numPartitions, configEntries: Object.entries(configs).map(([name, value]) => ({ name, value })) }
    await admin.createTopics({ waitForLeaders: false, topics: [config] })
    // A real broker "does not host" a new topic for a moment, which kafkajs's own waiting takes for final.
    await expect.poll(() => admin.fetchTopicOffsets(topic).catch(() => []), { timeout: 10_000 }).toHaveLength(numPartitions)
    return topic
  }

  admin(kafka = this.kafka()): Promise<Admin> {
    return this.connected(kafka.admin())
  }

  producer(config: ProducerConfig = {}, kafka = this.kafka()): Promise<Producer> {
    return this.connected(kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false, ...config }))
  }

  /** Single requests, for what kafkajs does not let its users say. */
  async protocolClient(): Promise<ProtocolClient> {
    const client = await ProtocolClient.connect(this.brokers)
    this.open.push(client)
    return client
  }

  /** Joins a group and collects what it reads. Resolves when the first fetch is done, so that positions are settled. */
  async read(
    topic: string,
    groupId = this.groupId(),
    { fromBeginning = true, ...config }: Partial<ConsumerConfig> & { fromBeginning?: boolean } = {},
  ): Promise<Reading> {
    const consumer = await this.connected(this.kafka().consumer({ allowAutoTopicCreation: false, ...CONSUMER_TIMES, ...config, groupId }))
    const received: Received[] = []
    const reading: Reading = { groupId, consumer, received, values: () => received.map(({ message }) => String(message.value)), share: [] }
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      reading.share = payload.memberAssignment[topic] ?? []
    })
    await consumer.subscribe({ topic, fromBeginning })
    const fetched = new Promise<void>((resolve) => consumer.on(consumer.events.FETCH, () => resolve()))
    await consumer.run({ eachMessage: async ({ partition, message }) => void received.push({ partition, message }) })
    await fetched
    return reading
  }

  /** Everything in the topic, in the order of each partition. */
  async readAll(topic: string, count: number): Promise<Received[]> {
    const { received } = await this.read(topic)
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(count)
    return received
  }

  /** Closes what a case has opened, the newest first. */
  async closeClients(): Promise<void> {
    for (const client of this.open.splice(0).reverse()) await client.disconnect()
  }

  /** A real broker outlives the run: what was made on it is deleted. */
  async stop(): Promise<void> {
    if (this.stopBroker) return this.stopBroker()
    const admin = await this.admin()
    const existing = new Set(await admin.listTopics())
    await admin.deleteTopics({ topics: this.topics.filter((topic) => existing.has(topic)) })
    const { groups } = await admin.listGroups()
    await admin.deleteGroups(groups.map(({ groupId }) => groupId).filter((id) => this.groups.includes(id)))
    await this.closeClients()
  }

  private async connected<T extends { connect(): Promise<void>; disconnect(): Promise<void> }>(client: T): Promise<T> {
    await client.connect()
    this.open.push(client)
    return client
  }
}

/** `first`, `first + 1`, ... as message values. */
export function numbered(count: number, first = 0): { value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ value: String(first + index) }))
}

type ClientError = { type?: string; cause?: ClientError; errors?: ClientError[] }

/** The protocol's name of the error that `work` ends with, however kafkajs has wrapped it, or 'it was accepted'. */
export function refusalOf(work: Promise<unknown>): Promise<string> {
  const typeOf = (error: ClientError): string => {
    const inner = error.errors?.[0] ?? error.cause
    return error.type ?? (inner ? typeOf(inner) : String(error))
  }
  return work.then(() => 'it was accepted', typeOf)
}
