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
import { startKafkaEmulator } from '../server.ts'
import { ProtocolClient } from './protocol-client.ts'

export type Received = { topic: string; partition: number; message: KafkaMessage }
export type NewTopic = { partitions?: number; configs?: Record<string, string> }

/** Short waits, so that stopping and rebalancing do not take the seconds that kafkajs gives them by default. */
export const CONSUMER_TIMES = { maxWaitTimeInMs: 150, heartbeatInterval: 200, sessionTimeout: 10_000, rebalanceTimeout: 20_000 }

export class Bench {
  readonly brokers: string
  /** What stands behind the address, in words. */
  readonly description: string
  private readonly stopBroker: () => Promise<void>
  private readonly prefix = `conformance-${randomBytes(4).toString('hex')}`
  private readonly topics: string[] = []
  private readonly groups: string[] = []
  private open: (() => Promise<void>)[] = []
  private names = 0

  private constructor(brokers: string, description: string, stopBroker: () => Promise<void>) {
    this.brokers = brokers
    this.description = description
    this.stopBroker = stopBroker
  }

  /** On the broker at `KAFKA_BROKERS`, or else on an emulator of its own. */
  static async start(): Promise<Bench> {
    const brokers = process.env.KAFKA_BROKERS
    if (brokers) return new Bench(brokers, `the broker at KAFKA_BROKERS=${brokers}`, async () => {})
    const emulator = await startKafkaEmulator()
    return new Bench(emulator.brokers, `the emulator at ${emulator.brokers}`, emulator.stop)
  }

  kafka(overrides: Partial<KafkaConfig> = {}): Kafka {
    const retry = { initialRetryTime: 50, maxRetryTime: 500, retries: 12 }
    return new Kafka({
      brokers: [this.brokers],
      clientId: 'conformance',
      logLevel: logLevel.NOTHING,
      connectionTimeout: 3_000,
      retry,
      ...overrides,
    })
  }

  /** For requests that must be refused at once: a client that retries only hides the answer. */
  impatientKafka(): Kafka {
    return this.kafka({ retry: { retries: 1, initialRetryTime: 20 } })
  }

  topicName(): string {
    const name = `${this.prefix}-topic-${this.names++}`
    this.topics.push(name)
    return name
  }

  groupId(): string {
    const id = `${this.prefix}-group-${this.names++}`
    this.groups.push(id)
    return id
  }

  async topic({ partitions = 1, configs = {} }: NewTopic = {}): Promise<string> {
    const topic = this.topicName()
    const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value }))
    await this.make({ topic, numPartitions: partitions, configEntries })
    return topic
  }

  /** Makes a topic and waits until it can be written to and read. */
  async make(config: ITopicConfig): Promise<void> {
    const admin = await this.admin()
    await admin.createTopics({ waitForLeaders: false, topics: [config] })
    await leadersOf(admin, config.topic)
  }

  async admin(kafka = this.kafka()): Promise<Admin> {
    const admin = kafka.admin()
    await admin.connect()
    this.open.push(() => admin.disconnect())
    return admin
  }

  async producer(config: ProducerConfig = {}, kafka = this.kafka()): Promise<Producer> {
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false, ...config })
    await producer.connect()
    this.open.push(() => producer.disconnect())
    return producer
  }

  async consumer(config: ConsumerConfig, kafka = this.kafka()): Promise<Consumer> {
    const consumer = kafka.consumer({ allowAutoTopicCreation: false, ...CONSUMER_TIMES, ...config })
    await consumer.connect()
    this.open.push(() => consumer.disconnect())
    return consumer
  }

  /** Single requests, for what kafkajs does not let its users say. */
  async protocolClient(): Promise<ProtocolClient> {
    const client = await ProtocolClient.connect(this.brokers)
    this.open.push(() => client.disconnect())
    return client
  }

  /** Joins a group, or a new one, and collects what it reads. Resolves when the first fetch is done, so that positions are settled. */
  async read(
    topic: string,
    options: { groupId?: string; fromBeginning?: boolean; consumer?: Partial<ConsumerConfig> } = {},
  ): Promise<Reading> {
    const { groupId = this.groupId(), fromBeginning = true } = options
    const consumer = await this.consumer({ groupId, ...options.consumer })
    const reading = new Reading(consumer, groupId)
    await consumer.subscribe({ topic, fromBeginning })
    const fetched = new Promise<void>((resolve) => consumer.on(consumer.events.FETCH, () => resolve()))
    await consumer.run({ eachMessage: async (payload) => reading.received(payload) })
    await fetched
    return reading
  }

  /** Everything in the topic, in the order of each partition. */
  async readAll(topic: string, count: number): Promise<Received[]> {
    const reading = await this.read(topic)
    await reading.until((messages) => messages.length >= count)
    await reading.consumer.disconnect()
    return reading.messages
  }

  /** Closes what a case has opened, the newest first. */
  async closeClients(): Promise<void> {
    const closers = this.open.reverse()
    this.open = []
    for (const close of closers) await close()
  }

  async stop(): Promise<void> {
    const admin = await this.admin()
    const existing = new Set(await admin.listTopics())
    const topics = this.topics.filter((topic) => existing.has(topic))
    if (topics.length > 0) await admin.deleteTopics({ topics })
    const { groups } = await admin.listGroups()
    const mine = groups.map(({ groupId }) => groupId).filter((id) => this.groups.includes(id))
    if (mine.length > 0) await admin.deleteGroups(mine)
    await this.closeClients()
    await this.stopBroker()
  }
}

/** What one consumer has received so far. */
export class Reading {
  readonly consumer: Consumer
  readonly groupId: string
  readonly messages: Received[] = []
  private waiting: (() => void)[] = []

  constructor(consumer: Consumer, groupId: string) {
    this.consumer = consumer
    this.groupId = groupId
  }

  received({ topic, partition, message }: Received): void {
    this.messages.push({ topic, partition, message })
    for (const look of [...this.waiting]) look()
  }

  values(): string[] {
    return this.messages.map(({ message }) => String(message.value))
  }

  until(isEnough: (messages: readonly Received[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isEnough(this.messages)) return
        this.waiting = this.waiting.filter((other) => other !== look)
        resolve()
      }
      this.waiting.push(look)
      look()
    })
  }

  untilValue(value: string): Promise<void> {
    return this.until(() => this.values().includes(value))
  }
}

/** `first`, `first + 1`, ... as message values. */
export function numbered(count: number, first = 0): { value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ value: String(first + index) }))
}

type ClientError = { type?: string; cause?: ClientError; errors?: ClientError[]; groups?: { error?: ClientError }[] }

/** The protocol's name of an error that kafkajs threw, however it was wrapped. */
function errorType(error: ClientError): string {
  const inner = error.errors?.[0] ?? error.groups?.[0]?.error ?? error.cause
  return error.type ?? (inner === undefined ? String(error) : errorType(inner))
}

/** The name of the protocol error that `work` ends with, or 'it was accepted'. */
export function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'it was accepted', errorType)
}

/**
 * A real broker answers that it "does not host" a topic for a moment after making it, which kafkajs's own waiting takes for final; and for
 * another moment the leader that it names does not know yet that it is one. Asked for its offsets it shows whether it does.
 */
async function leadersOf(admin: Admin, topic: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [known] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics
      if (known?.partitions.every(({ leader }) => leader >= 0)) return void (await admin.fetchTopicOffsets(topic))
      if (attempt === 100) throw new Error(`${topic} has no leaders`)
    } catch (error) {
      if (attempt === 100) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
