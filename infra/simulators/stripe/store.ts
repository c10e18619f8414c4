/** Everything the simulator must not forget, in one SQLite file: objects, holds, idempotency records, webhook deliveries. */
import { DatabaseSync } from 'node:sqlite'
import type { Range } from './parameters.ts'
import type { Kind, Resources } from './resources.ts'

export type IdempotencyRecord = { endpoint: string; fingerprint: string; status: number; body: string; requestId: string; at: number }
export type Delivery = { eventId: string; attempts: number; due: number; copies: number }
export type ListQuery = { parent?: string; created?: Range; before?: string; after?: string; limit: number }

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE,
    parent TEXT, created INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, position);
  CREATE INDEX IF NOT EXISTS objects_by_parent ON objects (parent, kind);
  CREATE TABLE IF NOT EXISTS holds (intent TEXT PRIMARY KEY, until INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS idempotency (key TEXT PRIMARY KEY, endpoint TEXT NOT NULL, fingerprint TEXT NOT NULL, status INTEGER NOT NULL,
    body TEXT NOT NULL, request_id TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS deliveries (event_id TEXT PRIMARY KEY, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
    copies INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`

export type Store = ReturnType<typeof openStore>

/** @param file absent: in memory. With a file, what was answered is still there after `kill -9`. */
export const openStore = (file?: string) => {
  const database = new DatabaseSync(file ?? ':memory:')
  // A write-ahead log outlives the process without a disk flush per request, which only a power cut would need.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  database.exec(SCHEMA)
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const sql = (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, known)
    return known
  }
  const parse = <T>(row: unknown): T | undefined => (row ? (JSON.parse((row as { body: string }).body) as T) : undefined)

  const setting = (name: string): string | undefined =>
    (sql('SELECT value FROM settings WHERE name = ?').get(name) as { value: string } | undefined)?.value
  const setSetting = (name: string, value: string) =>
    void sql('INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value)

  const list = <K extends Kind>(kind: K, query: ListQuery): Resources[K][] => {
    const where = ['kind = ?']
    const values: (string | number)[] = [kind]
    const add = (condition: string, value: string | number | undefined) => {
      if (value === undefined) return
      where.push(condition)
      values.push(value)
    }
    add('parent = ?', query.parent)
    add('created > ?', query.created?.gt)
    add('created >= ?', query.created?.gte)
    add('created < ?', query.created?.lt)
    add('created <= ?', query.created?.lte)
    add('position < (SELECT position FROM objects WHERE id = ?)', query.before)
    add('position > (SELECT position FROM objects WHERE id = ?)', query.after)
    const order = query.after === undefined ? 'DESC' : 'ASC'
    const rows = sql(`SELECT body FROM objects WHERE ${where.join(' AND ')} ORDER BY position ${order} LIMIT ?`).all(...values, query.limit)
    const found = rows.map((row) => parse<Resources[K]>(row) as Resources[K])
    return order === 'ASC' ? found.reverse() : found
  }

  return {
    insert: <K extends Kind>(kind: K, object: Resources[K], parent?: string) =>
      void sql('INSERT INTO objects (kind, id, parent, created, body) VALUES (?, ?, ?, ?, ?)').run(
        kind,
        object.id,
        parent ?? null,
        object.created,
        JSON.stringify(object),
      ),
    replace: <K extends Kind>(_kind: K, object: Resources[K]) =>
      void sql('UPDATE objects SET body = ? WHERE id = ?').run(JSON.stringify(object), object.id),
    find: <K extends Kind>(kind: K, id: string): Resources[K] | undefined =>
      parse(sql('SELECT body FROM objects WHERE kind = ? AND id = ?').get(kind, id)),
    /** What the object was filed under: the card behind a payment method, the intent of a charge or refund. */
    parentOf: (id: string): string | undefined =>
      (sql('SELECT parent FROM objects WHERE id = ?').get(id) as { parent: string | null } | undefined)?.parent ?? undefined,
    /** Newest first. `before` and `after` are ids: what was made before or after that object. */
    list,
    all: <K extends Kind>(kind: K): Resources[K][] => list(kind, { limit: -1 }),

    hold: (intent: string, until: number) => void sql('INSERT OR REPLACE INTO holds VALUES (?, ?)').run(intent, until),
    release: (intent: string) => void sql('DELETE FROM holds WHERE intent = ?').run(intent),
    holdsUntil: (now: number): string[] =>
      (sql('SELECT intent FROM holds WHERE until <= ?').all(now) as { intent: string }[]).map((row) => row.intent),

    idempotent: (key: string): IdempotencyRecord | undefined =>
      sql('SELECT endpoint, fingerprint, status, body, request_id AS requestId, at FROM idempotency WHERE key = ?').get(key) as
        | IdempotencyRecord
        | undefined,
    remember: (key: string, record: IdempotencyRecord) =>
      void sql('INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        key,
        record.endpoint,
        record.fingerprint,
        record.status,
        record.body,
        record.requestId,
        record.at,
      ),

    enqueue: (eventId: string, due: number, copies: number) =>
      void sql("INSERT INTO deliveries VALUES (?, 0, ?, ?, 'pending')").run(eventId, due, copies),
    dueDeliveries: (limit: number): Delivery[] =>
      sql("SELECT event_id AS eventId, attempts, due, copies FROM deliveries WHERE state = 'pending' ORDER BY due LIMIT ?").all(
        limit,
      ) as unknown as Delivery[],
    updateDelivery: (eventId: string, attempts: number, due: number, copies: number, state: 'pending' | 'delivered' | 'given-up') =>
      void sql('UPDATE deliveries SET attempts = ?, due = ?, copies = ?, state = ? WHERE event_id = ?').run(
        attempts,
        due,
        copies,
        state,
        eventId,
      ),
    deliveryCounts: (): Record<string, number> =>
      Object.fromEntries(
        (sql('SELECT state, count(*) AS number FROM deliveries GROUP BY state').all() as { state: string; number: number }[]).map((row) => [
          row.state,
          row.number,
        ]),
      ),

    setting,
    setSetting,
    /** 1, 2, 3...: never the same again in this file, not even after `wipe`, so that no id comes twice. */
    nextNumber: (): number => {
      const next = Number(setting('number') ?? 0) + 1
      setSetting('number', String(next))
      return next
    },
    /** All of it or nothing; nested calls join the outer one. */
    transaction: <T>(work: () => T): T => {
      if (database.isTransaction) return work()
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    wipe: () => {
      for (const table of ['objects', 'holds', 'idempotency', 'deliveries']) database.exec(`DELETE FROM ${table}`)
    },
    close: () => database.close(),
  }
}
