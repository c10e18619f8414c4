/** The file behind the broker, and the one queue through which everything is written to it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS topics (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, configs TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS partitions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, topic_id INTEGER NOT NULL, number INTEGER NOT NULL, start_offset INTEGER NOT NULL,
    UNIQUE (topic_id, number));
  CREATE TABLE IF NOT EXISTS batches (
    partition_id INTEGER NOT NULL, last_offset INTEGER NOT NULL, max_timestamp INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (partition_id, last_offset));
  CREATE TABLE IF NOT EXISTS producers (
    partition_id INTEGER NOT NULL, producer_id INTEGER NOT NULL, epoch INTEGER NOT NULL, batches TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (partition_id, producer_id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS committed_offsets (
    group_id TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL, metadata TEXT NOT NULL,
    PRIMARY KEY (group_id, topic, partition)) WITHOUT ROWID;
`

type Job = { run: () => unknown; resolve: (value: never) => void; reject: (error: Error) => void }

export class Database {
  private readonly sqlite: DatabaseSync
  private readonly begin: StatementSync
  private readonly commit: StatementSync
  private queue: Job[] = []
  private closed = false
  private rolledBack: () => void = () => {}

  /** `directory` is made if it is missing; without one everything is in memory. Throws if another broker has the directory open. */
  constructor(directory: string | undefined) {
    if (directory !== undefined) mkdirSync(directory, { recursive: true })
    this.sqlite = new DatabaseSync(directory === undefined ? ':memory:' : join(directory, 'kafka.sqlite'))
    try {
      // The exclusive lock keeps a second broker away from the same log; the operating system frees it when a process is killed.
      this.sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      this.sqlite.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    } catch (error) {
      this.sqlite.close()
      throw new Error(`the Kafka emulator cannot open its log in ${directory}: is another one running there?`, { cause: error })
    }
    this.begin = this.sqlite.prepare('BEGIN IMMEDIATE')
    this.commit = this.sqlite.prepare('COMMIT')
  }

  prepare(sql: string): StatementSync {
    return this.sqlite.prepare(sql)
  }

  /** What must be read again when a transaction failed, because it may have moved on with it. */
  onRollback(listener: () => void): void {
    this.rolledBack = listener
  }

  /**
   * Runs `job` inside a transaction and resolves with its result once that transaction is on disk. All jobs asked for in one turn of
   * the event loop share a transaction, so that many producers share one fsync. A job refuses by its result, never by throwing:
   * an exception is a failing disk, and undoes the whole transaction.
   */
  write<T>(job: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) throw new Error('the Kafka emulator has been stopped')
      this.queue.push({ run: job, resolve, reject })
      if (this.queue.length === 1) setImmediate(() => this.flush())
    })
  }

  close(): void {
    this.flush()
    this.closed = true
    this.sqlite.close()
  }

  private flush(): void {
    const jobs = this.queue
    this.queue = []
    if (jobs.length === 0) return
    let results: unknown[]
    try {
      this.begin.run()
      results = jobs.map((job) => job.run())
      this.commit.run()
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK')
      this.rolledBack()
      for (const job of jobs) job.reject(error as Error)
      return
    }
    for (const [index, job] of jobs.entries()) job.resolve(results[index] as never)
  }
}
