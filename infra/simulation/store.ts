/**
 * The database in memory: mongoose as the product uses it, over the collections and commands of the MongoDB emulator instead of a
 * connection. What the emulator does not have it refuses, so nothing is quietly different.
 */

import { withoutFile } from '@passerelle/emulators/data-file'
import { runCommand } from '@passerelle/emulators/mongo/commands/dispatch'
import { Cursors } from '@passerelle/emulators/mongo/cursors'
import { Catalog } from '@passerelle/emulators/mongo/storage/catalog'
import { type Doc, decode, encode } from '@passerelle/emulators/mongo/values'
import mongoose, { type Connection } from 'mongoose'

/** The databases of all services. */
export class MemoryDatabases {
  readonly #catalog = new Catalog(withoutFile())
  readonly #cursors = new Cursors()

  /** @throws MongoServerError as the driver does */
  command(db: string, name: string, collection: string, args: Doc): Doc {
    // As bytes and back: what the other side gets shares nothing with the caller.
    const command = decode(encode({ [name]: collection, ...args }))
    const raw = runCommand({ name, args: command, db, sequences: new Map(), catalog: this.#catalog, cursors: this.#cursors })
    const reply = decode(raw instanceof Uint8Array ? raw : encode(raw))
    const [writeError] = (reply.writeErrors ?? []) as Doc[]
    if (reply.ok !== 1 || writeError) throw new mongoose.mongo.MongoServerError((writeError ?? reply) as { message?: string })
    return reply
  }

  everything(): unknown[] {
    return this.#catalog.all().flatMap((collection) => collection.matching({}).map(({ doc }) => doc))
  }

  /** Every document as it is now, to be read only; nothing waits, and nothing fails. */
  all<T>(db: string, collection: string): T[] {
    return (this.#catalog.find(db, collection)?.matching({}) ?? []).map(({ doc }) => doc as T)
  }
}

/** How a command gets to the database: a simulation lets it take time and get lost. */
export type Carry = (at: { db: string; collection: string; operation: string; filter: Doc }, run: () => Doc) => Promise<Doc>
type Source = { databases(): MemoryDatabases; carry: Carry }

/** A connection of mongoose that is open; `ensureIndexes` has to be called for every new `MemoryDatabases`. */
export function memoryConnection(db: string, source: Source): Connection {
  const connection = mongoose.createConnection()
  Object.assign(connection.config, { autoIndex: false, autoCreate: false })
  const opened = connection as unknown as { db: object; client: object; onOpen(): void }
  opened.client = { db: () => opened.db }
  opened.db = {
    collection: (name: string) => new MemoryCollection(db, name, source),
    createCollection: async () => undefined,
  }
  opened.onOpen()
  // The model of a collection is the same for every process that there is in a run.
  const make = connection.model.bind(connection)
  connection.model = ((name: string, ...rest: [mongoose.Schema]) =>
    connection.models[name] ?? make(name, ...rest)) as typeof connection.model
  return connection
}

type Options = {
  sort?: Doc
  limit?: number
  skip?: number
  projection?: Doc
  upsert?: boolean
  returnDocument?: string
  includeResultMetadata?: boolean
}
type BulkWrite = { updateOne: { filter: Doc; update: Doc; upsert?: boolean } }

/** What mongoose and the product call of the driver's collection. */
class MemoryCollection {
  readonly #db: string
  readonly #name: string
  readonly #source: Source

  constructor(db: string, name: string, source: Source) {
    this.#db = db
    this.#name = name
    this.#source = source
  }

  #run(operation: string, filter: Doc, name: string, args: Doc): Promise<Doc> {
    const at = { db: this.#db, collection: this.#name, operation, filter }
    return this.#source.carry(at, () => this.#source.databases().command(this.#db, name, this.#name, args))
  }

  find(filter: Doc = {}, { sort, limit, skip, projection }: Options = {}) {
    const args = {
      filter,
      ...(sort && { sort: plain(sort) }),
      ...(limit && { limit }),
      ...(skip && { skip }),
      ...(projection && { projection }),
    }
    const batch = async () => ((await this.#run('find', filter, 'find', { ...args, batchSize: 100_000 })).cursor as Doc).firstBatch as Doc[]
    let left: Doc[] | undefined
    const next = async () => {
      left ??= await batch()
      return left.shift() ?? null
    }
    return { toArray: batch, next, close: async () => undefined, once: () => undefined, on: () => undefined }
  }

  async findOne(filter: Doc, options: Options = {}): Promise<Doc | null> {
    return (await this.find(filter, { ...options, limit: 1 }).toArray())[0] ?? null
  }

  async countDocuments(filter: Doc = {}): Promise<number> {
    return (await this.find(filter, { projection: { _id: 1 } }).toArray()).length
  }

  async insertOne(document: Doc) {
    await this.#run('insertOne', {}, 'insert', { documents: [document] })
    return { acknowledged: true, insertedId: document._id }
  }

  async insertMany(documents: Doc[]) {
    await this.#run('insertMany', {}, 'insert', { documents })
    return { acknowledged: true, insertedCount: documents.length }
  }

  updateOne = (filter: Doc, update: Doc, options: Options = {}) => this.#update('updateOne', filter, update, options, false)
  updateMany = (filter: Doc, update: Doc, options: Options = {}) => this.#update('updateMany', filter, update, options, true)

  async #update(operation: string, filter: Doc, update: Doc, { upsert = false }: Options, multi: boolean) {
    const { n, nModified, upserted } = await this.#run(operation, filter, 'update', { updates: [{ q: filter, u: update, multi, upsert }] })
    const [made] = (upserted ?? []) as Doc[]
    const matchedCount = Number(n) - (made ? 1 : 0)
    return { acknowledged: true, matchedCount, modifiedCount: nModified, upsertedCount: made ? 1 : 0, upsertedId: made?._id ?? null }
  }

  async findOneAndUpdate(filter: Doc, update: Doc, { sort, upsert, returnDocument, projection, includeResultMetadata }: Options = {}) {
    const reply = await this.#run('findOneAndUpdate', filter, 'findAndModify', {
      query: filter,
      update,
      new: returnDocument === 'after',
      ...(sort && { sort: plain(sort) }),
      ...(upsert && { upsert }),
      ...(projection && { fields: projection }),
    })
    return includeResultMetadata ? { ...reply } : (reply.value ?? null)
  }

  async bulkWrite(operations: BulkWrite[]) {
    const updates = operations.map((one) => {
      const { filter, update, upsert = false, ...others } = one.updateOne
      if (Object.keys(one).length > 1 || Object.keys(others).some((name) => name !== 'timestamps'))
        throw new Error('not in the stand-in: this bulk write')
      return { q: filter, u: update, upsert }
    })
    const { n, nModified } = await this.#run('bulkWrite', {}, 'update', { updates })
    return { acknowledged: true, matchedCount: n, modifiedCount: nModified, insertedCount: 0, upsertedCount: 0, deletedCount: 0 }
  }

  deleteOne = (filter: Doc) => this.#delete('deleteOne', filter, 1)
  deleteMany = (filter: Doc) => this.#delete('deleteMany', filter, 0)

  async #delete(operation: string, filter: Doc, limit: number) {
    const { n } = await this.#run(operation, filter, 'delete', { deletes: [{ q: filter, limit }] })
    return { acknowledged: true, deletedCount: n }
  }

  async createIndex(key: Doc, { name, unique, partialFilterExpression, expireAfterSeconds }: Doc = {}) {
    const spec = {
      key: plain(key),
      name: name ?? Object.entries(plain(key)).flat().join('_'),
      unique,
      partialFilterExpression,
      expireAfterSeconds,
    }
    await this.#run('createIndex', {}, 'createIndexes', { indexes: [spec] })
    return spec.name
  }
}

/** mongoose gives sorts and keys of indexes as maps, too. */
const plain = (fields: Doc | Map<string, unknown>): Doc => (fields instanceof Map ? Object.fromEntries(fields) : { ...fields })
