/** One connection per process to this service's own database, with deadlines and majority writes. */
import mongoose, { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema, type SchemaDefinition } from 'mongoose'
import type { Log } from './log.ts'
import { delay } from './runtime.ts'

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
  try {
    return await connection.asPromise()
  } catch (error) {
    await connection.destroy().catch(() => undefined)
    throw error
  }
}

const NOT_YET_THERE_MS = 1000
/** Of a server whose users are not made yet. */
const AUTHENTICATION_FAILED = 18

/** As `connectMongo`, but waits for as long as it takes until the database and this service's user in it are there. */
export async function awaitMongo(url: string, database: string, log: Log): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongo(url, database, log)
    } catch (err) {
      if (!isMongoUnavailable(err) && (err as { code?: unknown }).code !== AUTHENTICATION_FAILED) throw err
      log.warn({ err }, 'MongoDB is unavailable, the start goes on when it is there')
      await delay(NOT_YET_THERE_MS)
    }
  }
}

export type ModelDefinition = {
  collection: string
  fields: SchemaDefinition
  indexes?: readonly (readonly [IndexDefinition, IndexOptions?])[]
  /** false: empty objects are stored. */
  minimize?: false
}

/** The model of a collection, with the version of its documents left to the service; `ensureIndexes` creates the indexes. */
export function createModel<D>(connection: Connection, name: string, { fields, indexes = [], ...options }: ModelDefinition): Model<D> {
  const schema = new Schema(fields, { versionKey: false, ...options })
  for (const [index, about] of indexes) schema.index(index, about)
  return connection.model(name, schema) as unknown as Model<D>
}

/** Creates the declared indexes; several replicas may do so at once. A conflicting index stops the start. */
export async function ensureIndexes(connection: Connection): Promise<void> {
  const ensure = async (model: (typeof connection.models)[string]) => {
    await model.createCollection().catch((error: { code?: number }) => {
      if (error.code !== 48) throw error // 48: another replica has just created it
    })
    await model.createIndexes()
  }
  await Promise.all(Object.values(connection.models).map(ensure))
}

/** A unique index refused the write; `field` narrows it to one index. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const { code, keyPattern } = error as { code?: number; keyPattern?: Record<string, unknown> }
  return code === 11_000 && (field === undefined || (keyPattern !== undefined && field in keyPattern))
}

/** Names of the driver's and mongoose's errors for an unavailable server, connection, pool or session. */
const UNAVAILABLE = new RegExp(
  [
    'Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|PoolCleared|PoolClosed|PoolClearedOnNetwork|WaitQueueTimeout)Error',
    'Mongo(WriteConcern|OperationTimeout|TopologyClosed|ServerClosed|ClientClosed|ExpiredSession|StalePrimary)Error',
    'MongooseServerSelectionError',
    'DisconnectedError',
  ].join('|'),
)

/** Texts, where the class does not say it: a bulk write takes over the message of its cause, and mongoose has one class for many errors. */
const UNAVAILABLE_TEXT =
  /buffering timed out|topology|connection (pool|\d+|<monitor>).* (closed|cleared|timed out)|server selection timed out|force.?closed|before initial connection|ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|socket (hang up|disconnected)/i

/**
 * Codes of a server that starts, stops, hands over, or is slow because of it: HostUnreachable, HostNotFound, CursorNotFound
 * (of a read that the server before the restart began), MaxTimeMSExpired, WriteConcernTimeout, NetworkTimeout, ShutdownInProgress,
 * FailedToSatisfyReadPreference, ReadConcernMajorityNotAvailableYet, PrimarySteppedDown, NoSuchSession, CursorKilled, ExceededTimeLimit,
 * SocketException, NotWritablePrimary (and as it was called), InterruptedAtShutdown, InterruptedDueToReplStateChange,
 * NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const CHANGING = new Set([6, 7, 43, 50, 64, 89, 91, 133, 134, 189, 206, 237, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])

/** Labels of errors that the driver retries, and has retried. */
const RETRYABLE = ['RetryableWriteError', 'RetryableReadError', 'PoolRequestedRetry', 'SystemOverloadedError', 'TransientTransactionError']

type DatabaseError = Error & { code?: unknown; errorResponse?: unknown; err?: unknown; hasErrorLabel?(label: string): boolean }

/** The database is unavailable or changing its primary, also as the cause of another error: worth a retry, not the request's fault. */
export function isMongoUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  const { name, message, code, cause, errorResponse, err, hasErrorLabel } = error as DatabaseError
  if (UNAVAILABLE.test(name) || CHANGING.has(code as number)) return true
  // Texts and labels of other errors say nothing about the database.
  if (/^Mongo/.test(name) && (UNAVAILABLE_TEXT.test(message) || RETRYABLE.some((label) => hasErrorLabel?.call(error, label)))) return true
  return [cause, errorResponse, err].some((inner) => inner !== error && isMongoUnavailable(inner, depth + 1))
}

/** A filter for a text in capital or small letters. */
export const inAnyCase = (text: string) => ({ $regex: `^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, $options: 'i' })
