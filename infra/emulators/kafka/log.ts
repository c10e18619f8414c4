/** Topics and their messages: appended once, read in order, dropped from the front when they are too old. */
import type { DataFile } from '../data-file.ts'
import { ErrorCode } from './wire/error-code.ts'
import { type RecordBatch, stampBaseOffset } from './wire/record-batch.ts'

export const LOG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS topics (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, configs TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS partitions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, topic_id INTEGER NOT NULL, number INTEGER NOT NULL, start_offset INTEGER NOT NULL,
    UNIQUE (topic_id, number));
  CREATE TABLE IF NOT EXISTS batches (
    partition_id INTEGER NOT NULL, last_offset INTEGER NOT NULL, max_timestamp INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (partition_id, last_offset));
  CREATE TABLE IF NOT EXISTS sequences (
    partition_id INTEGER NOT NULL, producer_id INTEGER NOT NULL, base_offset INTEGER NOT NULL, epoch INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (partition_id, producer_id, base_offset)) WITHOUT ROWID
`

export type TopicConfigs = Record<string, string>
export type Topic = { id: number; name: string; configs: TopicConfigs; partitions: Partition[] }

export type Partition = {
  id: number
  topic: Topic
  /** The first offset that may still be read. */
  startOffset: number
  /** The offset of the next message: Kafka's high watermark, for there are no replicas to wait for. */
  nextOffset: number
  /** Called when there is something new to read. */
  watchers: Set<() => void>
}

type Appended = { error: ErrorCode; baseOffset: number }

/** Apache Kafka's defaults. */
const DEFAULTS: TopicConfigs = { 'cleanup.policy': 'delete', 'max.message.bytes': '1048588', 'retention.ms': '604800000' }
/** Batches remembered of a producer, for it may have five in flight. */
const BATCHES_KEPT = 5
const SEQUENCES = 2 ** 31

export class Log {
  readonly #file: DataFile
  readonly #now: () => number
  #topics = new Map<string, Topic>()

  /** @param now milliseconds since the epoch. */
  constructor(file: DataFile, now: () => number = Date.now) {
    this.#file = file
    this.#now = now
    this.#load()
    file.onRollback(() => {
      const outdated = this.topics()
      this.#load()
      for (const topic of outdated) for (const partition of topic.partitions) wake(partition)
    })
  }

  topics(): Topic[] {
    return [...this.#topics.values()]
  }

  topic(name: string): Topic | undefined {
    return this.#topics.get(name)
  }

  partition(topic: string, number: number): Partition | undefined {
    return this.#topics.get(topic)?.partitions[number]
  }

  /** Inside a write job. The caller has made sure that the name is free. */
  create(name: string, partitions: number, configs: TopicConfigs): void {
    const id = this.#file.change('INSERT INTO topics (name, configs) VALUES (?, ?)', name, JSON.stringify(configs))
    for (let number = 0; number < partitions; number++)
      this.#file.change('INSERT INTO partitions (topic_id, number, start_offset) VALUES (?, ?, 0)', id, number)
    this.#loadTopic(id, name, configs)
  }

  /** Inside a write job. A batch that is already stored answers with the place it has. */
  append(partition: Partition, batch: RecordBatch): Appended {
    if (batch.bytes.length > Number(configOf(partition.topic, 'max.message.bytes'))) return refused(ErrorCode.messageTooLarge)
    const baseOffset = partition.nextOffset
    if (batch.producerId >= 0) {
      const known = this.#checkSequence(partition, batch)
      if (known) return known
      this.#rememberSequence(partition, batch, baseOffset)
    }
    stampBaseOffset(batch, baseOffset)
    const lastOffset = baseOffset + batch.lastOffsetDelta
    // A producer may leave the timestamp out; the message must age all the same.
    const timestamp = batch.maxTimestamp < 0 ? this.#now() : batch.maxTimestamp
    this.#file.change(
      'INSERT INTO batches (partition_id, last_offset, max_timestamp, bytes) VALUES (?, ?, ?, ?)',
      partition.id,
      lastOffset,
      timestamp,
      batch.bytes,
    )
    partition.nextOffset = lastOffset + 1
    return { error: ErrorCode.none, baseOffset }
  }

  /**
   * Whole batches from the one that holds `offset` on, up to `maxBytes` together. With `atLeastOne` the first batch comes even if it
   * alone is larger, so that a reader can always go on.
   */
  read(partition: Partition, offset: number, maxBytes: number, atLeastOne: boolean): Uint8Array[] {
    if (offset >= partition.nextOffset) return []
    const sql = 'SELECT bytes FROM batches WHERE partition_id = ? AND last_offset >= ? ORDER BY last_offset'
    const batches: Uint8Array[] = []
    let left = maxBytes
    for (const row of this.#file.rows(sql, partition.id, offset)) {
      const bytes = row.bytes as Uint8Array
      if (bytes.length > left && !(atLeastOne && batches.length === 0)) break
      batches.push(bytes)
      left -= bytes.length
    }
    return batches
  }

  /** Inside a write job. Drops the batches that are older than their topic's `retention.ms`. */
  applyRetention(): void {
    for (const topic of this.topics()) {
      const age = Number(configOf(topic, 'retention.ms'))
      if (age < 0 || !configOf(topic, 'cleanup.policy').includes('delete')) continue
      for (const partition of topic.partitions) this.#dropOlderThan(partition, this.#now() - age)
    }
  }

  /** Inside a write job. Never the same twice, not after a restart either. */
  takeProducerId(): number {
    this.#file.change("INSERT INTO settings VALUES ('next producer id', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1")
    return Number(this.#file.get("SELECT value FROM settings WHERE name = 'next producer id'")?.value) - 1
  }

  /** Apache Kafka's rules: a known batch is a duplicate, a gap is out of order, a producer that is not known may start anywhere. */
  #checkSequence(partition: Partition, batch: RecordBatch): Appended | undefined {
    const sql = 'SELECT * FROM sequences WHERE partition_id = ? AND producer_id = ? ORDER BY base_offset DESC'
    const stored = this.#file.all(sql, partition.id, batch.producerId)
    const newest = stored[0]
    if (!newest) return undefined
    const epoch = Number(newest.epoch)
    if (batch.producerEpoch < epoch) return refused(ErrorCode.invalidProducerEpoch)
    if (batch.producerEpoch > epoch) return batch.baseSequence === 0 ? undefined : refused(ErrorCode.outOfOrderSequenceNumber)
    const same = stored.find((one) => one.epoch === epoch && one.first === batch.baseSequence && one.last === lastSequence(batch))
    if (same) return { error: ErrorCode.none, baseOffset: Number(same.base_offset) }
    const expected = (Number(newest.last) + 1) % SEQUENCES
    return batch.baseSequence === expected ? undefined : refused(ErrorCode.outOfOrderSequenceNumber)
  }

  #rememberSequence(partition: Partition, batch: RecordBatch, baseOffset: number): void {
    const { producerId, producerEpoch, baseSequence } = batch
    this.#file.change(
      'INSERT INTO sequences (partition_id, producer_id, base_offset, epoch, first, last) VALUES (?, ?, ?, ?, ?, ?)',
      partition.id,
      producerId,
      baseOffset,
      producerEpoch,
      baseSequence,
      lastSequence(batch),
    )
    this.#file.change(
      `DELETE FROM sequences WHERE partition_id = ?1 AND producer_id = ?2 AND base_offset <= (SELECT base_offset FROM sequences
       WHERE partition_id = ?1 AND producer_id = ?2 ORDER BY base_offset DESC LIMIT 1 OFFSET ${BATCHES_KEPT})`,
      partition.id,
      producerId,
    )
  }

  #dropOlderThan(partition: Partition, timestamp: number): void {
    const sql = 'SELECT last_offset, max_timestamp FROM batches WHERE partition_id = ? ORDER BY last_offset'
    let keptFrom = partition.startOffset
    for (const batch of this.#file.rows(sql, partition.id)) {
      if (Number(batch.max_timestamp) >= timestamp) break
      keptFrom = Number(batch.last_offset) + 1
    }
    if (keptFrom === partition.startOffset) return
    this.#file.change('DELETE FROM batches WHERE partition_id = ? AND last_offset < ?', partition.id, keptFrom)
    this.#file.change('DELETE FROM sequences WHERE partition_id = ? AND base_offset < ?', partition.id, keptFrom)
    this.#file.change('UPDATE partitions SET start_offset = ? WHERE id = ?', keptFrom, partition.id)
    partition.startOffset = keptFrom
  }

  #load(): void {
    this.#topics = new Map()
    for (const { id, name, configs } of this.#file.all('SELECT id, name, configs FROM topics ORDER BY id'))
      this.#loadTopic(Number(id), String(name), JSON.parse(String(configs)))
  }

  #loadTopic(id: number, name: string, configs: TopicConfigs): void {
    const topic: Topic = { id, name, configs, partitions: [] }
    const sql = `SELECT id, start_offset AS start, coalesce((SELECT max(last_offset) + 1 FROM batches WHERE partition_id = partitions.id), 0) AS next
      FROM partitions WHERE topic_id = ? ORDER BY number`
    topic.partitions = this.#file.all(sql, id).map((row) => {
      const startOffset = Number(row.start)
      return { id: Number(row.id), topic, startOffset, nextOffset: Math.max(startOffset, Number(row.next)), watchers: new Set() }
    })
    this.#topics.set(name, topic)
  }
}

/** Lets everybody who waits on this partition look again. */
export function wake(partition: Partition): void {
  for (const watcher of [...partition.watchers]) watcher()
}

const refused = (error: ErrorCode): Appended => ({ error, baseOffset: -1 })
const configOf = (topic: Topic, name: string): string => topic.configs[name] ?? DEFAULTS[name] ?? ''
const lastSequence = (batch: RecordBatch): number => (batch.baseSequence + batch.lastOffsetDelta) % SEQUENCES
