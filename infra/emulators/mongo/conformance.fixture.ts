// Which server the conformance suite talks to: a real one when MONGO_URL is set, else this emulator.
import { randomBytes } from 'node:crypto'
import mongoose, { type Connection } from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { startMongoEmulator } from './server.ts'

type ConformanceServer = {
  url: string
  /** The suite's own random database. */
  connection: Connection
  isEmulator: boolean
  /** Drops the database and closes everything that was opened here. */
  stop(): Promise<void>
}

type Row = Record<string, unknown> & { _id: string | number }

/** The server of one test file, from before its first test until after its last. */
export function conformanceBench() {
  let server: ConformanceServer | undefined
  let collections = 0
  const opened = () => {
    if (!server) throw new Error('there is a server during tests alone')
    return server
  }
  beforeAll(async () => {
    server = await openConformanceServer()
  })
  afterAll(() => server?.stop())
  const collectionNamed = async (name: string, documents: Row[]) => {
    const collection = opened().connection.collection<Row>(name)
    if (documents.length > 0) await collection.insertMany(documents)
    return collection
  }
  return {
    get url() {
      return opened().url
    },
    get connection() {
      return opened().connection
    },
    get isEmulator() {
      return opened().isEmulator
    },
    /** A fresh collection holding these documents. */
    collectionOf: (documents: Row[]) => collectionNamed(`rows${++collections}`, documents),
    collectionNamed,
  }
}

/** Connects, and prints which server and version answers. */
async function openConformanceServer(): Promise<ConformanceServer> {
  const real = process.env.MONGO_URL
  const emulator = real ? undefined : await startMongoEmulator()
  const url = real ?? emulator!.url
  const dbName = `conformance_${randomBytes(6).toString('hex')}`
  const connection = await mongoose.createConnection(url, { dbName, serverSelectionTimeoutMS: 5000 }).asPromise()
  const { version } = await connection.db!.admin().buildInfo()
  console.log(`conformance against ${emulator ? 'the emulator, speaking as' : 'a real'} MongoDB ${version}`)
  return {
    url,
    connection,
    isEmulator: emulator !== undefined,
    async stop() {
      await connection.dropDatabase()
      await connection.close()
      await emulator?.stop()
    },
  }
}

/** The error that a promise ends with. @throws when it does not end with one. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    return error as Error & Record<string, unknown>
  }
  throw new Error('expected a refusal')
}
