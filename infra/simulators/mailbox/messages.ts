/** The mails that were accepted, in the order they came; on disk when a file is given, so that they survive the process. */
import { DatabaseSync } from 'node:sqlite'

export type Message = {
  id: number
  receivedAt: string
  from: string
  /** Envelope recipients. */
  to: string[]
  messageId: string | null
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export type Messages = {
  add(message: Omit<Message, 'id'>): Message
  /** Newest first; `to` and `subject` are substrings, case ignored. */
  list(filter: { to?: string | undefined; subject?: string | undefined }): Message[]
  get(id: number): Message | undefined
  clear(): void
  close(): void
}

export function openMessages(file = ':memory:'): Messages {
  const db = new DatabaseSync(file)
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL)',
  )
  const insert = db.prepare('INSERT INTO messages (body) VALUES (?)')
  const read = (row: unknown): Message => {
    const { id, body } = row as { id: number; body: string }
    return { id, ...(JSON.parse(body) as Omit<Message, 'id'>) }
  }
  const includes = (text: string, part: string | undefined) => !part || text.toLowerCase().includes(part.toLowerCase())
  return {
    add(message) {
      const { lastInsertRowid } = insert.run(JSON.stringify(message))
      return { id: Number(lastInsertRowid), ...message }
    },
    list: ({ to, subject }) =>
      db
        .prepare('SELECT id, body FROM messages ORDER BY id DESC')
        .all()
        .map(read)
        .filter((message) => includes(message.to.join(' '), to) && includes(message.subject, subject)),
    get(id) {
      const row = db.prepare('SELECT id, body FROM messages WHERE id = ?').get(id)
      return row && read(row)
    },
    clear: () => db.exec('DELETE FROM messages'),
    close: () => db.close(),
  }
}
