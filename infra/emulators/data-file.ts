/** The SQLite file behind an emulator, and the one queue through which everything is written to it. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>
type Job = { run: () => unknown; resolve: (value: never) => void; reject: (error: Error) => void }

/** What the collections of a database need of the file behind them. */
export type Storage = Pick<DataFile, 'all' | 'rows' | 'change' | 'onRollback'>

/** Nothing is kept but what the collections themselves have in memory. */
export function withoutFile(): Storage {
  let last = 0
  return { all: () => [], rows: () => [].values(), change: () => ++last, onRollback: () => {} }
}

/** The disk refused: nothing of the transaction counts. */
export class StorageError extends Error {
  constructor(cause: unknown) {
    super(`the data file could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export class DataFile {
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #queue: Job[] = []
  #rolledBack: () => void = () => {}

  /**
   * Opens `<folder>/<name>`, making what is missing; without a folder everything is in memory. The file is locked while it is open, and
   * the lock ends with the process. @throws Error when another server has the file.
   */
  constructor(folder: string | undefined, name: string, schema: string) {
    const path = folder === undefined ? ':memory:' : join(folder, name)
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      closeSync(openSync(path, 'a'))
      // SQLite gives the files beside it the same mode.
      chmodSync(path, 0o600)
    }
    this.#sqlite = new DatabaseSync(path)
    try {
      // What was deleted or replaced is overwritten; the log beside the file, which has it longer, is emptied at every start and end.
      this.#sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
      this.#sqlite.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`)
    } catch (cause) {
      this.#sqlite.close()
      const message = (cause as Error).message
      const why = message.includes('locked') ? 'it is locked, another server runs on this folder' : message
      throw new Error(`cannot open ${path}: ${why}`, { cause })
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values)
  }

  /** One row after the other, for results that need not be in memory at once. */
  rows(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.#prepared(sql).iterate(...values)
  }

  /** A change, inside a job alone. Returns the id of the row that it inserted. @throws StorageError */
  change(sql: string, ...values: SQLInputValue[]): number {
    try {
      if (!this.#sqlite.isTransaction) this.#sqlite.exec('BEGIN IMMEDIATE')
      return Number(this.#prepared(sql).run(...values).lastInsertRowid)
    } catch (cause) {
      throw new StorageError(cause)
    }
  }

  /** Called after a transaction failed: what is in memory must be read again. */
  onRollback(listener: () => void): void {
    this.#rolledBack = listener
  }

  /**
   * Runs `job` and resolves with its result once everything it changed is on disk. Jobs of one turn of the event loop share a
   * transaction, and with it one flush to disk. A job that throws undoes the transaction for all of them.
   */
  write<T>(job: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: job, resolve, reject })
      if (this.#queue.length === 1) setImmediate(() => this.#flush())
    })
  }

  close(): void {
    this.#flush()
    if (this.#sqlite.isOpen) this.#sqlite.close()
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#sqlite.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #flush(): void {
    const jobs = this.#queue
    this.#queue = []
    if (!this.#sqlite.isOpen) {
      for (const job of jobs) job.reject(new Error('the emulator has been stopped'))
      return
    }
    try {
      const results = jobs.map((job) => job.run())
      this.#commit()
      for (const [index, job] of jobs.entries()) job.resolve(results[index] as never)
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK')
      this.#rolledBack()
      for (const job of jobs) job.reject(error as Error)
    }
  }

  #commit(): void {
    try {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('COMMIT')
    } catch (cause) {
      throw new StorageError(cause)
    }
  }
}
