/** The events that a group has already handled, kept longer than topics keep events. */
import type { Connection } from 'mongoose'
import { isDuplicateKey } from './mongo.ts'
import { now } from './runtime.ts'

const KEEP_SECONDS = 14 * 24 * 60 * 60

export type Inbox = { has(eventId: string): Promise<boolean>; remember(eventId: string): Promise<void> }

type Seen = { _id: string; at: Date }

const INBOX_INDEX = { key: { at: 1 as const }, name: 'expire', expireAfterSeconds: KEEP_SECONDS }

export function createInbox(connection: Connection, group: string): Inbox {
  const seen = connection.collection<Seen>('inbox')
  const idOf = (eventId: string) => `${group}:${eventId}`
  return {
    async has(eventId) {
      return (await seen.findOne({ _id: idOf(eventId) }, { projection: { _id: 1 } })) !== null
    },
    async remember(eventId) {
      try {
        await seen.insertOne({ _id: idOf(eventId), at: now() })
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
      }
    },
  }
}

export async function prepareInbox(connection: Connection): Promise<void> {
  await connection
    .collection('inbox')
    .createIndex(INBOX_INDEX.key, { name: INBOX_INDEX.name, expireAfterSeconds: INBOX_INDEX.expireAfterSeconds })
}
