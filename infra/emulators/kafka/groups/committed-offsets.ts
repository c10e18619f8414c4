/** The offsets that groups have committed. They outlive the groups' members and the broker process. */
import type { StatementSync } from 'node:sqlite'
import type { Database } from '../log/database.ts'

export type CommittedOffset = { topic: string; partition: number; offset: number; metadata: string }

export class CommittedOffsets {
  private readonly database: Database
  private readonly upsert: StatementSync
  private readonly select: StatementSync

  constructor(database: Database) {
    this.database = database
    this.upsert = database.prepare(
      'INSERT OR REPLACE INTO committed_offsets (group_id, topic, partition, offset, metadata) VALUES (?, ?, ?, ?, ?)',
    )
    this.select = database.prepare('SELECT offset, metadata FROM committed_offsets WHERE group_id = ? AND topic = ? AND partition = ?')
  }

  /** Inside a write job. */
  commit(groupId: string, { topic, partition, offset, metadata }: CommittedOffset): void {
    this.upsert.run(groupId, topic, partition, offset, metadata)
  }

  find(groupId: string, topic: string, partition: number): CommittedOffset | undefined {
    const row = this.select.get(groupId, topic, partition)
    return row && { topic, partition, offset: Number(row.offset), metadata: String(row.metadata) }
  }

  ofGroup(groupId: string): CommittedOffset[] {
    const rows = this.database.prepare(
      'SELECT topic, partition, offset, metadata FROM committed_offsets WHERE group_id = ? ORDER BY topic, partition',
    )
    return rows.all(groupId).map((row) => ({
      topic: String(row.topic),
      partition: Number(row.partition),
      offset: Number(row.offset),
      metadata: String(row.metadata),
    }))
  }

  groupIds(): string[] {
    return this.database
      .prepare('SELECT DISTINCT group_id AS id FROM committed_offsets')
      .all()
      .map((row) => String(row.id))
  }

  /** Inside a write job. */
  forget(groupId: string): void {
    this.database.prepare('DELETE FROM committed_offsets WHERE group_id = ?').run(groupId)
  }
}
