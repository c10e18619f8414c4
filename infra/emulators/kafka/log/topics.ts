/** Topics and their partitions: what exists, in memory for looking up and in the database for keeping. */
import type { Database } from './database.ts'
import type { ProducerState } from './producer-state.ts'
import type { TopicConfigs } from './topic-config.ts'

export type Topic = { id: number; name: string; configs: TopicConfigs; partitions: Partition[] }

export type Partition = {
  id: number
  topic: Topic
  number: number
  /** The first offset that may still be read. */
  startOffset: number
  /** The offset of the next message: Kafka's high watermark, for there are no replicas to wait for. */
  nextOffset: number
  producers: Map<number, ProducerState>
  /** Called with the bytes added, or with Infinity when the partition has changed in another way. */
  watchers: Set<(bytes: number) => void>
}

export class Topics {
  private readonly database: Database
  private byName = new Map<string, Topic>()

  constructor(database: Database) {
    this.database = database
    this.load()
    database.onRollback(() => {
      const outdated = this.all()
      this.load()
      for (const topic of outdated) wake(topic.partitions)
    })
  }

  all(): Topic[] {
    return [...this.byName.values()]
  }

  find(name: string): Topic | undefined {
    return this.byName.get(name)
  }

  partition(topicName: string, number: number): Partition | undefined {
    return this.byName.get(topicName)?.partitions[number]
  }

  /** Inside a write job. The caller has made sure that the name is free. */
  create(name: string, partitionCount: number, configs: TopicConfigs): void {
    const { lastInsertRowid } = this.database.prepare('INSERT INTO topics (name, configs) VALUES (?, ?)').run(name, JSON.stringify(configs))
    const topic: Topic = { id: Number(lastInsertRowid), name, configs, partitions: [] }
    this.byName.set(name, topic)
    this.addPartitions(topic, partitionCount)
  }

  /** Inside a write job. */
  addPartitions(topic: Topic, total: number): void {
    const insert = this.database.prepare('INSERT INTO partitions (topic_id, number, start_offset) VALUES (?, ?, 0)')
    for (let number = topic.partitions.length; number < total; number++) {
      const { lastInsertRowid } = insert.run(topic.id, number)
      topic.partitions.push(newPartition(Number(lastInsertRowid), topic, number, 0, 0))
    }
  }

  /** Inside a write job. */
  configure(topic: Topic, configs: TopicConfigs): void {
    this.database.prepare('UPDATE topics SET configs = ? WHERE id = ?').run(JSON.stringify(configs), topic.id)
    topic.configs = configs
  }

  /** Inside a write job. Takes the messages, the producers' states and the groups' offsets of the topic with it. */
  delete(topic: Topic): void {
    for (const table of ['batches', 'producers']) {
      this.database.prepare(`DELETE FROM ${table} WHERE partition_id IN (SELECT id FROM partitions WHERE topic_id = ?)`).run(topic.id)
    }
    this.database.prepare('DELETE FROM partitions WHERE topic_id = ?').run(topic.id)
    this.database.prepare('DELETE FROM committed_offsets WHERE topic = ?').run(topic.name)
    this.database.prepare('DELETE FROM topics WHERE id = ?').run(topic.id)
    this.byName.delete(topic.name)
  }

  private load(): void {
    const partitions = this.database.prepare(`
      SELECT id, number, start_offset AS start, coalesce((SELECT max(last_offset) + 1 FROM batches WHERE partition_id = partitions.id), 0) AS next
      FROM partitions WHERE topic_id = ? ORDER BY number`)
    const producers = this.database.prepare('SELECT producer_id AS id, epoch, batches FROM producers WHERE partition_id = ?')
    this.byName = new Map()
    for (const row of this.database.prepare('SELECT id, name, configs FROM topics').all()) {
      const topic: Topic = { id: Number(row.id), name: String(row.name), configs: JSON.parse(String(row.configs)), partitions: [] }
      for (const found of partitions.all(topic.id)) {
        const start = Number(found.start)
        const partition = newPartition(Number(found.id), topic, Number(found.number), start, Math.max(start, Number(found.next)))
        for (const producer of producers.all(partition.id)) {
          partition.producers.set(Number(producer.id), { epoch: Number(producer.epoch), batches: JSON.parse(String(producer.batches)) })
        }
        topic.partitions.push(partition)
      }
      this.byName.set(topic.name, topic)
    }
  }
}

/** Lets everybody who waits on these partitions look again. */
export function wake(partitions: readonly Partition[], bytes = Number.POSITIVE_INFINITY): void {
  for (const partition of partitions) for (const watcher of [...partition.watchers]) watcher(bytes)
}

function newPartition(id: number, topic: Topic, number: number, startOffset: number, nextOffset: number): Partition {
  return { id, topic, number, startOffset, nextOffset, producers: new Map(), watchers: new Set() }
}
