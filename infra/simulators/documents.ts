/**
 * What a simulator knows, in one SQLite file or in memory: JSON documents by kind and id. A write is in the file before its answer
 * leaves, so it survives `kill -9`.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, parent TEXT,
    due INTEGER, body TEXT NOT NULL, UNIQUE (kind, id));
  CREATE INDEX IF NOT EXISTS documents_by_parent ON documents (kind, parent);
  CREATE INDEX IF NOT EXISTS documents_by_due ON documents (kind, due);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`

/** `parent`: what a document belongs to. `due`: a time that documents can be found by. */
type Keys = { parent?: string; due?: number | null }
type Query = { parent?: string; dueUntil?: number; before?: string; newestFirst?: boolean; byDue?: boolean; limit?: number }

export type Documents = ReturnType<typeof openDocuments>

export const openDocuments = (file?: string) => {
  if (file) mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file ?? ':memory:')
  // A write-ahead log outlives the process without a disk flush per request, which only a power cut would need.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  database.exec(SCHEMA)
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const sql = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const parse = <T>(row: unknown): T => JSON.parse((row as { body: string }).body)

  const setting = (name: string): string | undefined =>
    (sql('SELECT value FROM settings WHERE name = ?').get(name) as { value: string } | undefined)?.value
  const setSetting = (name: string, value: string) =>
    void sql('INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value)

  return {
    insert: (kind: string, id: string, body: unknown, { parent, due }: Keys = {}) =>
      void sql('INSERT INTO documents (kind, id, parent, due, body) VALUES (?, ?, ?, ?, ?)').run(
        kind,
        id,
        parent ?? null,
        due ?? null,
        JSON.stringify(body),
      ),
    /** Writes a document's new body; keeps its place and its parent, and its due time unless another one is given. */
    replace: (kind: string, id: string, body: unknown, { due }: Keys = {}) =>
      due === undefined
        ? void sql('UPDATE documents SET body = ? WHERE kind = ? AND id = ?').run(JSON.stringify(body), kind, id)
        : void sql('UPDATE documents SET body = ?, due = ? WHERE kind = ? AND id = ?').run(JSON.stringify(body), due, kind, id),
    find: <T>(kind: string, id: string): T | undefined => {
      const row = sql('SELECT body FROM documents WHERE kind = ? AND id = ?').get(kind, id)
      return row && parse<T>(row)
    },
    /** Oldest first unless told otherwise. `before`: the id of a document; what was inserted before it. */
    list: <T>(kind: string, { parent, dueUntil, before, newestFirst, byDue, limit = -1 }: Query = {}): T[] => {
      const where = ['kind = ?']
      const values: SQLInputValue[] = [kind]
      const add = (condition: string, ...given: (SQLInputValue | undefined)[]) => {
        if (given.includes(undefined)) return
        where.push(condition)
        values.push(...(given as SQLInputValue[]))
      }
      add('parent = ?', parent)
      add('due <= ?', dueUntil)
      add('position < (SELECT position FROM documents WHERE kind = ? AND id = ?)', before && kind, before)
      const order = byDue ? 'due' : newestFirst ? 'position DESC' : 'position'
      return sql(`SELECT body FROM documents WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ?`)
        .all(...values, limit)
        .map((row) => parse<T>(row))
    },
    earliestDue: (kind: string): number | undefined =>
      (sql('SELECT min(due) AS due FROM documents WHERE kind = ?').get(kind) as { due: number | null }).due ?? undefined,
    remove: (kind: string, { id, parent }: { id?: string; parent?: string }) =>
      void sql('DELETE FROM documents WHERE kind = ? AND (id = ? OR parent = ?)').run(kind, id ?? null, parent ?? null),

    setting,
    setSetting,
    /** 1, 2, 3...: never the same again in this file, not even after `wipe`. */
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
    wipe: () => database.exec("DELETE FROM documents; DELETE FROM settings WHERE name <> 'number'"),
    close: () => database.close(),
  }
}
