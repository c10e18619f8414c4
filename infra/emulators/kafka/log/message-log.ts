/** The messages: appended once, read in order, dropped from the front by age, size or request. */
import type { StatementSync } from 'node:sqlite'
import { ErrorCode } from '../wire/error-code.ts'
import { findRecordByTimestamp, type RecordBatch, stampBaseOffset } from '../wire/record-batch.ts'
import type { Database } from './database.ts'
import { checkSequence, withBatch } from './producer-state.ts'
import { topicConfig } from './topic-config.ts'
import type { Partition, Topics } from './topics.ts'

/** Apache Kafka's `producer.id.expiration.ms`. */
const PRODUCER_EXPIRY_MS = 86_400_000

export type Appended = { error: ErrorCode; baseOffset: number }

export class MessageLog {
  private readonly database: Database
  private readonly topics: Topics
  private readonly now: () => number
  private readonly insertBatch: StatementSync
  private readonly storeProducer: StatementSync
  private readonly batchesFrom: StatementSync

  /** `now`: milliseconds since the epoch. */
  constructor(database: Database, topics: Topics, now: () => number = Date.now) {
    this.database = database
    this.topics = topics
    this.now = now
    this.insertBatch = database.prepare('INSERT INTO batches (partition_id, last_offset, max_timestamp, bytes) VALUES (?, ?, ?, ?)')
    this.storeProducer = database.prepare(
      'INSERT OR REPLACE INTO producers (partition_id, producer_id, epoch, batches, updated_at) VALUES (?, ?, ?, ?, ?)',
    )
    this.batchesFrom = database.prepare('SELECT bytes FROM batches WHERE partition_id = ? AND last_offset >= ? ORDER BY last_offset')
  }

  /** Inside a write job. A batch that is already stored answers with the place it has. */
  append(partition: Partition, batch: RecordBatch): Appended {
    const { configs } = partition.topic
    if (batch.bytes.length > Number(topicConfig(configs, 'max.message.bytes'))) return refused(ErrorCode.messageTooLarge)
    if (batch.maxTimestamp > this.now() + Number(topicConfig(configs, 'message.timestamp.after.max.ms')))
      return refused(ErrorCode.invalidTimestamp)
    const baseOffset = partition.nextOffset
    if (batch.producerId >= 0) {
      const state = partition.producers.get(batch.producerId)
      const check = checkSequence(state, batch)
      if (check.verdict === 'refuse') return refused(check.error)
      if (check.verdict === 'duplicate') return { error: ErrorCode.none, baseOffset: check.baseOffset }
      const next = withBatch(state, batch, baseOffset)
      this.storeProducer.run(partition.id, batch.producerId, next.epoch, JSON.stringify(next.batches), this.now())
      partition.producers.set(batch.producerId, next)
    }
    stampBaseOffset(batch, baseOffset)
    const lastOffset = baseOffset + batch.lastOffsetDelta
    // A producer may leave the timestamp out; the message must age all the same.
    this.insertBatch.run(partition.id, lastOffset, batch.maxTimestamp < 0 ? this.now() : batch.maxTimestamp, batch.bytes)
    partition.nextOffset = lastOffset + 1
    return { error: ErrorCode.none, baseOffset }
  }

  /**
   * Whole batches from the one that holds `offset` on, up to `maxBytes` together. With `atLeastOne` the first batch comes even if it
   * alone is larger, so that a reader can always go on.
   */
  read(partition: Partition, offset: number, maxBytes: number, atLeastOne: boolean): Buffer[] {
    const batches: Buffer[] = []
    if (offset >= partition.nextOffset) return batches
    let left = maxBytes
    for (const row of this.batchesFrom.iterate(partition.id, offset)) {
      const bytes = toBuffer(row.bytes)
      if (bytes.length > left && !(atLeastOne && batches.length === 0)) break
      batches.push(bytes)
      left -= bytes.length
      if (left <= 0) break
    }
    return batches
  }

  /** The first message at or after a time (ms since the epoch), or undefined when all are older. */
  findByTimestamp(partition: Partition, timestamp: number): { offset: number; timestamp: number } | undefined {
    const rows = this.database
      .prepare('SELECT bytes FROM batches WHERE partition_id = ? AND last_offset >= ? AND max_timestamp >= ? ORDER BY last_offset')
      .iterate(partition.id, partition.startOffset, timestamp)
    for (const row of rows) {
      const found = findRecordByTimestamp(toBuffer(row.bytes), timestamp)
      if (found !== undefined && found.offset >= partition.startOffset) return found
    }
    return undefined
  }

  /** Inside a write job. Messages before `offset` can no longer be read; batches wholly before it are gone. */
  dropBefore(partition: Partition, offset: number): void {
    this.database.prepare('DELETE FROM batches WHERE partition_id = ? AND last_offset < ?').run(partition.id, offset)
    this.database.prepare('UPDATE partitions SET start_offset = ? WHERE id = ?').run(offset, partition.id)
    partition.startOffset = offset
  }

  /** Inside a write job. Applies `retention.ms` and `retention.bytes` to every topic whose policy deletes, batch by batch. */
  applyRetention(): void {
    for (const topic of this.topics.all()) {
      if (!topicConfig(topic.configs, 'cleanup.policy').includes('delete')) continue
      const age = Number(topicConfig(topic.configs, 'retention.ms'))
      const size = Number(topicConfig(topic.configs, 'retention.bytes'))
      for (const partition of topic.partitions) {
        const keptFrom = this.firstOffsetToKeep(partition, age, size)
        if (keptFrom > partition.startOffset) this.dropBefore(partition, keptFrom)
      }
    }
  }

  /** Inside a write job. A producer silent for a day is forgotten, as Apache Kafka does. */
  forgetSilentProducers(): void {
    const rows = this.database.prepare(
      'DELETE FROM producers WHERE updated_at < ? RETURNING partition_id AS partition, producer_id AS producer',
    )
    const byId = new Map(this.topics.all().flatMap((topic) => topic.partitions.map((partition) => [partition.id, partition] as const)))
    for (const row of rows.all(this.now() - PRODUCER_EXPIRY_MS)) byId.get(Number(row.partition))?.producers.delete(Number(row.producer))
  }

  /** Inside a write job. Never given twice, not even over restarts. */
  takeProducerId(): number {
    const row = this.database
      .prepare(
        "INSERT INTO settings VALUES ('next producer id', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value - 1 AS id",
      )
      .get()
    return Number(row!.id)
  }

  private firstOffsetToKeep(partition: Partition, maxAgeMs: number, maxBytes: number): number {
    let keptFrom = partition.startOffset
    if (maxAgeMs >= 0) {
      const oldest = this.now() - maxAgeMs
      const rows = this.database.prepare(
        'SELECT last_offset AS last, max_timestamp AS time FROM batches WHERE partition_id = ? ORDER BY last_offset',
      )
      for (const row of rows.iterate(partition.id)) {
        if (Number(row.time) >= oldest) break
        keptFrom = Number(row.last) + 1
      }
    }
    if (maxBytes >= 0) {
      let total = 0
      const rows = this.database.prepare(
        'SELECT last_offset AS last, length(bytes) AS size FROM batches WHERE partition_id = ? AND last_offset >= ? ORDER BY last_offset DESC',
      )
      for (const row of rows.iterate(partition.id, keptFrom)) {
        total += Number(row.size)
        if (total > maxBytes) return Math.max(keptFrom, Number(row.last) + 1)
      }
    }
    return keptFrom
  }
}

function refused(error: ErrorCode): Appended {
  return { error, baseOffset: -1 }
}

function toBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
