/**
 * A copy of all databases of one system as of one moment, and back. Files are what MongoDB's own `mongodump` writes, one `.bson` for each
 * collection, so that `mongorestore` reads them too. Indexes are made by the services when they start.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { now } from '@passerelle/kit/runtime'
import mongoose, { type Connection } from 'mongoose'

const { BSON } = mongoose.mongo
const SERVICES = ['search', 'booking', 'payment', 'identity', 'brand'] as const
/** Written last: a folder without it is half a copy. */
const MARK = 'backup.json'
const BATCH = 500
/** Held by processes that were stopped for the restore: nobody would give them up for minutes. */
const LEASES = 'leases'
/** Numbers stay the kind of number that they were. */
const AS_STORED = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const

export class BackupError extends Error {}

type Where = { url: string; namespace: string; folder: string; log: Log }
type Counts = Record<string, number>

/**
 * Reads every collection at one moment of the replica set, while everything goes on. A server without snapshots is read one collection
 * after the other: then nothing may run. @returns documents by "service/collection"
 */
export async function backUp({ url, namespace, folder, log }: Where): Promise<{ counts: Counts; oneMoment: boolean }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new BackupError(`${folder} is not empty`)
  const takenAt = now().toISOString()
  const connection = await connectMongo(url, `${namespace}booking`, log)
  const session = await snapshotOf(connection, `${namespace}booking`)
  const counts: Counts = {}
  try {
    for (const service of SERVICES) {
      const database = connection.getClient().db(namespace + service)
      mkdirSync(join(folder, service), { recursive: true, mode: 0o700 })
      const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
      for (const name of names.filter((one) => !one.startsWith('system.'))) {
        const file = await open(join(folder, service, `${name}.bson`), 'wx', 0o600)
        let count = 0
        for await (const document of database.collection(name).find({}, { raw: true, ...(session && { session }) })) {
          await file.write(document as unknown as Uint8Array)
          count++
        }
        await file.close()
        counts[`${service}/${name}`] = count
      }
    }
  } finally {
    await session?.endSession()
    await connection.close()
  }
  const oneMoment = session !== null
  writeFileSync(join(folder, MARK), `${JSON.stringify({ takenAt, oneMoment, counts }, null, 2)}\n`, { mode: 0o600 })
  return { counts, oneMoment }
}

/** null where the server has no snapshots: a single member without a replica set. */
async function snapshotOf(connection: Connection, database: string) {
  const client = connection.getClient()
  const session = client.startSession({ snapshot: true })
  try {
    await client.db(database).collection('bookings').findOne({}, { session })
    return session
  } catch {
    await session.endSession()
    return null
  }
}

/**
 * Puts a copy back: what is in its collections now is replaced, and collections that it has not are emptied. Nothing may run meanwhile.
 * @throws BackupError for a folder that holds no whole copy, before anything is changed
 */
export async function restore({ url, namespace, folder, log }: Where, apply: boolean): Promise<Counts> {
  const { counts } = readMark(folder)
  for (const [name, count] of Object.entries(counts)) {
    const found = documentsIn(await readFile(join(folder, `${name}.bson`))).length
    if (found !== count) throw new BackupError(`${name} has ${found} of ${count} documents: the copy is damaged`)
  }
  if (!apply) return counts
  const connection = await connectMongo(url, `${namespace}booking`, log)
  try {
    for (const service of SERVICES) {
      const database = connection.getClient().db(namespace + service)
      const there = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
      const copied = Object.keys(counts).flatMap((name) => (name.startsWith(`${service}/`) ? name.slice(service.length + 1) : []))
      for (const name of new Set([...there.filter((one) => !one.startsWith('system.')), ...copied])) {
        const collection = database.collection(name)
        await collection.deleteMany({})
        if (!copied.includes(name) || name === LEASES) continue
        const documents = documentsIn(await readFile(join(folder, service, `${name}.bson`))).map((one) => BSON.deserialize(one, AS_STORED))
        for (let first = 0; first < documents.length; first += BATCH) await collection.insertMany(documents.slice(first, first + BATCH))
      }
    }
  } finally {
    await connection.close()
  }
  return counts
}

function readMark(folder: string): { counts: Counts } {
  try {
    return JSON.parse(readFileSync(join(folder, MARK), 'utf8'))
  } catch {
    throw new BackupError(`${folder} holds no whole copy: ${MARK} is missing`)
  }
}

/** Each begins with its own length. @throws BackupError */
function documentsIn(file: Buffer): Buffer[] {
  const documents: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const length = at + 4 <= file.length ? file.readInt32LE(at) : 0
    if (length < 5 || at + length > file.length) throw new BackupError('a file of the copy is cut off')
    documents.push(file.subarray(at, at + length))
    at += length
  }
  return documents
}
