/** The mails as documents: what was read of each, and its bytes. */
import { openDocuments } from '../documents.ts'
import type { Message } from './message.ts'

export type Store = ReturnType<typeof openStore>

export const openStore = (file?: string) => {
  const documents = openDocuments(file)
  const { insert, find, list } = documents
  return {
    documents,
    add: (message: Omit<Message, 'id'>, raw: Buffer): void =>
      documents.transaction(() => {
        const id = String(documents.nextNumber())
        insert('message', id, { ...message, id })
        insert('raw', id, raw.toString('base64'))
      }),
    /** Newest first. */
    all: () => list<Message>('message', { newestFirst: true }),
    find: (id: string) => find<Message>('message', id),
    raw: (id: string) => Buffer.from(find<string>('raw', id) ?? '', 'base64'),
  }
}
