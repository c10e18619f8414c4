/** One connection per process to this service's own database, with deadlines and majority writes. */
import mongoose, { type Connection } from 'mongoose'
import type { Log } from './log.ts'

export async function connectMongo(url: string, database: string, log: Log): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    dbName: database,
    appName: database,
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: 5000,
    socketTimeoutMS: 20_000,
    maxPoolSize: 30,
    minPoolSize: 1,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
    readConcern: { level: 'majority' },
    autoIndex: false,
    autoCreate: false,
    bufferTimeoutMS: 5000,
  } as mongoose.ConnectOptions)
  let closing = false
  connection.on('disconnecting', () => {
    closing = true
  })
  connection.on('disconnected', () => {
    if (!closing) log.warn('mongo disconnected')
  })
  connection.on('error', (err) => log.warn({ err }, 'mongo error'))
  await connection.asPromise()
  return connection
}

/** Makes the declared indexes; many replicas may do so at once. A conflicting index is a mistake and stops the start. */
export async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) {
    await model.createCollection().catch((error: { code?: number }) => {
      if (error.code !== 48) throw error // 48: another replica has just made it
    })
    await model.createIndexes()
  }
}

/** A unique index refused the write; `field` narrows it to one index. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const { code, keyPattern } = error as { code?: number; keyPattern?: Record<string, unknown> }
  return code === 11_000 && (field === undefined || (keyPattern !== undefined && field in keyPattern))
}

const AWAY =
  /Mongo(Network|ServerSelection|NotConnected|PoolCleared|WriteConcern|Timeout|TopologyClosed|WaitQueue)|MongooseServerSelection|bufferTimeout/

/**
 * What a server answers while it starts, stops or hands over: HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress,
 * ReadConcernMajorityNotAvailableYet, PrimarySteppedDown, SocketException, NotWritablePrimary, InterruptedAtShutdown,
 * InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const CHANGING = new Set([6, 7, 89, 91, 134, 189, 9001, 10_107, 11_600, 11_602, 13_435, 13_436])

/** The database is away or changing its primary: worth waiting for, no fault of the message or request. */
export function isMongoAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { hasErrorLabel: labelled, code } = error as { hasErrorLabel?: (label: string) => boolean; code?: unknown }
  return (
    AWAY.test(error.name) ||
    CHANGING.has(code as number) ||
    /buffering timed out|topology/i.test(error.message) ||
    labelled?.call(error, 'RetryableWriteError') === true
  )
}
