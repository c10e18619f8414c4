/** The Kafka client, its topics, and a probe of the broker. */
import type { Topic } from '@passerelle/contracts/events/topics'
import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import type { Log } from './log.ts'
import { withDeadline } from './resilience.ts'
import { delay } from './runtime.ts'

const DEAD_LETTER_BYTES = 2 * 1024 * 1024

export type KafkaOptions = {
  brokers: string
  clientId: string
  username?: string
  password?: string
  /** scram-sha-512 by default. */
  mechanism?: 'scram-sha-512' | 'plain'
  tls?: boolean
  log: Log
}

export function kafkaClient(options: KafkaOptions): Kafka {
  const { log, username, password, mechanism = 'scram-sha-512', tls = false } = options
  return new Kafka({
    clientId: options.clientId,
    brokers: options.brokers.split(','),
    connectionTimeout: 3000,
    requestTimeout: 15_000,
    ssl: tls,
    // A broker that is back is found within a second.
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 10 },
    ...(username && password ? { sasl: { mechanism, username, password } as SASLOptions } : {}),
    logLevel: logLevel.ERROR,
    // kafkajs logs "coordinator is loading" of a new broker as an error and retries, so its errors are debug lines here.
    logCreator: () => (entry) => log.debug({ kafka: entry.namespace, detail: entry.log.message }, 'kafka client'),
  })
}

/** Creates what is missing; a topic that exists is left as it is. */
export async function createTopics(kafka: Kafka, topics: readonly Topic[], replication = 1): Promise<string[]> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !existing.has(topic.name))
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic: topic.name,
          numPartitions: topic.partitions,
          replicationFactor: replication,
          configEntries: [
            { name: 'retention.ms', value: String(topic.retentionMs) },
            { name: 'cleanup.policy', value: topic.compact ? 'compact' : 'delete' },
            { name: 'min.insync.replicas', value: String(replication > 2 ? 2 : 1) },
            // A dead letter is its message and some headers: the largest message must still fit.
            ...(topic.name.endsWith('.dlq') ? [{ name: 'max.message.bytes', value: String(DEAD_LETTER_BYTES) }] : []),
          ],
        })),
      })
      await untilServed(
        admin,
        missing.map((topic) => topic.name),
      )
    }
    return missing.map((topic) => topic.name)
  } finally {
    await admin.disconnect()
  }
}

const LEADER_TRIES = 100

/**
 * Waits for the leaders of new topics, 10 s at most. For a moment a broker answers "does not host this topic-partition", which kafkajs
 * takes as final, also in its own `waitForLeaders`.
 */
export async function untilServed(admin: Admin, topics: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { topics: known } = await admin.fetchTopicMetadata({ topics })
      if (known.length === topics.length && known.every((topic) => topic.partitions.every((partition) => partition.leader >= 0))) return
      if (attempt === LEADER_TRIES) throw new Error(`no leaders for ${topics.join(', ')}`)
    } catch (error) {
      if (attempt === LEADER_TRIES) throw error
    }
    await delay(100)
  }
}

const PROBE_MS = 5000
const PROBE_ANSWER_MS = 3000

type BusProbe = { isUp(): boolean; stop(): Promise<void> }

/** Asks every few seconds whether the broker answers: a process that publishes seldom would notice an outage in no other way. */
export function startBusProbe(kafka: Kafka, everyMs = PROBE_MS): BusProbe {
  const stopping = new AbortController()
  let up = false
  const ask = async (): Promise<boolean> => {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(
        'asking Kafka',
        PROBE_ANSWER_MS,
        admin.connect().then(() => admin.listTopics()),
      )
      return true
    } catch {
      return false
    } finally {
      await Promise.race([admin.disconnect().catch(() => undefined), delay(1000)])
    }
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      up = await ask()
      await delay(everyMs, stopping.signal)
    }
  }
  const finished = loop()
  return {
    isUp: () => up,
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
