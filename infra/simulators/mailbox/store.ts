/** The mails, in one SQLite file or in memory. */
import { DatabaseSync } from 'node:sqlite'
import type { Message } from './message.ts'

export type Store = ReturnType<typeof openStore>

/** @param file absent: in memory. With a file, a mail that was accepted is still there after `kill -9`. */
export const openStore = (file?: string) => {
  const database = new DatabaseSync(file ?? ':memory:')
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(`
    CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY AUTOINCREMENT, message TEXT NOT NULL, raw BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  `)
  const insert = database.prepare('INSERT INTO messages (message, raw) VALUES (?, ?)')
  const selectAll = database.prepare('SELECT number, message FROM messages ORDER BY number DESC')
  const selectOne = database.prepare('SELECT number, message FROM messages WHERE number = ?')
  const selectRaw = database.prepare('SELECT raw FROM messages WHERE number = ?')
  const selectSetting = database.prepare('SELECT value FROM settings WHERE name = ?')
  const upsertSetting = database.prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')

  const withId = (row: unknown): Message => {
    const { number, message } = row as { number: number; message: string }
    return { id: String(number), ...JSON.parse(message) }
  }
  return {
    add: (message: Omit<Message, 'id'>, raw: Buffer): string => String(insert.run(JSON.stringify(message), raw).lastInsertRowid),
    /** Newest first. */
    all: (): Message[] => selectAll.all().map(withId),
    find: (id: string): Message | undefined => {
      const row = selectOne.get(id)
      return row ? withId(row) : undefined
    },
    raw: (id: string): Buffer | undefined => {
      const row = selectRaw.get(id) as { raw: Uint8Array } | undefined
      return row && Buffer.from(row.raw)
    },
    setting: (name: string): string | undefined => (selectSetting.get(name) as { value: string } | undefined)?.value,
    setSetting: (name: string, value: string) => void upsertSetting.run(name, value),
    wipe: () => database.exec('DELETE FROM messages'),
    close: () => database.close(),
  }
}
