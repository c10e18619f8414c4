// The file: SQLite holds every document as it was sent. Memory is a copy of it that can always be read again.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Entry } from './entry.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
  CREATE TABLE IF NOT EXISTS indexes (collection INTEGER NOT NULL, name TEXT NOT NULL, spec BLOB NOT NULL, PRIMARY KEY (collection, name));
  CREATE TABLE IF NOT EXISTS documents (seq INTEGER PRIMARY KEY, collection INTEGER NOT NULL, body BLOB NOT NULL);
`

type CollectionRow = { id: number; db: string; name: string }
type IndexRow = { collection: number; spec: Uint8Array }
type DocumentRow = { seq: number; collection: number; body: Uint8Array }

/**
 * One transaction is open from the first change until `commit`, so that commands which arrive together share one flush to disk.
 * The file is locked: a second server on the same folder does not start.
 */
export class Database {
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #open = false
  #lastSeq = 0

  /** @param dataDir folder of the file; absent: nothing is kept. */
  constructor(dataDir: string | undefined) {
    if (dataDir) mkdirSync(dataDir, { recursive: true })
    this.#sqlite = new DatabaseSync(dataDir ? join(dataDir, 'mongo.sqlite') : ':memory:')
    this.#sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    this.#sqlite.exec(SCHEMA)
    const { last } = this.#statement('SELECT coalesce(max(seq), 0) AS last FROM documents').get() as { last: number }
    this.#lastSeq = last
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#sqlite.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #change(sql: string, ...values: (string | number | Uint8Array)[]): void {
    try {
      if (!this.#open) {
        this.#sqlite.exec('BEGIN IMMEDIATE')
        this.#open = true
      }
      this.#statement(sql).run(...values)
    } catch (cause) {
      throw new StorageError(cause)
    }
  }

  /** True while there are changes that a crash would lose. */
  get isDirty(): boolean {
    return this.#open
  }

  /** On return every change is on disk. */
  commit(): void {
    if (!this.#open) return
    try {
      this.#sqlite.exec('COMMIT')
    } catch (cause) {
      throw new StorageError(cause)
    }
    this.#open = false
  }

  rollback(): void {
    this.#open = false
    if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK')
  }

  nextSeq(): number {
    this.#lastSeq += 1
    return this.#lastSeq
  }

  put(collection: number, { seq, raw }: Pick<Entry, 'seq' | 'raw'>): void {
    this.#change(
      'INSERT INTO documents (seq, collection, body) VALUES (?, ?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body',
      seq,
      collection,
      raw,
    )
  }

  remove(seq: number): void {
    this.#change('DELETE FROM documents WHERE seq = ?', seq)
  }

  createCollection(db: string, name: string): number {
    this.#change('INSERT INTO collections (db, name) VALUES (?, ?)', db, name)
    const { id } = this.#statement('SELECT last_insert_rowid() AS id').get() as { id: number }
    return id
  }

  dropCollection(id: number): void {
    this.#change('DELETE FROM documents WHERE collection = ?', id)
    this.#change('DELETE FROM indexes WHERE collection = ?', id)
    this.#change('DELETE FROM collections WHERE id = ?', id)
  }

  saveIndex(collection: number, name: string, spec: Uint8Array): void {
    this.#change('INSERT OR REPLACE INTO indexes (collection, name, spec) VALUES (?, ?, ?)', collection, name, spec)
  }

  removeIndex(collection: number, name: string): void {
    this.#change('DELETE FROM indexes WHERE collection = ? AND name = ?', collection, name)
  }

  readCollections(): CollectionRow[] {
    return this.#statement('SELECT id, db, name FROM collections ORDER BY id').all() as CollectionRow[]
  }

  readIndexes(): IndexRow[] {
    return this.#statement('SELECT collection, spec FROM indexes ORDER BY rowid').all() as IndexRow[]
  }

  *readDocuments(): Generator<DocumentRow> {
    for (const row of this.#statement('SELECT seq, collection, body FROM documents ORDER BY seq').iterate()) yield row as DocumentRow
  }

  close(): void {
    if (this.#sqlite.isOpen) this.#sqlite.close()
  }
}

/** The disk refused: nothing since the last commit counts. */
export class StorageError extends Error {
  constructor(cause: unknown) {
    super(`the data file could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'StorageError'
  }
}
