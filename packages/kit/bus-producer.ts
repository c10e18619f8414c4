/** Publishing. After a failed send its Kafka producer is replaced. */
import { type Kafka, type Producer as KafkaProducer, Partitioners, type TopicMessages } from 'kafkajs'
import type { Log } from './log.ts'
import { withDeadline } from './resilience.ts'
import { delay } from './runtime.ts'

const CONNECT_WAIT_MS = 2000
const STOPPED = 'the bus was stopped'

export type Producer = {
  /** Resolves when every in-sync replica has the messages. Rejects within `limitMs`; the messages may be there all the same. */
  send(topicMessages: TopicMessages[]): Promise<void>
  stop(): Promise<void>
}

/**
 * Connects in the background and again after every failure.
 *
 * kafkajs reuses the sequence numbers of a failed send; if the broker had stored the first after all, it would take the second for a
 * repetition and drop it with a success. So sends go one after another, and none follows a failed one on the same producer.
 */
export function createProducer(kafka: Kafka, log: Log, limitMs: number): Producer {
  const stopping = new AbortController()
  let producer = connect(kafka, log, stopping.signal)
  let last: Promise<unknown> = Promise.resolve()

  const sendNow = async (topicMessages: TopicMessages[]) => {
    if (stopping.signal.aborted) throw new Error(STOPPED)
    const current = await withDeadline('connecting to Kafka', Math.min(limitMs, CONNECT_WAIT_MS), producer)
    const sending = current.sendBatch({ acks: -1, topicMessages })
    try {
      await withDeadline('publishing', limitMs, sending)
    } catch (error) {
      producer = connect(kafka, log, stopping.signal)
      producer.catch(() => undefined)
      void discard(current, sending)
      throw error
    }
  }

  producer.catch(() => undefined)
  return {
    send(topicMessages) {
      let abandoned = false
      const sending = last.then(() => {
        if (!abandoned) return sendNow(topicMessages)
      })
      last = sending.catch(() => undefined)
      return withDeadline('publishing', limitMs, sending).finally(() => {
        abandoned = true
      })
    },
    async stop() {
      stopping.abort()
      const current = await withDeadline('connecting to Kafka', 100, producer).catch(() => undefined)
      if (!current) return
      await Promise.race([Promise.allSettled([last]), delay(3000)])
      await Promise.race([current.disconnect().catch(() => undefined), delay(3000)])
    },
  }
}

/** Rejects only when the bus was stopped meanwhile. */
async function connect(kafka: Kafka, log: Log, stopping: AbortSignal): Promise<KafkaProducer> {
  while (!stopping.aborted) {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 5 },
    })
    try {
      await producer.connect()
      if (!stopping.aborted) return producer
    } catch (err) {
      log.warn({ err }, 'Kafka is unavailable, trying again')
    }
    await producer.disconnect().catch(() => undefined)
    await delay(1000, stopping)
  }
  throw new Error(STOPPED)
}

/** Twice, because a send that is still being retried connects again. */
async function discard(producer: KafkaProducer, sending: Promise<unknown>): Promise<void> {
  await producer.disconnect().catch(() => undefined)
  await sending.catch(() => undefined)
  await producer.disconnect().catch(() => undefined)
}
