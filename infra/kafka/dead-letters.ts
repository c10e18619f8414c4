/**
 * The dead letters of a group: what its consumers could not handle, as they found it, with headers on where it came from and why.
 *
 * What became of a letter is written into the same topic, as a mark that names the letter's offset. Nothing else has to remember it,
 * any choice of letters can be settled in any order, the topic tells who did what when, and a mark outlives its letter, because it is
 * younger. A re-driven event keeps its id and key: a group that has handled it already knows it by its inbox and does nothing.
 */
import { randomUUID } from 'node:crypto'
import { eventTopics } from '@passerelle/contracts/events/topics'
import { type IHeaders, type Kafka, type KafkaMessage, Partitioners } from 'kafkajs'

type Deed = 'redriven' | 'dropped'

export type Letter = {
  /** In the dead-letter topic. */
  offset: string
  /** Of the event; null when it came without one. */
  eventId: string | null
  type: string | null
  key: Buffer | null
  value: Buffer | null
  /** As the event had them. */
  headers: IHeaders
  reason: string
  attempts: number
  at: string
  origin: { topic: string; partition: string; offset: string }
  /** The topic could not hold the value: it is still at the origin, for as long as that topic keeps it. */
  valueLeft: boolean
  settled: { deed: Deed; at: string } | null
}

const MARK = 'dlq_mark'

const text = (value: IHeaders[string]) => (Array.isArray(value) ? value[0] : value)?.toString()

/** The letters of dead-letter topics, oldest first. Topics that do not exist have none. */
export async function readLetters(kafka: Kafka, topics: readonly string[]): Promise<Map<string, Letter[]>> {
  const messages = await readToTheEnd(kafka, topics)
  return new Map(topics.map((topic) => [topic, lettersOf(messages.get(topic) ?? [])]))
}

function lettersOf(messages: readonly KafkaMessage[]): Letter[] {
  const letters = new Map<string, Letter>()
  for (const { offset, key, value, headers = {} } of messages) {
    const deed = text(headers[MARK]) as Deed | undefined
    if (deed) {
      const letter = letters.get(text(headers.dlq_mark_offset) ?? '')
      if (letter) letter.settled = { deed, at: text(headers.dlq_mark_at) ?? '' }
      continue
    }
    letters.set(offset, {
      offset,
      eventId: text(headers.ce_id) ?? null,
      type: text(headers.ce_type) ?? null,
      key,
      value,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('dlq_'))),
      reason: text(headers.dlq_reason) ?? 'unknown',
      attempts: Number(text(headers.dlq_attempts) ?? 0),
      at: text(headers.dlq_at) ?? '',
      origin: {
        topic: text(headers.dlq_topic) ?? '',
        partition: text(headers.dlq_partition) ?? '',
        offset: text(headers.dlq_offset) ?? '',
      },
      valueLeft: headers.dlq_value !== undefined,
      settled: null,
    })
  }
  return [...letters.values()]
}

/** Why a letter cannot go back; null when it can. */
export function hindrance(letter: Letter, namespace: string): string | null {
  if (letter.valueLeft) return 'its value was left at the origin'
  const known = Object.values(eventTopics).some((topic) => namespace + topic.name === letter.origin.topic)
  return known ? null : `${letter.origin.topic || 'nothing'} is no topic of events`
}

/**
 * Sends letters back to where they came from and marks them. When it breaks off in between, what was sent but not marked goes back once
 * more the next time, under the same event id.
 */
export async function redrive(kafka: Kafka, deadLetters: string, letters: readonly Letter[]): Promise<void> {
  const groups = Map.groupBy(letters, (letter) => letter.origin.topic)
  await withProducer(kafka, async (send) => {
    for (const [topic, list] of groups) {
      await send(
        topic,
        list.map(({ key, value, headers, offset }) => ({ key, value, headers: { ...headers, redriven_from: `${deadLetters}/${offset}` } })),
      )
    }
    await send(deadLetters, marks(letters, 'redriven'))
  })
}

/** Marks letters as done with; they stay readable until the topic's retention ends. */
export async function drop(kafka: Kafka, deadLetters: string, letters: readonly Letter[]): Promise<void> {
  await withProducer(kafka, (send) => send(deadLetters, marks(letters, 'dropped')))
}

function marks(letters: readonly Letter[], deed: Deed): Sendable[] {
  const at = new Date().toISOString()
  return letters.map(({ offset }) => ({ key: null, value: null, headers: { [MARK]: deed, dlq_mark_offset: offset, dlq_mark_at: at } }))
}

type Sendable = { key: Buffer | null; value: Buffer | null; headers: IHeaders }

/** One batch of messages has to stay below the broker's largest, 1 MiB. */
const CHUNK_BYTES = 500_000

async function withProducer(
  kafka: Kafka,
  work: (send: (topic: string, messages: readonly Sendable[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const producer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner })
  await producer.connect()
  try {
    await work(async (topic, messages) => {
      let chunk: Sendable[] = []
      let bytes = 0
      for (const message of messages) {
        const size = 1000 + (message.value?.length ?? 0)
        if (chunk.length > 0 && bytes + size > CHUNK_BYTES) {
          await producer.send({ topic, acks: -1, messages: chunk })
          chunk = []
          bytes = 0
        }
        chunk.push(message)
        bytes += size
      }
      if (chunk.length > 0) await producer.send({ topic, acks: -1, messages: chunk })
    })
  } finally {
    await producer.disconnect()
  }
}

/** Everything on topics, in the order of each partition. */
export async function readToTheEnd(kafka: Kafka, topics: readonly string[]): Promise<Map<string, KafkaMessage[]>> {
  const found = new Map<string, KafkaMessage[]>()
  const left = await unread(kafka, topics)
  if (left.size === 0) return found
  const consumer = kafka.consumer({ groupId: `dlq-tool-${randomUUID()}`, maxWaitTimeInMs: 200, allowAutoTopicCreation: false })
  await consumer.connect()
  try {
    await consumer.subscribe({
      topics: [...new Set([...left.keys()].map((key) => key.slice(0, key.lastIndexOf('/'))))],
      fromBeginning: true,
    })
    await new Promise<void>((done, failed) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => failed(payload.error))
      consumer
        .run({
          autoCommit: false,
          eachMessage: async ({ topic, partition, message }) => {
            const last = left.get(`${topic}/${partition}`)
            if (last === undefined) return
            found.get(topic)?.push(message) ?? found.set(topic, [message])
            if (BigInt(message.offset) >= last) left.delete(`${topic}/${partition}`)
            if (left.size === 0) done()
          },
        })
        .catch(failed)
    })
  } finally {
    await consumer.disconnect()
  }
  return found
}

/** The last offset of every partition that holds messages, by `topic/partition`. */
async function unread(kafka: Kafka, topics: readonly string[]): Promise<Map<string, bigint>> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const existing = new Set(await admin.listTopics())
    const left = new Map<string, bigint>()
    for (const topic of topics.filter((name) => existing.has(name))) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        if (BigInt(high) > BigInt(low)) left.set(`${topic}/${partition}`, BigInt(high) - 1n)
    }
    return left
  } finally {
    await admin.disconnect()
  }
}
